// A comparison or diagnosis for a coding agent: short, with captured values only as JSON strings.

import { counted, sharedLength } from '@envsnap/shared/text/size';
import { jsonText } from '@envsnap/shared/text/visible';
import { type Cause, placeKey, placesOf } from '../causes/cause.ts';
import { withoutTerminalHints } from '../causes/terminal-hints.ts';
import { type Diagnosis, findingLimit } from '../diagnosis/model.ts';
import type { Entry } from '../model/model.ts';
import type { PolicyCheck } from '../policy/policy.ts';
import { unmetOf } from '../report/expectations.ts';
import { type ComparisonReport, explanationsOf, notCompared } from '../report/report.ts';
import { sideValue } from './entry-text.ts';

export const agentItems = 5;
const longestValue = 80;
const longestText = 4_000;

const longestSentence = 400;

const shownInCommon = 20;

/** A captured value as a JSON string of at most 80 characters. A longer one is shown from where it begins to differ.
 * Sentences of the program may be longer. */
export function agentValue(value: string, differsAt = 0, longest = longestValue): string {
  const part = (start: number, end: number) => {
    const whole = value.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
    return jsonText(`${start > 0 ? '…' : ''}${whole}${end < value.length ? '…' : ''}`, 0);
  };
  const start =
    value.length < longest && part(0, value.length).length <= longest
      ? 0
      : Math.max(0, differsAt - shownInCommon);
  let end = Math.min(value.length, start + longest);
  while (part(start, end).length > longest) end -= 1;
  return part(start, end);
}

export function agentSentence(text: string): string {
  const short =
    text.length <= longestSentence
      ? text
      : `${text.slice(0, Math.max(0, text.lastIndexOf(' ', longestSentence)))} …`;
  return agentValue(short, 0, Number.POSITIVE_INFINITY);
}

export function agentValues(values: readonly string[], beside = values): string[] {
  return values.map((value) =>
    agentValue(
      value,
      beside.reduce(
        (most, other) => (other === value ? most : Math.max(most, sharedLength(value, other))),
        0,
      ),
    ),
  );
}

export function agentList(values: readonly string[], count = values.length, beside = values): string {
  const shown = agentValues(values.slice(0, agentItems), beside).join(', ');
  return count > agentItems ? `${shown} (${count} in all)` : shown;
}

/** The value of each side of a difference. If a list is too long, only the entries that one side has. */
export function agentSides(entry: Entry): readonly string[] {
  const sides = (['a', 'b'] as const).map((side) =>
    entry.section === 'toolchain' ? sideValue(entry, side) : (entry[side] ?? undefined),
  );
  const known = sides.filter((side) => side !== undefined);
  const { removed, added } = entry.list ?? { removed: [], added: [] };
  const alone = [...removed, ...added];
  if (alone.length > 0 && known.some((side) => side.length >= longestValue))
    return [removed, added].map((own) => `alone has ${agentList(own, own.length, alone) || 'none'}`);
  const [a = 'none', b = 'none'] = sides.map((side) =>
    side === undefined ? side : agentValues([side], known)[0],
  );
  return [a, b];
}

export function agentText(lines: readonly string[]): string {
  let text = '';
  for (const [place, line] of lines.entries()) {
    if (text.length + line.length > longestText)
      return `${text}(${counted(lines.length - place, 'line')} left out)\n`;
    text += `${line}\n`;
  }
  return text;
}

export function agentViolations(
  report: ComparisonReport,
  isNamed: (check: PolicyCheck) => boolean = () => false,
): string[] {
  return unmetOf(report)
    .sort((x, y) => Number(isNamed(y)) - Number(isNamed(x)))
    .slice(0, agentItems)
    .map(
      ({ rule, key, expected }) =>
        `policy not met: ${rule} ${agentValue(key)} should be ${agentValue(expected)}`,
    );
}

export function renderAgent(report: ComparisonReport): string {
  const { comparison, verdict, counting, causes } = report;
  const { sections, unknown, notes, a, b } = comparison;
  const entries = new Map<string, Entry>();
  for (const section of Object.values(sections)) {
    for (const entry of section) if (entry.status !== 'same') entries.set(placeKey(entry), entry);
  }
  const shown = causes.slice(0, agentItems);
  const hidden = [...sections.env, ...sections.paths].filter(({ unverified }) => unverified !== undefined);
  return agentText([
    `verdict: ${verdict} (${counted(counting.size, 'difference')} ${counting.size === 1 ? 'counts' : 'count'})`,
    `A (works): ${agentValue(a.label)}, machine ${agentValue(a.machineName)}`,
    `B (judged): ${agentValue(b.label)}, machine ${agentValue(b.machineName)}`,
    ...explanationsOf(comparison).map((each) => `this machine explains the failure: ${agentSentence(each)}`),
    ...agentViolations(report),
    shown.length > 0
      ? `likely causes, likeliest first (${shown.length} of ${causes.length}):`
      : 'no difference was found',
    ...shown.flatMap((cause, place) => causeLines(cause, place, report, entries)),
    ...notes.filter(({ code }) => code === 'lacking').map(({ message }) => `lacking: ${agentValue(message)}`),
    ...(unknown.length > 0
      ? [`could not be read: ${agentList(unknown.map(({ section, key }) => `${section}:${key}`))}`]
      : []),
    ...(hidden.length > 0
      ? [`could not be compared: ${agentList(hidden.map(({ key }) => `env:${key}`))}`]
      : []),
    ...(notes.length > 0 ? [`notes: ${[...new Set(notes.map(({ code }) => code))].join(', ')}`] : []),
    `next: ${nextCommand(report)}`,
  ]);
}

