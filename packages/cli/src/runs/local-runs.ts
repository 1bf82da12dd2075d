// The runs of a project that are kept on this machine, in a folder of the user's: the newest 200, for as long as no server
// is set.

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { CapturedSnapshot } from '@envsnap/capture';
import { runOutcome } from '@envsnap/shared/run-outcome';
import { makeFolder } from '../../plain/make-folder.js';
import { stateFolder } from '../../plain/state-folder.js';
import { CliError } from '../errors/cli-error.ts';
import { namesIn, workTreeOf } from './find-program.ts';

/** Number of runs that are kept for a project; the oldest are removed first. */
export const runsKept = 200;
/** Largest run that is read, in bytes: a snapshot may hold 100,000 packages. */
const mostBytes = 64 * 1024 * 1024;
/** Largest head or key that is read, in bytes. */
const mostHeadBytes = 64 * 1024;

/** A stored run: a snapshot with an id and the time at which it was stored, in ISO 8601. */
export interface StoredRun extends CapturedSnapshot {
  readonly id: string;
  readonly createdAt: string;
}

/** The parts of a run that can be queried without reading it. */
export interface RunHead extends Pick<StoredRun, 'id' | 'createdAt' | 'machineName' | 'os' | 'arch'> {
  readonly result: 'passed' | 'failed';
  readonly of: string;
  /** SHA-256 of the file that holds the run. */
  readonly digest: string;
}

/** Selects runs; an absent field matches any value. */
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

/** The runs of the project that a folder belongs to. Creates nothing before a run is added or the key is asked for. */
export function openLocalRuns(folder: string) {
  const store = projectStore(folder);
  const runs = path.join(store, 'runs');
  // Another run may remove the file of a listed one before it is loaded.
  const listed = new WeakMap<RunHead, Buffer>();

  return {
    /** Keeps a run and removes those beyond the newest 200. The snapshot must hold an outcome. */
    add(snapshot: CapturedSnapshot): StoredRun {
      const outcome = runOutcome(snapshot.metadata);
      if (!outcome) throw new TypeError('this snapshot was not stored by envsnap run');
      makeFolder(runs);
      const run = { ...snapshot, id: randomUUID(), createdAt: new Date().toISOString() };
      const { id, createdAt, machineName, os, arch } = run;
      const { result, of } = outcome;
      const bytes = gzipSync(JSON.stringify(run));
      const head: RunHead = { id, createdAt, machineName, os, arch, result, of, digest: digestOf(bytes) };
      write(fileOf(head), bytes);
      write(`${placeOf(head)}.json`, JSON.stringify(head));
      const oldest = headFiles()[runsKept - 1]?.replace(/\.json$/, '') ?? '';
      for (const file of namesIn(runs)) if (file < oldest) rmSync(path.join(runs, file), { force: true });
      return run;
    },

    /** The newest first. A run whose file is missing or damaged is skipped. */
    *list(filter: LocalRunFilter = {}): Generator<RunHead> {
      for (const file of headFiles()) {
        const head = readHead(file);
        const bytes = head && fits(head, filter) ? wholeFile(head) : undefined;
        if (!head || !bytes) continue;
        listed.set(head, bytes);
        yield head;
      }
    },

    /** A run that `list` gave. */
    load: (head: RunHead): StoredRun => {
      const bytes = listed.get(head) ?? readOwn(fileOf(head), mostBytes);
      return JSON.parse(gunzipSync(bytes, { maxOutputLength: mostBytes }).toString('utf8'));
    },

    /** The key for the fingerprints of secrets, which is created here once. */
    fingerprintKey(): { readonly id: string; readonly key: string } {
      const file = path.join(store, 'fingerprint-key');
      const read = () => readOwn(file, mostHeadBytes).toString('latin1').trim();
      // The key was cut off by a full disk or a crash, so no fingerprint was made with it.
      if (existsSync(file) && !/^[0-9a-f]{64}$/.test(read())) rmSync(file, { force: true });
      if (!existsSync(file)) {
        makeFolder(store);
        const made = `${file}.${process.pid}`;
        writeFileSync(made, randomBytes(32).toString('hex'), { mode: 0o600 });
        try {
          // Never replaces a key, because its fingerprints could no longer be compared.
          linkSync(made, file);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        } finally {
          rmSync(made, { force: true });
        }
      }
      const key = read();
      return { id: `local:${digestOf(key).slice(0, 16)}`, key };
    },
  };

  /** Names begin with the time. */
  function placeOf({ createdAt, id }: RunHead): string {
    return path.join(runs, `${createdAt.replaceAll(':', '')}-${id}`);
  }

  function fileOf(head: RunHead): string {
    return `${placeOf(head)}.gz`;
  }

  /** Names of the heads, newest first. */
  function headFiles(): string[] {
    return namesIn(runs)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .reverse();
  }

  function readHead(file: string): RunHead | undefined {
    try {
      return JSON.parse(readOwn(path.join(runs, file), mostHeadBytes).toString('utf8')) as RunHead;
    } catch {
      // Another process has just removed it, or somebody has damaged it.
      return undefined;
    }
  }

  function wholeFile(head: RunHead): Buffer | undefined {
    try {
      const bytes = readOwn(fileOf(head), mostBytes);
      return digestOf(bytes) === head.digest ? bytes : undefined;
    } catch {
      // The run was removed or is unreadable, like a head.
      return undefined;
    }
  }
}

/**
 * A file of this folder. Throws for anything else that somebody put there (a CI job may restore the folder from a cache that
 * others fill): a link, a pipe or a device that never ends, a file that fills the memory.
 */
function readOwn(file: string, most: number): Buffer {
  const status = lstatSync(file);
  if (!status.isFile() || status.size > most)
    throw new CliError(`${file}: this is not a file that envsnap wrote`, {
      code: 'invalid_snapshot_file',
      hint: 'Delete it, and run the command again.',
    });
  return readFileSync(file);
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function fits(head: RunHead, { result, of, machineName }: LocalRunFilter): boolean {
  return (
    (result === undefined || head.result === result) &&
    (of === undefined || head.of === of) &&
    (machineName === undefined || head.machineName === machineName)
  );
}

/** Through a file beside it, so that readers find all of it or nothing. */
function write(file: string, content: string | Buffer): void {
  const partial = `${file}.${process.pid}.tmp`;
  writeFileSync(partial, content, { mode: 0o600 });
  renameSync(partial, file);
}

/** Each work tree is a project, and so is a folder outside of any. */
function projectName(folder: string): string {
  const place = path.resolve(folder);
  const status = statSync(place, { throwIfNoEntry: false });
  if (!status?.isDirectory()) {
    const reason = status ? 'this is not a folder' : 'there is no such folder';
    throw new CliError(`${place}: ${reason}`, { code: 'invalid_folder' });
  }
  const real = realpathSync(place);
  const root = workTreeOf(real) ?? real;
  const digest = digestOf(root).slice(0, 12);
  return `${
    path
      .basename(root)
      .replace(/[^\w.-]/g, '_')
      .slice(0, 64) || 'root'
  }-${digest}`;
}
