// The files of a project.

import type { Operations, ResponseOf } from '@envsnap/shared';
import { size } from '@envsnap/shared/text/size';
import { consolePage } from '../frame/document.ts';
import { commandLine, moment, older, table, wrapping } from '../frame/parts.ts';
import { postForm } from '../frame/post-form.ts';
import { html } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

/** The page at `files[?after=]`. Form: `deleteFile`. */
export function filesPage(
  context: PageContext,
  { list }: { readonly list: ResponseOf<Operations['listFiles']> },
): ConsolePage {
  const rows = list.files.map(({ id, filename, contentType, sizeBytes, checksum, createdAt }) => [
    html`<a href="${linkTo(context, ['files', id])}">${filename}</a>`,
    size(sizeBytes),
    wrapping(contentType),
    moment(createdAt, context),
    html`<code class="numbers" title="SHA-256: ${checksum}">${checksum.slice(0, 12)}…</code>`,
    postForm(context, 'deleteFile', {
      label: 'Delete',
      params: { id },
      warning: `Deletes ${filename} for everyone in the project.`,
    }),
  ]);
  const body = html`<h1>Files</h1>
<p class="lead">Files are stored encrypted. The audit log records each download.</p>
${table({ label: 'Files', columns: ['Name', 'Size', 'Type', 'Stored', 'SHA-256', 'Delete'], numbers: ['Size'], rows, empty: 'No files yet. The command below stores one.', filter: true })}
${older('Older files', list.next && linkTo(context, ['files'], { after: list.next }), list.total)}
${commandLine(['file', 'upload', 'dev.env'], ['file', 'list'])}`;
  return consolePage(context, { title: 'Files', body, place: 'files' });
}
