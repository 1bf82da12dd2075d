// API keys and members as tables.

import type { ApiKey, Member } from '@envsnap/shared';
import type { Screen } from '../../terminal/terminal.ts';
import { shortIds } from '../layout/short-ids.ts';
import { renderTable } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** Renders keys; of a key itself only the beginning is known. */
export function renderKeys(keys: readonly ApiKey[], screen: Screen): string {
  const short = shortIds(keys.map(({ id }) => id));
  return renderTable(
    [
      { header: 'ID' },
      { header: 'LABEL', shrinks: true },
      { header: 'ROLE' },
      { header: 'KEY' },
      { header: 'MADE', drops: 1 },
      { header: 'LAST USED' },
      { header: 'EXPIRES' },
    ],
    keys.map((key) => [
      screen.interactive ? short(key.id) : key.id,
      key.label ?? '',
      key.role,
      `${key.prefix}…`,
      when(key.createdAt, screen),
      key.lastUsedAt ? when(key.lastUsedAt, screen) : 'never',
      key.expiresAt ? when(key.expiresAt, screen) : '',
    ]),
    screen,
  );
}

/** Renders members, the oldest first. */
export function renderMembers(members: readonly Member[], screen: Screen): string {
  const short = shortIds(members.map(({ id }) => id));
  return renderTable(
    [{ header: 'MEMBER ID' }, { header: 'LABEL', shrinks: true }, { header: 'ROLE' }, { header: 'JOINED' }],
    members.map((member) => [
      screen.interactive ? short(member.id) : member.id,
      member.keyLabel ?? '',
      member.role,
      when(member.joinedAt, screen),
    ]),
    screen,
  );
}
