// Loads the snapshot of a reference: a stored one, a file, or this machine captured now.

import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import type { Machine, Snapshot } from '@envsnap/shared';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { shellWord } from '@envsnap/shared/text/visible';
import { ownFingerprintKey, storeFingerprintKey } from '../../connection/fingerprint-key.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';
import type { ProcessReference } from '../../references/capture-process.ts';
import {
  failedName,
  listMachines,
  newestRun,
  newestSnapshot,
  type SnapshotStore,
  snapshotById,
} from '../../runs/snapshot-store.ts';
import { captureMachine } from '../capture-machine.ts';
import { readInputFile, readStream } from '../documents/read-input-file.ts';
import type { SnapshotReference, StoredReference } from './snapshot-reference.ts';

const maxSnapshotBytes = 64 * 1024 * 1024;

/** Where snapshots come from; each source is used only if a reference needs it. */
export interface SnapshotSources {
  readonly store: () => Promise<SnapshotStore>;
  readonly captureLocal: () => Promise<ComparableEnvironment>;
  readonly captureProcess: (reference: ProcessReference) => Promise<ComparableEnvironment>;
}

/** Loads a snapshot. Exit code 4 if it does not exist, 2 if the reference or file cannot be used. */
export async function resolveSnapshot(
  reference: SnapshotReference,
  sources: SnapshotSources,
): Promise<ComparableEnvironment> {
  switch (reference.kind) {
    case 'local':
      return sources.captureLocal();
    case 'process':
      return sources.captureProcess(reference.process);
    case 'file':
      return readSnapshotFile(reference.path);
    default:
      return resolveStored(reference, await sources.store());
  }
}

export async function resolveStored(reference: StoredReference, store: SnapshotStore): Promise<Snapshot> {
  switch (reference.kind) {
    case 'latest':
      return getLatest(store, reference.machineName);
    case 'run':
      return getRun(store, reference);
    case 'id':
      return snapshotById(store, reference.text);
  }
}

const notFound = { code: 'snapshot_not_found', exitCode: exitCodes.notFound } as const;

/** The newest stored snapshot, or that of a machine. Exit code 4 if there is none. */
async function getLatest(store: SnapshotStore, machineName: string | undefined): Promise<Snapshot> {
  const newest = await newestSnapshot(store, machineName);
  if (newest) return newest;
  const machines = await listMachines(store);
  if (machineName === undefined || machines.length === 0) throw nothingStored(store);
  const known = knownMachines(machineName, machines, 'latest:');
  throw noSnapshotOf(machineName, `${known} On that machine, envsnap capture stores one.`);
}

/** The error if the named machine has no stored snapshot. */
export function noSnapshotOf(machineName: string, hint: string): CliError {
  return new CliError(`no snapshot of machine "${machineName}" is stored`, { ...notFound, hint });
}

/** Suggests a similar machine name, or lists the machines. `prefix` precedes a typed name. */
export function knownMachines(machineName: string, machines: readonly Machine[], prefix = ''): string {
  const names = machines.map((machine) => machine.machineName);
  const near = nearestName(machineName, names);
  return near
    ? `Did you mean ${prefix}${near}?`
    : `Machines: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`;
}

/** The newest run with the requested result. Exit code 4 if there is none. */
async function getRun(
  store: SnapshotStore,
  { result, of, machineName }: Extract<StoredReference, { readonly kind: 'run' }>,
): Promise<Snapshot> {
  const newest = await newestRun(store, { result, of, machineName });
  if (newest) return newest;
  const runName = of ?? (await failedName(store, machineName));
  const [other] = 'local' in store && of === undefined ? store.local.list({ result, machineName }) : [];
  throw new CliError(`no stored run${runName === undefined ? '' : ` of ${runName}`} has ${result}`, {
    ...notFound,
    hint: other
      ? `Try ${shellWord(`last-${result}:${other.of}`)}.`
      : `envsnap run ${of === undefined ? '' : `--of ${shellWord(of)} `}-- COMMAND records one.`,
  });
}

/** The error if nothing is stored on the server or, without one, on this machine. */
export function nothingStored(store: SnapshotStore): CliError {
  if ('client' in store)
    return new CliError('no snapshot is stored yet', { ...notFound, hint: 'envsnap capture stores one.' });
  return new CliError('nothing is recorded here yet', {
    code: 'not_configured',
    hint: 'envsnap run -- COMMAND records a run, and envsnap capture --output FILE writes a file that every command takes.',
  });
}

/** Reads a snapshot that `capture --output` wrote; `-` is standard input. */
export async function readSnapshotFile(path: string): Promise<ComparableEnvironment> {
  const text =
    path === '-'
      ? await readStream(process.stdin, maxSnapshotBytes, () =>
          invalidFile('standard input is not a snapshot: it is larger than 64 MiB'),
        )
      : await readInputFile(path, { errorCode: 'file_unreadable', maxBytes: maxSnapshotBytes });
  const name = path === '-' ? 'standard input' : path;
  const { EnvironmentError, parseEnvironment } = await import(
    '@envsnap/compare/workspace/model/parse-environment'
  );
  try {
    return parseEnvironment(text, name);
  } catch (error) {
    if (error instanceof EnvironmentError) throw invalidFile(error.message);
    throw error;
  }
}

function invalidFile(message: string): CliError {
  return new CliError(message, {
    code: 'invalid_snapshot_file',
    hint: 'envsnap capture --output FILE writes one.',
  });
}

/** `stored`: this machine is compared with what is stored, so its secrets are fingerprinted with the key of the store. */
export function snapshotSources(
  store: () => Promise<SnapshotStore>,
  { folder, workspace }: { readonly folder: string; readonly workspace?: string | undefined },
  stored: boolean,
): SnapshotSources {
  const key = async () => (stored ? storeFingerprintKey(await store()) : ownFingerprintKey());
  const part = workspace === undefined ? {} : { workspace };
  return {
    store,
    captureLocal: async () => (await captureMachine({ dir: folder, ...(await key()), ...part })).snapshot,
    captureProcess: async (reference) => {
      const { captureProcess } = await import('../../references/capture-process.ts');
      // A new shell has no folder of its project.
      const where = reference.kind === 'shell' ? folder : undefined;
      return (await captureProcess(reference, { ...(await key()), ...part }, where)).snapshot;
    },
  };
}
