// Decides whether a variable's value may leave the machine as it is. Pure; the same answer everywhere.

import { judgeName, namesDigest } from './secret-names.ts';
import { judgeValue } from './secret-values.ts';

interface ClassifiedVariable {
  readonly decision: 'plain' | 'secret';
  /** For a person; never holds any of the value. */
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
  if (/^(?:true|false)$/i.test(trimmed)) return { decision: 'plain', reason: 'the value is a switch' };
  const byName = judgeName(name);
  // `pwd` in a name is a password or a folder; the value shows.
  const isFolder = byName?.reason.includes('“pwd”') && /^(?:~?\/|[A-Za-z]:[\\/])/.test(trimmed);
  // A file of credentials is named by its path.
  const isFile =
    /\u201c(?:credentials?|creds)\u201d/.test(byName?.reason ?? '') && credentialFile.test(trimmed);
  if (byName?.strength === 'strong' && !isFolder && !isFile)
    return { decision: 'secret', reason: byName.reason };
  const byValue = judgeValue(value, namesDigest(name));
  if (byValue) return { decision: 'secret', reason: byValue };
  if (isPersonalAddress(name, trimmed))
    return { decision: 'secret', reason: 'the value is a person’s address' };
  if (byName && !isFolder && !isFile && !harmlessKeyValue.test(trimmed))
    return { decision: 'secret', reason: byName.reason };
  return { decision: 'plain', reason: 'nothing secret in name or value' };
}

/** True where the value must not leave the machine. */
export function isSecretVariable(name: string, value: string): boolean {
  return classifyVariable(name, value).decision === 'secret';
}

/** `jane@example.org`, `Jane Doe <jane@example.org>`; the address that a program sends from is a setting. */
function isPersonalAddress(name: string, value: string): boolean {
  if (!/^(?:[^<>@]{1,100}<)?[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}\.[A-Za-z]{2,24}>?$/.test(value))
    return false;
  return (
    !/(?:^|_)(?:from|sender|noreply|support|info|contact|default)(?:_|$)/i.test(name) &&
    !/^(?:no-?reply|support|info|hello|git)@/i.test(value)
  );
}

const credentialFile = /^(?:~|\.{1,2})?(?:[\\/][\w .@-]+){2,}$|^[A-Za-z]:[\\/]/;

/** Switches, small numbers, files and folders: no value of a key. */
const harmlessKeyValue =
  /^(?:yes|no|on|off|enabled|disabled|none|basic|token|oauth2?|\d{1,3}|(?:~|\.{1,2})?[\\/]\S+|[A-Za-z]:[\\/].*)$/i;
