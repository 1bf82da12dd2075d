// The answers of the tools for agents. Nothing here writes, and no captured text becomes part of a command.

import { findingLimit } from '@envsnap/compare/diagnosis';
import {
  agentCauseLines,
  agentCauses,
  agentSentence,
  agentSides,
  agentValue,
  agentViolations,
} from '@envsnap/compare/formats/agent';
import {
  type ComparableEnvironment,
  type ComparisonReport,
  compareEnvironments,
  environmentOf,
  explanationsOf,
  isInOutput,
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
import {
  choosePair,
  compareReferences,
  loadSides,
  parsePair,
} from '../actions/comparison/compare-references.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { whyRuns } from '../actions/comparison/why-runs.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { type AgentAnswer, inBoundary, mostShown } from './agent-answer.ts';
import { type AgentSources, projectAbove } from './agent-sources.ts';
import { answerFirstFailure } from './first-failure-answer.ts';

interface Sides {
  readonly a?: string | undefined;
  readonly b?: string | undefined;
}

export async function answerComparison(
  input: Sides & { readonly failure?: string | undefined },
  from: AgentSources,
): Promise<AgentAnswer> {
  const report = await reportOf(input, from);
  const { verdict, counting } = report;
  const head = `Verdict: ${verdict}. Differences that count: ${counting.size}.`;
  return answerOf({ verdict, head, report, unmet: agentViolations(report), next: nextStep(report) });
}

/** The causes of a comparison with a verdict above them, and what to do below. */
function answerOf({
  verdict,
  head,
  report,
  unmet,
  next,
}: Record<'verdict' | 'head' | 'next', string> & {
  readonly report: ComparisonReport;
  readonly unmet: readonly string[];
}): AgentAnswer {
  const { comparison, counting } = report;
  const causes = agentCauses(report);
  const notes = comparison.notes.slice(0, mostShown).map(({ message }) => withoutTerminalHints(message));
  const more = report.causes.length - causes.length;
  const lines = [
    head,
    `A (works): ${agentValue(comparison.a.label)}. B (fails): ${agentValue(comparison.b.label)}.`,
    inBoundary([
      ...unmet,
      ...causes.flatMap(agentCauseLines),
      ...notes.map((note) => `note: ${agentSentence(note)}`),
    ]),
    ...(more > 0 ? [`Less likely causes left out: ${more}.`] : []),
    next,
    ...(comparison.notes.some(({ code }) => code === 'reduced_environment') ? [reducedHint] : []),
  ];
  return { text: lines.join('\n'), data: { verdict, counting: counting.size, unmet, causes, notes, next } };
}

function nextStep(report: ComparisonReport): string {
  const { verdict, counting, causes } = report;
  if (verdict === 'failed' && counting.size === 0) return meetPolicy;
  if (counting.size > 0) {
    const first = causes.some(({ repair }) => repair.commands.length > 0)
      ? 'Next: run the commands of the first cause on the side that they name, then run the failed command again. '
      : 'Next: ';
    return `${first}plan_bisect proves which difference is the cause; get_entry shows one value.`;
  }
  const open = notCompared(report);
  return open === '' ? 'Next: look at the code and the data.' : `Next: capture what is missing: ${open}.`;
}

const meetPolicy = 'Next: meet what the policy expects.';

/** `is_environmental`: whether the output of a failure names something that differs. */
export async function answerEnvironmental(
  input: Sides & { readonly failure: string },
  from: AgentSources,
): Promise<AgentAnswer> {
  let report: ComparisonReport;
  try {
    report = await reportOf(input, from);
  } catch (error) {
    const isNothingRecorded =
      error instanceof CliError && ['not_configured', 'snapshot_not_found'].includes(error.code);
    if (input.a !== undefined || input.b !== undefined || !isNothingRecorded) throw error;
    return answerFirstFailure(input, from);
  }
  const { causes, counting } = report;
  const named = namedIn(input.failure);
  const unmet = agentViolations(report, named);
  const open = notCompared(report);
  const next = nextStep(report);
  const judged = (verdict: string, head: string, then = next) =>
    answerOf({ verdict: verdict.toLowerCase(), head: `${verdict}: ${head}`, report, unmet, next: then });
  if (explanationsOf(report.comparison).length > 0)
    return judged('Likely', 'the state of this machine explains it.', 'Next: repair that, and run it again.');
  if (causes.some(({ evidence }) => evidence !== undefined))
    return judged('Likely', 'the output names something that differs.');
  if (causes.some(isInOutput))
    return judged('Likely', 'the output mentions an effect of one of the differences.');
  if (violations(report.policy?.checks ?? []).some(named))
    return judged('Likely', 'the output names something that the policy expects.', meetPolicy);
  if (counting.size > 0)
    return judged(
      'Unknown',
      `${counted(counting.size, 'difference')} may matter, and the output names none.`,
    );
  if (unmet.length > 0) return judged('Unknown', 'the policy is not met.');
  if (open !== '') return judged('Unknown', `nothing that counts differs; ${open}.`);
  return judged('Unlikely', 'nothing that counts differs, and the output names nothing captured.');
}

/** Maximum number of words of an output to match against patterns of variables. */
const mostWords = 1000;

/** Whether an output names the variable of a policy check. */
function namedIn(failure: string): (check: PolicyCheck) => boolean {
  const words = new Set(failure.split(/\W+/));
  const names = [...words].filter((word) => /^[A-Z_][A-Z\d_]+$/.test(word)).slice(0, mostWords);
  return ({ rule, key }) => {
    if (rule === 'env') return words.has(key);
    if (rule !== 'required' && rule !== 'forbidden') return false;
    return words.has(key) || (/[*?[{]/.test(key) && names.some(patternTest(key)));
  };
}

/** The advice if the host of this program passed it few variables. */
const reducedHint =
  'Variables, paths and language were not compared, because the program that started envsnap passed on few variables. Name the environment that you mean: pid:N or shell:interactive.';

export async function answerWhy(
  { of, test }: { readonly of?: string | undefined; readonly test?: string | undefined },
  from: AgentSources,
): Promise<AgentAnswer> {
  const all = { passed: undefined, failed: undefined, machineName: undefined, last: undefined };
  const { runs, findings, notes, suggestion } = await whyRuns(
    { ...all, outcomeOf: of, test },
    from.sources(true),
  );
  const found = findings.filter(({ qValue }) => qValue <= findingLimit);
  const shown = (found.length > 0 ? found : findings)
    .slice(0, mostShown)
    .map(({ keys, what, qValue }) => ({ keys: keys.slice(0, mostShown), what, qValue }));
  const messages = notes.map(({ message }) => message);
  const text = [
    `${counted(runs.failed, 'failing run')}, ${counted(runs.passed, 'passing run')}: ${found.length > 0 ? 'these separate them' : 'nothing clearly separates them'}.`,
    inBoundary([
      ...shown.map(
        ({ keys, what, qValue }) =>
          `${keys.map((key) => agentValue(key)).join(' ')}: ${agentSentence(what)} (q ${qValue.toPrecision(2)})`,
      ),
      ...messages.map((message) => `note: ${agentSentence(message)}`),
      ...(suggestion === null ? [] : [`next: ${agentSentence(suggestion)}`]),
    ]),
  ].join('\n');
  const isCertain = found.length > 0;
  return { text, data: { runs, isCertain, findings: shown, notes: messages, next: suggestion } };
}

type ShownEntry = Record<'section' | 'key' | 'status' | 'a' | 'b', string>;

/** `get_entry`: one key on both sides. A secret is a fingerprint here, as it is in a capture. */
export async function answerEntry(
  input: Sides & { readonly key: string },
  from: AgentSources,
): Promise<AgentAnswer> {
  const { pair } = await pairOf(input, from);
  const sides = await loadSides(pair, from.sources(pair.stored));
  // Neither rules nor the policy leave anything out here.
  const { comparison } = compareEnvironments(...sides, { showValues: true });
  // A bare name names a variable.
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
    return {
      text: `Neither side has ${agentValue(input.key)}. Keys look like env:TZ, runtimes.node, facts.process.umask.`,
      data: { entries: [] },
    };
  const shown = entries.slice(0, mostShown).map((entry): ShownEntry => {
    const { section, key } = entry;
    const isNameOnly = isVariableAddress({ section, name: key }) && sides.some(isNamesOnly);
    const [a = 'none', b = 'none'] = isNameOnly ? found : agentSides(entry);
    const status = entry.unverified === undefined ? entry.status : 'not compared';
    return { section: section === 'paths' ? 'env' : section, key, status, a, b };
  });
  const [a = 'none', b = 'none'] = found;
  if (shown.length === 0)
    shown.push({ section: address.section, key: input.key, status: 'not compared', a, b });
  const lines = shown.map(
    (entry) =>
      `${entries.length > 0 ? `${entry.section} ` : ''}${agentValue(entry.key)}: ${entry.status}; a ${entry.a}; b ${entry.b}`,
  );
  return { text: inBoundary(lines), data: { entries: shown } };
}

function isNamesOnly(side: ComparableEnvironment): boolean {
  return environmentOf(side).capture.namesOnly;
}

/** One side's value at an address, if the two sides cannot be compared. */
function textAt(side: ComparableEnvironment, address: Address): string {
  const environment = environmentOf(side);
  const value = environment.textAt(address);
  if (value === null) return environment.whyUnknown(address) === undefined ? 'none' : 'unknown';
  return isVariableAddress(address) && isNamesOnly(side) ? 'set' : agentValue(value);
}

/** `plan_bisect`: the command that proves a cause. It is returned, not run. */
export function answerBisection(
  { works, command }: { readonly works: string; readonly command: string },
  { flags }: AgentSources,
): AgentAnswer {
  if (works === 'local')
    throw usageError(
      'local cannot be this side: the command runs there',
      'Name the environment where it works, such as last-passed.',
    );
  if (command.trim() === '')
    throw usageError(
      'there is no command',
      'Give the command that fails here and works in the other environment.',
    );
  const word = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const planned = ['envsnap bisect', ...[works, ...flags].map(word), '-- sh -c', word(command)].join(' ');
  const text = [
    'Run this in your own shell. It runs the command about 15 times with mixtures of both environments:',
    planned,
    'Put --dry-run before -- to see what would be tried.',
  ].join('\n');
  return { text, data: { command: planned } };
}

async function reportOf(
  { a, b, failure }: Sides & { readonly failure?: string | undefined },
  from: AgentSources,
): Promise<ComparisonReport> {
  const { pair, policy } = await pairOf({ a, b }, from);
  const isOwn = !pair.stored || 'local' in (await from.store());
  const rules = {
    policy: policy?.loaded,
    showValues: isOwn && ('safe' as const),
    ...(failure && { failure: readFailure(failure) }),
  };
  return compareReferences(pair, from.sources(pair.stored), rules, { above: await projectAbove() });
}

async function pairOf({ a, b }: Sides, { store }: AgentSources) {
  if (a === '-' || b === '-')
    throw usageError('- cannot be read here: the agent uses standard input', 'Name a file.');
  const policy = await loadPolicy('.', undefined, { optional: false });
  const pair = await choosePair(a, b, policy, store);
  const { failedRun } = pair.a;
  // The host of this program has other variables than the shell in which the command failed.
  const isRun = b === undefined && failedRun !== undefined;
  return { policy, pair: isRun ? parsePair(pair.a, failedRun) : pair };
}
