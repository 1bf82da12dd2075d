// envsnap history

import { kindOf } from '@envsnap/compare/workspace/environment/kind';
import { parseAddress } from '@envsnap/shared/address';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { counted, grouped } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { versionDistance } from '@envsnap/versions';
import { string as stringArg } from '@oclif/core/args';
import { integer, string } from '@oclif/core/flags';
import { checkKey } from '../actions/comparison/compare-machines.ts';
import { knownMachines, noSnapshotOf, nothingStored } from '../actions/references/resolve-snapshot.ts';
import { BaseCommand } from '../base-command.ts';
import { connectionWords, envsnapCommand } from '../connection/settings.ts';
import type { History as Changes, MachineHistory } from '../documents/machine-documents.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { connectionFlags } from '../flags.ts';
import { type Cell, cutText, renderRows, shortIds, when } from '../render/layout/table.ts';
import { listMachines, type SnapshotStore, valueHistory } from '../runs/snapshot-store.ts';
import type { Screen } from '../terminal/terminal.ts';

export default class History extends BaseCommand {
  static override summary = 'Show when a value changed in the stored snapshots.';
  static override description =
    'KEY is os, arch, runtimes.NAME, dependencies:FILE/PACKAGE, env:NAME, facts.NAME, system.FACT or metadata.PATH. For a ' +
    'variable, history shows when it changed, never its value.';
  static override examples = [
    'envsnap history runtimes.node',
    'envsnap history dependencies:package-lock.json/zod --machine build-7',
  ];
  static override args = {
    key: stringArg({ description: 'The value to follow.', required: true, ignoreStdin: true }),
  };
  static override flags = {
    machine: string({ summary: 'Only this machine.', helpValue: 'NAME' }),
    snapshots: integer({
      helpValue: 'N',
      summary: 'How many of the newest snapshots to read.',
      default: 200,
      min: 1,
      max: 1000,
    }),
    ...connectionFlags,
  };

  override async run(): Promise<Changes> {
    const { args, flags } = await this.parse(History);
    const store = await this.snapshotStore(flags);
    const query = { machineName: flags.machine, snapshots: flags.snapshots };
    const history = await readHistory(store, args.key, query);
    this.print(renderHistory(history, this.screen, connectionWords(flags)));
    return history;
  }
}

/** Reads the history of a key. Exit code 2 if it is not a key, 4 if no snapshot has it. */
async function readHistory(
  store: SnapshotStore,
  key: string,
  query: Omit<Parameters<typeof valueHistory>[1], 'key'>,
): Promise<Changes> {
  checkKey(key);
  const answer = await valueHistory(store, { key, ...query });
  if (answer.scanned === 0) throw await noneOf(store, query.machineName);
  const hasValue = answer.series.some((series) => series.changes.some((change) => change.value !== null));
  if (!hasValue) throw await neverSet(store, key);
  const address = parseAddress(key);
  const isPackage = address?.section === 'runtimes' || address?.section === 'dependencies';
  const order = isPackage ? kindOf(address).order : 'none';
  return {
    ...answer,
    series: answer.series.map(({ machineName, snapshots, changes }) => ({
      machineName,
      snapshots,
      changes: changes.map((change, index) => {
        const before = changes[index - 1]?.value ?? null;
        const both = typeof order === 'object' && before !== null && change.value !== null;
        return {
          ...change,
          distance: both ? versionDistance(before, change.value as string, order.versionsOf) : null,
        };
      }),
    })),
  };
}

async function noneOf(store: SnapshotStore, machineName: string | undefined): Promise<CliError> {
  const machines = await listMachines(store);
  if (machineName === undefined || machines.length === 0) return nothingStored(store);
  return noSnapshotOf(machineName, knownMachines(machineName, machines));
}

async function neverSet(store: SnapshotStore, key: string): Promise<CliError> {
  const address = parseAddress(key);
  const known =
    address?.section === 'runtimes'
      ? (await listMachines(store)).flatMap(({ latest }) =>
          Object.keys(latest.runtimeVersions).map((name) => `runtimes.${name}`),
        )
      : [];
  const near = nearestName(key, [...new Set(known)]);
  return new CliError(`no snapshot has ${key}`, {
    code: 'key_not_found',
    exitCode: exitCodes.notFound,
    hint: near ? `Did you mean ${near}?` : 'envsnap snapshot show ID shows what a snapshot contains.',
  });
}

/** Renders a history; `connection` are the flags that led to it. */
export function renderHistory(history: Changes, screen: Screen, connection: readonly string[] = []): string {
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
  // A machine on which nothing changed gets one line.
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

const machinesNamed = 3;

/** The sentence if nothing changed: one value everywhere, or the value of each machine. */
function unchangedText({ series }: Changes): string {
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
  const listed = groups.map(([value, machines]) => {
    const others = machines.length - machinesNamed;
    const names = machines.slice(0, machinesNamed).join(', ') + (others > 0 ? ` and ${others} more` : '');
    return `${value ?? 'none'} on ${names}`;
  });
  return visible(`It never changed, but the machines have different values: ${listed.join('; ')}.`);
}

function machineBlock(machine: MachineHistory, short: (id: string) => string, screen: Screen): string {
  const { changes } = machine;
  const signOf = (place: number) => {
    if (place === 0) return ' ';
    if (changes[place]?.value === null) return '-';
    return changes[place - 1]?.value === null ? '+' : '~';
  };
  const longest = screen.interactive ? 40 : Number.POSITIVE_INFINITY;
  const some = (field: 'distance' | 'outcome') => changes.some((change) => change[field]);
  const rows = [...changes.entries()];
  const table = renderRows({ ...screen, columns: screen.columns - 2 }, rows, [
    [
      '',
      ([place, { value }]) => ({
        text: `${signOf(place)} ${cutText(visible(value ?? '–'), longest)}`,
        style: place === 0 ? [] : 'bold',
      }),
    ],
    ...(some('distance') ? [['', distanceCell] as const] : []),
    ['', ([, { createdAt }]) => when(createdAt, screen)],
    ...(some('outcome') ? [['', ([, { outcome }]: Placed) => outcome ?? ''] as const] : []),
    ['', ([, { snapshotId }]) => ({ text: short(snapshotId), style: 'dim' })],
  ]);
  const head = `${screen.paint('bold', visible(machine.machineName))}  ${screen.paint('dim', counted(machine.snapshots, 'snapshot'))}`;
  return `${head}\n${table.trimEnd().replaceAll(/^/gm, '  ')}`;
}

type Placed = readonly [place: number, change: MachineHistory['changes'][number]];

function distanceCell([, { distance }]: Placed): Cell {
  if (distance === null || distance === 'other') return '';
  return { text: distance, style: distance === 'major' ? 'red' : 'yellow' };
}

function lastLine(
  history: Changes,
  short: (id: string) => string,
  screen: Screen,
  connection: readonly string[],
): string {
  const newest = history.series
    .flatMap((machine) =>
      machine.changes.slice(1).map((change, index) => ({ change, before: machine.changes[index], machine })),
    )
    .sort((x, y) => (x.change.createdAt < y.change.createdAt ? 1 : -1))[0];
  if (!newest) return unchangedText(history);
  const { change, machine } = newest;
  const ids = [newest.before, change].map((each) => short(each?.snapshotId ?? ''));
  return [
    `Last change: ${visible(machine.machineName)}, ${when(change.createdAt, screen)}.`,
    `Next: ${envsnapCommand('compare', ...ids, ...connection)}`,
  ].join('\n');
}
