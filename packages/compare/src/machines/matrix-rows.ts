// The newest snapshots of many machines side by side: one row a value, and which machine is the odd one out.

import type { Machine } from '@envsnap/shared';
import { factCatalogue, factNames, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { isUnknownKey, unknownTest } from '@envsnap/shared/catalogue/unknown';
import { parseSnapshotKey } from '@envsnap/shared/snapshot-key';
import { factsOf, factValue, systemFacts } from '../model/metadata-facts.ts';

/** One value of every machine. */
export interface MatrixRow {
  /** `os`, `runtimes.node`, `facts.limits.openFiles`. */
  readonly key: string;
  /** Of each machine; null where it has none. */
  readonly values: readonly (string | null)[];
  /** Whether all machines have the same. */
  readonly equal: boolean;
  /** What more than half of the machines have; undefined where no value has a majority. */
  readonly majority?: string | null | undefined;
  /** Positions of the machines that differ from the majority. */
  readonly odd: readonly number[];
  /** Positions of the machines whose capture could not read it. */
  readonly unknown: readonly number[];
  /** A runtime that no project asks for, or a fact that is seldom a cause. */
  readonly context: boolean;
}

/** Facts of the system that are worth a row each. */
const systemRows = ['distribution', 'distro', 'libc', 'locale', 'timezone'];

/** The rows: asked-for keys first, then attributes and runtimes; within each, what differs before what is equal. */
export function matrixRows(machines: readonly Machine[], keys: readonly string[]): MatrixRow[] {
  const asked = keys.map((key, index) => {
    const parsed = parseSnapshotKey(key);
    const values = machines.map((machine) => machine.values[index]?.value ?? null);
    // Of a variable that is only known to be set, nobody can say whether it is as the others.
    const hasNumbers = values.some((value) => /^value \d+$/.test(value ?? ''));
    return rowOf(
      key,
      values.map((value) => (hasNumbers && value === 'set' ? null : value)),
      machines.map(
        ({ latest }, place) =>
          parsed !== undefined &&
          (isUnknownKey(latest.metadata, parsed) || (hasNumbers && values[place] === 'set')),
      ),
    );
  });
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
        machines.map(({ latest }) => unknownTest(latest.metadata)('system', name)),
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

/** Runtimes and tools that the project of any machine asks for; empty where nothing says what a project is. */
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
  const [most, count] = commonest(known);
  const majority = count * 2 > known.length ? most : undefined;
  const odd =
    majority === undefined
      ? []
      : values.flatMap((value, index) => (value === majority || unknown.includes(index) ? [] : [index]));
  return { key, values, equal: count === known.length, majority, odd, unknown, context: false };
}

/** What stands there most often, and how often. */
function commonest(values: readonly (string | null)[]): readonly [value: string | null, count: number] {
  const counts = new Map<string | null, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((x, y) => (y[1] > x[1] ? y : x), [null, 0] as [string | null, number]);
}
