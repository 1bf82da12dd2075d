// The actions in the audit log, one row each. A server writes nothing else into it.

import actions from './audit-actions.json' with { type: 'json' };

/** Actions by name, with what each says in a sentence. */
const auditActions: Readonly<Record<AuditAction, string>> = actions;

export type AuditAction = keyof typeof actions;

export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

export const auditTargetTypes = [
  'project',
  'key',
  'member',
  'webhook',
  'snapshot',
  'share',
  'session',
  'file',
  'fingerprint_key',
  'server',
] as const;
export type AuditTargetType = (typeof auditTargetTypes)[number];

/** Who acts: a key, the operator's command line, the server itself, or a caller without a valid key. */
export const auditActorTypes = ['key', 'operator', 'server', 'unknown'] as const;
export type AuditActorType = (typeof auditActorTypes)[number];
