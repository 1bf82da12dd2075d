// What the server answers about many snapshots, from the runs of this machine: the newest of each machine, and when a value
// changed.

import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import { environmentOf } from '@envsnap/compare/workspace/environment/environment';
import type { Machine, operations, ResponseOf } from '@envsnap/shared';
import { isVariableAddress, parseAddress } from '@envsnap/shared/address';
import { isFingerprint } from '@envsnap/shared/opaque-value';
import type { LocalRuns } from './local-runs.ts';
import type { StoredRun } from './run-parts.ts';

/** The newest run of each machine, by name, with the values of some keys. */
export function localMachines(runs: LocalRuns, keys: readonly string[]): Machine[] {
  const newest = new Map<string, { run: StoredRun; snapshots: number }>();
  for (const head of runs.list()) {
    const known = newest.get(head.machineName);
    if (known) known.snapshots += 1;
    else newest.set(head.machineName, { run: runs.load(head), snapshots: 1 });
  }
  const shown = secretsNumbered();
  return [...newest].sort(byName).map(([machineName, { run, snapshots }]) => ({
    machineName,
    snapshots,
    latest: run,
    values: keys.map((key) => ({ key, value: shown(key, valueAt(run, key)) })),
  }));
}

/** How a value of a key is shown: as it is, for the runs are one's own, but for secrets, each of which gets a number. */
function secretsNumbered(): (key: string, value: string | null) => string | null {
  const numbers = new Map<string, number>();
  return (key, value) => {
    const address = parseAddress(key);
    if (value === null || !address || !isVariableAddress(address)) return value;
    if (!numbers.has(value)) numbers.set(value, numbers.size + 1);
    return isFingerprint(value) ? `value ${numbers.get(value)}` : value;
  };
}

/** When a value changed over the newest runs, for each machine. */
export function localHistory(
  runs: LocalRuns,
  { key, machineName, snapshots }: { key: string; machineName?: string | undefined; snapshots: number },
): ResponseOf<typeof operations.getHistory> {
  const heads = [...runs.list({ machineName })];
  const looked = heads.slice(0, snapshots).reverse();
  const series = new Map<string, ResponseOf<typeof operations.getHistory>['series'][number]>();
  const last = new Map<string, string | null>();
  const shown = secretsNumbered();
  const address = parseAddress(key);
  for (const head of looked) {
    const run = runs.load(head);
    const value = valueAt(run, key);
    const own = series.get(head.machineName) ?? { machineName: head.machineName, snapshots: 0, changes: [] };
    series.set(head.machineName, own);
    own.snapshots += 1;
    const before = last.get(head.machineName);
    if (before === value) continue;
    // What a capture could not read is not a change: the value before it stands.
    if (value === null && before && address && environmentOf(run).whyUnknown(address) !== undefined) continue;
    last.set(head.machineName, value);
    own.changes.push({
      snapshotId: head.id,
      createdAt: head.createdAt,
      value: shown(key, value),
      outcome: head.result,
    });
  }
  const sorted = [...series].sort(byName).map(([, each]) => each);
  return { key, series: sorted, scanned: looked.length, total: heads.length, limitReached: false };
}

function byName([x]: readonly [string, unknown], [y]: readonly [string, unknown]): number {
  return x < y ? -1 : 1;
}

/** The value at an address; null where there is none. */
function valueAt(run: ComparableEnvironment, text: string): string | null {
  const address = parseAddress(text);
  return address ? environmentOf(run).textAt(address) : null;
}
