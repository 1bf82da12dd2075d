// Ids by the shortest beginning that tells them apart, as the commands take them.

import { sharedLength } from '@envsnap/shared/text/size';
import type { Screen } from '../../terminal/terminal.ts';

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Shorter beginnings are not taken for ids; ids are random, so that two with this beginning are rare. */
const leastLength = 8;

/** Shortens ids as far as they stay unique among `texts`; other texts stay as they are. */
export function shortIds(texts: readonly string[]): (text: string) => string {
  const ids = [...new Set(texts.filter((text) => id.test(text)))].sort();
  const lengths = new Map(
    ids.map((own, index) => {
      const shared = Math.max(sharedLength(own, ids[index - 1]), sharedLength(own, ids[index + 1]));
      return [own, Math.max(leastLength, shared + 1)];
    }),
  );
  return (text) => {
    const length = lengths.get(text);
    // A beginning does not end with a dash.
    return length === undefined ? text : text.slice(0, text[length - 1] === '-' ? length + 1 : length);
  };
}

/** The id of each item of a list: short on a terminal, whole in a file. */
export function idCells(
  items: readonly { readonly id: string }[],
  screen: Screen,
): (item: { readonly id: string }) => string {
  const short = shortIds(items.map(({ id: own }) => own));
  return ({ id: own }) => (screen.interactive ? short(own) : own);
}
