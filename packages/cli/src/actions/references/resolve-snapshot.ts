// Loads what a reference names: a stored snapshot, a file, or this machine captured now.

import type { ComparableEnvironment } from '@envsnap/compare';
import type { EnvSnap } from '@envsnap/sdk';
import type { Snapshot } from '@envsnap/shared';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { decodeInput, readInputFile } from '../documents/read-input-file.ts';
import { snapshotIds } from './id-spaces.ts';
import { resolveId } from './resolve-id.ts';
import type { SnapshotReference } from './snapshot-reference.ts';

/** Largest snapshot that is read from a file, in bytes. */
const maxSnapshotBytes = 64 * 1024 * 1024;

/** Where snapshots come from; each is only asked for when a reference needs it. */
export interface SnapshotSources {
  readonly client: () => Promise<EnvSnap>;
  readonly captureLocal: () => Promise<ComparableEnvironment>;
}

/** Loads a snapshot. Exit code 4 when it does not exist, 2 when the reference or file cannot be used. */
export async function resolveSnapshot(
  reference: SnapshotReference,
  sources: SnapshotSources,
): Promise<ComparableEnvironment> {
  switch (reference.kind) {
    case 'local':
      return sources.captureLocal();
    case 'file':
      return readSnapshotFile(reference.path);
    case 'latest':
      return getLatest(await sources.client(), reference.machineName);
    case 'id': {
      const client = await sources.client();
      return client.snapshots.get(await resolveId(reference.text, snapshotIds(client)));
    }
  }
}

/** The newest stored snapshot, of one machine if it is named. Exit code 4 when there is none. */
export async function getLatest(client: EnvSnap, machineName: string | undefined): Promise<Snapshot> {
  const { snapshots } = await client.snapshots.list({ machineName, limit: 1 });
  const [newest] = snapshots;
  if (newest) return client.snapshots.get(newest.id);
  throw await noneStored(client, machineName);
}

async function noneStored(client: EnvSnap, machineName: string | undefined): Promise<CliError> {
  const options = { code: 'snapshot_not_found', exitCode: exitCodes.notFound } as const;
  const { snapshots } = await client.snapshots.list({ limit: 100 });
  const machines = [...new Set(snapshots.map((snapshot) => snapshot.machineName))];
  if (machineName === undefined || machines.length === 0) {
    return new CliError('no snapshot is stored yet', { ...options, hint: 'envsnap capture stores one.' });
  }
  const near = nearestName(machineName, machines);
  const shown = machines.slice(0, 5).join(', ');
  const known = near
    ? `Did you mean latest:${near}?`
    : `Machines: ${shown}${machines.length > 5 ? ', …' : ''}.`;
  return new CliError(`no snapshot of machine "${machineName}" is stored`, {
    ...options,
    hint: `${known} On that machine, envsnap capture stores one.`,
  });
}

/** Reads a snapshot that `capture --output` wrote; `-` is standard input. */
export async function readSnapshotFile(path: string): Promise<ComparableEnvironment> {
  const text =
    path === '-'
      ? await readStandardInput()
      : await readInputFile(path, { errorCode: 'file_unreadable', maxBytes: maxSnapshotBytes });
  const name = path === '-' ? 'standard input' : path;
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's message quotes the file, which a policy may have named and which may be anything.
    throw invalidFile(name, 'it is not JSON');
  }
  const { describeIssue, snapshotContent } = await import('@envsnap/shared');
  const parsed = snapshotContent.safeParse(document, { error: describeIssue });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue && issue.path.length > 0 ? issue.path.join('.') : 'it';
    throw invalidFile(name, `${where} ${issue?.message ?? 'does not have the fields of one'}`);
  }
  const { id, createdAt } = document as { id?: unknown; createdAt?: unknown };
  return {
    ...parsed.data,
    ...(typeof id === 'string' ? { id } : {}),
    ...(typeof createdAt === 'string' ? { createdAt } : {}),
  };
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxSnapshotBytes) throw invalidFile('standard input', 'it is larger than 64 MiB');
    chunks.push(chunk);
  }
  return decodeInput(Buffer.concat(chunks));
}

function invalidFile(name: string, reason: string): CliError {
  return new CliError(`${name} is not a snapshot: ${reason}`, {
    code: 'invalid_snapshot_file',
    hint: 'envsnap capture --output FILE writes one.',
  });
}
