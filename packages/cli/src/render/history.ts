// The history of a value: one block a machine, one line a change, the newest last.

import { counted, grouped } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { History, MachineHistory } from '../actions/read-history.ts';
import type { Screen } from '../terminal/terminal.ts';
import { cutText } from './table.ts';
import { when } from './time.ts';

/** Renders a history. */
export function renderHistory(history: History, screen: Screen): string {
  const { key, series, scanned, total } = history;
  const changes = series.reduce((sum, machine) => sum + Math.max(0, machine.changes.length - 1), 0);
  const looked =
    scanned < total
      ? `the newest ${grouped(scanned)} of ${counted(total, 'snapshot')}`
      : counted(total, 'snapshot');
  const title = `${screen.paint('bold', visible(key))}  ${screen.paint('dim', `${counted(changes, 'change')} in ${looked} of ${counted(series.length, 'machine')}`)}`;
  const last = `${lastLine(history, screen)}\n`;
  return `${[title, ...series.map((machine) => machineBlock(machine, screen))].join('\n\n')}\n\n${last}`;
}

function machineBlock(machine: MachineHistory, screen: Screen): string {
  const values = machine.changes.map((change) =>
    cutText(visible(change.value ?? '–'), screen.interactive ? 40 : Number.POSITIVE_INFINITY),
  );
  const width = Math.max(...values.map((value) => stringWidth(value)));
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
      screen.paint('dim', change.snapshotId.slice(0, 13)),
    ].join('  ');
  });
  return [
    `${screen.paint('bold', visible(machine.machineName))}  ${screen.paint('dim', counted(machine.snapshots, 'snapshot'))}`,
    ...lines,
  ].join('\n');
}

function lastLine(history: History, screen: Screen): string {
  const newest = history.series
    .flatMap((machine) =>
      machine.changes.slice(1).map((change, index) => ({ change, before: machine.changes[index], machine })),
    )
    .sort((x, y) => (x.change.createdAt < y.change.createdAt ? 1 : -1))[0];
  if (!newest) return 'It never changed.';
  const { change, machine } = newest;
  const from = newest.before?.snapshotId.slice(0, 18) ?? '';
  return [
    `Last change: ${visible(machine.machineName)}, ${when(change.createdAt, screen)}.`,
    `Next: envsnap compare ${from} ${change.snapshotId.slice(0, 18)}`,
  ].join('\n');
}
