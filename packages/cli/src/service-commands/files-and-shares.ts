// envsnap file …, the commands that list and delete shares (envsnap share …), and envsnap open

import type { ListFilesAnswer } from '@envsnap/sdk';
import type { Share } from '@envsnap/shared';
import { size } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { string as argument } from '@oclif/core/args';
import { boolean, string } from '@oclif/core/flags';
import { spawnCommand } from '../../plain/spawn-command.js';
import { fileIds, resolveId, shareIds } from '../actions/references/resolve-id.ts';
import { downloadFile, uploadFile } from '../actions/service/transfer-files.ts';
import { wholeList } from '../actions/service/whole-list.ts';
import { CliError, missingFlag } from '../errors/cli-error.ts';
import { idArgument, pageFlags } from '../flags.ts';
import { idCells, renderDone, renderPage, renderRows, shortIds, when } from '../render/layout/table.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/terminal.ts';
import { deletion, serviceCommand } from './service-command.ts';

const forceFlag = boolean({ summary: 'Replace a file that exists.' });

export const fileCommands = {
  'file:list': serviceCommand({
    summary: 'List files, newest first.',
    flags: pageFlags,
    async ask({ flags: { limit, offset, all }, client: connect }): Promise<ListFilesAnswer> {
      const { files } = await connect();
      return all ? wholeList(files.iterate(), (items) => ({ files: items })) : files.list({ limit, offset });
    },
    show: renderFiles,
  }),
  'file:upload': serviceCommand({
    summary: 'Upload a file. It is stored encrypted.',
    examples: ['envsnap file upload compose.yaml', 'tar c config | envsnap file upload - --name config.tar'],
    args: {
      file: argument({
        required: true,
        ignoreStdin: true,
        description: 'File to upload; - for standard input.',
      }),
    },
    flags: {
      name: string({ summary: 'Name to store it under; by default its own.', helpValue: 'NAME' }),
      'content-type': string({ summary: 'Media type, e.g. text/yaml.', helpValue: 'TYPE' }),
    },
    async ask({ args: { file }, flags: { name, 'content-type': contentType }, client }) {
      if (file === '-' && name === undefined)
        throw missingFlag('--name', 'standard input has no name to store it under');
      const stored = await withProgress('Uploading', ({ bytes: onBytes }) =>
        uploadFile(client, file, { name, contentType, onBytes }),
      );
      return { ...stored, sizeBytes: stored.size };
    },
    show({ id, filename, size: bytes, checksum }, screen) {
      const message = `Stored ${visible(filename)} (${size(bytes)})`;
      return renderDone(
        message,
        [
          ['id', id],
          ['sha-256', checksum],
        ],
        screen,
      );
    },
  }),
  'file:download': serviceCommand({
    summary: 'Download a file and check its bytes against the stored checksum.',
    examples: [
      'envsnap file download 0193a5c2-6f0e-7cc3-9a5a-0f6a2e4d1b77',
      'envsnap file download 0193a5c2-6f0e-7cc3-9a5a-0f6a2e4d1b77 --output - | tar x',
    ],
    args: { id: idArgument('file') },
    flags: {
      output: string({
        char: 'o',
        summary:
          'File or folder to write to, - for standard output; by default the stored name in this folder.',
        helpValue: 'PATH',
      }),
      force: forceFlag,
    },
    async ask({ args, flags: { output, force }, client: connect, command }) {
      if (output === '-' && command.jsonEnabled())
        throw new CliError('use --output - or --json: both write to standard output', { code: 'usage' });
      const client = await connect();
      const id = await resolveId(args.id, fileIds(client));
      const { file, savedAs } = await withProgress('Downloading', ({ bytes }) =>
        downloadFile(client, id, { output, force }, bytes),
      );
      if (savedAs !== null) command.print(`Saved ${visible(savedAs)} (${size(file.sizeBytes ?? 0)}).`);
      const { filename, contentType, sizeBytes = null, checksum = null } = file;
      return { id, filename, contentType, sizeBytes, checksum, savedAs };
    },
  }),
  'file:delete': deletion({
    summary: 'Delete a file.',
    noun: 'file',
    ids: fileIds,
    question: (id) => `Delete file ${id}?`,
    remove: (client, id) => client.files.delete(id),
  }),
};

