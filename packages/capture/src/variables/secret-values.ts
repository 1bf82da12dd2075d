// Judges a variable by its value alone: private keys, credentials in URLs and connection strings, known tokens.

import { findRandomToken } from './random-token.ts';
import { judgeAddresses } from './secret-addresses.ts';
import { assignsSecret } from './secret-assignments.ts';
import { judgeCommands } from './secret-commands.ts';
import { findServiceToken } from './token-patterns.ts';

/** Why a value is a secret, or undefined. `digestExpected`: the name announces a hash. */
export function judgeValue(value: string, digestExpected: boolean): string | undefined {
  if (/-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/.test(value)) {
    return 'the value is a private key';
  }
  const text = unescaped(value);
  const address = judgeAddresses(text);
  if (address) return address;
  if (assignsSecret(text)) return 'the value holds an assigned password or token';
  const command = judgeCommands(text);
  if (command) return command;
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
  // The words of a wallet: 12 to 24, none with a capital, a stop or an article.
  if (
    /^(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}$/.test(text.trim()) &&
    !/\b(?:the|and|for|with)\b/.test(text)
  )
    return 'the value is a phrase of words that opens a wallet';
  return findRandomToken(value, digestExpected) ? 'the value looks random' : undefined;
}

/** Without names of AWS's resources, and the escapes of JSON within a text and of addresses: `{\"password\":\"x\"}`, `%22password%22%3A`. */
function unescaped(value: string): string {
  return value
    .replace(/\barn:aws[\w-]{0,10}:\S{1,300}/g, ' ')
    .replaceAll('\\"', '"')
    .replace(/%(?:22|27|3A|3D|7B|7D|2C)/gi, (found) => decodeURIComponent(found));
}
