// The ways in which one feature can split the runs, each with its test.

import { orderVersions } from '@envsnap/versions';
import { fisherExact, smallestPValue } from './fisher.ts';
import type { Run } from './model.ts';
import { absentCode, type Feature, firstValue, opaqueCode, unknownCode } from './run-table.ts';

export type Trait =
  | { readonly kind: 'has' | 'lacks' }
  | { readonly kind: 'value' | 'other-value' | 'at-least' | 'below'; readonly code: number };

export interface Tally {
  readonly inFailed: number;
  readonly inPassed: number;
  readonly ofFailed: number;
  readonly ofPassed: number;
}

export interface Split extends Tally {
  readonly trait: Trait;
  readonly id: string;
  readonly pValue: number;
}

export type Side = 0 | 1 | 2;

/** A split is tested only if its size allows at least this significance. */
const reachableAtBest = 0.05;

const preference: readonly Trait['kind'][] = ['value', 'has', 'at-least', 'below', 'lacks', 'other-value'];

interface Splitter {
  splitsOf(feature: Feature, codes: Uint16Array): Split[];
  readonly steps: number;
}

export function createSplitter(runs: readonly Run[]): Splitter {
  const marks = marksOf(runs.length);
  let steps = 0;
  const failures = runs.filter((run) => run.outcome === 'failed').length;
  // With very few runs, no split reaches it; then the closest splits are still worth showing.
  const reachable = Math.max(
    reachableAtBest,
    smallestPValue(failures, failures, runs.length - failures) * 1.000001,
  );
  const pValues = new Map<number, number>();
  const limits = new Map<number, number>();

  function pValueOf({ inFailed, inPassed, ofFailed, ofPassed }: Tally): number {
    return remembered(pValues, packed(inFailed, inPassed, ofFailed, ofPassed), () => {
      steps += stepsOfTest(ofFailed, ofPassed);
      return fisherExact(inFailed, ofFailed, inPassed, ofPassed);
    });
  }

  /** Whether these margins allow a significant result, regardless of how the runs ended. */
  function canTell({ inFailed, inPassed, ofFailed, ofPassed }: Tally): boolean {
    const all = inFailed + inPassed;
    if (all === 0 || all === ofFailed + ofPassed) return false;
    const least = remembered(limits, packed(all, 0, ofFailed, ofPassed), () => {
      steps += 2 * stepsOfTest(ofFailed, ofPassed);
      return smallestPValue(all, ofFailed, ofPassed);
    });
    return least <= reachable;
  }

  function splitsOf(feature: Feature, codes: Uint16Array): Split[] {
    const counts = countCodes(codes, runs, marks, firstValue + feature.values.length);
    steps += codes.length + counts.length;
    const splits = new Map<string, Split>();
    const test = (trait: Trait, opposite: Trait, inside: Part, all: Part): void => {
      const tally = tallyOf(inside, all);
      if (!canTell(tally)) return;
      const { inFailed, inPassed, ofFailed, ofPassed } = tally;
      const more = inFailed * ofPassed >= inPassed * ofFailed;
      const split: Split = {
        trait: more ? trait : opposite,
        id: identityOf(inside, all),
        pValue: pValueOf(tally),
        inFailed: more ? inFailed : ofFailed - inFailed,
        inPassed: more ? inPassed : ofPassed - inPassed,
        ofFailed,
        ofPassed,
      };
      const known = splits.get(split.id);
      if (!known || rank(split.trait) < rank(known.trait)) splits.set(split.id, split);
    };

    const known = sumOf(counts, (code) => code !== unknownCode);
    const having = sumOf(counts, (code) => code >= opaqueCode);
    test({ kind: 'has' }, { kind: 'lacks' }, having, known);
    const comparable = sumOf(counts, (code) => code === absentCode || code >= firstValue);
    const present = counts.filter(({ code }) => code >= firstValue);
    for (const value of present) {
      const { code } = value;
      test({ kind: 'value', code }, { kind: 'other-value', code }, value, comparable);
    }
    // Versions are split into parts once, then compared part by part.
    if (feature.order !== 'none' && present.length > 1)
      steps += 100 * present.length * Math.ceil(Math.log2(present.length));
    for (const { code, above, all } of orderedParts(feature, present)) {
      test({ kind: 'at-least', code }, { kind: 'below', code }, above, all);
    }
    return [...splits.values()];
  }

  return {
    splitsOf,
    get steps() {
      return steps;
    },
  };
}

/** A test adds one probability for each table that its margins allow. */
function stepsOfTest(ofFailed: number, ofPassed: number): number {
  return 5 * (10 + Math.min(ofFailed, ofPassed));
}

export function sideTest(feature: Feature, codes: Uint16Array, trait: Trait): (code: number) => Side {
  switch (trait.kind) {
    case 'has':
      return (code) => (code === unknownCode ? 2 : code === absentCode ? 0 : 1);
    case 'value':
      return (code) => (code === unknownCode || code === opaqueCode ? 2 : code === trait.code ? 1 : 0);
    case 'at-least': {
      const present = [...new Set(codes)].filter((code) => code >= firstValue);
      const ordered = orderedCodes(feature, present) ?? [];
      const place = ordered.indexOf(trait.code);
      const sides = new Map(ordered.map((code, index) => [code, index >= place ? 1 : 0] as const));
      return (code) => sides.get(code) ?? 2;
    }
    default: {
      const inside = sideTest(feature, codes, opposites[trait.kind](trait));
      return (code) => opposite(inside(code));
    }
  }
}

