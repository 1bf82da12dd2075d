// What the tools for agents answer. Nothing here writes, and nothing that was captured becomes part of a command.

import { findingLimit } from '@envsnap/compare/diagnosis';
import { agentSides, agentValue } from '@envsnap/compare/formats/agent';
import {
  type ComparisonReport,
  readFailure,
  toolOfKey,
  withoutTerminalHints,
} from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { compareReferences, parsePair, usualSide } from '../actions/comparison/compare-references.ts';
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
  const { verdict, counting, comparison, causes } = await reportOf(input, from);
  const told = causes
    .slice(0, mostTold)
    .flatMap(({ section, keys, what, advice, evidence }, place) => [
      `${place + 1}. ${section} ${keys.slice(0, mostTold).map(agentValue).join(' ')}: ${agentValue(what)}`,
      `   advice: ${agentValue(withoutTerminalHints(advice))}`,
      ...(evidence === undefined ? [] : [`   the output says: ${agentValue(evidence)}`]),
    ]);
  const notes = comparison.notes
    .slice(0, mostTold)
    .map(({ message }) => `note: ${agentValue(withoutTerminalHints(message))}`);
  const more = causes.length - mostTold;
  return [
    `Verdict: ${verdict}. Differences that count: ${counting.size}.`,
    inBoundary([...told, ...notes]),
    ...(more > 0 ? [`Less likely causes left out: ${more}.`] : []),
    verdict === 'equal'
      ? 'Next: look at the code and the data.'
      : 'Next: plan_bisect proves which difference is the cause; get_entry shows one value.',
    ...reducedHint(comparison),
  ].join('\n');
}

/** `is_environmental`: whether the output of a failure names something that differs. */
export async function tellEnvironmental(
  input: Sides & { readonly failure: string },
  from: AgentSources,
): Promise<string> {
  const { causes, counting, comparison } = await reportOf(input, from);
  const named = causes.filter(({ evidence }) => evidence !== undefined).slice(0, mostTold);
  if (named.length > 0) {
    const lines = named.map(
      ({ section, keys, what, evidence = '' }) =>
        `${section} ${agentValue(keys[0] ?? '')}: ${agentValue(what)}; the output says ${agentValue(evidence)}`,
    );
    return `Likely: the output names something that differs.\n${inBoundary(lines)}\nNext: plan_bisect.`;
  }
  const [hint] = reducedHint(comparison);
  if (counting.size === 0 && hint !== undefined) return `Unknown: nothing known differs. ${hint}`;
  return counting.size === 0
    ? 'Unlikely: nothing that counts differs, and the output names nothing captured. Look at the code and the data.'
    : `Unknown: ${counted(counting.size, 'difference')} may matter, and the output names none. Next: compare_environments, then plan_bisect.`;
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
  const { comparison } = await reportOf(input, from, true);
  const [, section, name] = /^([a-z]+)[.:](.+)$/s.exec(input.key) ?? [];
  const entries = Object.values(comparison.sections)
    .flat()
    // Lists of folders are variables too.
    .map((entry) => ({ ...entry, section: entry.section === 'paths' ? 'env' : entry.section }))
    .filter(
      (entry) =>
        entry.key === input.key ||
        (entry.section === section && [entry.key, toolOfKey(entry.key)].includes(name ?? '')),
    );
  if (entries.length === 0)
    return `Neither side has ${agentValue(input.key)}. Keys look like env:TZ, runtimes.node, facts.process.umask.`;
  return inBoundary(
    entries.slice(0, mostTold).map((entry) => {
      const [a, b] = agentSides(entry);
      return `${entry.section} ${agentValue(entry.key)}: ${entry.status}; a ${a}; b ${b}`;
    }),
  );
}

/** `plan_bisect`: the command that proves a cause. It is returned, not run. */
export function tellBisection({
  works,
  command,
}: {
  readonly works: string;
  readonly command: string;
}): string {
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
    `envsnap bisect ${word(works)} -- sh -c ${word(command)}`,
    'Put --dry-run before -- to see what would be tried.',
  ].join('\n');
}

function refused(message: string, hint: string): CliError {
  return new CliError(message, { code: 'usage', hint });
}

async function reportOf(
  { a, b, failure }: Sides & { readonly failure?: string | undefined },
  from: AgentSources,
  showValues = false,
): Promise<ComparisonReport> {
  const pair = parsePair(a ?? (await usualSide(await from.store())), b);
  const rules = { showValues, ...(failure && { failure: readFailure(failure) }) };
  return compareReferences(pair, from.sources(pair.stored), rules, { carried: true });
}
