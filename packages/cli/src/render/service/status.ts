// The project's health: what needs attention first, then the names of runs and the machines.

import type { MachineHealth, ProjectHealth, RunHealth } from '@envsnap/shared';
import { counted, size } from '@envsnap/shared/text/size';
import type { Screen } from '../../terminal/terminal.ts';
import { type Cell, renderRows, when } from '../layout/table.ts';

/** Share of a quota from which it is mentioned. */
const nearlyFull = 0.8;

/** Renders the health. */
export function renderStatus(health: ProjectHealth, screen: Screen): string {
  const { machines, runs, machineCount } = health;
  if (machines.length === 0 && runs.length === 0)
    return 'Nothing is stored yet. envsnap capture --store stores this machine, and envsnap run a command with how it ends.\n';
  const left = machineCount - machines.length;
  const more = left > 0 ? `${counted(left, 'machine')} more, captured longer ago: envsnap matrix\n` : '';
  return [...attention(health, screen), renderRuns(runs, screen), renderMachines(machines, screen) + more]
    .filter((part) => part !== '')
    .join('\n');
}

const quotaLabels: Readonly<
  Record<keyof ProjectHealth['quotas'], readonly [label: string, show: (amount: number) => string]>
> = {
  snapshots: ['Snapshots', String],
  runs: ['Runs', String],
  files: ['Files', String],
  storageBytes: ['Storage for files', size],
  snapshotBytes: ['Storage for snapshots', size],
};

function attention({ quotas, webhooks }: ProjectHealth, screen: Screen): string[] {
  const full = Object.entries(quotas).flatMap(([name, { used, max }]) => {
    // The oldest run leaves for a new one.
    if (name === 'runs' || used < max * nearlyFull) return [];
    const [label, show] = quotaLabels[name as keyof typeof quotas];
    return `${label}: ${show(used)} of ${show(max)} used.`;
  });
  const failing =
    webhooks.failing > 0 ? `${counted(webhooks.failing, 'webhook')} failing: envsnap webhook list.` : [];
  const lines = [full, failing].flat();
  return lines.length === 0 ? [] : [lines.map((line) => `${screen.paint('yellow', '!')} ${line}\n`).join('')];
}

function renderRuns(runs: readonly RunHealth[], screen: Screen): string {
  if (runs.length === 0) return '';
  return renderRows(screen, runs, [
    ['RUNS', ({ of }) => of, { shrinks: true }],
    ['LAST', (run) => strip(run), { drops: 2 }],
    ['STATE', (run) => stateOfRun(run, screen)],
    ['WHEN', ({ last }) => when(last[0]?.createdAt ?? '', screen), { drops: 1 }],
    ['LIKELIEST CAUSE', ({ cause }) => (cause ? `${cause.what}; ${cause.advice}` : ''), { shrinks: true }],
  ]);
}

/** The last runs, the oldest first: `..x`. */
function strip({ last }: RunHealth): string {
  return last
    .slice(0, 12)
    .reverse()
    .map(({ result }) => (result === 'passed' ? '.' : 'x'))
    .join('');
}

function stateOfRun({ failingSince, failedRuns }: RunHealth, screen: Screen): Cell {
  if (failingSince === null) return { text: 'passes', style: 'green' };
  return { text: `fails since ${when(failingSince, screen)}, ${counted(failedRuns, 'run')}`, style: 'red' };
}

const stateStyles = { steady: 'green', changed: 'yellow', departs: 'red' } as const;

function renderMachines(machines: readonly MachineHealth[], screen: Screen): string {
  if (machines.length === 0) return '';
  return renderRows(screen, machines, [
    ['MACHINE', ({ machineName }) => machineName, { shrinks: true }],
    ['STATE', ({ state }) => ({ text: state, style: stateStyles[state] })],
    [
      'COUNTING',
      ({ counting }) => (counting === null ? '?' : String(counting)),
      { align: 'right', drops: 2 },
    ],
    ['CAPTURED', ({ createdAt }) => when(createdAt, screen), { drops: 1 }],
    ['LIKELIEST CAUSE', ({ cause }) => cause?.what ?? '', { shrinks: true }],
  ]);
}
