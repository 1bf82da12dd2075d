// The pages over what a project manages: keys and sessions, team, webhooks, shares, and the audit log.

import { auditPage, keysPage, sharesPage, teamPage, webhookPage, webhooksPage } from '@envsnap/console';
import { auditAction, operations, type ResponseOf } from '@envsnap/shared';
import type { Features } from '../work.ts';
import { given, type MadePage, type Visit } from './visit.ts';

const listedSessions = 100;

/** The pages by their addresses below the console, as Express writes them. */
export function createProjectPages({ read }: { readonly read: Features }) {
  const keys = async (visit: Visit, made?: ResponseOf<typeof operations.createKey>) => {
    const { role, projectId, apiKeyId } = visit.principal;
    const mayList = operations.listKeys.access.some((each) => each === role);
    const offset = offsetOf(visit.query('offset'));
    const { sessions, hasMore } = await read.sessions.list(
      { projectId, apiKeyId: mayList ? undefined : apiKeyId, limit: listedSessions, offset },
      visit.sessionId,
    );
    return keysPage(visit.context, {
      keys: mayList ? (await visit.ask(operations.listKeys)).keys : null,
      sessions,
      nextOffset: hasMore ? offset + listedSessions : null,
      made,
    });
  };

  const pages = {
    webhooks: async (visit) =>
      webhooksPage(visit.context, { list: await visit.ask(operations.listWebhooks) }),
    'webhooks/:id': async (visit) =>
      webhookPage(visit.context, {
        webhook: await visit.ask(operations.getWebhook, { params: visit.request.params }),
      }),
    keys: (visit) => keys(visit),
    team: async (visit) => teamPage(visit.context, { list: await listMembers(visit) }),
    async audit(visit) {
      const action = auditAction.safeParse(visit.query('action')).data;
      const query = given({ action, after: visit.query('after') });
      return auditPage(visit.context, {
        list: await visit.ask(operations.listAuditEntries, { query }),
        action: action ?? null,
      });
    },
    shares: async (visit) => sharesPage(visit.context, { list: await visit.ask(operations.listShares) }),
  } satisfies Record<string, (visit: Visit) => Promise<MadePage>>;

  /** Pages that show what their form has just made, this once. */
  const made = {
    createKey: async (visit: Visit, body: unknown) =>
      keys(visit, await visit.ask(operations.createKey, { body: async () => body })),
    async createWebhook(visit: Visit, body: unknown) {
      const webhook = await visit.ask(operations.createWebhook, { body: async () => body });
      return webhooksPage(visit.context, { list: await visit.ask(operations.listWebhooks), made: webhook });
    },
    async inviteMember(visit: Visit, body: unknown) {
      const { projectId } = visit.principal;
      const input = { params: { projectId }, body: async () => body };
      const member = await visit.ask(operations.inviteMember, input);
      return teamPage(visit.context, { list: await listMembers(visit), made: member });
    },
    async createShare(visit: Visit, body: unknown) {
      const share = await visit.ask(operations.createShare, { body: async () => body });
      return sharesPage(visit.context, { list: await visit.ask(operations.listShares), made: share });
    },
  } satisfies Record<string, (visit: Visit, body: unknown) => Promise<MadePage>>;

  return { pages, made };
}

function listMembers(visit: Visit) {
  const { projectId } = visit.principal;
  return visit.ask(operations.listMembers, { params: { projectId } });
}

function offsetOf(text: string | undefined): number {
  return /^\d{1,7}$/.test(text ?? '') ? Number(text) : 0;
}
