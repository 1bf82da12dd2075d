// envsnap file upload

import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { uploadFile } from '../../actions/service/transfer-files.ts';
import { BaseCommand } from '../../base-command.ts';
import { missingFlag } from '../../errors/cli-error.ts';
import { connectionFlags } from '../../flags.ts';
import { renderUploaded } from '../../render/service/files.ts';
import { withProgress } from '../../terminal/progress.ts';

export default class FileUpload extends BaseCommand {
  static override summary = 'Upload a file. It is stored encrypted.';
  static override examples = [
    'envsnap file upload compose.yaml',
    'tar c config | envsnap file upload - --name config.tar',
  ];
  static override args = {
    file: stringArg({
      required: true,
      ignoreStdin: true,
      description: 'File to upload; - for standard input.',
    }),
  };
  static override flags = {
    name: string({ summary: 'Name to store it under; by default its own.', helpValue: 'NAME' }),
    'content-type': string({ summary: 'Media type, e.g. text/yaml.', helpValue: 'TYPE' }),
    ...connectionFlags,
  };

  override async run() {
    const { args, flags } = await this.parse(FileUpload);
    if (args.file === '-' && flags.name === undefined) {
      throw missingFlag('--name', 'standard input has no name to store it under');
    }
    const stored = await withProgress('Uploading', ({ bytes }) =>
      uploadFile(() => this.client(flags), args.file, {
        name: flags.name,
        contentType: flags['content-type'],
        onBytes: bytes,
      }),
    );
    this.print(renderUploaded(stored, this.screen));
    return { ...stored, sizeBytes: stored.size };
  }
}
