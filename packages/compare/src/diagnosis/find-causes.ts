// Finds what separates the failing runs: tests every split, controls the false-discovery rate, groups findings, and explains one by another.

import { counted } from '@envsnap/shared/text/size';
import { comparableColumn } from './comparable-columns.ts';
import { groupText, splitText } from './finding-text.ts';
import { fisherExact, smallestPValue } from './fisher.ts';
import { type Candidate, groupsOf, type TestedGroup } from './grouping.ts';
import { type Diagnosis, type DiagnosisNote, type Finding, findingLimit } from './model.ts';
import type { RunTable } from './run-table.ts';
import { createSplitter, mixBits, type Split, splitRank } from './splits.ts';
import { type OwnRuns, suggestRun } from './suggest.ts';

const mostFindings = 20;
/** Maximum number of keys that a finding names, and maximum characters of all of them. */
const mostKeys = 50;
const mostKeyText = 16 * 1024;
const usualSteps = 300_000_000;

interface DiagnosisBounds {
  readonly leftOut?: number;
  /** Maximum work on tests, in steps of about ten nanoseconds; default 300 million. Further keys are left out. */
  readonly mostSteps?: number;
  /** Show that variables differ, but not their values. Default: show both. */
  readonly hidesVariables?: boolean;
  readonly own?: OwnRuns | undefined;
}

/** Diagnoses the runs of a table. The work is limited; notes say what was left out. */
export function findCauses(
  table: RunTable,
  { leftOut = 0, mostSteps = usualSteps, hidesVariables = false, own }: DiagnosisBounds = {},
): Diagnosis {
  const failed = table.runs.filter((run) => run.outcome === 'failed').length;
  const runs = { passed: table.runs.length - failed, failed };
  const { rates, candidates, incomparable, untested } = testFeatures(table, mostSteps);
  // Done last, because the rules decide which values can be shown and compared.
  if (hidesVariables)
    for (const feature of table.features) if (feature.key.startsWith('env:')) feature.shown = false;
  const bothSides = failed > 0 && runs.passed > 0;
  const groups = bothSides ? groupsOf(table, candidates, rates, mostFindings) : [];
  const explained = explanations(table, groups);
  const shown = groups.filter((group, place) => group.qValue <= findingLimit || explained[place] === null);
  const findings = shown.map((group) => {
    const by = explained[groups.indexOf(group)] ?? null;
    return findingOf(group, by === null ? null : shown.indexOf(groups[by] as TestedGroup));
  });
  return {
    runs,
    findings,
    tests: rates.size,
    suggestion: suggestRun(runs, groups, rates.size, own),
    notes: [...sampleNotes(runs), ...incomparableNote(incomparable), ...boundNotes(leftOut, untested)],
  };
}

/** Tests every feature. Features that split the runs alike are one hypothesis. Its p-value is the smallest of its
 * splits times their number (Bonferroni); the false-discovery rate is computed over the hypotheses. If each split
 * counted separately, the many splits of one true cause would let chance findings pass the limit. */
function testFeatures(table: RunTable, mostSteps: number) {
  const splitter = createSplitter(table.runs);
  const numbers = new Map<string, number>();
  const hypotheses = new Map<string, number>();
  const best = new Map<string, Candidate>();
  const byColumn = new Map<string, Tested>();
  const incomparable: string[] = [];
  let untested = 0;
  for (const [index, feature] of table.features.entries()) {
    if (splitter.steps > mostSteps) {
      untested = table.features.length - index;
      break;
    }
    const read = table.readColumn(index);
    const column = Buffer.from(read.buffer).toString('latin1');
    // Features with the same pattern have the same splits, unless their values are ordered.
    const alike =
      (feature.order === 'none' || feature.values.length < 2) &&
      feature.values.every((value) => value.fingerprintKey === undefined);
    let tested = alike ? byColumn.get(column) : undefined;
    if (!tested) {
      const { codes, dropped } = comparableColumn(feature, read);
      if (dropped) incomparable.push(feature.key);
      tested = testedOf(splitter.splitsOf(feature, codes), numbers);
      if (alike) byColumn.set(column, tested);
    }
    const { split, hypothesis, pValue } = tested;
    if (!split) continue;
    hypotheses.set(hypothesis, pValue);
    const known = best.get(feature.key);
    if (!known || isBetter(split, known.split)) best.set(feature.key, { feature, index, split, hypothesis });
  }
  const ids = [...hypotheses.keys()];
  const qValues = falseDiscoveryRates([...hypotheses.values()]);
  const rates = new Map(ids.map((id, place) => [id, qValues[place] as number]));
  return { rates, candidates: [...best.values()], incomparable, untested };
}

interface Tested {
  /** The split with the smallest p-value; undefined if no split can be significant. */
  readonly split: Split | undefined;
  readonly hypothesis: string;
  readonly pValue: number;
}

function testedOf(splits: readonly Split[], numbers: Map<string, number>): Tested {
  let split: Split | undefined;
  let low = 0;
  let high = 0;
  for (const each of splits) {
    if (!split || isBetter(each, split)) split = each;
    const number = numbers.get(each.id) ?? numbers.size;
    numbers.set(each.id, number);
    low ^= mixBits(number, 1);
    high ^= mixBits(number, 2);
  }
  const pValue = split ? Math.min(1, split.pValue * splits.length) : 1;
  return { split, hypothesis: `${splits.length} ${low} ${high}`, pValue };
}

