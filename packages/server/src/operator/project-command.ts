// `envsnap-server project list|show`: the projects on the server, without a key of theirs.

import { toTimestamp } from '../infra/timestamp.ts';
import { parseProjectId } from './arguments.ts';
import { loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
import { columns, print } from './print.ts';
import { getProject, listKeys, listProjects, listWebhooks, type OperatedProject } from './project-rows.ts';

/** Prints every project with what it uses, the oldest first. */
export async function runProjectList(flags: OperatorFlags): Promise<void> {
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const projects = (await database.all(listProjects)).map(describeProject);
    const rows = projects.map(({ id, name, createdAt, used }) => [
      id,
      createdAt.slice(0, 10),
      `${used.snapshots}`,
      `${used.files}`,
      `${used.storageBytes}`,
      `${used.apiKeys}`,
      name,
    ]);
    const head = ['project', 'created', 'snapshots', 'files', 'storage, bytes', 'keys', 'name'];
    print(flags, { projects }, columns([head, ...rows]));
  });
}

/** Prints a project with its keys and webhooks. Errors: OperatorError, StartupError. */
export async function runProjectShow(projectId: string, flags: OperatorFlags): Promise<void> {
  const id = parseProjectId(projectId);
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const project = describeProject(await getProject(database, id));
    const keys = (await database.all(listKeys, { projectId: id })).map((key) => ({
      id: key.id,
      label: key.label,
      role: key.role,
      prefix: key.prefix,
      createdAt: toTimestamp(key.created_at),
      lastUsedAt: key.last_used_at === null ? null : toTimestamp(key.last_used_at),
      expiresAt: key.expires_at === null ? null : toTimestamp(key.expires_at),
    }));
    const webhooks = (await database.all(listWebhooks, { projectId: id })).map((webhook) => ({
      id: webhook.id,
      // The rest of a URL may hold a secret.
      origin: new URL(webhook.url).origin,
      active: webhook.active,
      failingSince: webhook.failing_since === null ? null : toTimestamp(webhook.failing_since),
      deactivationReason: webhook.deactivation_reason,
    }));
    const { used } = project;
    print(flags, { ...project, keys, webhooks }, [
      ...columns([
        ['project', project.id],
        ['name', project.name],
        ['description', project.description ?? '-'],
        ['created', project.createdAt],
        ['holds', `${used.snapshots} snapshots, ${used.files} files, ${used.storageBytes} bytes`],
      ]),
      '',
      ...columns([
        ['key', 'role', 'begins with', 'last used', 'expires', 'label'],
        ...keys.map((key) => [
          ...[key.id, key.role, key.prefix, key.lastUsedAt ?? 'never'],
          ...[key.expiresAt ?? '-', key.label ?? '-'],
        ]),
      ]),
      ...(webhooks.length === 0
        ? []
        : [
            '',
            ...columns([
              ['webhook', 'state', 'failing since', 'origin'],
              ...webhooks.map((webhook) => [
                webhook.id,
                webhook.active
                  ? 'active'
                  : `off${webhook.deactivationReason ? ` (${webhook.deactivationReason})` : ''}`,
                webhook.failingSince ?? '-',
                webhook.origin,
              ]),
            ]),
          ]),
    ]);
  });
}

function describeProject(row: OperatedProject) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: toTimestamp(row.created_at),
    used: {
      snapshots: row.snapshots_used,
      files: row.files_used,
      storageBytes: row.storage_used_bytes,
      apiKeys: Number(row.api_keys),
    },
  };
}
