// The history of a value: one block a machine, one line a change, the newest last.

import { counted, grouped } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { History, MachineHistory } from '../../documents/machine-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { envsnapCommand } from '../layout/envsnap-command.ts';
import { largest } from '../layout/largest.ts';
import { shortIds } from '../layout/short-ids.ts';
import { cutText, renderRows } from '../layout/table.ts';
import { when } from '../layout/time.ts';
import { wrapWords } from '../layout/wrap-words.ts';

/** Renders a history; `connection` are the flags that led to it. */
export function renderHistory(history: History, screen: Screen, connection: readonly string[] = []): string {
  const { key, series, scanned, total } = history;
  const changes = series.reduce((sum, machine) => sum + Math.max(0, machine.changes.length - 1), 0);
  const looked =
    scanned < total
      ? `the newest ${grouped(scanned)} of ${counted(total, 'snapshot')}`
      : counted(total, 'snapshot');
  const title = `${screen.paint('bold', visible(key))}  ${screen.paint('dim', `${counted(changes, 'change')} in ${looked} of ${counted(series.length, 'machine')}`)}`;
  const short = shortIds(series.flatMap((machine) => machine.changes.map((change) => change.snapshotId)));
  const last = `${lastLine(history, short, screen, connection)}\n`;
  const changed = series.filter((machine) => machine.changes.length > 1);
  const constant = series.filter((machine) => machine.changes.length <= 1);
  const blocks = changed.map((machine) => machineBlock(machine, short, screen));
  // Machines on which nothing ever changed are a line each.
  if (constant.length > 0) blocks.push(constantTable(constant, short, screen));
  return `${[title, ...blocks].join('\n\n')}\n\n${last}`;
}

function constantTable(
  machines: readonly MachineHistory[],
  short: (id: string) => string,
  screen: Screen,
): string {
  return renderRows(screen, machines, [
    ['MACHINE', ({ machineName }) => machineName, { shrinks: true }],
    ['ALWAYS', ({ changes: [only] }) => only?.value ?? '–', { shrinks: true }],
    ['SINCE', ({ changes: [only] }) => (only ? when(only.createdAt, screen) : '')],
    ['SNAPSHOTS', ({ snapshots }) => grouped(snapshots), { align: 'right', drops: 2 }],
    ['OUTCOME', ({ changes: [only] }) => only?.outcome ?? '', { drops: 1 }],
    ['FIRST', ({ changes: [only] }) => (only ? short(only.snapshotId) : '')],
  ]).trimEnd();
}

/** Machines that are named beside a value. */
const machinesNamed = 3;

/** What is said where nothing changed: one value everywhere, or which machines have which. */
function unchangedText({ series }: History, screen: Screen): string {
  const holders = new Map<string | null, string[]>();
  for (const { machineName, changes } of series) {
    const value = changes.at(-1)?.value ?? null;
    holders.set(value, [...(holders.get(value) ?? []), machineName]);
  }
  if (holders.size < 2)
    return series.length > 1
      ? 'It never changed, and all machines have the same value.'
      : 'It never changed.';
  const groups = [...holders].sort((x, y) => y[1].length - x[1].length);
  const told = groups.map(([value, machines]) => {
    const others = machines.length - machinesNamed;
    const names = machines.slice(0, machinesNamed).join(', ') + (others > 0 ? ` and ${others} more` : '');
    return `${value ?? 'none'} on ${names}`;
  });
  const text = visible(`It never changed, but the machines have different values: ${told.join('; ')}.`);
  return wrapWords(text, screen.columns).join('\n');
}

function machineBlock(machine: MachineHistory, short: (id: string) => string, screen: Screen): string {
  const values = machine.changes.map((change) =>
    cutText(visible(change.value ?? '–'), screen.interactive ? 40 : Number.POSITIVE_INFINITY),
  );
  const width = largest(values.map((value) => stringWidth(value)));
  const distanceWidth = Math.max(...machine.changes.map((change) => (change.distance ?? '').length));
  const outcomeWidth = Math.max(...machine.changes.map((change) => (change.outcome ?? '').length));
  const times = machine.changes.map((change) => when(change.createdAt, screen));
  const timeWidth = Math.max(...times.map((time) => time.length));
  const lines = machine.changes.map((change, index) => {
    const sign =
      index === 0
        ? ' '
        : change.value === null
          ? '-'
          : machine.changes[index - 1]?.value === null
            ? '+'
            : '~';
    const value = values[index] ?? '';
    const style = change.distance === 'major' ? 'red' : 'yellow';
    const distance = change.distance === null || change.distance === 'other' ? '' : change.distance;
    return [
      `  ${index === 0 ? sign : screen.paint('yellow', sign)} ${index === 0 ? value : screen.paint('bold', value)}${' '.repeat(width - stringWidth(value))}`,
      ...(distanceWidth > 0
        ? [screen.paint(style, distance) + ' '.repeat(distanceWidth - distance.length)]
        : []),
      (times[index] ?? '').padEnd(timeWidth),
      ...(outcomeWidth > 0 ? [(change.outcome ?? '').padEnd(outcomeWidth)] : []),
      screen.paint('dim', visible(short(change.snapshotId))),
    ].join('  ');
  });
  return [
    `${screen.paint('bold', visible(machine.machineName))}  ${screen.paint('dim', counted(machine.snapshots, 'snapshot'))}`,
    ...lines,
  ].join('\n');
}

function lastLine(
  history: History,
  short: (id: string) => string,
  screen: Screen,
  connection: readonly string[],
): string {
  const newest = history.series
    .flatMap((machine) =>
      machine.changes.slice(1).map((change, index) => ({ change, before: machine.changes[index], machine })),
    )
    .sort((x, y) => (x.change.createdAt < y.change.createdAt ? 1 : -1))[0];
  if (!newest) return unchangedText(history, screen);
  const { change, machine } = newest;
  const ids = [newest.before, change].map((each) => short(each?.snapshotId ?? ''));
  return [
    `Last change: ${visible(machine.machineName)}, ${when(change.createdAt, screen)}.`,
    `Next: ${envsnapCommand('compare', ...ids, ...connection)}`,
  ].join('\n');
}
