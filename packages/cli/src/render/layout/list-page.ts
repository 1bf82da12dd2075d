// A page of a list as a table, with what the list holds beside it.

import type { Screen } from '../../terminal/terminal.ts';
import { type ListColumn, renderRows } from './table.ts';

/** `noun`: what the items are, plural. `advice`: what makes the first one. */
export function renderPage<Row>(
  screen: Screen,
  rows: readonly Row[],
  { total, offset, noun, advice }: { total: number; offset: number; noun: string; advice: string },
  columns: readonly ListColumn<Row>[],
): string {
  if (rows.length === 0)
    return total > 0
      ? `No ${noun} from number ${offset + 1} on; there are ${total}.\n`
      : `No ${noun}. ${advice}\n`;
  const next = offset + rows.length;
  const more = total > next ? screen.paint('dim', `${total - next} more: --offset ${next}, or --all\n`) : '';
  return renderRows(screen, rows, columns) + more;
}
