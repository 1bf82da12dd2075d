// The page that a stranger sees: a comparison or a snapshot, frozen, without what is nobody's business.

import type { ComparisonReport } from '@envsnap/compare';
import { headlineOf } from '@envsnap/compare/workspace';
import type { Snapshot } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { utc } from '../frame/parts.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

/**
 * What is shared, already without values of variables, names of machines and users, network addresses and paths: whoever freezes
 * it leaves these out. Machines are called A and B.
 */
export type SharedContent =
  | { readonly kind: 'comparison'; readonly report: ComparisonReport; readonly expiresAt: string }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly expiresAt: string };

/**
 * The page at `/share/TOKEN`. It has no form and no link into the console, so that it may be stored as it is: it shows moments and not
 * how long ago they were, and it does not depend on who looks. `context` gives the server's address and nothing else.
 */
export function sharePage(context: Pick<PageContext, 'serverUrl'>, shared: SharedContent): ConsolePage {
  const title = shared.kind === 'comparison' ? headlineOf(shared.report) : 'An environment';
  const body = html`<h1>${title}</h1><p>Ends ${utc(shared.expiresAt)}</p>`;
  return consolePage(
    { ...context, root: './', caller: null, now: new Date(shared.expiresAt) },
    { title, body, place: null, verdict: shared.kind === 'comparison' ? shared.report.verdict : undefined },
  );
}
