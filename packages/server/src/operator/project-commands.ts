// `envsnap-server project list|show|delete`: the projects on the server, without a key of the project. Projects that are being
// deleted are not listed.

import { type ApiKeyRow, listKeys } from '../api-keys/repository.ts';
import { OperatorError, StartupError } from '../infra/app-error.ts';
import { toTimestamp } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';
import { loadOperatorConfig, type OperatorFlags, parseProjectId, withDatabase } from './operator-session.ts';
import { columns, print } from './print.ts';

/** A project with what it uses; times in milliseconds since the epoch. */
interface OperatedProject {
  id: string;
  name: string;
  description: string | null;
  created_at: number;
  snapshots_used: number;
  files_used: number;
  storage_used_bytes: number;
  api_keys: number;
}

interface OperatedWebhook {
  id: string;
  url: string;
  active: boolean;
  failing_since: number | null;
  deactivation_reason: string | null;
}

const projects = `select projects.id, projects.name, projects.description, projects.created_at,
    snapshots_used, files_used, storage_used_bytes,
    (select count(*) from api_keys where api_keys.project_id = projects.id) as api_keys
  from projects join project_quotas on project_quotas.project_id = projects.id
  where projects.deleted_at is null`;
const listProjects = defineSql<NoParams, OperatedProject>(
  `${projects} order by projects.created_at, projects.id`,
);
const findProject = defineSql<{ id: string }, OperatedProject>(`${projects} and projects.id = :id`);

export const listWebhooks = defineSql<{ projectId: string }, OperatedWebhook>(
  `select id, url, active, failing_since, deactivation_reason from webhooks
  where project_id = :projectId and deleted_at is null order by created_at, id`,
);

/** An existing project. Errors: OperatorError. */
export async function getProject(executor: Executor, id: string): Promise<OperatedProject> {
  const project = await executor.get(findProject, { id });
  if (project) return project;
  throw new OperatorError(`there is no project ${id}`, 4);
}

/** Prints every project with what it uses, oldest first. */
export async function runProjectList(flags: OperatorFlags): Promise<void> {
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const found = (await database.all(listProjects)).map(describeProject);
    const rows = found.map(({ id, name, createdAt, used: { snapshots, files, storageBytes, apiKeys } }) => [
      id,
      createdAt.slice(0, 10),
      snapshots,
      files,
      storageBytes,
      apiKeys,
      name,
    ]);
    const head = ['project', 'created', 'snapshots', 'files', 'storage, bytes', 'keys', 'name'];
    print(flags, { projects: found }, columns([head, ...rows]));
  });
}

/** Prints a project with its keys and webhooks. Errors: OperatorError, StartupError. */
export async function runProjectShow(projectId: string, flags: OperatorFlags): Promise<void> {
  const id = parseProjectId(projectId);
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const project = describeProject(await getProject(database, id));
    const keys = (await database.all(listKeys, { projectId: id })).map(describeKey).reverse();
    const webhooks = (await database.all(listWebhooks, { projectId: id })).map((webhook) => ({
      id: webhook.id,
      // The rest of a URL may hold a secret.
      origin: new URL(webhook.url).origin,
      active: webhook.active,
      failingSince: timeOf(webhook.failing_since),
      deactivationReason: webhook.deactivation_reason,
    }));
    const { used } = project;
    const head = ['webhook', 'state', 'failing since', 'origin'];
    const states = webhooks.map(
      ({ id: webhookId, active, deactivationReason: why, failingSince, origin }) => [
        webhookId,
        active ? 'active' : `off${why ? ` (${why})` : ''}`,
        failingSince,
        origin,
      ],
    );
    print(flags, { ...project, keys, webhooks }, [
      ...columns([
        ['project', project.id],
        ['name', project.name],
        ['description', project.description],
        ['created', project.createdAt],
        ['holds', `${used.snapshots} snapshots, ${used.files} files, ${used.storageBytes} bytes`],
      ]),
      '',
      ...columns([
        ['key', 'role', 'begins with', 'last used', 'expires', 'label'],
        ...keys.map((key) => [
          key.id,
          key.role,
          key.prefix,
          key.lastUsedAt ?? 'never',
          key.expiresAt,
          key.label,
        ]),
      ]),
      ...(webhooks.length === 0 ? [] : ['', ...columns([head, ...states])]),
    ]);
  });
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}

export function describeKey({ created_at, last_used_at, expires_at, ...key }: ApiKeyRow) {
  const [lastUsedAt, expiresAt] = [timeOf(last_used_at), timeOf(expires_at)];
  return { ...key, createdAt: toTimestamp(created_at), lastUsedAt, expiresAt };
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

/** Deletes a project with everything in it. Errors: OperatorError, StartupError without `--yes`. */
export async function runProjectDelete(
  projectId: string,
  flags: OperatorFlags & { yes?: boolean },
): Promise<void> {
  const id = parseProjectId(projectId);
  const config = loadOperatorConfig(flags);
  await withDatabase(config, async (database) => {
    const { name } = await getProject(database, id);
    if (!flags.yes) {
      throw new StartupError(
        `this would permanently delete the project "${name}" with all its snapshots, files and keys: to confirm, repeat the command with --yes`,
      );
    }
    const { createOperatorFeatures } = await import('./operator-features.ts');
    const createFeatures = await createOperatorFeatures(config, database);
    await database.transact((executor) => createFeatures(executor).projects.remove(id));
    await database.discardDeleted();
    print(flags, { deleted: id, name }, [
      `deleted the project "${name}"; its keys and encrypted values are gone, and the server removes the rest`,
    ]);
  });
}
