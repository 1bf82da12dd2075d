// `envsnap-server audit`: the audit log of a project, or that of the server: what no project's log can hold.

import { auditActionNames } from '@envsnap/shared/catalogue/audit-actions';
import { StartupError } from '../infra/app-error.ts';
import { parseNumber, parseProjectId } from './arguments.ts';
import { operatorAudit } from './operator-audit.ts';
import { loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
import { columns, print } from './print.ts';

const defaultLimit = 100;

/** Prints the newest entries. Errors: StartupError. */
export async function runAudit(
  projectId: string | undefined,
  flags: OperatorFlags & { action?: string; limit?: string },
): Promise<void> {
  const id = projectId === undefined ? null : parseProjectId(projectId);
  const { action } = flags;
  if (action !== undefined && !auditActionNames.some((name) => name === action)) {
    throw new StartupError(`--action must be one of ${auditActionNames.join(', ')}`);
  }
  const limit = flags.limit === undefined ? defaultLimit : parseNumber('--limit', flags.limit, 1, 9_999_999);
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const { entries, total } = await operatorAudit(database).list(
      { projectId: id, action },
      { limit, offset: 0 },
    );
    const rows = entries.map(({ createdAt, actor, action: done, target, details }) => [
      createdAt,
      actor.type === 'key'
        ? `${actor.label ?? actor.apiKeyId} (${actor.role})`
        : `${actor.type} ${actor.label ?? ''}`,
      done,
      target.name ?? target.id ?? target.type,
      JSON.stringify(details),
    ]);
    print(flags, { entries, total }, columns([['when', 'who', 'action', 'target', 'details'], ...rows]));
  });
}
