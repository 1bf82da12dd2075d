// Stored files: the list, and one that was uploaded or downloaded.

import type { ListFilesAnswer } from '@envsnap/sdk';
import { size } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import type { Screen } from '../../terminal/terminal.ts';
import { idCells, renderFields, renderPage, when } from '../layout/table.ts';

/** Renders a list of files. */
export function renderFiles({ files, ...place }: ListFilesAnswer, screen: Screen): string {
  const words = { noun: 'files', advice: 'envsnap file upload stores one.' };
  return renderPage(screen, files, { ...place, ...words }, [
    ['ID', idCells(files, screen)],
    ['NAME', (file) => file.filename, { shrinks: true }],
    ['SIZE', (file) => size(file.sizeBytes), { align: 'right' }],
    ['TYPE', (file) => file.contentType, { shrinks: true }],
    ['STORED', (file) => when(file.createdAt, screen)],
  ]);
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