const opposites = {
  lacks: (): Trait => ({ kind: 'has' }),
  'other-value': (trait: Trait): Trait => ({ kind: 'value', code: 'code' in trait ? trait.code : 0 }),
  below: (trait: Trait): Trait => ({ kind: 'at-least', code: 'code' in trait ? trait.code : 0 }),
};

function opposite(side: Side): Side {
  return side === 2 ? 2 : side === 1 ? 0 : 1;
}

export function splitRank(split: Split): number {
  return rank(split.trait);
}

function rank(trait: Trait): number {
  return preference.indexOf(trait.kind);
}

/** A subset of the runs. Its two numbers identify it: equal subsets have equal numbers, and others almost never do. */
interface Part {
  readonly failed: number;
  readonly passed: number;
  readonly low: number;
  readonly high: number;
}

interface CodeCount extends Part {
  readonly code: number;
}

interface Marks {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

/** Two random numbers for each run. A subset's numbers are the XOR of those of its runs (Zobrist hashing). */
function marksOf(runs: number): Marks {
  const marks = { low: new Uint32Array(runs), high: new Uint32Array(runs) };
  for (let run = 0; run < runs; run += 1) {
    marks.low[run] = mixBits(run, 1);
    // The remaining bits that a number holds exactly.
    marks.high[run] = mixBits(run, 2) >>> 11;
  }
  return marks;
}

/** A whole number of 32 bits that depends on every bit of both. */
export function mixBits(number: number, seed: number): number {
  let bits = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(seed, 0x85ebca77);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

function countCodes(codes: Uint16Array, runs: readonly Run[], marks: Marks, size: number): CodeCount[] {
  const failed = new Uint16Array(size);
  const passed = new Uint16Array(size);
  const low = new Uint32Array(size);
  const high = new Uint32Array(size);
  for (let run = 0; run < codes.length; run += 1) {
    const counts = runs[run]?.outcome === 'failed' ? failed : passed;
    const code = codes[run] as number;
    counts[code] = (counts[code] as number) + 1;
    low[code] = (low[code] as number) ^ (marks.low[run] as number);
    high[code] = (high[code] as number) ^ (marks.high[run] as number);
  }
  const found: CodeCount[] = [];
  for (let code = 0; code < size; code += 1) {
    if (failed[code] === 0 && passed[code] === 0) continue;
    found.push({
      code,
      failed: failed[code] as number,
      passed: passed[code] as number,
      low: low[code] as number,
      high: high[code] as number,
    });
  }
  return found;
}

const nothing: Part = { failed: 0, passed: 0, low: 0, high: 0 };

function together(a: Part, b: Part): Part {
  return {
    failed: a.failed + b.failed,
    passed: a.passed + b.passed,
    low: (a.low ^ b.low) >>> 0,
    high: a.high ^ b.high,
  };
}

function without(all: Part, inside: Part): Part {
  return {
    failed: all.failed - inside.failed,
    passed: all.passed - inside.passed,
    low: (all.low ^ inside.low) >>> 0,
    high: all.high ^ inside.high,
  };
}

function sumOf(counts: readonly CodeCount[], includes: (code: number) => boolean): Part {
  let sum = nothing;
  for (const count of counts) if (includes(count.code)) sum = together(sum, count);
  return sum;
}

function tallyOf(inside: Part, all: Part): Tally {
  return { inFailed: inside.failed, inPassed: inside.passed, ofFailed: all.failed, ofPassed: all.passed };
}

function orderedParts(feature: Feature, present: readonly CodeCount[]) {
  if (present.length < 2) return [];
  const byCode = new Map(present.map((count) => [count.code, count]));
  const ordered = orderedCodes(feature, [...byCode.keys()]);
  if (!ordered) return [];
  const counts = ordered.map((code) => byCode.get(code) as CodeCount);
  const all = counts.reduce(together, nothing);
  let below = nothing;
  return counts.slice(1).map(({ code }, index) => {
    below = together(below, counts[index] as CodeCount);
    return { code, all, above: without(all, below) };
  });
}

function identityOf(inside: Part, all: Part): string {
  const a = nameOf(inside);
  const b = nameOf(without(all, inside));
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function nameOf({ low, high }: Part): number {
  return high * 2 ** 32 + low;
}

function packed(a: number, b: number, c: number, d: number): number {
  return ((a * 2048 + b) * 2048 + c) * 2048 + d;
}

function remembered(map: Map<number, number>, key: number, compute: () => number): number {
  let value = map.get(key);
  if (value === undefined) {
    value = compute();
    map.set(key, value);
  }
  return value;
}

const mostOrdered = 2000;
const longestVersion = 64;

/**
 * The codes of values from the lowest to the highest. Values that are neither version nor number are left out; undefined if fewer
 * than two are left, or if they are versions of different things (glibc, musl).
 */
function orderedCodes(feature: Feature, codes: readonly number[]): number[] | undefined {
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
