// The ways in which one feature can split the runs, each with its test.

import { fisherExact, smallestPValue } from './fisher.ts';
import type { Run } from './model.ts';
import { orderedCodes } from './order-values.ts';
import { absentCode, type Feature, firstValue, opaqueCode, unknownCode } from './run-table.ts';

/** What the runs on one side have in common. `code` is the value's. */
export type Trait =
  | { readonly kind: 'has' | 'lacks' }
  | { readonly kind: 'value' | 'other-value' | 'at-least' | 'below'; readonly code: number };

/** How many failing and passing runs have a trait, and for how many it is known. */
export interface Tally {
  readonly inFailed: number;
  readonly inPassed: number;
  readonly ofFailed: number;
  readonly ofPassed: number;
}

/** The runs for which a trait is known, in two parts. The trait is the one that is commoner among failing runs. */
export interface Split extends Tally {
  readonly trait: Trait;
  /** The same for every split into the same two parts. */
  readonly id: string;
  readonly pValue: number;
}

/** Whether a run has a trait; 2 where it is not known. */
export type Side = 0 | 1 | 2;

/** Least significance that a split must be able to reach to be tested at all; it follows from its size alone. */
const reachableAtBest = 0.05;

/** Traits in the order in which they are easiest to understand. */
const preference: readonly Trait['kind'][] = ['value', 'has', 'at-least', 'below', 'lacks', 'other-value'];

/** Makes the function that tests every way in which a column splits these runs. */
export function createSplitter(runs: readonly Run[]) {
  const failures = runs.filter((run) => run.outcome === 'failed').length;
  // With very few runs nothing reaches that; then what comes closest is still worth telling.
  const reachable = Math.max(
    reachableAtBest,
    smallestPValue(failures, failures, runs.length - failures) * 1.000001,
  );
  const pValues = new Map<number, number>();
  const limits = new Map<number, number>();

  function pValueOf({ inFailed, inPassed, ofFailed, ofPassed }: Tally): number {
    return remembered(pValues, packed(inFailed, inPassed, ofFailed, ofPassed), () =>
      fisherExact(inFailed, ofFailed, inPassed, ofPassed),
    );
  }

  /** Whether these margins allow a result that could count. They say nothing about how the runs ended. */
  function canTell({ inFailed, inPassed, ofFailed, ofPassed }: Tally): boolean {
    const all = inFailed + inPassed;
    if (all === 0 || all === ofFailed + ofPassed) return false;
    const least = remembered(limits, packed(all, 0, ofFailed, ofPassed), () =>
      smallestPValue(all, ofFailed, ofPassed),
    );
    return least <= reachable;
  }

  /** The splits of a column, one for each different pair of parts. */
  return function splitsOf(feature: Feature, codes: Uint16Array): Split[] {
    const counts = countCodes(codes, runs, firstValue + feature.values.length);
    const splits = new Map<string, Split>();
    const test = (trait: Trait, opposite: Trait, tally: Tally): void => {
      if (!canTell(tally)) return;
      const { inFailed, inPassed, ofFailed, ofPassed } = tally;
      const more = inFailed * ofPassed >= inPassed * ofFailed;
      const split: Split = {
        trait: more ? trait : opposite,
        id: identityOf(codes, sideTest(feature, codes, trait)),
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
    test({ kind: 'has' }, { kind: 'lacks' }, tallyOf(having, known));
    const comparable = sumOf(counts, (code) => code === absentCode || code >= firstValue);
    const present = counts.filter(({ code }) => code >= firstValue);
    for (const value of present) {
      const { code } = value;
      test({ kind: 'value', code }, { kind: 'other-value', code }, tallyOf(value, comparable));
    }
    for (const { code, above, all } of orderedParts(feature, present)) {
      test({ kind: 'at-least', code }, { kind: 'below', code }, tallyOf(above, all));
    }
    return [...splits.values()];
  };
}

/** Tells of each code whether a run with it has the trait. */
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

/** Which of two splits that are equally likely is told: the smaller number. */
export function splitRank(split: Split): number {
  return rank(split.trait);
}

function rank(trait: Trait): number {
  return preference.indexOf(trait.kind);
}

interface CodeCount {
  readonly code: number;
  readonly failed: number;
  readonly passed: number;
}

function countCodes(codes: Uint16Array, runs: readonly Run[], size: number): CodeCount[] {
  const failed = new Uint16Array(size);
  const passed = new Uint16Array(size);
  for (let run = 0; run < codes.length; run += 1) {
    const counts = runs[run]?.outcome === 'failed' ? failed : passed;
    const code = codes[run] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  const found: CodeCount[] = [];
  for (let code = 0; code < size; code += 1) {
    const count = { code, failed: failed[code] as number, passed: passed[code] as number };
    if (count.failed + count.passed > 0) found.push(count);
  }
  return found;
}

type Sum = Omit<CodeCount, 'code'>;

function sumOf(counts: readonly CodeCount[], includes: (code: number) => boolean): Sum {
  let failed = 0;
  let passed = 0;
  for (const count of counts) {
    if (!includes(count.code)) continue;
    failed += count.failed;
    passed += count.passed;
  }
  return { failed, passed };
}

function tallyOf(inside: Sum, all: Sum): Tally {
  return {
    inFailed: inside.failed,
    inPassed: inside.passed,
    ofFailed: all.failed,
    ofPassed: all.passed,
  };
}

/** For each value above the lowest: the runs with it or more; empty where values have no order. */
function orderedParts(feature: Feature, present: readonly CodeCount[]) {
  if (present.length < 2) return [];
  const byCode = new Map(present.map((count) => [count.code, count]));
  const ordered = orderedCodes(feature, [...byCode.keys()]);
  if (!ordered) return [];
  const counts = ordered.map((code) => byCode.get(code) as CodeCount);
  const all = sumOf(counts, () => true);
  const below = { failed: 0, passed: 0 };
  return counts.slice(1).map(({ code }, index) => {
    below.failed += counts[index]?.failed ?? 0;
    below.passed += counts[index]?.passed ?? 0;
    return { code, all, above: { failed: all.failed - below.failed, passed: all.passed - below.passed } };
  });
}

/** Runs in two bits each; the first known run is always on the same side, so that a part and its rest are one split. */
function identityOf(codes: Uint16Array, sideOf: (code: number) => Side): string {
  const characters: number[] = [];
  let flips: boolean | undefined;
  let bits = 0;
  let held = 0;
  for (const code of codes) {
    const side = sideOf(code);
    if (side !== 2) flips ??= side === 1;
    bits = bits * 4 + (flips ? opposite(side) : side);
    held += 1;
    if (held < 7) continue;
    characters.push(bits);
    bits = 0;
    held = 0;
  }
  characters.push(bits);
  return String.fromCharCode(...characters);
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
