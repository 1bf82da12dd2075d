// Puts the newest snapshots of many machines side by side: one row a value, and which machine is the odd one out.

import { factsOf, factValue, systemFacts } from '@envsnap/compare/workspace/model/metadata-facts';
import type { Machine } from '@envsnap/shared';
import { factCatalogue, factNames, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { unknownTest } from '@envsnap/shared/catalogue/unknown';
import { parseSnapshotKey, snapshotKeyForms } from '@envsnap/shared/snapshot-key';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import type { Matrix, MatrixRow } from '../../documents/machine-documents.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { listMachines, type SnapshotStore } from '../../runs/snapshot-store.ts';
import { nothingStored } from '../references/resolve-snapshot.ts';

/** Checks a key before a server is asked. Exit code 2 when it is none. */
export function checkKey(key: string): string {
  // A list of keys is joined by commas on the way to the server.
  if (parseSnapshotKey(key) && !key.includes(',')) return key;
  throw new CliError(`"${key}" is not a key`, { code: 'invalid_key', hint: `Keys: ${snapshotKeyForms}.` });
}

/**
 * The newest snapshots of these machines (all, when none is named), compared value by value: os, arch, what the system
 * is, runtimes, and the given keys. Exit code 4 when a machine has no snapshot.
 */
export async function compareMachines(
  store: SnapshotStore,
  names: readonly string[],
  keys: readonly string[],
): Promise<Matrix> {
  for (const key of keys) checkKey(key);
  const all = await listMachines(store, keys);
  const machines = names.length === 0 ? all : names.map((name) => findMachine(name, all));
  if (machines.length === 0) throw nothingStored(store);
  return {
    machines: machines.map(({ latest, machineName }) => ({
      machineName,
      snapshotId: latest.id,
      createdAt: latest.createdAt,
    })),
    rows: matrixRows(machines, keys),
  };
}

function findMachine(name: string, machines: readonly Machine[]): Machine {
  const found = machines.find((machine) => machine.machineName === name);
  if (found) return found;
  const names = machines.map((machine) => machine.machineName);
  const near = nearestName(name, names);
  const shown = names.slice(0, 5).join(', ');
  const hint = near
    ? `Did you mean ${near}?`
    : names.length > 0
      ? `Machines: ${shown}${names.length > 5 ? ', …' : ''}.`
      : 'envsnap capture stores one.';
  throw new CliError(`no snapshot of machine "${name}" is stored`, {
    code: 'snapshot_not_found',
    exitCode: exitCodes.notFound,
    hint,
  });
}

/** Facts of the system that are worth a row each. */
const systemRows = ['distribution', 'distro', 'libc'];

/** The rows: asked-for keys first, then attributes and runtimes; within each, what differs before what is equal. */
export function matrixRows(machines: readonly Machine[], keys: readonly string[]): MatrixRow[] {
  const asked = keys.map((key, index) =>
    rowOf(
      key,
      machines.map((machine) => machine.values[index]?.value ?? null),
    ),
  );
  const facts = machines.map((machine) => systemFacts(machine.latest.metadata));
  const attributes = [
    rowOf(
      'os',
      machines.map((machine) => machine.latest.os),
    ),
    rowOf(
      'arch',
      machines.map((machine) => machine.latest.arch),
    ),
    ...systemRows.map((name) =>
      rowOf(
        `system.${name}`,
        facts.map((fact) => fact[name] ?? null),
      ),
    ),
  ].filter((row) => row.values.some((value) => value !== null));
  const askedFor = toolsAskedFor(machines);
  const runtimeNames = new Set(machines.flatMap((machine) => Object.keys(machine.latest.runtimeVersions)));
  const runtimes = [...runtimeNames].sort().map((name) => ({
    ...rowOf(
      `runtimes.${name}`,
      machines.map(({ latest }) =>
        Object.hasOwn(latest.runtimeVersions, name) ? (latest.runtimeVersions[name] as string) : null,
      ),
      machines.map(({ latest }) => unknownTest(latest.metadata)('runtimes', name)),
    ),
    context: askedFor.size > 0 && !askedFor.has(name),
  }));
  const rest = [...attributes, ...factRows(machines), ...runtimes].filter((row) => !keys.includes(row.key));
  return [...asked, ...rest.filter((row) => !row.equal), ...rest.filter((row) => row.equal)];
}

/** Runtimes and tools that the project of any machine asks for; empty where nothing tells what a project is. */
function toolsAskedFor(machines: readonly Machine[]): ReadonlySet<string> {
  return new Set(
    machines.flatMap(({ latest }) => {
      const { project, toolchain } = latest.metadata as { project?: { tools?: unknown }; toolchain?: object };
      const tools = Array.isArray(project?.tools) ? project.tools : [];
      return [...tools.filter((name) => typeof name === 'string'), ...Object.keys(toolchain ?? {})];
    }),
  );
}

/** Facts that count, where the machines differ in them; one that a machine cannot know is not a difference. */
function factRows(machines: readonly Machine[]): MatrixRow[] {
  const facts = machines.map(({ latest }) => factsOf(latest) ?? {});
  return factNames.flatMap((name) => {
    if (factCatalogue[name].counts === 'never') return [];
    const values = machines.map(({ latest }, index) => factValue(facts[index] ?? {}, name, latest.os));
    const texts = values.map((value) => (value === undefined ? null : factText(value)));
    const known = new Set(texts.filter((text) => text !== null));
    const { weight } = factCatalogue[name];
    const weights = typeof weight === 'string' ? [weight] : weight.map((each) => each.weight);
    const context = !weights.includes('strong') && !weights.includes('likely');
    return known.size > 1 ? [{ ...rowOf(`facts.${name}`, texts), context }] : [];
  });
}

function rowOf(
  key: string,
  values: readonly (string | null)[],
  isUnknown: readonly boolean[] = [],
): MatrixRow {
  const unknown = values.flatMap((value, index) => (value === null && isUnknown[index] ? [index] : []));
  const known = values.filter((_, index) => !unknown.includes(index));
  const counts = new Map<string | null, number>();
  for (const value of known) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = [...counts].reduce((x, y) => (y[1] > x[1] ? y : x), [null, 0] as [string | null, number]);
  const majority = most[1] * 2 > known.length ? most[0] : undefined;
  const odd =
    majority === undefined
      ? []
      : values.flatMap((value, index) => (value === majority || unknown.includes(index) ? [] : [index]));
  return { key, values, equal: counts.size <= 1, majority, odd, unknown, context: false };
}