function isBetter(a: Split, b: Split): boolean {
  return a.pValue < b.pValue || (a.pValue === b.pValue && splitRank(a) < splitRank(b));
}

/** For each group, the earlier group that explains it: within both parts of that one, it separates nothing. Null if
 * there is none. */
function explanations(table: RunTable, groups: readonly TestedGroup[]): (number | null)[] {
  const explained: (number | null)[] = [];
  for (const [place, group] of groups.entries()) {
    const by = groups
      .slice(0, place)
      .findIndex(
        (other, index) =>
          explained[index] === null && other.qValue <= findingLimit && explains(table, other, group),
      );
    explained.push(by < 0 ? null : by);
  }
  return explained;
}

function explains(table: RunTable, other: TestedGroup, group: TestedGroup): boolean {
  const within = ([0, 1] as const).map((stratum) => {
    const counts = { inFailed: 0, inPassed: 0, ofFailed: 0, ofPassed: 0 };
    for (let run = 0; run < group.sides.length; run += 1) {
      const side = group.sides[run];
      if (side === 2 || other.sides[run] !== stratum) continue;
      const failed = table.runs[run]?.outcome === 'failed';
      if (failed) counts.ofFailed += 1;
      else counts.ofPassed += 1;
      if (side === 1 && failed) counts.inFailed += 1;
      else if (side === 1) counts.inPassed += 1;
    }
    return fisherExact(counts.inFailed, counts.ofFailed, counts.inPassed, counts.ofPassed);
  });
  // Two tests at once, so the smaller p-value counts double.
  return 2 * Math.min(...within) > findingLimit;
}

function findingOf(group: TestedGroup, explainedBy: number | null): Finding {
  const { members, split, qValue, since } = group;
  const [head] = members as [(typeof members)[number]];
  const { pValue, inFailed, inPassed, ofFailed, ofPassed } = split;
  return {
    keys: namedKeys(members.map(({ feature }) => feature.key)),
    keyCount: members.length,
    what: splitText(head.feature, split),
    together: groupText(group),
    pValue,
    qValue,
    inFailed,
    inPassed,
    ofFailed,
    ofPassed,
    since,
    explainedBy,
  };
}

function namedKeys(keys: readonly string[]): string[] {
  let remaining = mostKeyText;
  return keys.slice(0, mostKeys).filter((key, place) => {
    remaining -= key.length;
    return place === 0 || remaining >= 0;
  });
}

function boundNotes(leftOut: number, untested: number): DiagnosisNote[] {
  const notes: DiagnosisNote[] = [];
  const reason = 'together, the captures are larger than one diagnosis may read';
  if (leftOut > 0) {
    const message = `${counted(leftOut, 'run')} left out: ${reason}. The newest stored runs are read first.`;
    notes.push({ code: 'runs_left_out', message });
  }
  if (untested > 0) {
    const message = `${counted(untested, 'key')} not tested: ${reason}. Fewer runs leave room for more keys.`;
    notes.push({ code: 'keys_left_out', message });
  }
  return notes;
}

function sampleNotes({ passed, failed }: Diagnosis['runs']): DiagnosisNote[] {
  if (passed === 0 || failed === 0) {
    const only = failed === 0 ? `${counted(passed, 'run')} passed` : `${counted(failed, 'run')} failed`;
    const message =
      passed + failed === 0
        ? 'No runs were found.'
        : `${only}, and none ${failed === 0 ? 'failed' : 'passed'}, so nothing can be compared.`;
    return [{ code: 'one_outcome_only', message }];
  }
  const least = smallestPValue(failed, failed, passed);
  if (least <= findingLimit) return [];
  const counts = `${counted(failed, 'failing run')} and ${counted(passed, 'passing run')}`;
  const message = `${counts} are too few to rule out chance.`;
  return [{ code: 'too_few_runs', message }];
}

function incomparableNote(keys: readonly string[]): DiagnosisNote[] {
  if (keys.length === 0) return [];
  const names = keys.slice(0, 3).map((key) => key.replace(/^env:/, ''));
  const listed = keys.length > 3 ? `${names.join(', ')} and ${keys.length - 3} more` : names.join(', ');
  const message = `${listed}: fingerprinted with different keys, so not all values could be compared.`;
  return [{ code: 'not_comparable', message }];
}

/** The q-value of each p-value: the smallest false-discovery rate at which it would be called a finding (Benjamini and
 * Hochberg 1995, the "step-up" adjustment). Same order as given. */
export function falseDiscoveryRates(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((x, y) => (pValues[y] ?? 1) - (pValues[x] ?? 1));
  const rates = new Array<number>(pValues.length).fill(1);
  let smallest = 1;
  for (const [place, index] of order.entries()) {
    const rank = pValues.length - place;
    smallest = Math.min(smallest, ((pValues[index] as number) * pValues.length) / rank);
    rates[index] = smallest;
  }
  return rates;
}
