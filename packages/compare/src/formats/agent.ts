// A comparison and a diagnosis for a coding agent: short, and captured values only as JSON strings, so that nothing in them reads
// as text of the program or as an instruction.

import { counted } from '@envsnap/shared/text/size';
import { jsonText } from '@envsnap/shared/text/visible';
import { type Cause, placesOf } from '../causes/cause.ts';
import { type Diagnosis, findingLimit } from '../diagnosis/model.ts';
import type { Entry } from '../model/model.ts';
import { type ComparisonReport, violations } from '../report/report.ts';

/** Most causes, keys of one, and things of any list. */
export const agentItems = 5;
/** Most characters of a value, and of the whole text: about 1,300 tokens. */
const longestValue = 80;
const longestText = 4_000;

/** A captured value as a JSON string of at most 80 characters, without control and bidi characters, which the log of a CI job does not obey. */
export function agentValue(value: string): string {
  const plain = value.slice(0, 4 * longestValue).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ');
  const room = longestValue - 2;
  if (jsonText(plain, 0).length <= longestValue) return jsonText(plain, 0);
  let end = Math.min(plain.length, room - 1);
  while (end > 0 && jsonText(plain.slice(0, end), 0).length > longestValue - 1) end -= 1;
  return jsonText(`${plain.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`, 0);
}

/** The first five of a list as JSON strings, with the number of all. */
export function agentList(values: readonly string[], count = values.length): string {
  const shown = values.slice(0, agentItems).map(agentValue).join(', ');
  return count > agentItems ? `${shown} (${count} in all)` : shown;
}

/** Puts lines together; what does not fit is left out from the end, and counted. */
export function agentText(lines: readonly string[]): string {
  let text = '';
  for (const [place, line] of lines.entries()) {
    if (text.length + line.length > longestText)
      return `${text}(${counted(lines.length - place, 'line')} left out)\n`;
    text += `${line}\n`;
  }
  return text;
}

/** Renders a comparison for an agent: at most five causes, what could not be compared, and what to do next. */
export function renderAgent(report: ComparisonReport): string {
  const { comparison, verdict, counting, causes } = report;
  const { sections, unknown, notes, a, b } = comparison;
  const entries = new Map<string, Entry>();
  for (const section of Object.values(sections)) {
    for (const entry of section)
      if (entry.status !== 'same') entries.set(`${entry.section}\n${entry.key}`, entry);
  }
  const shown = causes.slice(0, agentItems);
  const hidden = [...sections.env, ...sections.paths].filter(({ unverified }) => unverified !== undefined);
  const failed = violations(report.policy?.checks ?? []);
  return agentText([
    `verdict: ${verdict} (${counted(counting.size, 'difference')} ${counting.size === 1 ? 'counts' : 'count'})`,
    `A (works): ${agentValue(a.label)}, machine ${agentValue(a.machineName)}`,
    `B (judged): ${agentValue(b.label)}, machine ${agentValue(b.machineName)}`,
    ...failed
      .slice(0, agentItems)
      .map(
        ({ rule, key, expected }) =>
          `policy not met: ${rule} ${agentValue(key)} should be ${agentValue(expected)}`,
      ),
    shown.length > 0
      ? `likely causes, the likeliest first (${shown.length} of ${causes.length}):`
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
  const places = placesOf(cause);
  const own = places.flatMap(({ section, key }) => entries.get(`${section}\n${key}`) ?? []);
  const [first] = own;
  const values =
    first === undefined || (first.a === null && first.b === null)
      ? first?.status === 'removed'
        ? 'in A only'
        : first?.status === 'added'
          ? 'in B only'
          : 'differs'
      : `A ${first.a === null ? 'none' : agentValue(first.a)}, B ${first.b === null ? 'none' : agentValue(first.b)}`;
  return [
    `${place + 1}. ${cause.section} ${agentList(cause.keys)}: ${values}${own.some((entry) => counting.has(entry)) ? '' : ' (does not count)'}`,
    ...(cause.evidence === undefined ? [] : [`   the output says ${agentValue(cause.evidence)}`]),
    `   advice: ${adviceText(cause)}`,
  ];
}

/** Advice holds captured values, so it is quoted like one; advice that is too long is given without them. */
function adviceText({ advice, section, keys, kind }: Cause): string {
  if (JSON.stringify(advice).length <= longestValue) return agentValue(advice);
  const key = agentValue(keys[0] ?? '');
  return kind === 'added'
    ? `take ${section} ${key} away in B`
    : `make ${section} ${key} in B what it is in A`;
}

/** Names of sides that may stand in a command as they are: what a person wrote, without anything that a shell interprets. */
const plainName = /^[\w./][\w./:@-]{0,79}$/;

function nextCommand({ verdict, comparison: { a, b, notes } }: ComparisonReport): string {
  if (verdict !== 'failed' && notes.some(({ code }) => code === 'reduced_environment'))
    return 'compare again from your own shell, or name the process that is meant: pid:N';
  if (verdict !== 'failed') return 'nothing that counts differs; look at the code or the data';
  // A side without a label is called by its machine, and that name was captured.
  const [left, right] = [a, b].map(({ label, machineName }) =>
    label !== machineName && plainName.test(label) ? label : undefined,
  );
  if (right === 'local') return `envsnap bisect ${left ?? 'A'} -- COMMAND finds the cause by experiment`;
  return `envsnap compare ${left ?? 'A'} ${right ?? 'B'} --json shows every difference`;
}

/** Renders a diagnosis for an agent. */
export function renderAgentDiagnosis({ runs, findings, notes }: Diagnosis): string {
  const shown = findings.slice(0, agentItems);
  const [first] = shown;
  return agentText([
    `runs: ${runs.passed} passed, ${runs.failed} failed`,
    shown.length > 0
      ? `what sets the failing runs apart, the likeliest first (${shown.length} of ${findings.length}):`
      : 'nothing sets the failing runs apart',
    ...shown.map(
      ({ keys, keyCount, inFailed, ofFailed, inPassed, ofPassed, qValue }, place) =>
        `${place + 1}. ${agentList(keys, keyCount)}: in ${inFailed} of ${ofFailed} failing runs and ${inPassed} of ${ofPassed} passing ones, q = ${Number(qValue.toPrecision(2))}${qValue <= findingLimit ? '' : ' (may be chance)'}`,
    ),
    ...(notes.length > 0 ? [`notes: ${[...new Set(notes.map(({ code }) => code))].join(', ')}`] : []),
    first === undefined
      ? 'next: record more runs with envsnap run -- COMMAND'
      : `next: change ${agentValue(first.keys[0] ?? '')} alone to what the passing runs have, and run again`,
  ]);
}