function causeLines(
  cause: Cause,
  place: number,
  { counting }: ComparisonReport,
  entries: ReadonlyMap<string, Entry>,
): string[] {
  const own = placesOf(cause).flatMap((each) => entries.get(placeKey(each)) ?? []);
  const counts = own.some((entry) => counting.has(entry));
  const commands = cause.repair.commands.map((command) => agentValue(command, 0, Number.POSITIVE_INFINITY));
  const areShort = commands.length > 0 && commands.every((command) => command.length <= longestValue);
  return [
    `${place + 1}. ${cause.section} ${agentList(cause.keys)}: ${valuesOf(own)}${counts ? '' : ' (does not count)'}`,
    ...(cause.evidence === undefined ? [] : [`   the output says ${agentValue(cause.evidence)}`]),
    areShort
      ? `   run on ${sideOf(cause)}: ${commands.join(' and then ')}`
      : `   advice: ${adviceText(cause)}`,
  ];
}

function sideOf({ repair: { side } }: Cause | AgentCause): string {
  return side === 'both' ? 'both sides' : side.toUpperCase();
}

function valuesOf([first]: readonly Entry[]): string {
  if (first === undefined) return 'differs';
  if (first.a !== null || first.b !== null) {
    const [a, b] = agentSides(first);
    return `A ${a}, B ${b}`;
  }
  return first.status === 'removed' ? 'in A only' : first.status === 'added' ? 'in B only' : 'differs';
}

/** Causes as the agents' tools return them: those that count first. Texts are captured values, or contain some. */
export function agentCauses({ causes, counting, differences }: ComparisonReport) {
  const entries = new Map(differences.map((entry) => [placeKey(entry), entry]));
  const found = causes.map((cause) => {
    const own = placesOf(cause).flatMap((each) => entries.get(placeKey(each)) ?? []);
    const { section, keys, what, advice, evidence = null, repair } = cause;
    return {
      section,
      keys: keys.slice(0, agentItems),
      what,
      values: valuesOf(own),
      counts: own.some((entry) => counting.has(entry)),
      evidence,
      advice: withoutTerminalHints(advice),
      repair: { side: repair.side, commands: repair.commands },
    };
  });
  return [...found.filter(({ counts }) => counts), ...found.filter(({ counts }) => !counts)].slice(
    0,
    agentItems,
  );
}

type AgentCause = ReturnType<typeof agentCauses>[number];

export function agentCauseLines(cause: AgentCause, place: number): string[] {
  const { section, keys, what, values, counts, evidence, advice, repair } = cause;
  const commands = repair.commands.map((command) => agentValue(command, 0, Number.POSITIVE_INFINITY));
  return [
    `${place + 1}. ${section} ${keys.map((key) => agentValue(key)).join(' ')}: ${values}${counts ? '' : ' (does not count)'}`,
    `   ${agentSentence(what)}`,
    ...(evidence === null ? [] : [`   the output says: ${agentSentence(evidence)}`]),
    ...(commands.length > 0
      ? [`   run on ${sideOf(cause)}: ${commands.join(' and then ')}`]
      : [`   advice: ${agentSentence(advice)}`]),
  ];
}

/** The advice, quoted because it contains captured values. If it is too long, a short form without those values. */
function adviceText({ advice, section, keys, kind }: Cause): string {
  if (JSON.stringify(advice).length <= longestValue) return agentValue(advice);
  const key = agentValue(keys[0] ?? '');
  return kind === 'added' ? `remove ${section} ${key} in B` : `make ${section} ${key} in B what it is in A`;
}

/** Names of sides that can be used in a command as they are: the user's own words, without shell syntax. */
const plainName = /^[\w./][\w./:@-]{0,79}$/;

function nextCommand(report: ComparisonReport): string {
  const { verdict, comparison } = report;
  const { a, b, notes } = comparison;
  if (explanationsOf(comparison).length > 0) return 'repair what explains the failure, then run it again';
  if (verdict !== 'failed' && notes.some(({ code }) => code === 'reduced_environment'))
    return 'compare again from your own shell, or name a process: pid:N';
  const open = notCompared(report);
  if (verdict !== 'failed')
    return open === ''
      ? 'nothing that counts differs; look at the code or the data'
      : `capture what is missing (${open}), or look at the code or the data`;
  // A side without a label gets its machine's name, which was captured.
  const [left, right] = [a, b].map(({ label, machineName }) =>
    label !== machineName && plainName.test(label) ? label : undefined,
  );
  if (right === 'local') return `envsnap bisect ${left ?? 'A'} -- COMMAND finds the cause by experiment`;
  return `envsnap compare ${left ?? 'A'} ${right ?? 'B'} --json shows every difference`;
}

export function renderAgentDiagnosis({ runs, findings, notes }: Diagnosis): string {
  const shown = findings.slice(0, agentItems);
  const [first] = shown;
  return agentText([
    `runs: ${runs.passed} passed, ${runs.failed} failed`,
    shown.length > 0
      ? `what sets the failing runs apart, likeliest first (${shown.length} of ${findings.length}):`
      : 'nothing sets the failing runs apart',
    ...shown.map(
      ({ keys, keyCount, inFailed, ofFailed, inPassed, ofPassed, qValue }, place) =>
        `${place + 1}. ${agentList(keys, keyCount)}: in ${inFailed} of ${ofFailed} failing runs and ${inPassed} of ${ofPassed} passing ones, q = ${Number(qValue.toPrecision(2))}${qValue <= findingLimit ? '' : ' (may be due to chance)'}`,
    ),
    ...(notes.length > 0 ? [`notes: ${[...new Set(notes.map(({ code }) => code))].join(', ')}`] : []),
    first === undefined
      ? 'next: record more runs with envsnap run -- COMMAND'
      : `next: change ${agentValue(first.keys[0] ?? '')} alone to what the passing runs have, and run again`,
  ]);
}
