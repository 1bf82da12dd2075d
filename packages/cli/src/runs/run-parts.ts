// How a run is kept in files: what is small stands in a head of its own, what is large in parts that are named by their
// content, so that runs which share it keep it once.

import { createHash } from 'node:crypto';
import type { CapturedSnapshot } from '@envsnap/capture';
import { runOutcome } from '@envsnap/shared/run-outcome';

/** A stored run: a snapshot with an id and the moment at which it was stored, ISO 8601. */
export interface StoredRun extends CapturedSnapshot {
  readonly id: string;
  readonly createdAt: string;
}

/** A value in its place, or the name of the part that holds it. */
type Kept = { readonly value: unknown } | { readonly part: string };

/** What can be asked of a run without reading its parts. */
export interface RunHead {
  readonly id: string;
  readonly createdAt: string;
  readonly machineName: string;
  readonly result: 'passed' | 'failed';
  readonly of: string;
  readonly os: string;
  readonly arch: string;
  readonly durationMs: number | null;
  readonly runtimeVersions: Kept;
  readonly envVars: Kept;
  readonly dependencies: Readonly<Record<string, Kept>>;
  readonly metadata: Readonly<Record<string, Kept>>;
}

/** Characters of JSON from which on a value is a part. */
const partLength = 256;

/** Splits a run into its parts. `writePart` gets each as JSON under its name. Throws for a snapshot without an outcome. */
export function headOf(run: StoredRun, writePart: (name: string, json: string) => void): RunHead {
  const outcome = runOutcome(run.metadata);
  if (!outcome) throw new TypeError('this snapshot is not that of a run');
  const keep = (value: unknown): Kept => {
    const json = JSON.stringify(value);
    if (json.length < partLength) return { value };
    const part = createHash('sha256').update(json).digest('hex');
    writePart(part, json);
    return { part };
  };
  const keepEach = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, keep(value)]));
  // How long a capture took is different each time, and would make a new part of everything around it.
  const { durationMs, ...capture } = (run.metadata.capture ?? {}) as Record<string, unknown>;
  return {
    id: run.id,
    createdAt: run.createdAt,
    machineName: run.machineName,
    result: outcome.result,
    of: outcome.of,
    os: run.os,
    arch: run.arch,
    durationMs: typeof durationMs === 'number' ? durationMs : null,
    runtimeVersions: keep(run.runtimeVersions),
    envVars: keep(run.envVars),
    dependencies: keepEach(run.dependencies),
    metadata: keepEach({ ...run.metadata, capture }),
  };
}

/** The names of all parts of a run. */
export function partsOf(head: RunHead): string[] {
  return [
    head.runtimeVersions,
    head.envVars,
    ...Object.values(head.dependencies),
    ...Object.values(head.metadata),
  ].flatMap((kept) => ('part' in kept ? [kept.part] : []));
}

/** Puts a run together again. `readPart` gives a part's value. */
export function runOf(head: RunHead, readPart: (name: string) => unknown): StoredRun {
  const read = (kept: Kept): unknown => ('part' in kept ? readPart(kept.part) : kept.value);
  const readEach = (kept: Readonly<Record<string, Kept>>) =>
    Object.fromEntries(Object.entries(kept).map(([key, each]) => [key, read(each)]));
  const metadata = readEach(head.metadata);
  const { id, createdAt, machineName, os, arch, durationMs } = head;
  return {
    id,
    createdAt,
    machineName,
    os,
    arch,
    runtimeVersions: read(head.runtimeVersions) as StoredRun['runtimeVersions'],
    envVars: read(head.envVars) as StoredRun['envVars'],
    dependencies: readEach(head.dependencies) as StoredRun['dependencies'],
    metadata: {
      ...metadata,
      capture: { ...(metadata.capture as object), ...(durationMs !== null && { durationMs }) },
    },
  };
}
