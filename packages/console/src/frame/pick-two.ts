// A list in which two snapshots are picked and compared: a button for each side in each row, and one for both.

import { html, type MarkupContent } from '../markup.ts';
import { linkTo, type PageContext } from '../page.ts';
import { liveFilter, type TableParts, table } from './parts.ts';

interface PickTwoParts extends TableParts {
  /** The snapshot of each row. At first, the second one is A, and the first one B. */
  readonly ids: readonly string[];
  /** A snapshot that was chosen on another page as A; null for none. */
  readonly chosen?: string | null;
  readonly more?: MarkupContent;
}

export function pickTwo(context: PageContext, parts: PickTwoParts): MarkupContent {
  const { ids, chosen = null, more, filter = false } = parts;
  if (ids.length === 0) return table(parts);
  const pick = (side: 'a' | 'b', place: number, first: number) =>
    html`<label class="pick"><input type="radio" name="${side}" value="${ids[place]}"${place === first && html` checked`}> ${side.toUpperCase()}</label>`;
  const rows = parts.rows.map((cells, place) => [
    html`<span class="numbers">${chosen === null && pick('a', place, Math.min(1, ids.length - 1))}${pick('b', place, 0)}</span>`,
    ...cells,
  ]);
  return html`${filter && liveFilter(parts.label)}<form method="get" action="${linkTo(context, ['compare'])}">${chosen !== null && html`<input type="hidden" name="a" value="${chosen}"><p class="notice">Choose the snapshot to compare with <code>${chosen}</code>.</p>`}
<div class="actions"><button class="primary">Compare A with B</button>${more}</div>
${table({ ...parts, filter: false, columns: ['Pick', ...parts.columns], rows })}</form>`;
}
