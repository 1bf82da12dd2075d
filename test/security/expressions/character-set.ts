// Sets of characters, as ranges, and the alphabet of one expression: the fewest pieces that all of its sets are made of.

import type { AST } from '@eslint-community/regexpp';

/** Ranges of code points, both ends included. */
export type CharacterSet = readonly (readonly [first: number, last: number])[];

const last = 0x10ffff;
const everything: CharacterSet = [[0, last]];
const digits: CharacterSet = [[0x30, 0x39]];
const letters: CharacterSet = [
  [0x41, 0x5a],
  [0x61, 0x7a],
];
/** The characters that `\w` matches. */
export const wordCharacters: CharacterSet = [...digits, ...letters, [0x5f, 0x5f]];
/** The characters that end a line for `^`, `$` and `.`. */
export const lineEnds: CharacterSet = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
];
const blanks: CharacterSet = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

/** Everything that a set leaves out. */
function complement(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [low, high] of [...set].sort((x, y) => x[0] - y[0])) {
    if (low > from) rest.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  if (from <= last) rest.push([from, last]);
  return rest;
}

/** The characters that a node matches; a superset for Unicode properties. */
export function setOf(
  node: AST.Character | AST.CharacterSet | AST.CharacterClass,
  flags: { readonly ignoreCase: boolean; readonly dotAll: boolean },
): CharacterSet {
  if (node.type === 'Character') return withCases([[node.value, node.value]], flags.ignoreCase);
  if (node.type === 'CharacterSet') return namedSet(node, flags.dotAll);
  const parts = node.elements.flatMap((element): CharacterSet => {
    if (element.type === 'Character') return [[element.value, element.value]];
    if (element.type === 'CharacterClassRange') return [[element.min.value, element.max.value]];
    if (element.type === 'CharacterSet') return namedSet(element, flags.dotAll);
    return everything;
  });
  const isExact = node.elements.every(
    (element) =>
      element.type === 'Character' ||
      element.type === 'CharacterClassRange' ||
      (element.type === 'CharacterSet' && element.kind !== 'property'),
  );
  const set = withCases(parts, flags.ignoreCase);
  if (!node.negate) return set;
  return isExact ? complement(set) : everything;
}

function namedSet(node: AST.CharacterSet, dotAll: boolean): CharacterSet {
  if (node.kind === 'any') return dotAll ? everything : complement(lineEnds);
  if (node.kind === 'property') return everything;
  const set = { digit: digits, word: wordCharacters, space: blanks }[node.kind];
  return node.negate ? complement(set) : set;
}

function withCases(set: CharacterSet, ignoreCase: boolean): CharacterSet {
  if (!ignoreCase) return set;
  const others = set.flatMap(([low, high]): CharacterSet => {
    const shifted = (from: number, to: number, by: number): CharacterSet =>
      Math.max(low, from) <= Math.min(high, to) ? [[Math.max(low, from) + by, Math.min(high, to) + by]] : [];
    return [...shifted(0x41, 0x5a, 32), ...shifted(0x61, 0x7a, -32)];
  });
  return [...set, ...others];
}

/** Gives each set of an expression as bits, one for each piece of the alphabet. */
export function createAlphabet(sets: readonly CharacterSet[]): (set: CharacterSet) => bigint {
  const all = [...sets, wordCharacters, lineEnds].flat();
  const cuts = [...new Set(all.flatMap(([low, high]) => [low, high + 1]).concat(0))].sort((x, y) => x - y);
  const known = new Map<CharacterSet, bigint>();
  return (set) => {
    let bits = known.get(set);
    if (bits === undefined) {
      bits = 0n;
      for (const [index, cut] of cuts.entries())
        if (cut <= last && set.some(([low, high]) => low <= cut && cut <= high)) bits |= 1n << BigInt(index);
      known.set(set, bits);
    }
    return bits;
  };
}
