// A digest that stands for a patch file, so that a comparison sees that the patch is another one.

import { createHash } from 'node:crypto';
import type { ParseContext } from './parse-context.ts';

/** The digest of a file relative to the one that names it; of its address or path where it cannot be read. */
export async function patchDigest(context: ParseContext, path: string): Promise<string> {
  return (await context.include(path, digestOf)) ?? digestOf(path);
}

/** The first 12 characters of the SHA-256 of a text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
