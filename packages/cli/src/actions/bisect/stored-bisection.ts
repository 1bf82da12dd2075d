// Stores a bisection in progress in the user's state folder, so that it can continue after it was stopped.

import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../../plain/make-folder.js';
import { CliError } from '../../errors/cli-error.ts';
import { projectStore } from '../../runs/local-runs.ts';
import type { Change } from './bisect-change.ts';

export interface BisectRequest {
  readonly a: string;
  readonly b: string | undefined;
  readonly cwd: string;
  readonly command: readonly string[];
  readonly runs: number;
  readonly timeoutSeconds: number;
  readonly failsIf: string | undefined;
  readonly only: readonly string[] | undefined;
  /** Whether the values of both snapshots were treated as this account's own. */
  readonly trust: boolean;
}

export interface JudgedRun {
  /** `unclear`: it ended before `--fails-if` could be checked. */
  readonly result: 'passed' | 'failed' | 'skipped' | 'unclear';
  /** The kind of failure; empty for a run that did not fail. */
  readonly kind: string;
  /** How it ended: `exit code 1`, `SIGSEGV`. */
  readonly how: string;
  readonly notFound: boolean;
}

export interface KeptRun extends JudgedRun {
  readonly set: string;
}

interface KeptBisection {
  readonly version: 1;
  readonly request: BisectRequest;
  /** A digest of the changes to try. With other changes, the runs cannot be reused. */
  readonly plan: string;
  readonly runs: readonly KeptRun[];
}

function fileOf(folder: string): string {
  return path.join(projectStore(folder), 'bisect.json');
}

export function digestOfChanges(changes: Iterable<Change>): string {
  const lines = [...changes].map(({ id, texts }) => JSON.stringify([id, texts.a, texts.b])).sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 32);
}

/** The stopped bisection of a folder's project. Exit code 2 if there is none. */
export function readStopped(folder: string): KeptBisection {
  try {
    const stored = JSON.parse(readFileSync(fileOf(folder), 'utf8')) as KeptBisection;
    if (stored.version === 1 && Array.isArray(stored.runs)) return stored;
  } catch {
    // There is none, or its file is damaged.
  }
  throw new CliError('this project has no stopped bisection to resume', {
    code: 'nothing_to_resume',
    hint: 'Start one: envsnap bisect A -- COMMAND',
  });
}

/** The runs of a stopped bisection. Exit code 2 if the differences have changed since. */
export function runsOf({ plan, runs }: KeptBisection, changes: readonly Change[]): readonly KeptRun[] {
  if (plan === digestOfChanges(changes)) return runs;
  throw new CliError(
    'the differences have changed since that bisection was stopped, so its runs no longer apply',
    { code: 'plan_changed', hint: 'Start it again: envsnap bisect A -- COMMAND' },
  );
}

export function keepRuns(request: BisectRequest, changes: readonly Change[], earlier: readonly KeptRun[]) {
  const file = fileOf(request.cwd);
  const runs = [...earlier];
  let isKept = earlier.length > 0;
  return {
    add(run: KeptRun): void {
      runs.push(run);
      const stored: KeptBisection = { version: 1, request, plan: digestOfChanges(changes), runs };
      try {
        makeFolder(path.dirname(file));
        writeFileSync(`${file}.${process.pid}`, JSON.stringify(stored), { mode: 0o600 });
        renameSync(`${file}.${process.pid}`, file);
        isKept = true;
      } catch {
        isKept = false;
      }
    },
    isKept: () => isKept,
    remove: () => rmSync(file, { force: true }),
  };
}
