// What the tools for agents answer. Nothing here writes, and nothing that was captured becomes part of a command.

import { findingLimit } from '@envsnap/compare/diagnosis';
import { agentSides, agentValue, agentViolations } from '@envsnap/compare/formats/agent';
import {
  type ComparableEnvironment,
  type ComparisonReport,
  compareEnvironments,
  environmentOf,
  notCompared,
  type PolicyCheck,
  patternTest,
  readFailure,
  toolOfKey,
  violations,
  withoutTerminalHints,
} from '@envsnap/compare/workspace';
import { type Address, isVariableAddress, parseAddress } from '@envsnap/shared/address';
import { counted } from '@envsnap/shared/text/size';
import { choosePair, compareReferences, loadSides } from '../actions/comparison/compare-references.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { whyRuns } from '../actions/comparison/why-runs.ts';
import type { SnapshotSources } from '../actions/references/resolve-snapshot.ts';
import { CliError } from '../errors/cli-error.ts';
import type { SnapshotStore } from '../runs/snapshot-store.ts';
import { inBoundary } from './boundary.ts';

/** Causes, notes and keys that an answer names. */
const mostTold = 5;

/** Where the tools read from. */
export interface AgentSources {
  readonly store: () => Promise<SnapshotStore>;
  /** Sources of sides; `stored` says whether this machine is compared with what is stored. */
  readonly sources: (stored: boolean) => SnapshotSources;
  /** The flags that lead there, for commands that are planned. */
  readonly flags: readonly string[];
}

interface Sides {
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}

/** `compare_environments`: the likeliest causes, what could not be compared, and what to do. */
export async function tellComparison(
  input: Sides & { readonly failure?: string | undefined },
  from: AgentSources,
): Promise<string> {
  const report = await reportOf(input, from);
  const { verdict, counting, comparison, causes } = report;
  const told = causes.slice(0, mostTold).flatMap(({ section, keys, what, advice, evidence }, place) => [
    `${place + 1}. ${section} ${keys
      .slice(0, mostTold)
      .map((key) => agentValue(key))
      .join(' ')}: ${agentValue(what)}`,
    `   advice: ${agentValue(withoutTerminalHints(advice))}`,
    ...(evidence === undefined ? [] : [`   the output says: ${agentValue(evidence)}`]),
  ]);
  const more = causes.length - mostTold;
  return [
    `Verdict: ${verdict}. Differences that count: ${counting.size}.`,
    inBoundary([...agentViolations(report), ...told, ...notesOf(comparison)]),
    ...(more > 0 ? [`Less likely causes left out: ${more}.`] : []),
    nextStep(report),
    ...reducedHint(comparison),
  ].join('\n');
}

function notesOf({ notes }: ComparisonReport['comparison']): string[] {
  return notes.slice(0, mostTold).map(({ message }) => `note: ${agentValue(withoutTerminalHints(message))}`);
}

function nextStep(report: ComparisonReport): string {
  const { verdict, counting } = report;
  if (verdict === 'failed' && counting.size === 0) return meetPolicy;
  if (counting.size > 0)
    return 'Next: plan_bisect proves which difference is the cause; get_entry shows one value.';
  const open = notCompared(report);
  return open === '' ? 'Next: look at the code and the data.' : `Next: capture what is missing: ${open}.`;
}

const meetPolicy = 'Next: meet what the policy expects.';

/** `is_environmental`: whether the output of a failure names something that differs. */
export async function tellEnvironmental(
  input: Sides & { readonly failure: string },
  from: AgentSources,
): Promise<string> {
  const report = await reportOf(input, from);
  const { causes, counting, comparison } = report;
  const named = namedIn(input.failure);
  const unmet = agentViolations(report, named);
  const evident = causes.filter(({ evidence }) => evidence !== undefined).slice(0, mostTold);
  if (evident.length > 0) {
    const lines = evident.map(
      ({ section, keys, what, evidence = '' }) =>
        `${section} ${agentValue(keys[0] ?? '')}: ${agentValue(what)}; the output says ${agentValue(evidence)}`,
    );
    return `Likely: the output names something that differs.\n${inBoundary([...unmet, ...lines])}\nNext: plan_bisect.`;
  }
  const isNamed = violations(report.policy?.checks ?? []).some(named);
  const open = notCompared(report);
  if (counting.size + unmet.length === 0 && open === '')
    return 'Unlikely: nothing that counts differs, and the output names nothing captured. Look at the code and the data.';
  const answer =
    counting.size > 0
      ? `Unknown: ${counted(counting.size, 'difference')} may matter, and the output names none.`
      : unmet.length > 0
        ? 'Unknown: the policy is not met.'
        : `Unknown: nothing that counts differs; ${open}.`;
  return [
    isNamed ? 'Likely: the output names something that the policy expects.' : answer,
    inBoundary([...unmet, ...notesOf(comparison)]),
    isNamed
      ? meetPolicy
      : counting.size > 0
        ? 'Next: compare_environments, then plan_bisect.'
        : nextStep(report),
    ...reducedHint(comparison),
  ].join('\n');
}

/** Words of an output that are tried against patterns of variables. */
const mostWords = 1000;

