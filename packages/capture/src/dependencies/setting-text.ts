// The recorded text of a setting of a dependency file.

import { createHash } from 'node:crypto';
import { isSecretVariable } from '../variables/classify-variable.ts';

/** Longest setting of a manifest that is recorded as it is, in characters, and most values in one. */
const maxSetting = 2000;

/**
 * The recorded form of a setting that is not a text: secrets become short digests, and a long one its beginning and a digest.
 * Empty for an empty one.
 */
export function settingText(value: unknown): string {
  let remaining = maxSetting;
  // Aliases of YAML can repeat values without end: those after the last are not seen.
  const write = (whole: unknown): string =>
    JSON.stringify(whole, (key, part: unknown) => {
      remaining -= 1;
      if (remaining < 0) return undefined;
      if (typeof part === 'string') return isSecretSetting(key, part) ? secretDigest(part) : part;
      const plain = part instanceof Map ? Object.fromEntries(part) : part;
      return credentials.test(key) ? secretDigest(`${write(plain)}`) : plain;
    });
  const text = write(value);
  if (/^(?:\{\}|\[\]|"")?$/.test(text ?? '')) return '';
  if (text.length <= maxSetting) return text;
  // No text in it is cut: half an address could show a password that is no longer recognised as one.
  return `${text.slice(0, text.lastIndexOf('"', maxSetting))}… (${digestOf(text)})`;
}

/** Settings of which each part may be secret. */
const credentials = /^(?:headers?|http-basic|bearer|auth)$/i;

/** An item of a list may name its secret: `TOKEN=…`. */
export function isSecretSetting(name: string, value: string): boolean {
  const [, own = name, text = value] = /^([\w-]{1,60})[:=](?!\/\/)(.*)$/s.exec(value) ?? [];
  return credentials.test(name) || isSecretVariable(name, value) || isSecretVariable(own, text);
}

/** So little of a digest that a guess cannot be confirmed: one in 256 fits. Nearly every change still shows. */
export const secretDigest = (text: string) => `(${digestOf(text).slice(0, 2)})`;

/** The first 12 characters of the SHA-256 of a text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The text of a program or of settings without lines that are comments. */
export function withoutComments(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/^[ \t]*(?:#|\/\/).*\n/gm, '');
}
