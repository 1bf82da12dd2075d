// The addresses that were given to strangers.

import type { Operations, ResponseOf, Share } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { commandLine, moment, secretShown, table } from '../frame/parts.ts';
import { postForm } from '../frame/post-form.ts';
import { returnedShareForm } from '../frame/share-form.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface SharesPageData {
  readonly list: ResponseOf<Operations['listShares']>;
  /** The share that the form `createShare` made, whose address is shown here once. Default: none. */
  readonly made?: ResponseOf<Operations['createShare']> | undefined;
}

/** The page at `shares[?made=]`. Forms: `revokeShare`, and `createShare` if it is shown again after a comparison or snapshot. */
export function sharesPage(context: PageContext, { list, made }: SharesPageData): ConsolePage {
  const rows = list.shares.map((share) => [
    contentOfShare(context, share),
    moment(share.createdAt, context),
    moment(share.expiresAt, context),
    postForm(context, 'revokeShare', {
      label: 'Revoke',
      params: { id: share.id },
      warning: 'Its address will stop working.',
    }),
  ]);
  const body = html`<h1>Shares</h1>
<p class="lead">Pages for people without a key. They show no values of variables and no names of machines, and they expire.</p>
${made && secretShown('The address of the share', made.url)}
${returnedShareForm(context)}
${table({
  label: 'Shares',
  columns: ['What', 'Created', 'Expires', 'Revoke'],
  rows,
  empty: 'Nothing is shared yet. Use the button on the page of a comparison or snapshot.',
})}
${commandLine(['share', 'latest', 'local', '--expires', '7d'], ['share', 'list'])}`;
  return consolePage(context, { title: 'Shares', body, place: 'shares' });
}

function contentOfShare(context: PageContext, { kind, snapshots }: Share): MarkupContent {
  const [a = '', b = ''] = snapshots;
  const link =
    kind === 'snapshot' ? linkTo(context, ['snapshots', a]) : linkTo(context, ['compare'], { a, b });
  const name = kind === 'snapshot' ? 'Snapshot' : 'Comparison';
  return html`<a href="${link}">${name}</a>${snapshots.map((id) => html` <code class="dim" title="${id}">${id.slice(0, 8)}</code>`)}`;
}
