// Shares as a table.

import type { Share } from '@envsnap/shared';
import type { Screen } from '../../terminal/terminal.ts';
import { shortIds } from '../layout/short-ids.ts';
import { renderTable } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** Renders shares; their addresses are known to whoever made them. */
export function renderShares(shares: readonly Share[], screen: Screen): string {
  if (shares.length === 0) return 'Nothing is shared. envsnap share A B makes a page.\n';
  const short = shortIds(shares.flatMap(({ id, snapshots }) => [id, ...snapshots]));
  const shown = (id: string) => (screen.interactive ? short(id) : id);
  return renderTable(
    [
      { header: 'ID' },
      { header: 'WHAT' },
      { header: 'OF', shrinks: true },
      { header: 'MADE' },
      { header: 'ENDS' },
    ],
    shares.map(({ id, kind, snapshots, createdAt, expiresAt }) => [
      shown(id),
      kind,
      snapshots.map(shown).join(' and '),
      when(createdAt, screen),
      when(expiresAt, screen),
    ]),
    screen,
  );
}
