// Decides whether a variable's value may leave the machine as it is. Pure: the result is the same everywhere.

import { isUserAndPassword } from './secret-assignments.ts';
import { judgeCommands } from './secret-commands.ts';
import { judgeName, nameParts, namesDigest, namesPublicKey } from './secret-names.ts';
import { judgeValue, looksRandom } from './secret-values.ts';

interface ClassifiedVariable {
  readonly decision: 'plain' | 'secret';
  /** For people; never contains any of the value. */
  readonly reason: string;
}

/**
 * A secret is recognised by its name or by its value. docs/specification.md §10.
 *
 * In doubt a value is a secret: a fingerprint still shows that it changed, and a leaked password cannot be taken back.
 */
export function classifyVariable(name: string, value: string): ClassifiedVariable {
  const trimmed = value.trim();
  if (trimmed === '') return { decision: 'plain', reason: 'the value is empty' };
  const isSwitch = /(?:^|_)(?:allow|enable|disable|use|require|random|skip)_/i.test(name)
    ? anySwitch
    : boolean;
  if (isSwitch.test(trimmed)) return { decision: 'plain', reason: 'the value is a switch' };
  // `EOS_TOKEN=</s>`, a marker of a language model, `<your-token>`, `${DB_PASSWORD}`, and a title.
  if (
    /^(?:<\|?\/?[A-Za-z_ -]{1,40}\|?>|\[[A-Z]{2,6}\]|\$\{[A-Z_]{1,60}\}|(?:Token|Basic|Digest) [A-Z][a-z]+)$/.test(
      trimmed,
    )
  )
    return { decision: 'plain', reason: 'the value is a placeholder' };
  const byName = judgeName(name);
  // `pwd` in a name means a password or a folder; the value shows which.
  const isFolder = byName?.reason.includes('“pwd”') && /^(?:~?\/|[A-Za-z]:[\\/])/.test(trimmed);
  // The path of a file with credentials.
  const isFile =
    /\u201ccre(?:dentials?|ds?)\u201d/.test(byName?.reason ?? '') && credentialFile.test(trimmed);
  if (/(?:^|_)(?:gpg|pgp)_/i.test(name) && /^[0-9A-F]{16}(?:[0-9A-F]{24})?$/i.test(trimmed))
    return { decision: 'plain', reason: 'the value is the fingerprint of a key' };
  // The value is a number of tokens.
  const isCount = byName?.reason.includes('“tokens”') && /^\d{1,6}$/.test(trimmed);
  if (byName?.strength === 'strong' && !isFolder && !isFile && !isCount)
    return { decision: 'secret', reason: byName.reason };
  const byValue = judgeValue(value, namesDigest(name));
  // A public key looks random too.
  const isPublic = byValue === looksRandom && namesPublicKey(name) && /^[\w+/=.-]+$/.test(trimmed);
  if (byValue && !isPublic) return { decision: 'secret', reason: byValue };
  // Forty hexadecimal digits, which only some names show to be a commit.
  if (/^[0-9a-f]{40}$/.test(trimmed) && !namesDigest(name) && !revision.test(name))
    return { decision: 'secret', reason: looksRandom };
  // An id, unless the name says that it gives access: `HONEYCOMB_WRITEKEY`, `SESSION_ID`.
  if (uuid.test(trimmed) && /[a-z]key$|session_?id$/i.test(name) && !namesPublicKey(name))
    return { decision: 'secret', reason: 'the value is the id of a secret' };
  // Only options; the name says for which program, as in `REDIS_OPTS`.
  const command = /^-{1,2}\w/.test(trimmed) && judgeCommands(`${nameParts(name).join(' ')} ${trimmed}`);
  if (command) return { decision: 'secret', reason: command };
  // A command whose output is the password.
  if (printed.test(`${name}=${trimmed}`))
    return { decision: 'secret', reason: 'the value is a command that prints a secret' };
  const pair = trimmed.replace(/^(\S{1,63}) \/ (?=\S{3,200}$)/, '$1:');
  const isUser = /(?:user|username|login|account|auth|file|user_?info|robot)$/i.test(name);
  // With other names, letters, digits and letters again are not a system with its processor.
  if (
    (isUser || (pair !== trimmed && /:(?=\S{6})\S{0,60}[a-z]\d{1,4}[a-z]/i.test(pair))) &&
    isUserAndPassword(pair)
  )
    return { decision: 'secret', reason: 'the value is a user and a password' };
  if (isPersonalAddress(name, trimmed))
    return { decision: 'secret', reason: 'the value is a person’s address' };
  const isSeed = byName?.reason.includes('“seed”') && /^\d+$/.test(trimmed);
  // A database's settings, judged by the value, which contains no password.
  const isSettings =
    byName?.reason.includes('“dsn”') &&
    /^(?:\w{2,20}:)?(?:\w{1,40}=[^\s;]{1,200}(?:[\s;]{1,3}|$))+$/.test(trimmed);
  if (byName && !isSeed && !isSettings && !isFolder && !isFile && !isCount && !harmlessKeyValue.test(trimmed))
    return { decision: 'secret', reason: byName.reason };
  return { decision: 'plain', reason: 'nothing secret in name or value' };
}

/** Whether the value must not leave the machine. */
export function isSecretVariable(name: string, value: string): boolean {
  return classifyVariable(name, value).decision === 'secret';
}

/** `jane@example.org`, `Jane Doe <jane@example.org>`; the address that a program sends from is a setting, and `27000@host` a port. */
function isPersonalAddress(name: string, value: string): boolean {
  if (
    !/^(?!\d+@)(?:[^<>@]{1,100}<)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[A-Za-z]{2,24}>?$/.test(
      value,
    )
  )
    return false;
  return (
    !/(?:^|_)(?:from|sender|noreply|support|info|contact|default)(?:_|$)/i.test(name) &&
    !/^(?:no-?reply|support|info|hello|git|mailer|bot)@|\.gserviceaccount\.com>?$/i.test(value)
  );
}

/** Ids of commits, and of builds made from them. */
const revision =
  /git|version|tag|release|build|vcs|source|change|head|base|parent|slug|pin|key|deploy|upstream|previous|current|stable/i;

const printed =
  /(?:pass|secret|token)[\w-]{0,20}(?:command|cmd|eval)["']?[\s=:]{1,3}["']?[^|;&]{0,100}\b(?:echo|printf)\s+[^\s$]/i;

const uuid = /^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i;

const boolean = /^(?:true|false)$/i;
const anySwitch = /^(?:true|false|yes|no|on|off|enabled|disabled|[01])$/i;

const credentialFile = /^(?:~|\.{1,2})?(?:[\\/][\w .@-]+){2,}$|^[A-Za-z]:[\\/]/;

/** Switches, small numbers, files and folders are not values of a key. */
const harmlessKeyValue =
  /^(?:yes|no|on|off|enabled|disabled|none|basic|digest|plain|login|token|oauth2?|oidc|saml|ldap|ntlm|cram-md5|gssapi|kerberos|negotiate|xoauth2|mtls|\d{1,3}|[a-z]+(?:\.[a-z]+)+|(?:~|\.{1,2})?[\\/]\S+|[A-Za-z]:[\\/].*)$/i;
