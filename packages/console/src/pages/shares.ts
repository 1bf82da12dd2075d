// The addresses that were given to strangers.

import { consolePage } from '../frame/document.ts';
import { commandLine, moment, shellCommand, table } from '../frame/parts.ts';
import { postForm } from '../frame/post-form.ts';
import { secretShown } from '../frame/secret.ts';
import { html } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

/** A share as the service lists it. Its address is known to whoever made it, and to nobody else. */
export interface ListedShare {
  readonly id: string;
  readonly kind: 'snapshot' | 'comparison';
  /** Of a snapshot: its id. */
  readonly snapshotId?: string | null | undefined;
  /** Of a comparison: the ids of both sides. */
  readonly a?: string | null | undefined;
  readonly b?: string | null | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

export interface SharesPageData {
  readonly shares: readonly ListedShare[];
  /** The share that the form `createShare` just made; its address is shown this once. Default: none. */
  readonly made?: { readonly url: string; readonly expiresAt: string } | undefined;
}

/** The page at `shares`, and the answer to the form `createShare` of comparisons and snapshots. Form: `revokeShare`. */
export function sharesPage(context: PageContext, { shares, made }: SharesPageData): ConsolePage {
  const rows = shares.map((share) => [
    share.kind === 'snapshot'
      ? html`<a href="${linkTo(context, ['snapshots', share.snapshotId ?? ''])}">Snapshot</a> <code class="dim">${share.snapshotId}</code>`
      : html`<a href="${linkTo(context, ['compare'], { a: share.a ?? '', b: share.b ?? '' })}">Comparison</a> <code class="dim">${share.a}</code> <code class="dim">${share.b}</code>`,
    moment(share.createdAt, context),
    moment(share.expiresAt, context),
    postForm(context, 'revokeShare', {
      label: 'Revoke',
      params: { id: share.id },
      warning: 'Its address answers 404 from now on.',
    }),
  ]);
  const body = html`<h1>Shares</h1>
<p class="lead">Pages for people without an account. They hold no value of a variable and no name of a machine, and they end by themselves.</p>
${made && secretShown('The address of the share', made.url)}
${table({
  label: 'Shares',
  columns: ['What', 'Made', 'Ends', 'Revoke'],
  rows,
  empty: 'Nothing is shared. A comparison or a snapshot has a button for it.',
})}
${commandLine(shellCommand('envsnap', 'share', 'latest:build-7', 'local', '--expires', '7d'))}`;
  return consolePage(context, { title: 'Shares', body, place: 'shares' });
}
