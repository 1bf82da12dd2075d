// Judges a variable by its value alone: private keys, credentials in URLs and connection strings, known tokens.

import { findRandomToken } from './random-token.ts';
import { judgeAddresses } from './secret-addresses.ts';
import { assignsSecret } from './secret-assignments.ts';
import { judgeCommands } from './secret-commands.ts';
import { findServiceToken } from './token-patterns.ts';

export const looksRandom = 'the value looks random';

/** Why a value is a secret, or undefined. `digestExpected`: the name announces a hash. */
export function judgeValue(value: string, digestExpected: boolean): string | undefined {
  const form = Object.entries(forms).find(([, shape]) => shape.test(value.trim()));
  if (form) return `the value ${form[0]}`;
  if (!digestExpected && htdigest.test(value))
    return 'the value is a user, a realm and the hash of a password';
  const text = unescaped(value);
  const address = judgeAddresses(text);
  if (address) return address;
  if (assignsSecret(text)) return 'the value holds an assigned password or token';
  const command = judgeCommands(text);
  if (command) return command;
  const service = findServiceToken(value);
  if (service) return `the value has the form of a ${service}`;
  // The words of a wallet: 12 to 24, without capitals, full stops or articles.
  if (
    /^(?:[a-z]{3,8} ){11}(?:(?:[a-z]{3,8} ){3}){0,4}[a-z]{3,8}$/.test(text.trim()) &&
    !/\b(?:the|and|for|with)\b/.test(text)
  )
    return 'the value is the recovery phrase of a wallet';
  const inner = decodedText(value.trim());
  if (inner !== undefined) return judgeValue(inner, digestExpected);
  return findRandomToken(value, digestExpected) ? looksRandom : undefined;
}

const htdigest = /^[\w.@-]{1,64}:(?=[^:\n]{0,64}[A-Za-z])[^:\n]{1,64}:[0-9a-f]{32}$/m;

const forms: Readonly<Record<string, RegExp>> = {
  'is a private key':
    /-----BEGIN [A-Z0-9 ]*(?:PRIVATE|STATIC|SECRET) KEY(?: BLOCK| V\d)?-----|PuTTY-User-Key-File-\d/i,
  'is an authorization header':
    /^(?:Bearer|Basic|Token|ApiKey|Digest|Splunk|FlyV1|SSWS|GenieKey) +[A-Za-z0-9+/=._~,-]{8,}$/i,
  'is a password hash':
    /\$ANSIBLE_VAULT;|\$(?:2[abxy]|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*|apr1|[156yPH])\$[^\s$]{1,40}\$?[./A-Za-z0-9$=,+-]{16,}/,
  'is the password of a network': /^WIFI:\S{0,200};P:[^;\s]/i,
  'is a product key':
    /(?<![\w-])(?=[A-Z-]{0,40}\d)(?=[\d-]{0,40}[A-Z])(?:[A-Z\d]{4}(?:-[A-Z\d]{4}){3,7}|[A-Z\d]{5}(?:-[A-Z\d]{5}){3,5})(?![\w-])/,
  'is a random mix of letters, digits and signs':
    /(?<!\S)(?=(?:[^\s\d]{0,40}\d){4})(?=(?:[^\s!@#^&*]{0,40}[!@#^&*]){4})[a-z\d!@#$%^&*(_=+)-]{24,100}(?!\S)/,
};

/** Removes names of AWS resources and escapes of addresses and JSON: `{\"password\":\"x\"}`, `%22password%22%3A`. */
function unescaped(value: string): string {
  return value
    .replace(/\barn:aws[\w-]{0,10}:\S{1,300}/g, ' ')
    .replaceAll('\\"', '"')
    .replace(/%(?:22|27|3A|3D|7B|7D|2C)/gi, (found) => decodeURIComponent(found));
}

/** The decoded base64 text, if it is a sentence, JSON or lines; passwords and keys are not. */
function decodedText(value: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{24,}={0,2}$/.test(value)) return undefined;
  const text = Buffer.from(value, 'base64').toString();
  return /^[\s{[<]|\S\s+\S+\s+\S/.test(text) && /^[\t\n\r -~]+$/.test(text) ? text : undefined;
}
