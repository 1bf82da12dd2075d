// API keys and members as tables.

import type { ApiKey, Member } from '@envsnap/shared';
import type { Screen } from '../../terminal/terminal.ts';
import { idCells } from '../layout/short-ids.ts';
import { renderRows } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** Renders keys; of a key itself only the beginning is known. */
export function renderKeys(keys: readonly ApiKey[], screen: Screen): string {
  return renderRows(screen, keys, [
    ['ID', idCells(keys, screen)],
    ['LABEL', (key) => key.label ?? '', { shrinks: true }],
    ['ROLE', (key) => key.role],
    ['KEY', (key) => `${key.prefix}…`],
    ['MADE', (key) => when(key.createdAt, screen), { drops: 1 }],
    ['LAST USED', (key) => (key.lastUsedAt ? when(key.lastUsedAt, screen) : 'never')],
    ['EXPIRES', (key) => (key.expiresAt ? when(key.expiresAt, screen) : '')],
  ]);
}

/** Renders members, the oldest first. */
export function renderMembers(members: readonly Member[], screen: Screen): string {
  return renderRows(screen, members, [
    ['MEMBER ID', idCells(members, screen)],
    ['LABEL', (member) => member.keyLabel ?? '', { shrinks: true }],
    ['ROLE', (member) => member.role],
    ['JOINED', (member) => when(member.joinedAt, screen)],
  ]);
}
