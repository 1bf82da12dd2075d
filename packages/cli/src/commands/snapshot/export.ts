// envsnap snapshot export

import { type ExportFormat, exportFormats } from '@envsnap/compare/workspace';
import { visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { boolean, option, string } from '@oclif/core/flags';
import { isFile } from '../../actions/references/expand-files.ts';
import { resolveSnapshot } from '../../actions/references/resolve-snapshot.ts';
import { parseReference } from '../../actions/references/snapshot-reference.ts';
import { BaseCommand } from '../../base-command.ts';
import type { ExportedSnapshot } from '../../documents/machine-documents.ts';
import { CliError, exitCodes, usageError } from '../../errors/cli-error.ts';
import { connectionFlags } from '../../flags.ts';
import { version } from '../../program.ts';
import type { SnapshotStore } from '../../runs/snapshot-store.ts';

export default class SnapshotExport extends BaseCommand {
  static override summary = 'Write files that recreate the environment of a snapshot elsewhere.';
  static override description =
    'SNAPSHOT is an id, its first 8 or more characters, latest, latest:MACHINE, or a file that capture --output wrote. ' +
    'The export has only the runtimes and variables that the project needs; --all exports everything. Secrets are named ' +
    'in comments, because a snapshot holds only their fingerprints.';
  static override examples = [
    'envsnap snapshot export latest:build-7 --format dotenv --output .env',
    'envsnap snapshot export latest --format mise --output mise.toml',
    'eval "$(envsnap snapshot export latest --format shell)"',
  ];
  static override args = {
    snapshot: stringArg({ description: 'Which snapshot.', required: true, ignoreStdin: true }),
  };
  static override flags = {
    format: option({ options: exportFormats, required: true, summary: 'Format of the export.' })(),
    output: string({ char: 'o', summary: 'Write to a file.', helpValue: 'FILE' }),
    all: boolean({ summary: 'Export every runtime and variable, not only those that the project needs.' }),
    ...connectionFlags,
  };

  override async run(): Promise<ExportedSnapshot> {
    const { args, flags } = await this.parse(SnapshotExport);
    const exported = await exportReference(args.snapshot, flags.format, flags.all, this.storeOnce(flags));
    if (flags.output !== undefined) {
      await this.writeOutput(flags.output, exported.content);
      if (flags.output !== '-') this.note(`Wrote ${visible(flags.output)}.`);
    } else this.printAsIs(exported.content);
    return exported;
  }
}

/** Loads the snapshot and renders it. Exit code 4 if it has nothing for the format. */
async function exportReference(
  text: string,
  format: ExportFormat,
  all: boolean,
  store: () => Promise<SnapshotStore>,
): Promise<ExportedSnapshot> {
  const reference = parseReference(text, isFile);
  const captureLocal = () => {
    throw usageError(
      `${text} is not a stored snapshot`,
      `First envsnap capture ${text} --output FILE, then envsnap snapshot export FILE.`,
    );
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
