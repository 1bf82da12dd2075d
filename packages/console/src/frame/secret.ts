// What is shown once: a new key, a signing secret, the address of a share.

import { html, type MarkupContent } from '../markup.ts';

/** A secret, ready to be copied, with the reminder that it is not shown again. */
export function secretShown(what: string, secret: string): MarkupContent {
  return html`<div class="notice done" role="status"><p><strong>${what}</strong> is shown this once. Copy it now.</p><div class="command"><code>${secret}</code><button type="button" data-copy="${secret}" hidden>Copy</button></div></div>`;
}
