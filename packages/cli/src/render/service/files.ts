// Stored files: the list, and one that was uploaded or downloaded.

import { size } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { FileList } from '../../actions/service/list-files.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { idCells } from '../layout/short-ids.ts';
import { renderFields, renderRows } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** Renders a list of files. */
export function renderFiles(list: FileList, screen: Screen): string {
  const { files, total, offset } = list;
  if (files.length === 0) {
    return total > 0
      ? `No files from number ${offset + 1} on; there are ${total}.\n`
      : 'No files. envsnap file upload stores one.\n';
  }
  const table = renderRows(screen, files, [
    ['ID', idCells(files, screen)],
    ['NAME', (file) => file.filename, { shrinks: true }],
    ['SIZE', (file) => size(file.sizeBytes), { align: 'right' }],
    ['TYPE', (file) => file.contentType, { shrinks: true }],
    ['STORED', (file) => when(file.createdAt, screen)],
  ]);
  const more = total - offset - files.length;
  return (
    table +
    (more > 0 ? screen.paint('dim', `${more} more: --offset ${offset + files.length}, or --all\n`) : '')
  );
}

/** Renders a file that was just stored. */
export function renderUploaded(
  file: { readonly id: string; readonly filename: string; readonly size: number; readonly checksum: string },
  screen: Screen,
): string {
  return [
    `${screen.paint('green', '✓')} Stored ${visible(file.filename)} (${size(file.size)})`,
    '',
    renderFields(
      [
        ['id', file.id],
        ['sha-256', file.checksum],
      ],
      screen,
    ),
  ].join('\n');
}
