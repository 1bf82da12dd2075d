// Groups keys that split the runs alike, so that a diagnosis cannot separate them.

import { scoreOfAddress } from '../causes/score.ts';
import { comparableColumn } from './comparable-columns.ts';
import { isEcho } from './echoes.ts';
import { smallestPValue } from './fisher.ts';
import { absentCode, type Feature, firstValue, type RunTable } from './run-table.ts';
import { type Side, type Split, sideTest, type Trait } from './splits.ts';

const leadLimit = 0.2;
const mostCompared = 4;

export interface Candidate {
  readonly feature: Feature;
  readonly index: number;
  readonly split: Split;
  readonly hypothesis: string;
}

export interface Group {
  readonly members: readonly {
    readonly feature: Feature;
    readonly split: Split;
    readonly weight: number;
    /** The code that most of the passing runs without the trait have; undefined if the trait says nothing about it. */
    readonly passingCode: number | undefined;
    readonly echo: boolean;
  }[];
  readonly split: Split;
  readonly qValue: number;
  readonly since: string | null;
}

export interface TestedGroup extends Group {
  readonly sides: readonly Side[];
}

export function groupsOf(
  table: RunTable,
  candidates: readonly Candidate[],
  rates: ReadonlyMap<string, number>,
  most: number,
): TestedGroup[] {
  const failed = table.runs.filter((run) => run.outcome === 'failed').length;
  // With very few runs nothing is below the limit; then the best possible split is still a lead.
  const limit = Math.max(leadLimit, smallestPValue(failed, failed, table.runs.length - failed) * 1.000001);
  const byId = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { id, pValue } = candidate.split;
    if (pValue > limit) continue;
    const group = byId.get(id);
    if (group) group.push(candidate);
    else byId.set(id, [candidate]);
  }
  const groups = [...byId.values()].map((members) => inOrder(table, members));
  const likeliest = groups.sort((x, y) => x[0].split.pValue - y[0].split.pValue || y[0].weight - x[0].weight);
  return likeliest.slice(0, most).map((members) => {
    const [head] = members;
    // Values of passing runs are looked up only for the likeliest packages.
    for (const member of members.slice(0, mostCompared)) member.passingCode ??= passingCodeOf(table, member);
    const sides = sidesOf(table, head);
    const qValue = members.reduce((least, { hypothesis }) => Math.min(least, rates.get(hypothesis) ?? 1), 1);
    return { members, split: head.split, qValue, sides, since: sinceOf(table, sides) };
  });
}

type Member = Candidate & {
  readonly weight: number;
  readonly echo: boolean;
  passingCode: number | undefined;
};

/** The likeliest cause first; keys that only repeat another member last. */
function inOrder(table: RunTable, candidates: readonly Candidate[]): [Member, ...Member[]] {
  const keys = new Set(candidates.map(({ feature }) => feature.key));
  const members = candidates.map((candidate): Member => {
    const { feature, split } = candidate;
    const { key } = feature;
    // There are many packages, and none is likelier than another.
    const passingCode = /^(?:dependencies|installed):/.test(key)
      ? undefined
      : passingCodeOf(table, candidate);
    const works = passingCode === undefined ? undefined : textOf(feature, passingCode);
    const weight = scoreOfAddress(key, { works, fails: failingText(feature, split.trait) });
    return { ...candidate, weight, echo: isEcho(key, keys), passingCode };
  });
  members.sort(
    (x, y) =>
      Number(x.echo) - Number(y.echo) ||
      y.weight - x.weight ||
      Number(y.feature.direct ?? false) - Number(x.feature.direct ?? false) ||
      byText(x.feature.key, y.feature.key),
  );
  return members as [Member, ...Member[]];
}

function textOf(feature: Feature, code: number): string | null | undefined {
  return code === absentCode ? null : feature.values[code - firstValue]?.text;
}

function failingText(feature: Feature, trait: Trait): string | null | undefined {
  if (trait.kind === 'lacks') return null;
  return trait.kind === 'value' || trait.kind === 'at-least' ? textOf(feature, trait.code) : undefined;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sidesOf(table: RunTable, { feature, index, split }: Candidate): Side[] {
  const { codes } = comparableColumn(feature, table.readColumn(index));
  return Array.from(codes, sideTest(feature, codes, split.trait));
}

/** The code that most passing runs on the other side of the split have. */
function passingCodeOf(table: RunTable, { feature, index, split }: Candidate): number {
  const { codes } = comparableColumn(feature, table.readColumn(index));
  const sideOf = sideTest(feature, codes, split.trait);
  const counts = new Map<number, number>();
  let usual: number = absentCode;
  for (const [run, code] of codes.entries()) {
    if (table.runs[run]?.outcome !== 'passed' || sideOf(code) !== 0) continue;
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > (counts.get(usual) ?? 0) || counts.size === 1) usual = code;
  }
  return usual;
}

function sinceOf(table: RunTable, sides: readonly Side[]): string | null {
  let first: string | null = null;
  let lastWithout = '';
  for (const [place, side] of sides.entries()) {
    const { createdAt } = table.runs[place] as { createdAt: string | null };
    if (createdAt === null || side === 2) return null;
    if (side === 0 && createdAt > lastWithout) lastWithout = createdAt;
    if (side === 1 && (first === null || createdAt < first)) first = createdAt;
  }
  return first !== null && lastWithout !== '' && lastWithout < first ? first : null;
}
