// The runs of a project that are kept on this machine, in a folder of the user's: the newest 200, for as long as no server
// is set.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { CapturedSnapshot } from '@envsnap/capture';
import { makeFolder } from '../../bin/make-folder.js';
import { stateFolder } from '../../bin/state-folder.js';
import { CliError } from '../errors/cli-error.ts';
import { headOf, partsOf, type RunHead, runOf, type StoredRun } from './run-parts.ts';

/** Runs that are kept of a project; the oldest go first. */
const runsKept = 200;
/** Largest part that is read, in bytes: a snapshot may hold 100,000 packages. */
const mostPartBytes = 64 * 1024 * 1024;
/** A younger part without a run may belong to a run that is just being written; in milliseconds. */
const partGraceMs = 600_000;

/** Which runs are meant; what is absent is any. */
export interface LocalRunFilter {
  readonly result?: 'passed' | 'failed' | undefined;
  readonly of?: string | undefined;
  readonly machineName?: string | undefined;
}

export type LocalRuns = ReturnType<typeof openLocalRuns>;

/** The folder of the runs of the project that a folder belongs to; it is made when the first run is kept. */
export function projectStore(folder: string): string {
  return path.join(stateFolder(), projectName(folder));
}

/** The runs of the project that a folder belongs to. Nothing is made before a run is added or the key is asked for. */
export function openLocalRuns(folder: string) {
  const store = projectStore(folder);
  const [heads, parts] = [path.join(store, 'runs'), path.join(store, 'parts')];
  const read = new Map<string, unknown>();

  return {
    /** Keeps a run and removes those beyond the newest 200. The snapshot must hold an outcome. */
    add(snapshot: CapturedSnapshot): StoredRun {
      for (const each of [heads, parts]) makeFolder(each);
      const run = { ...snapshot, id: randomUUID(), createdAt: new Date().toISOString() };
      const head = headOf(run, writePart);
      write(path.join(heads, `${run.createdAt.replaceAll(':', '')}-${run.id}.json`), JSON.stringify(head));
      const surplus = headFiles().slice(runsKept);
      for (const file of surplus) rmSync(path.join(heads, file), { force: true });
      if (surplus.length > 0) removeOrphans();
      return run;
    },

    /** The runs of which every part can be read, the newest first. */
    *list(filter: LocalRunFilter = {}): Generator<RunHead> {
      for (const file of headFiles()) {
        const head = readHead(file);
        if (head && fits(head, filter) && partsOf(head).every(isReadable)) yield head;
      }
    },

    /** A whole run that was listed. */
    load: (head: RunHead): StoredRun => runOf(head, readPart),

    /** The key of the fingerprints of secrets, which is made here once. */
    fingerprintKey(): { readonly id: string; readonly key: string } {
      const file = path.join(store, 'fingerprint-key');
      const read = () => readFileSync(file, 'latin1').trim();
      // Cut off by a full disk or a crash: no fingerprint was made with it.
      if (existsSync(file) && !/^[0-9a-f]{64}$/.test(read())) rmSync(file, { force: true });
      if (!existsSync(file)) {
        makeFolder(store);
        const made = `${file}.${process.pid}`;
        writeFileSync(made, randomBytes(32).toString('hex'), { mode: 0o600 });
        try {
          // Never replaces a key: what was fingerprinted with it could not be compared any more.
          linkSync(made, file);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        } finally {
          rmSync(made, { force: true });
        }
      }
      const key = read();
      return { id: `local:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`, key };
    },
  };

  /** Names of the heads, the newest first: they begin with the moment. */
  function headFiles(): string[] {
    return namesIn(heads)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse();
  }

  function readHead(file: string): RunHead | undefined {
    try {
      return JSON.parse(readFileSync(path.join(heads, file), 'utf8')) as RunHead;
    } catch {
      // Another process has just removed it, or somebody has damaged it.
      return undefined;
    }
  }

  function writePart(name: string, json: string): void {
    const file = path.join(parts, name);
    const bytes = gzipSync(json);
    // Its new time keeps a part of an old run from being removed meanwhile. One that is damaged is written again.
    if (holds(file, bytes)) utimesSync(file, new Date(), new Date());
    else write(file, bytes);
  }

  /** A run with a part that is missing or damaged is passed over, until a later run writes that part again. */
  function isReadable(name: string): boolean {
    try {
      readPart(name);
      return true;
    } catch {
      return false;
    }
  }

  function readPart(name: string): unknown {
    if (!read.has(name)) {
      const json = gunzipSync(readFileSync(path.join(parts, name)), { maxOutputLength: mostPartBytes });
      read.set(name, JSON.parse(json.toString('utf8')));
    }
    return read.get(name);
  }

  function removeOrphans(): void {
    const used = new Set(headFiles().flatMap((file) => partsOf(readHead(file) ?? emptyHead)));
    for (const name of namesIn(parts)) {
      const file = path.join(parts, name);
      const isOld = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > partGraceMs;
      if (!used.has(name) && isOld) rmSync(file, { force: true });
    }
  }
}

const emptyHead = {
  runtimeVersions: { value: {} },
  envVars: { value: {} },
  dependencies: {},
  metadata: {},
} as unknown as RunHead;

function fits(head: RunHead, { result, of, machineName }: LocalRunFilter): boolean {
  return (
    (result === undefined || head.result === result) &&
    (of === undefined || head.of === of) &&
    (machineName === undefined || head.machineName === machineName)
  );
}

function holds(file: string, content: Buffer): boolean {
  try {
    return statSync(file).size === content.length && readFileSync(file).equals(content);
  } catch {
    return false;
  }
}

/** Through a file beside it, so that readers find all of it or nothing. */
function write(file: string, content: string | Buffer): void {
  const partial = `${file}.${process.pid}.tmp`;
  writeFileSync(partial, content, { mode: 0o600 });
  renameSync(partial, file);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Each work tree is a project of its own; a folder outside of any is one by itself. */
function projectName(folder: string): string {
  const place = path.resolve(folder);
  const status = statSync(place, { throwIfNoEntry: false });
  if (!status?.isDirectory()) {
    const reason = status ? 'this is not a folder' : 'there is no such folder';
    throw new CliError(`${place}: ${reason}`, { code: 'invalid_folder' });
  }
  const root = projectRoot(realpathSync(place));
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return `${
    path
      .basename(root)
      .replace(/[^\w.-]/g, '_')
      .slice(0, 64) || 'root'
  }-${digest}`;
}

function projectRoot(folder: string): string {
  for (let place = folder; ; place = path.dirname(place)) {
    if (existsSync(path.join(place, '.git'))) return place;
    if (path.dirname(place) === place) return folder;
  }
}
