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
      'A key, the operator on the command line, the server itself, or unknown: a caller without a valid key.',
    ),
  apiKeyId: p.orNull(p.uuid, 'Id of the key; null if the actor was not a key.'),
  label: p.stringOrNull(
    "The key's label at that time, or the system account of the operator; null when there is none.",
  ),
  role: p.orNull(p.role, "The key's role at that time; null when there is none."),
  memberId: p.orNull(p.uuid, 'Id of the member whose key it was; null when there is none.'),
});

export const auditTarget = p.object('AuditTarget', {
  type: z.enum(auditTargetTypes).describe('What kind of thing it was done to.'),
  id: p.orNull(p.uuid, 'Id of that thing; null when it has none.'),
  name: p.stringOrNull(
    'Its name, label or origin at that time, to recognise it after its deletion; null when it has none.',
  ),
});

export const auditEntry = p.object('AuditEntry', {
  id: p.uuid.describe('Id of the entry.'),
  action: auditAction.describe('What was done. Later versions may add actions.'),
  actor: auditActor.describe('Who did it.'),
  target: auditTarget.describe('What it was done to.'),
  details: z
    .record(z.string(), z.unknown())
    .describe('More information, such as the role before and after. Never a secret.'),
  requestId: p.stringOrNull("The server's own id of the request that did it; null if no request did."),
  clientRequestId: p.stringOrNull(
    'The `X-Request-Id` that the caller sent with it, which anybody may choose; null when there was none.',
  ),
  clientAddress: p.stringOrNull(
    'Address that the request came from, behind trusted proxies; null when there was no request.',
  ),
  createdAt: p.timestamp.describe('When it was done.'),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditOperations = defineOperations('projects', {
  listAuditEntries: {
    route: 'GET /machine/audit',
    summary: 'List what was done in the project and by whom, the newest first',
    access: ['owner', 'admin'],
    query: p.cursorQuery
      .extend({
        action: auditAction.optional().describe('Only entries of this action.'),
        actor: z
          .string()
          .regex(
            /^(operator|server|unknown|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i,
            'must be the id of a key, operator, server or unknown',
          )
          .toLowerCase()
          .optional()
          .describe('Only entries of this actor: the id of a key, `operator`, `server` or `unknown`.'),
        from: p.queryMoment.optional().describe('Only entries written at or after this time.'),
        to: p.queryMoment.optional().describe('Only entries written at or before this time.'),
      })
      .refine(p.isForward, { path: ['from'], message: 'must not be after "to"' }),
    response: p.named(
      'PageOfAuditEntries',
      p.cursorInfo.extend({ entries: p.list(auditEntry, 'The page, the newest first.') }),
    ),
    answer: 'A page of the audit log.',
  },
});
