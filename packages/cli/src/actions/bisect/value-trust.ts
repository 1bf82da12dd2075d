// Whose values a bisection applies. Values of this machine, and of runs that this account stored here, are its own. Those of any
// other snapshot are a stranger's: without consent, only values that the catalogue marks as inert are applied.

import { environmentOf } from '@envsnap/compare/workspace';
import type { FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactCatalogue } from '@envsnap/shared/catalogue/facts/system';
import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { field } from '@envsnap/shared/plain-object';
import { projectStore } from '../../runs/local-runs.ts';
import type { SnapshotStore } from '../../runs/snapshot-store.ts';
import type { Pair } from '../comparison/compare-references.ts';
import { isOwnPlace } from '../own-place.ts';
import type { SnapshotReference } from '../references/snapshot-reference.ts';
import type { Change, Plan, PlanInput, Side } from './bisect-change.ts';

/** The sides whose values somebody else recorded, for the project in the folder. */
export async function strangerSides(
  pair: Pair,
  folder: string,
  store: () => Promise<SnapshotStore>,
): Promise<ReadonlySet<Side>> {
  const sides = new Set<Side>();
  for (const side of ['a', 'b'] as const)
    if (!(await isOwn(pair[side].reference, folder, store))) sides.add(side);
  return sides;
}

async function isOwn(
  reference: SnapshotReference,
  folder: string,
  store: () => Promise<SnapshotStore>,
): Promise<boolean> {
  switch (reference.kind) {
    case 'local':
      return true;
    case 'file':
      return false;
    case 'process':
      // The superuser can read the processes of others.
      return (
        reference.process.kind === 'shell' ||
        (reference.process.kind !== 'container' && !(process.getuid?.() === 0))
      );
    default:
      // Anybody can store a snapshot on a server, under any machine name.
      return 'local' in (await store()) && (process.getuid === undefined || isOwnPlace(projectStore(folder)));
  }
}

/** Marks the differences that contain a stranger's value, unless it is inert. */
export function markStrangerValues(plan: Plan, input: PlanInput): Plan {
  const { strangers } = input;
  if (strangers === undefined || strangers.size === 0) return plan;
  const changes = plan.changes.map((change) =>
    isInert(change, input, [...strangers]) ? change : { ...change, isForeign: true as const },
  );
  return { ...plan, changes };
}

/** Whether neither the setting itself nor a stranger's value of it can start, load, fetch or trust anything. */
function isInert({ section, name }: Change, input: PlanInput, strangers: readonly Side[]): boolean {
  const valuesIn = (read: (side: Side) => unknown) => strangers.flatMap(read).every(isPlainValue);
  switch (section) {
    case 'env': {
      const variable = name.slice(name.indexOf(':') + 1);
      const row = describeVariable(variable);
      const isMarked = row?.inert === true && row.pattern === variable;
      return isMarked && valuesIn((side) => field(input[side].envVars, name));
    }
    case 'facts': {
      const row = (factCatalogue as Readonly<Record<string, FactRow>>)[name];
      return row?.inert === true && valuesIn((side) => environmentOf(input[side]).facts?.[name]);
    }
    case 'system': {
      const row = (systemFactCatalogue as Readonly<Record<string, FactRow>>)[name];
      return row?.inert === true && valuesIn((side) => environmentOf(input[side]).system[name]);
    }
    // The programs come from this machine's version managers; only their version is a stranger's.
    case 'runtimes':
      return true;
    default:
      return false;
  }
}

/** Longest value of a stranger that is applied, in characters. */
const longestPlain = 200;

/**
 * Whether every program reads a value as one plain word. It must not contain a blank, quote, bracket, operator or `$` of a
 * shell, and must not be an absolute path, a path to the parent folder, an address or an option. Scripts that do not quote a
 * variable would pass on the words of a value one by one.
 */
export function isPlainValue(value: unknown): boolean {
  if (value === undefined || typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value !== 'string' || value.length > longestPlain) return false;
  return /^[\w+.,:=@%/-]*$/.test(value) && !/^[.,:=/-]|\.\.|\/\//.test(value);
}
