// The recorded text of a setting of a dependency file.

import { createHash } from 'node:crypto';

/** Longest setting of a manifest that is recorded, in characters. */
const maxSetting = 2000;

/** A setting that is not a text, as it is recorded; empty for an empty one. */
export function settingText(value: unknown): string {
  let left = maxSetting;
  // Each value has at least one character, so values after this one would be cut off anyway.
  const text = JSON.stringify(value, (_, part: unknown) => {
    left -= 1;
    if (left >= 0) return part instanceof Map ? Object.fromEntries(part) : part;
  });
  return /^(?:\{\}|\[\]|"")?$/.test(text ?? '') ? '' : text.slice(0, maxSetting);
}

/** The first 12 characters of the SHA-256 of a text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