export const shareCommands = {
  'share:list': serviceCommand({
    summary: 'List shared pages, newest first.',
    description:
      'The list shows no addresses, because the server does not keep them. It leaves out expired shares.',
    ask: async ({ client }) => (await client()).shares.list(),
    show: ({ shares }, screen) => renderShares(shares, screen),
  }),
  'share:delete': deletion({
    summary: 'End a share: its address returns 404 from now on.',
    noun: 'share',
    ids: shareIds,
    question: (id) => `Delete share ${id}? Its address returns 404 from now on.`,
    remove: (client, id) => client.shares.delete(id),
  }),
};

export const openCommand = {
  open: serviceCommand({
    summary: 'Open the console of the server in a browser, signed in.',
    description:
      'Prints a link that signs in once, with your key, within a minute. On a terminal, it also opens the link. PAGE is a page ' +
      'of the console: runs, matrix, compare?a=ID&b=ID.',
    examples: ['envsnap open', 'envsnap open runs', "envsnap open 'compare?a=ID&b=ID'"],
    args: { page: argument({ description: 'Page of the console.', ignoreStdin: true }) },
    async ask({ args: { page }, client, command }) {
      const link = await (await client()).shares.consoleLink(page === undefined ? {} : { page });
      command.printAsIs(visible(link.url));
      if (!process.stdout.isTTY || command.jsonEnabled()) return link;
      openInBrowser(link.url);
      command.note('If no browser opens, open this address within a minute. It works once.');
      return link;
    },
  }),
};

function renderShares(shares: readonly Share[], screen: Screen): string {
  if (shares.length === 0) return 'Nothing is shared. envsnap share A B creates a page.\n';
  const short = shortIds(shares.flatMap(({ id, snapshots }) => [id, ...snapshots]));
  const shown = (id: string) => (screen.interactive ? short(id) : id);
  return renderRows(screen, shares, [
    ['ID', ({ id }) => shown(id)],
    ['WHAT', ({ kind }) => kind],
    ['OF', ({ snapshots }) => snapshots.map(shown).join(' and '), { shrinks: true }],
    ['MADE', ({ createdAt }) => when(createdAt, screen)],
    ['ENDS', ({ expiresAt }) => when(expiresAt, screen)],
  ]);
}

function renderFiles({ files, ...place }: ListFilesAnswer, screen: Screen): string {
  const words = { noun: 'files', advice: 'envsnap file upload stores one.' };
  return renderPage(screen, files, { ...place, ...words }, [
    ['ID', idCells(files, screen)],
    ['NAME', (file) => file.filename, { shrinks: true }],
    ['SIZE', (file) => size(file.sizeBytes), { align: 'right' }],
    ['TYPE', (file) => file.contentType, { shrinks: true }],
    ['STORED', (file) => when(file.createdAt, screen)],
  ]);
}

/** The program that opens an address, and its first arguments. By its path if the system prefers the working folder to `PATH`. */
export function openerOf(platform: NodeJS.Platform, systemRoot = 'C:\\Windows'): readonly string[] {
  if (platform === 'win32') return [`${systemRoot}\\System32\\rundll32.exe`, 'url.dll,FileProtocolHandler'];
  return [platform === 'darwin' ? '/usr/bin/open' : 'xdg-open'];
}

function openInBrowser(address: string): void {
  if (!/^https?:\/\//.test(address)) return;
  const [program = '', ...args] = openerOf(process.platform, process.env.SystemRoot);
  const child = spawnCommand(program, [...args, address], { stdio: 'ignore', detached: true });
  child.once('error', () => undefined);
  child.unref();
}