/** Whether an output names a variable that a check of the policy is about. */
function namedIn(failure: string): (check: PolicyCheck) => boolean {
  const words = new Set(failure.split(/\W+/));
  const names = [...words].filter((word) => /^[A-Z_][A-Z\d_]+$/.test(word)).slice(0, mostWords);
  return ({ rule, key }) => {
    if (rule === 'env') return words.has(key);
    if (rule !== 'required' && rule !== 'forbidden') return false;
    return words.has(key) || (/[*?[{]/.test(key) && names.some(patternTest(key)));
  };
}

/** What to ask instead where the host of this program gave it few variables. */
function reducedHint({ notes }: ComparisonReport['comparison']): string[] {
  return notes.some(({ code }) => code === 'reduced_environment')
    ? [
        'Variables, paths and language were not compared: a host leaves few. Name the environment that is meant: pid:N or shell:interactive.',
      ]
    : [];
}

/** `why_failing`: what the failing runs have in common. */
export async function tellWhy(
  { of, test }: { readonly of?: string | undefined; readonly test?: string | undefined },
  from: AgentSources,
): Promise<string> {
  const all = { passed: undefined, failed: undefined, machineName: undefined, last: undefined };
  const { runs, findings, notes } = await whyRuns({ ...all, outcomeOf: of, test }, from.sources(true));
  const found = findings.filter(({ qValue }) => qValue <= findingLimit);
  const told = (found.length > 0 ? found : findings).slice(0, mostTold);
  return [
    `${counted(runs.failed, 'failing run')}, ${counted(runs.passed, 'passing run')}: ${found.length > 0 ? 'these separate them' : 'nothing separates them for certain'}.`,
    inBoundary([
      ...told.map(
        ({ keys, what, qValue }) =>
          `${agentValue(keys[0] ?? '')}: ${agentValue(what)} (q ${qValue.toPrecision(2)})`,
      ),
      ...notes.map(({ message }) => `note: ${agentValue(message)}`),
    ]),
  ].join('\n');
}

/** `get_entry`: one key on both sides. A secret is a fingerprint here, as it is in a capture. */
export async function tellEntry(
  input: Sides & { readonly key: string },
  from: AgentSources,
): Promise<string> {
  const { pair } = await pairOf(input, from);
  const sides = await loadSides(pair, from.sources(pair.stored));
  // Neither rules nor the policy leave anything out here.
  const { comparison } = compareEnvironments(...sides, { showValues: true });
  // A bare name is that of a variable.
  const address = parseAddress(input.key) ?? { section: 'env', name: input.key };
  // Lists of folders are variables too.
  const sectionsOf = (section: string) => (section === 'env' || section === 'paths' ? 'variables' : section);
  const entries = Object.values(comparison.sections)
    .flat()
    .filter(
      ({ section, key }) =>
        key === input.key ||
        (sectionsOf(section) === sectionsOf(address.section) && [key, toolOfKey(key)].includes(address.name)),
    );
  const found = sides.map((side) => textAt(side, address));
  if (entries.length === 0 && found.every((text) => text === 'none'))
    return `Neither side has ${agentValue(input.key)}. Keys look like env:TZ, runtimes.node, facts.process.umask.`;
  const lines = entries.slice(0, mostTold).map((entry) => {
    const { section, key } = entry;
    const isNameOnly = isVariableAddress({ section, name: key }) && sides.some(isNamesOnly);
    const [a, b] = isNameOnly ? found : agentSides(entry);
    const status = entry.unverified === undefined ? entry.status : 'not compared';
    const shown = section === 'paths' ? 'env' : section;
    return `${shown} ${agentValue(key)}: ${status}; a ${a}; b ${b}`;
  });
  const [a, b] = found;
  return inBoundary(lines.length > 0 ? lines : [`${agentValue(input.key)}: not compared; a ${a}; b ${b}`]);
}

function isNamesOnly(side: ComparableEnvironment): boolean {
  return environmentOf(side).capture.namesOnly;
}

/** What a side has at an address, where the two cannot be compared. */
function textAt(side: ComparableEnvironment, address: Address): string {
  const environment = environmentOf(side);
  const value = environment.textAt(address);
  if (value === null) return environment.whyUnknown(address) === undefined ? 'none' : 'unknown';
  return isVariableAddress(address) && isNamesOnly(side) ? 'set' : agentValue(value);
}

/** `plan_bisect`: the command that proves a cause. It is returned, not run. */
export function tellBisection(
  { works, command }: { readonly works: string; readonly command: string },
  { flags }: AgentSources,
): string {
  if (works === 'local')
    throw refused(
      'local is the side that is tried',
      'Name the environment where it works, such as last-passed.',
    );
  if (command.trim() === '')
    throw refused('there is no command', 'Give the one that fails here and works there.');
  const word = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    'Run this in your own shell. It runs the command some 15 times under mixtures of both environments:',
    ['envsnap bisect', ...[works, ...flags].map(word), '-- sh -c', word(command)].join(' '),
    'Put --dry-run before -- to see what would be tried.',
  ].join('\n');
}

function refused(message: string, hint: string): CliError {
  return new CliError(message, { code: 'usage', hint });
}

async function reportOf(
  { a, b, failure }: Sides & { readonly failure?: string | undefined },
  from: AgentSources,
): Promise<ComparisonReport> {
  const { pair, policy } = await pairOf({ a, b }, from);
  const rules = { policy: policy?.loaded, ...(failure && { failure: readFailure(failure) }) };
  return compareReferences(pair, from.sources(pair.stored), rules);
}

async function pairOf({ a, b }: Sides, { store }: AgentSources) {
  if (a === '-' || b === '-') throw refused('- is standard input, which asks here', 'Name a file.');
  const policy = await loadPolicy('.', undefined, { optional: false });
  return { policy, pair: await choosePair(a, b, policy, store) };
}
