// Shares as a table.

import type { Share } from '@envsnap/shared';
import type { Screen } from '../../terminal/terminal.ts';
import { shortIds } from '../layout/short-ids.ts';
import { renderRows } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** Renders shares; their addresses are known to whoever made them. */
export function renderShares(shares: readonly Share[], screen: Screen): string {
  if (shares.length === 0) return 'Nothing is shared. envsnap share A B makes a page.\n';
  const short = shortIds(shares.flatMap(({ id, snapshots }) => [id, ...snapshots]));
  const shown = (id: string) => (screen.interactive ? short(id) : id);
  return renderRows(screen, shares, [
    ['ID', ({ id }) => shown(id)],
    ['WHAT', ({ kind }) => kind],
    ['OF', ({ snapshots }) => snapshots.map(shown).join(' and '), { shrinks: true }],
    ['MADE', ({ createdAt }) => when(createdAt, screen)],
    ['ENDS', ({ expiresAt }) => when(expiresAt, screen)],
  ]);
}
