// The audit log as a table.

import type { ListAuditEntriesAnswer } from '@envsnap/sdk';
import type { AuditEntry } from '@envsnap/shared';
import type { Screen } from '../../terminal/terminal.ts';
import { renderRows, when } from '../layout/table.ts';

/** Renders entries, the newest first. */
export function renderAuditEntries({ entries, total }: ListAuditEntriesAnswer, screen: Screen): string {
  if (entries.length === 0) return 'No entries.\n';
  const table = renderRows(screen, entries, [
    ['WHEN', (entry) => when(entry.createdAt, screen)],
    ['WHO', actorOf, { shrinks: true }],
    ['ACTION', (entry) => entry.action],
    ['TARGET', (entry) => entry.target.name ?? entry.target.id ?? entry.target.type, { shrinks: true }],
    ['FROM', (entry) => entry.clientAddress ?? '-', { drops: 2 }],
    ['DETAILS', detailsOf, { shrinks: true, drops: 1 }],
  ]);
  const more = total - entries.length;
  return table + (more > 0 ? screen.paint('dim', `${more} more: --all\n`) : '');
}

function actorOf({ actor }: AuditEntry): string {
  if (actor.type !== 'key') return actor.label ? `${actor.type} (${actor.label})` : actor.type;
  return `${actor.label ?? actor.apiKeyId?.slice(0, 8)} (${actor.role ?? 'key'})`;
}

/** `role: member -> admin`, `reason: gone`; ids are left to `--json`. */
function detailsOf({ details }: AuditEntry): string {
  if (typeof details.from === 'string' && typeof details.to === 'string')
    return change(details.from, details.to);
  return Object.entries(details)
    .filter(([name]) => !/Id$/.test(name))
    .map(([name, value]) => {
      const isChange = typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
      return `${name}: ${isChange ? change(value.from, value.to) : plain(value)}`;
    })
    .join(', ');
}

function change(from: unknown, to: unknown): string {
  return `${plain(from)} -> ${plain(to)}`;
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
