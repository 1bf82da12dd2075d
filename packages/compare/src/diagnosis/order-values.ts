// Puts the values of a feature into their order: versions by their ecosystem's rules, numbers by size.

import { orderVersions } from '@envsnap/versions';
import { type Feature, firstValue } from './run-table.ts';

const mostOrdered = 2000;
const longestVersion = 64;

/** The codes of values from the lowest to the highest. Values that are neither version nor number are left out; undefined
 * where fewer than two are left, and where they are versions of things with different names (glibc, musl). */
export function orderedCodes(feature: Feature, codes: readonly number[]): number[] | undefined {
  if (feature.order === 'none' || codes.length > mostOrdered) return undefined;
  const texts = new Map<string, number>();
  const names = new Set<string>();
  for (const code of codes) {
    const value = feature.values[code - firstValue];
    if (!value || value.fingerprintKey !== undefined || value.text.length > longestVersion) continue;
    if (feature.order === 'numbers' && value.text === 'unlimited') {
      names.add('');
      texts.set('Infinity', code);
      continue;
    }
    const named = /^(\D*?)(v?\d\S*)$/.exec(value.text);
    if (!named || value.text.includes(',')) continue;
    names.add((named[1] as string).trimEnd());
    texts.set(named[2] as string, code);
  }
  if (names.size !== 1 || texts.size < 2) return undefined;
  const { order } = feature;
  if (order === 'numbers') return byNumber(texts);
  const python = order.versionsOf === 'pypi' || order.versionsOf === 'conda';
  const sorted = orderVersions([...texts.keys()], python ? 'pep440' : 'semver');
  return sorted.map((text) => texts.get(text) as number);
}

function byNumber(texts: ReadonlyMap<string, number>): number[] | undefined {
  const numbers = [...texts].map(([text, code]) => ({ number: Number(text), code }));
  const usable = numbers.filter(({ number }) => !Number.isNaN(number)).sort((x, y) => x.number - y.number);
  return usable.length < 2 ? undefined : usable.map(({ code }) => code);
}
