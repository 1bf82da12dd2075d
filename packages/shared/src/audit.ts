// The audit log of a project: who did what, to what, when and from where. docs/specification.md §9.

import * as z from 'zod';
import { auditActionNames, auditActorTypes, auditTargetTypes } from './catalogue/audit-actions.ts';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

export const auditAction = p.named('AuditAction', z.enum(auditActionNames));

export const auditActor = p.object('AuditActor', {
  type: z
    .enum(auditActorTypes)
    .describe(
      'A key, the operator on the command line, the server, or `unknown` for a caller without a valid key.',
    ),
  apiKeyId: p.orNull(p.uuid, 'Id of the key; null if the actor was not a key.'),
  label: p.stringOrNull(
    "The key's label at that time, or the system account of the operator; null if there is none.",
  ),
  role: p.orNull(p.role, "The key's role at that time; null if there is none."),
  memberId: p.orNull(p.uuid, 'Id of the member whose key it was; null if there is none.'),
});

export const auditTarget = p.object('AuditTarget', {
  type: z.enum(auditTargetTypes).describe('Type of the target.'),
  id: p.orNull(p.uuid, 'Id of the target; null if it has none.'),
  name: p.stringOrNull(
    'Name, label or origin of the target at that time, even if it is deleted later; null if it has none.',
  ),
});

export const auditEntry = p.object('AuditEntry', {
  id: p.uuid.describe('Id of the entry.'),
  action: auditAction.describe('The action. Later versions may add actions.'),
  actor: auditActor.describe('Who performed the action.'),
  target: auditTarget.describe('The target of the action.'),
  details: z
    .record(z.string(), z.unknown())
    .describe('More information, such as the role before and after a change. It never contains a secret.'),
  requestId: p.stringOrNull("The server's id of the request; null if there was no request."),
  clientRequestId: p.stringOrNull(
    'The `X-Request-Id` that the caller chose and sent; null if there was none.',
  ),
  clientAddress: p.stringOrNull(
    "The client's address, as trusted proxies report it; null if there was no request.",
  ),
  createdAt: p.timestamp.describe('When the action took place.'),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditOperations = defineOperations('projects', {
  listAuditEntries: {
    route: 'GET /machine/audit',
    summary: 'List the audit log of the project, newest first',
    access: ['owner', 'admin'],
    query: p.cursorQuery
      .extend({
        action: auditAction.optional().describe('Only entries with this action.'),
        actor: z
          .string()
          .regex(
            /^(operator|server|unknown|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i,
            'must be the id of a key, operator, server or unknown',
          )
          .toLowerCase()
          .optional()
          .describe('Only entries with this actor: the id of a key, `operator`, `server` or `unknown`.'),
        from: p.queryMoment.optional().describe('Only entries written at or after this time.'),
        to: p.queryMoment.optional().describe('Only entries written at or before this time.'),
      })
      .refine(p.isForward, { path: ['from'], message: 'must not be after "to"' }),
    response: p.named(
      'PageOfAuditEntries',
      p.cursorInfo.extend({ entries: p.list(auditEntry, 'The entries of this page, newest first.') }),
    ),
    answer: 'A page of the audit log.',
  },
});
