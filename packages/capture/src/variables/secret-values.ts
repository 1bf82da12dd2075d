// Judges a variable by its value alone: private keys, credentials in URLs and connection strings, known tokens.

import { userInfo } from '../dependencies/package-list.ts';
import { findRandomToken } from './random-token.ts';
import { judgePhrases } from './secret-phrases.ts';
import { findServiceToken } from './token-patterns.ts';

/** Why a value is a secret, or undefined. `digestExpected`: the name announces a hash. */
export function judgeValue(value: string, digestExpected: boolean): string | undefined {
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/.test(value)) {
    return 'the value is a private key';
  }
  const credentials = urlCredentials(value) ?? assignedCredentials(value);
  if (credentials) return credentials;
  const phrase = judgePhrases(value);
  if (phrase) return phrase;
  const service = findServiceToken(value);
  if (service) return `the value has the form of a ${service}`;
  if (/^(?:Bearer|Basic|Token|ApiKey|Digest) +[A-Za-z0-9+/=._~-]{8,}$/i.test(value.trim())) {
    return 'the value is an authorization header';
  }
  if (
    /\$(?:2[abxy]|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*|[156y])\$[^\s$]{1,40}\$?[./A-Za-z0-9$=,+-]{16,}/.test(
      value,
    )
  ) {
    return 'the value is a password hash';
  }
  return findRandomToken(value, digestExpected) ? 'the value looks random' : undefined;
}

/** `scheme://user:password@host`, and `scheme://token@host` where the user looks like a token. */
function urlCredentials(value: string): string | undefined {
  for (const { 0: found, index } of value.matchAll(userInfo)) {
    const user = found.slice('://'.length, -1);
    const colon = user.indexOf(':');
    // NATS has nothing else there.
    const isToken = /\b(?:nats|tls)$/i.test(value.slice(Math.max(0, index - 5), index));
    if (colon >= 0 && colon < user.length - 1) return 'the value is a URL with a password';
    if (colon < 0 && (isToken || looksLikeToken(user))) return 'the value is a URL with a token';
  }
  // Go's MySQL form has no scheme: user:password@tcp(host)/database.
  if (/^[^\s:@/]{1,128}:[^\s@]{1,256}@(?:tcp|unix)\(/.test(value)) {
    return 'the value is a connection string with a password';
  }
  return undefined;
}

/** Whether the user of an address is a token: long or mixed. */
function looksLikeToken(user: string): boolean {
  if (user.length >= 20 || /^[a-f0-9]{16,}$/i.test(user)) return true;
  const digits = user.replace(/\D/g, '').length;
  return user.length >= 10 && digits >= 2 && digits < user.length && !/[.%]/.test(user);
}

const secretAssignment =
  /(?:^|[?&;,{\s"'.:_-]|-D)(?:\w{0,40}(?:password|passwd|passphrase|secret)|pwd|pw|(?:\w{0,40}_)?pass|psk|(?:access|auth|refresh|id)_?token|(?<=")auth(?=")|_authToken|_password|api_?key|account_?key|shared_?access_?key|private_?key|secret_?access_?key|(?:\w{0,40}_)?(?:secret|signing|encryption|master)_?key|x-amz-signature|x-amz-security-token|sig|token)["']?\s*[=:]\s*["']?([^\s"'&;,}]+)/gi;

/** `…password=x…`: in the query of a URL, a connection string, options of a program, JSON. */
function assignedCredentials(value: string): string | undefined {
  for (const match of value.matchAll(secretAssignment)) {
    const [whole, assigned = ''] = match;
    // In the middle of a sentence, a colon and a blank assign nothing.
    const isProse =
      /:\s+["']?\S*$/.test(whole) &&
      !/["'].{0,3}$/.test(whole) &&
      /\w /.test(wordsBefore(value, match.index));
    const isNumber = /^\d{1,6}$/.test(assigned) && !/pass|pwd|psk/i.test(whole);
    if (!isProse && !isNumber && !harmlessAssignment.test(assigned))
      return 'the value holds an assigned password or token';
  }
  return undefined;
}

/** The letters, digits and blanks right before a position. */
function wordsBefore(value: string, index: number): string {
  return /(?<![\w ])[\w ]*$/.exec(value.slice(Math.max(0, index - 40), index))?.[0] ?? '';
}

/** A reference to another variable, a switch, a path or a file. A short number may be seconds, but for a password. */
const harmlessAssignment =
  /^(?:\$\{?\w+\}?|%\w+%|true|false|yes|no|on|off|null|none|\*+|[./~]\S*|file:\S*|env:\S*)$/i;
