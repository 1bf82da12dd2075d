// Compares two snapshots by reference, and says what of it counts.

import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ComparableEnvironment } from '@envsnap/compare';
import {
  type ComparisonReport,
  type ComparisonRules,
  createComparer,
  isNamesOnly,
  PatternError,
} from '@envsnap/compare';
import { CliError } from '../../errors/cli-error.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { resolveSnapshot, type SnapshotSources } from '../references/resolve-snapshot.ts';
import { isStored, parseReference, type SnapshotReference } from '../references/snapshot-reference.ts';

/** The two sides, as they were written and as they were understood. */
export interface Pair {
  readonly a: { readonly text: string; readonly reference: SnapshotReference };
  readonly b: { readonly text: string; readonly reference: SnapshotReference };
  /** Whether the server is needed. */
  readonly stored: boolean;
}

/** Understands the arguments of compare: by default the last snapshot of this machine against this machine. */
export function parsePair(a: string | undefined, b: string | undefined): Pair {
  const side = (text: string) => ({ text, reference: parseReference(text, isFile) });
  const sides = { a: side(a ?? `latest:${hostname()}`), b: side(b ?? 'local') };
  return { ...sides, stored: isStored(sides.a.reference) || isStored(sides.b.reference) };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** Loads both sides, compares and judges them. Rules are checked before anything is loaded. */
export async function compareReferences(
  pair: Pair,
  sources: SnapshotSources,
  rules: ComparisonRules,
): Promise<ComparisonReport> {
  const compare = readRules({ ...rules, labels: { a: pair.a.text, b: pair.b.text } });
  // This machine is captured while the server answers.
  const [a, b] = await Promise.all([
    resolveSnapshot(pair.a.reference, sources),
    resolveSnapshot(pair.b.reference, sources),
  ]);
  if (rules.showValues) requireValues(pair, a, b);
  return interruptible(() => compare(a, b));
}

/** Values can only be shown where both sides have them. */
function requireValues(pair: Pair, a: ComparableEnvironment, b: ComparableEnvironment): void {
  const [without] = [
    isNamesOnly(a) ? pair.a.text : undefined,
    isNamesOnly(b) ? pair.b.text : undefined,
  ].filter((text) => text !== undefined);
  if (without === undefined) return;
  throw new CliError(
    `--show-values needs values on both sides, and ${without} was captured with names only`,
    {
      code: 'values_unreadable',
      hint: 'Capture it with --env-values safe (the default), or compare without --show-values.',
    },
  );
}

function readRules(rules: ComparisonRules) {
  try {
    return createComparer(rules);
  } catch (error) {
    if (error instanceof PatternError) throw new CliError(error.message, { code: 'usage' });
    throw error;
  }
}
