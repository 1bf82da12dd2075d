// envsnap audit

import type { ListAuditEntriesAnswer } from '@envsnap/sdk';
import { auditActionNames } from '@envsnap/shared/catalogue/audit-actions';
import { jsonText } from '@envsnap/shared/text/visible';
import { integer, option, string } from '@oclif/core/flags';
import { wholeList } from '../actions/service/whole-list.ts';
import { BaseCommand } from '../base-command.ts';
import { connectionFlags, limitOptions, pageFlags } from '../flags.ts';
import { renderAuditEntries } from '../render/service/audit.ts';

export default class Audit extends BaseCommand {
  static override summary = 'Show what was done in the project, by whom and from where, the newest first.';
  static override description =
    "Needs an owner's or admin's key. --format jsonl --all exports the whole log, one entry a line.";
  static override examples = [
    'envsnap audit --action key.revoked',
    'envsnap audit --all --format jsonl --from 2026-02-01 > audit.jsonl',
  ];
  static override flags = {
    action: option({ options: auditActionNames, helpValue: 'ACTION', summary: 'Only this action.' })(),
    actor: string({
      summary: 'Only this actor: the id of a key, operator, server or unknown.',
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
    ...connectionFlags,
  };

  override async run(): Promise<ListAuditEntriesAnswer | undefined> {
    const { flags } = await this.parse(Audit);
    const { action, actor, from, to, limit, all, format } = flags;
    const client = await this.client(flags);
    const filter = { action, actor, from, to };
    const onePage = () => client.audit.list({ ...filter, limit });
    if (format === 'jsonl' && !this.jsonEnabled()) {
      // An export may be larger than memory: its lines are printed as they come.
      const entries = all ? client.audit.iterate(filter) : (await onePage()).entries;
      for await (const entry of entries) this.printAsIs(jsonText(entry, 0));
      return undefined;
    }
    const page = all
      ? await wholeList(client.audit.iterate(filter), (entries) => ({ entries }))
      : await onePage();
    this.print(renderAuditEntries(page, this.screen));
    return page;
  }
}
