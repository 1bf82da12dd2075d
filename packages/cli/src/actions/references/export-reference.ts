// Exports the snapshot that a reference names.

import type { ExportFormat } from '@envsnap/compare/workspace';
import type { ExportedSnapshot } from '../../documents/machine-documents.ts';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { version } from '../../program.ts';
import type { SnapshotStore } from '../../runs/snapshot-store.ts';
import { isFile } from './expand-files.ts';
import { resolveSnapshot } from './resolve-snapshot.ts';
import { parseReference } from './snapshot-reference.ts';

/** Loads the snapshot and renders it. Exit code 4 when it has nothing for the format. */
export async function exportReference(
  text: string,
  format: ExportFormat,
  all: boolean,
  store: () => Promise<SnapshotStore>,
): Promise<ExportedSnapshot> {
  const reference = parseReference(text, isFile);
  const captureLocal = () => {
    throw new CliError(`${text} is not a stored snapshot`, {
      code: 'usage',
      hint: `First envsnap capture ${text} --output FILE, then envsnap snapshot export FILE.`,
    });
  };
  const environment = await resolveSnapshot(reference, { store, captureLocal, captureProcess: captureLocal });
  const [{ exportSnapshot }, { ExportError }] = await Promise.all([
    import('@envsnap/compare/export'),
    import('@envsnap/compare/workspace/export/tool-files'),
  ]);
  try {
    const content = exportSnapshot(environment, format, { all, toolVersion: version });
    return { format, snapshotId: environment.id ?? null, machineName: environment.machineName, content };
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    throw new CliError(error.message, { code: 'nothing_to_export', exitCode: exitCodes.notFound });
  }
}
