// Finds what separates failing runs from passing ones: on the server for what is stored, here where files are named.

import { statSync } from 'node:fs';
import type { ComparableEnvironment } from '@envsnap/compare';
import type { Diagnosis, Outcome } from '@envsnap/compare/diagnosis';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { expandFiles } from '../references/expand-files.ts';
import { snapshotIds } from '../references/id-spaces.ts';
import { resolveId } from '../references/resolve-id.ts';
import { getLatest, resolveSnapshot, type SnapshotSources } from '../references/resolve-snapshot.ts';
import { isStored, parseReference, type SnapshotReference } from '../references/snapshot-reference.ts';

/** Which runs are looked at. */
export interface WhyRequest {
  /** References as they were written; undefined where none was. */
  readonly passed: readonly string[] | undefined;
  readonly failed: readonly string[] | undefined;
  readonly outcomeOf: string | undefined;
  readonly machineName: string | undefined;
  readonly last: number | undefined;
}

/** Snapshots that are fetched at the same time. */
const atOnce = 4;

/** Diagnoses runs. Exit codes 2 and 4 as `compare` has them for its references. */
export async function whyRuns(request: WhyRequest, sources: SnapshotSources): Promise<Diagnosis> {
  const passed = request.passed && (await parseReferences(request.passed));
  const failed = request.failed && (await parseReferences(request.failed));
  const all = [...(passed ?? []), ...(failed ?? [])];
  if (all.every(isStored)) return diagnoseStored(request, passed, failed, sources);
  if (!passed || !failed) throw missingSide(passed ? 'failed' : 'passed');
  const { diagnose } = await import('@envsnap/compare/diagnosis');
  const runs = [...(await load(passed, 'passed', sources)), ...(await load(failed, 'failed', sources))];
  return diagnose(runs);
}

async function parseReferences(texts: readonly string[]): Promise<SnapshotReference[]> {
  const references = await Promise.all(
    texts.map(async (text) => {
      const files = await expandFiles(text);
      if (files.length === 0) {
        throw new CliError(`no file matches ${text}`, {
          code: 'file_unreadable',
          exitCode: exitCodes.notFound,
          hint: 'envsnap capture --outcome failed --output FILE writes one.',
        });
      }
      return files.map((file) => parseReference(file, isFile));
    }),
  );
  return references.flat();
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

async function diagnoseStored(
  { outcomeOf, machineName, last }: WhyRequest,
  passed: readonly SnapshotReference[] | undefined,
  failed: readonly SnapshotReference[] | undefined,
  sources: SnapshotSources,
): Promise<Diagnosis> {
  const client = await sources.client();
  const idsOf = async (references: readonly SnapshotReference[] | undefined) => {
    if (!references) return {};
    return inTurn(references, async (reference) =>
      reference.kind === 'id'
        ? resolveId(reference.text, snapshotIds(client))
        : (await getLatest(client, reference.kind === 'latest' ? reference.machineName : undefined)).id,
    );
  };
  const [passedIds, failedIds] = [await idsOf(passed), await idsOf(failed)];
  return client.snapshots.diagnose({
    ...(Array.isArray(passedIds) ? { passed: passedIds } : {}),
    ...(Array.isArray(failedIds) ? { failed: failedIds } : {}),
    ...(outcomeOf === undefined ? {} : { outcomeOf }),
    ...(machineName === undefined ? {} : { machineName }),
    ...(last === undefined ? {} : { last }),
  });
}

async function load(
  references: readonly SnapshotReference[],
  outcome: Outcome,
  sources: SnapshotSources,
): Promise<{ environment: ComparableEnvironment; outcome: Outcome }[]> {
  return inTurn(references, async (reference) => ({
    environment: await resolveSnapshot(reference, sources),
    outcome,
  }));
}

/** Runs a few at a time, in order. */
async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    results.push(...(await Promise.all(items.slice(start, start + atOnce).map(work))));
  }
  return results;
}

function missingSide(side: Outcome): CliError {
  return new CliError(`--${side} is missing: files are compared with what you name for the other side`, {
    code: 'missing_flag',
    hint: `For example: envsnap why --passed 'good/*.json' --failed 'bad/*.json'`,
  });
}
