// envsnap audit

import type { ListAuditEntriesAnswer } from '@envsnap/sdk';
import type { AuditEntry } from '@envsnap/shared';
import { auditActionNames } from '@envsnap/shared/catalogue/audit-actions';
import { jsonText } from '@envsnap/shared/text/visible';
import { integer, option, string } from '@oclif/core/flags';
import { wholeList } from '../actions/service/whole-list.ts';
import { limitOptions, pageFlags } from '../flags.ts';
import { renderRows, when } from '../render/layout/table.ts';
import type { Screen } from '../terminal/terminal.ts';
import { serviceCommand } from './service-command.ts';

export const auditCommand = {
  audit: serviceCommand({
    summary: 'Show what was done in the project, by whom and from where, newest first.',
    description:
      "Needs an owner's or admin's key. --format jsonl --all exports the whole log, one entry per line.",
    examples: [
      'envsnap audit --action key.revoked',
      'envsnap audit --all --format jsonl --from 2026-02-01 > audit.jsonl',
    ],
    flags: {
      action: option({ options: auditActionNames, helpValue: 'ACTION', summary: 'Only this action.' })(),
      actor: string({
        summary: 'Only this actor: the id of a key, or the word operator, server or unknown.',
        helpValue: 'WHO',
      }),
      from: string({ summary: 'Only entries written at or after this time (ISO 8601).', helpValue: 'TIME' }),
      to: string({ summary: 'Only entries written at or before this time (ISO 8601).', helpValue: 'TIME' }),
      limit: integer({ ...limitOptions, char: 'n' }),
      all: pageFlags.all,
      format: option({
        options: ['table', 'jsonl'] as const,
        default: 'table' as const,
        summary: 'A table, or one line of JSON for each entry.',
      })(),
    },
    async ask({ flags, client, command }): Promise<ListAuditEntriesAnswer | undefined> {
      const { action, actor, from, to, limit, all, format } = flags;
      const { audit } = await client();
      const filter = { action, actor, from, to };
      const onePage = () => audit.list({ ...filter, limit });
      if (format === 'jsonl' && !command.jsonEnabled()) {
        // An export may be larger than memory: its lines are printed as they come.
        const entries = all ? audit.iterate(filter) : (await onePage()).entries;
        for await (const entry of entries) command.printAsIs(jsonText(entry, 0));
        return undefined;
      }
      const page = all ? await wholeList(audit.iterate(filter), (entries) => ({ entries })) : await onePage();
      command.print(renderAuditEntries(page, command.screen));
      return page;
    },
  }),
};

function renderAuditEntries({ entries, total }: ListAuditEntriesAnswer, screen: Screen): string {
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

/** `role: member -> admin`, `reason: gone`; ids are only in `--json`. */
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
