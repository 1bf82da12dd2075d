// The pages about managing a project: keys and sessions, team, webhooks, shares, and the audit log.

import {
  auditPage,
  filesPage,
  keysPage,
  type PageContext,
  settingsPage,
  sharesPage,
  teamPage,
  usagePage,
  webhookPage,
  webhooksPage,
} from '@envsnap/console';
import { auditAction, operations } from '@envsnap/shared';
import { checkRole } from '../infra/http/check-role.ts';
import { validate } from '../infra/http/validate.ts';
import type { Features } from '../work.ts';
import { given, type MadePage, type Visit } from './visit.ts';

const listedSessions = 100;

/** The pages by their addresses below the console, as Express writes them. */
export function createProjectPages({ read }: { readonly read: Features }) {
  const pages = {
    async webhooks(visit) {
      const made = await visit.made(operations.createWebhook);
      const list = await visit.ask(operations.listWebhooks);
      const failing = await read.webhooks.failing(visit.principal.projectId);
      return webhooksPage(afterMaking(visit, made), { list, failing, made });
    },
    async 'webhooks/:id'(visit) {
      const { projectId, role } = visit.principal;
      checkRole(operations.getWebhook, role);
      const { id } = validate(operations.getWebhook.params, visit.request.params, 'path');
      const after = operations.getWebhook.params.safeParse({ id: visit.query('after') }).data?.id;
      const [event, onlyFailed] = [visit.query('event'), visit.query('result') === 'failed'];
      const log = await read.webhooks.log(projectId, id, role, { after, event, onlyFailed });
      const failing = (await read.webhooks.failing(projectId)).find((webhook) => webhook.id === id);
      return webhookPage(visit.context, { ...log, failing, event: event ?? null, onlyFailed });
    },
    async keys(visit) {
      const { role, projectId, apiKeyId } = visit.principal;
      const mayList = operations.listKeys.access.some((each) => each === role);
      const offset = Number(/^\d{1,7}$/.exec(visit.query('offset') ?? '')?.[0] ?? 0);
      const { sessions, total } = await read.sessions.list(
        { projectId, apiKeyId: mayList ? null : apiKeyId, limit: listedSessions, offset },
        visit.sessionId,
      );
      const made = await visit.made(operations.createKey);
      return keysPage(afterMaking(visit, made), {
        keys: mayList ? (await visit.ask(operations.listKeys)).keys : null,
        sessions,
        offset,
        total,
        made,
      });
    },
    async team(visit) {
      const made = await visit.made(operations.inviteMember);
      const { projectId } = visit.principal;
      const list = await visit.ask(operations.listMembers, { params: { projectId } });
      return teamPage(afterMaking(visit, made), { list, made });
    },
    async audit(visit) {
      const action = auditAction.safeParse(visit.query('action')).data;
      const actor = visit.query('actor');
      const [from, to] = [dayOf(visit.query('from')), dayOf(visit.query('to'))];
      const until = to && `${to}T23:59:59.999Z`;
      const query = given({ action, actor, from, to: until, after: visit.query('after') });
      return auditPage(visit.context, {
        list: await visit.ask(operations.listAuditEntries, { query }),
        action: action ?? null,
        actor: actor ?? null,
        from: from ?? null,
        to: to ?? null,
        keys: (await visit.ask(operations.listKeys)).keys,
      });
    },
    async files(visit) {
      const query = given({ after: visit.query('after') });
      return filesPage(visit.context, { list: await visit.ask(operations.listFiles, { query }) });
    },
    async usage(visit) {
      const usage = await visit.ask(operations.getUsage);
      return usagePage(visit.context, { usage, history: await visit.ask(operations.getUsageHistory) });
    },
    async settings(visit) {
      const params = { id: visit.principal.projectId };
      return settingsPage(visit.context, { project: await visit.ask(operations.getProject, { params }) });
    },
    async shares(visit) {
      const made = await visit.made(operations.createShare);
      const list = await visit.ask(operations.listShares);
      return sharesPage(afterMaking(visit, made), { list, made });
    },
  } satisfies Record<string, (visit: Visit) => Promise<MadePage>>;

  return { pages };
}

/** The notice on a page whose address names a form's result that is no longer shown; otherwise empty. */
function afterMaking({ context, request }: Visit, made: unknown): PageContext {
  return { ...context, isShownNoMore: request.query.made !== undefined && made === undefined };
}

function dayOf(text: string | undefined): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? text : undefined;
}
