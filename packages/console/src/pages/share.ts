// The page that a stranger sees: a comparison or a snapshot, frozen, without private content.

import type { ComparisonReport } from '@envsnap/compare';
import type { Snapshot } from '@envsnap/shared';
import { comparisonMarkup } from '../comparison/comparison-view.ts';
import { consolePage } from '../frame/document.ts';
import { clock, commandBox, shellCommand } from '../frame/parts.ts';
import { html } from '../markup.ts';
import type { ConsolePage } from '../page.ts';
import { environmentView } from '../snapshot/environment-view.ts';

/**
 * The shared content, already without values of variables, names of machines and users, network addresses and paths: the code that freezes
 * it leaves these out. Machines are called A and B. Moments are ISO 8601.
 */
export type SharedContent = (
  | { readonly kind: 'comparison'; readonly report: ComparisonReport }
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot }
) & { readonly sharedAt: string; readonly expiresAt: string };

/**
 * The page at `/share/TOKEN`. It has no form and no link into the console, so it can be stored as it is: it shows times rather
 * than how long ago they were, and is the same for every reader. The cost grows with the shared content: render it off the
 * server's thread.
 */
export function sharePage(
  { serverUrl, installHint }: { readonly serverUrl: string; readonly installHint?: string | undefined },
  shared: SharedContent,
): ConsolePage {
  const isComparison = shared.kind === 'comparison';
  const left =
    'Left out: values of variables, names of machines and people, network addresses, and paths of home, temporary folders and the checkout.';
  const content = isComparison
    ? comparisonMarkup(shared.report, {
        all: false,
        allLink: null,
        sideLinks: null,
        judgedBy:
          shared.report.policy === null
            ? 'envsnap’s default rules decide what counts.'
            : html`Using the policy in B: <code>${shared.report.policy.file}</code>.`,
        actions: null,
      })
    : html`<h1>An environment, as envsnap captured it</h1>${environmentView(shared.snapshot, { showsValues: false, historyLink: null })}`;
  const body = html`${content}
<p class="notice">${left} This page was made on ${clock(shared.sharedAt)} and expires on ${clock(shared.expiresAt)}.</p>
<footer><p>Made with envsnap and shared by <code>${serverUrl}</code>. envsnap answers “it works on my machine”: capture a machine where your project works, take the file to the machine where it fails, and compare.</p>
${installHint === undefined ? null : commandBox(installHint)}${shellCommand('envsnap', 'capture', '--output', 'baseline.json')}
${shellCommand('envsnap', 'compare', 'baseline.json', 'local')}</footer>`;
  return consolePage(
    { root: './', serverUrl, caller: null, now: new Date(shared.sharedAt) },
    {
      title: isComparison ? 'Two environments compared' : 'An environment',
      body,
      place: null,
      verdict: isComparison ? shared.report.verdict : undefined,
    },
  );
}
