// envsnap file download

import { size } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { boolean, string } from '@oclif/core/flags';
import { fileIds, resolveId } from '../../actions/references/resolve-id.ts';
import { downloadFile } from '../../actions/service/transfer-files.ts';
import { BaseCommand } from '../../base-command.ts';
import { CliError } from '../../errors/cli-error.ts';
import { connectionFlags, idArgument } from '../../flags.ts';
import { withProgress } from '../../terminal/progress.ts';

export default class FileDownload extends BaseCommand {
  static override summary = 'Download a file and check its bytes against the stored checksum.';
  static override examples = [
    'envsnap file download 0193a5c2-6f0e-7cc3-9a5a-0f6a2e4d1b77',
    'envsnap file download 0193a5c2-6f0e-7cc3-9a5a-0f6a2e4d1b77 --output - | tar x',
  ];
  static override args = { id: idArgument('file') };
  static override flags = {
    output: string({
      char: 'o',
      summary:
        'File or folder to write to, - for standard output; by default the stored name in this folder.',
      helpValue: 'PATH',
    }),
    force: boolean({ summary: 'Replace a file that exists.' }),
    ...connectionFlags,
  };

  override async run() {
    const { args, flags } = await this.parse(FileDownload);
    if (flags.output === '-' && this.jsonEnabled()) {
      throw new CliError('--output - and --json both write to standard output', { code: 'usage' });
    }
    const client = await this.client(flags);
    const id = await resolveId(args.id, fileIds(client));
    const target = { output: flags.output, force: flags.force };
    const { file, savedAs } = await withProgress('Downloading', ({ bytes }) =>
      downloadFile(client, id, target, bytes),
    );
    if (savedAs !== null) this.print(`Saved ${visible(savedAs)} (${size(file.sizeBytes ?? 0)}).`);
    const { filename, contentType, sizeBytes = null, checksum = null } = file;
    return { id, filename, contentType, sizeBytes, checksum, savedAs };
  }
}
