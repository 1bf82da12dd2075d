// Network ranges for tests, from their text form.

import { type Cidr, parseCidr } from '../../../packages/server/src/infra/cidr.ts';

/** Parses ranges that are known to be valid. */
export function ranges(...texts: string[]): Cidr[] {
  return texts.map((text) => {
    const range = parseCidr(text);
    if (!range) throw new Error(`${text} is not a range`);
    return range;
  });
}
