// The actions in the audit log, one row each. A server writes nothing else into it.

/** Actions by name, with what each says in a sentence. */
export const auditActions = {
  'project.created': 'The project was created.',
  'project.updated': 'The name or description of the project was changed.',
  'project.deleted': 'The project was deleted with everything in it. Only the operator can read this entry.',
  'key.created': 'A key was created.',
  'key.revoked': 'A key was revoked and its member removed.',
  'key.owner_reset': 'The operator replaced the key of the owner.',
  'member.invited': 'A member was invited with a new key.',
  'member.role_changed': 'A member was given another role.',
  'member.removed': 'A member was removed and their key revoked.',
  'webhook.created': 'A webhook was created.',
  'webhook.updated': 'The URL, the events or the state of a webhook were changed.',
  'webhook.deactivated': 'The server switched a webhook off because its deliveries kept failing.',
  'webhook.deleted': 'A webhook was deleted with its delivery log.',
  'snapshot.deleted': 'A snapshot was deleted.',
  'snapshot.variables_read':
    'The values of the variables of a snapshot were read. The console writes an entry each time, the API at most one an hour for each key and snapshot.',
  'diagnosis.made':
    'Runs were diagnosed, which shows values of variables that differ. The console writes an entry each time, the API at most one an hour for each key.',
  'share.created':
    'A page about a snapshot or a comparison was created. It opens without a key, at a secret address.',
  'session.opened': 'Somebody signed in to the console.',
  'session.ended': 'A session of the console was ended before its time.',
  'share.revoked': 'A share was revoked before its end.',
  'file.deleted': 'A file was deleted.',
  'file.downloaded': 'A file was downloaded. At most one entry an hour is written for each key and file.',
  'fingerprint_key.read':
    'The fingerprint key of the project was read. At most one entry an hour is written for each key.',
  'fingerprint_key.rotated': 'The fingerprint key of the project was replaced.',
  'quota.changed': 'The operator changed quotas or rate limits of the project.',
  'sign_in.failed':
    'Somebody called with a key that has been revoked or has expired. At most one entry an hour is written for each key.',
  'bootstrap.refused':
    'Somebody tried to create a project with a wrong bootstrap token. At most one entry an hour is written for each address.',
  'master_key.rotated': 'The operator wrapped the keys of all projects with another master key.',
  'backup.created': 'The operator made a backup.',
  'backup.incomplete': 'The operator made a backup that lacks files whose bytes the store has lost.',
  'backup.restored': 'The operator restored a backup into this database.',
  'logs.pruned': 'The operator deleted old logs.',
  'database.compacted': 'The operator returned the space of deleted rows to the disk.',
  'database.repaired': 'The operator let doctor correct the database.',
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof auditActions;

export const auditActionNames = Object.keys(auditActions) as [AuditAction, ...AuditAction[]];

export const auditTargetTypes = [
  ...['project', 'key', 'member', 'webhook', 'snapshot', 'share', 'session', 'file', 'fingerprint_key'],
  ...['server'],
] as const;
export type AuditTargetType = (typeof auditTargetTypes)[number];

/** Who acts: a key, the operator's command line, the server itself, or a caller without a valid key. */
export const auditActorTypes = ['key', 'operator', 'server', 'unknown'] as const;
export type AuditActorType = (typeof auditActorTypes)[number];
