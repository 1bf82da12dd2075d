// Finds secrets with a name inside longer values: options, settings, headers, JSON, XML, lines of configuration. The name decides
// as a variable's would, however it is written.

import { judgeName, nameParts, plainSecretWords } from './secret-names.ts';

/** A name, the text between it and its value, and the value. Every part is bounded, so that long texts cost little. */
const assignment =
  /(?<![\w.-])(-{0,2})(\w[\w.-]{0,80})(["']?\]?\s{0,3}(?:=>|:?=|:)\s{0,3}|["']\]\s{1,3}|\s{1,3})(["']?)(?=(?:(?:bearer|basic|token|digest)\s{1,3})?([^\s"'&;,})\]]{1,200}))/gi;

/** Entries of lists, `{"name": "DB_PASSWORD", "value": "x"}`, and attributes, `<add key="ApiSecret" value="x"/>`. */
const namedValue =
  /\b(?:name|key)["']?\s{0,3}[=:]\s{0,3}["']?([\w.:-]{1,80})["']?[\s,]{1,5}(?:[\w.-]{1,40}\[\d{1,3}\]\.)?["']?value["']?\s{0,3}[=:]\s{0,3}["']?([^\s"'<>]{1,200})/gi;

/** Apple's property lists. */
const listed = /<key>([\w.-]{1,80})<\/key>\s{0,20}<string>([^\s<][^<]{0,4096})</g;

/** Arguments in code: `define('DB_PASSWORD', 'x')`. */
const called = /\(\s{0,3}["']([\w.-]{1,80})["'],\s{0,3}["']([^"']{1,200})["']/g;

const element = /<(?:\w{1,20}:)?([\w.-]{1,80})>\s{0,20}(?:<value>)?([^\s<][^<]{0,4096})</gi;

/** Whether any name in the value marks its value as a secret. */
export function assignsSecret(value: string): boolean {
  for (const match of value.matchAll(assignment)) {
    if (holdsSecret(value, match)) return true;
  }
  for (const pairs of [namedValue, listed, called, element].map((shape) => value.matchAll(shape))) {
    for (const [, name = '', given = ''] of pairs) {
      if (namesSecret(name, given)) return true;
    }
  }
  return false;
}

function holdsSecret(text: string, match: RegExpExecArray): boolean {
  const [whole, dashes = '', name = '', between = '', quote = '', given = ''] = match;
  const isBlank = /^\s+$/.test(between);
  // `--ask-pass --check`: an option that takes no value.
  if (isBlank && /^--?[a-z]/i.test(given)) return false;
  // `/etc/rsync.pass a/`: the end of a path.
  if (isBlank && /[\w.~-]\/$/.test(text.slice(Math.max(0, match.index - 2), match.index))) return false;
  if (
    isBlank &&
    dashes === '' &&
    !mayFollowBlank(text.slice(Math.max(0, match.index - 250), match.index), name, quote, given)
  )
    return false;
  const after = text.slice(match.index + whole.length, match.index + whole.length + 80);
  if (!isBlank && quote === '' && isProse(text, match.index, between, after)) return false;
  // `secret "db" not found`, `--- PASS: TestPasswordReset`: messages of programs.
  if (isBlank && /^secrets?$/i.test(name) && reported.test(after.slice(given.length))) return false;
  if (/^pass$/i.test(name) && /--- $/.test(text.slice(Math.max(0, match.index - 4), match.index)))
    return false;
  // `-DdbPass=x`, `-Ptoken=x`: options of Java, Gradle and Maven, directly before the name.
  const names = dashes === '-' && /^[DP]\w/.test(name) ? [name, name.slice(1)] : [name];
  return names.some((each) => namesSecret(each, given));
}

/** A word before a space is a setting if the word, or its value, is not a word of a sentence. */
function mayFollowBlank(before: string, name: string, quote: string, given: string): boolean {
  const word = name.split('-').at(-1) ?? name;
  if (!plainSecretWords.has(word.toLowerCase()))
    return word === name || judgeName(word)?.strength === 'strong';
  if (quote !== '' || /\d/.test(given)) return true;
  return /(?:^|\s)(?:login|user|username|connect)\s{1,3}\S{1,100}\s(?:.{0,100}\s)?$/.test(before);
}

/** `How to reset a password: a guide`, `Tokens: how to rotate them`. */
function isProse(text: string, index: number, between: string, after: string): boolean {
  if (!/^:\s/.test(between)) return false;
  return /\w $/.test(text.slice(Math.max(0, index - 2), index)) || /^[a-z]+(?: [a-z]+){2}/.test(after);
}

const reported =
  /^["'] (?:is |was |does |has |could )?(?:not|already|been|created|deleted|updated|configured|unchanged|missing)\b/;

/** Whether a name marks its value as a secret. */
function namesSecret(name: string, given: string): boolean {
  if (isHarmless(given)) return false;
  const words = nameParts(name).join(' ');
  if (judgeName(name)?.strength === 'strong') {
    // A short number may be seconds, unless it is a password's.
    return !/^\d{1,6}$/.test(given) || /pass|pwd|psk|pin/i.test(name);
  }
  if (/^_auth$|^(?:proxy-)?authorization$|^x-.*auth|^(?:sig|x-amz-signature)$/i.test(name)) return true;
  if (secretKeys.test(words)) return true;
  if (/(?:^| )pin$/.test(words) && /^\d{4,12}$/.test(given)) return true;
  if (/(?:^| |basic)(?:login|account|auth|ident|info)$/.test(words) && isUserAndPassword(given)) return true;
  return (
    /(?:^| )(?:o?auth|authorization|key)$|(?: |^)account key |^x .*(?:api|team)$/.test(words) &&
    isKeyLike(name, given)
  );
}

/** `admin:hunter2`, where a user or a file is expected; not user and group, host and port, or two files. */
export function isUserAndPassword(value: string): boolean {
  const [, user, password = ''] = /^([\w@+-][\w.@+$-]{0,63}):([^\s:/\\]{3,200})$/.exec(value) ?? [];
  if (user === undefined || user === password || /\.\w{1,5}$/.test(user)) return false;
  return !/^(?:\d+|wheel|staff|docker|users|root|adm|daemon|www-data|nogroup|nobody|\$.*)$/.test(password);
}

const secretKeys =
  /(?:^| )(?:api|access|secret|private|auth|account|licen[cs]e|serial|product|activation|signing|subscription|encryption|master|shared access) (?:key|code)$/;

/** A value of `adminKey` or `auth`: letters and digits together, and not the name of a thing. */
function isKeyLike(name: string, given: string): boolean {
  if (/public|cache|sort|partition|primary|foreign|route|object|press|hot/i.test(name)) return false;
  if (/^[A-Z]{2,10}-\d+$/.test(given)) return false;
  // The key of a cache: `v1-deps-20240131`.
  if (/^(?:v\d{1,3}-)?[a-z]{2,20}(?:-(?:[a-z]{2,20}|v?\d{1,8})){1,6}$/.test(given)) return false;
  return (
    /^(?=[^\d]*\d)(?=[^A-Za-z]*[A-Za-z])[\w+/-]{8,200}={0,2}$/.test(given) ||
    /^[\w+/]{6,200}={1,2}$/.test(given)
  );
}

/** Whether a value is never a secret, under any name. */
export function isHarmless(given: string): boolean {
  return harmless.test(given);
}

/** A reference to a variable or another place, a placeholder, a switch, a level of a log, a path, a file. */
const harmless =
  /^(?:\$|%\w+%|@|<|\{(?![^\s{}"'\d]*\d[^\s{}"']*(?:\}|$))|\[|[.~]{0,2}\/|file:|env:|https?:\/\/[^@]*$|\*+$|v?\d{1,2}$|(?:true|false|yes|no|on|off|null|none|nil|undefined|auto|enabled|disabled|required|optional|inherit|r[ow]|read|write|debug|info|warn|warning|error|trace|basic|bearer|token|oauth2?|oidc|store|prompt|stdin|id=\S*)$)|\.(?:pem|crt|cer|key|json|ya?ml|txt|jks|p12|pfx|conf|toml)$/i;
