// A key that was just made: the only time it can be seen.

import { visible } from '@envsnap/shared/text/visible';
import type { Screen } from '../../terminal/terminal.ts';
import { renderFields } from '../layout/table.ts';

/** A key with what it is for. */
export interface NewKey {
  readonly apiKey: string;
  readonly apiKeyId: string;
  readonly role: string;
  readonly label?: string | null;
  readonly expiresAt?: string | null;
}

/** Renders a new key with the advice to keep it. */
export function renderNewKey(title: string, key: NewKey, screen: Screen): string {
  return [
    `${screen.paint('green', '✓')} ${visible(title)}`,
    '',
    renderFields(
      [
        ['key', key.apiKey],
        ['key id', key.apiKeyId],
        ['role', key.role],
        ...(key.label ? [['label', key.label] as const] : []),
        ...(key.expiresAt ? [['expires', key.expiresAt] as const] : []),
      ],
      screen,
    ),
    `${screen.paint('yellow', 'Keep the key now: it is not shown again.')}`,
  ].join('\n');
}
