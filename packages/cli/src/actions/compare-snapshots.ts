// Compares two snapshots by reference, and says what of it counts.

import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { CliError } from '../cli-error.ts';
import { compareEnvironments } from '../compare/compare-environments.ts';
import { parseFailOn } from '../compare/fail-on.ts';
import { ignoreTest, PatternError } from '../compare/ignore-patterns.ts';
import { type ComparisonReport, reportComparison } from '../compare/report.ts';
import { resolveSnapshot, type SnapshotSources } from './resolve-snapshot.ts';
import { isStored, parseReference, type SnapshotReference } from './snapshot-reference.ts';

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

/** What counts and what is shown. */
export interface CompareRules {
  readonly ignore: readonly string[];
  readonly failOn: string | undefined;
  readonly showValues: boolean;
}

/** Loads both sides, compares and judges them. Rules are checked before anything is loaded. */
export async function compareSnapshots(
  pair: Pair,
  sources: SnapshotSources,
  rules: CompareRules,
): Promise<ComparisonReport> {
  const { ignore, failRules } = parseRules(rules);
  const a = await resolveSnapshot(pair.a.reference, sources);
  const b = await resolveSnapshot(pair.b.reference, sources);
  const comparison = compareEnvironments(a, b, {
    labels: { a: pair.a.text, b: pair.b.text },
    ignore,
    showValues: rules.showValues,
  });
  return reportComparison(comparison, { failRules });
}

function parseRules(rules: CompareRules) {
  try {
    const failRules = rules.failOn === undefined ? undefined : parseFailOn(rules.failOn);
    return { ignore: ignoreTest(rules.ignore), failRules };
  } catch (error) {
    if (error instanceof PatternError) throw new CliError(error.message, { code: 'usage' });
    throw error;
  }
}
