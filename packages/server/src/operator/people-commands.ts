// `envsnap-server people list|remove`: the keys of one person in all projects. A person is identified by the label of their keys,
// which was chosen when they were invited.

import { type CurrentKeyRow, keyColumns, withProject } from '../api-keys/repository.ts';
import { OperatorError, StartupError } from '../infra/app-error.ts';
import type { Database } from '../infra/db/database.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';
import { loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
import { columns, count, print, warn } from './print.ts';
import { describeKey } from './project-commands.ts';

const listNamedKeys = defineSql<NoParams, CurrentKeyRow>(
  `select ${keyColumns}, project_id, projects.name as project_name ${withProject} and label is not null
  order by lower(label), projects.created_at, api_keys.id`,
);

async function findKeys(database: Database, matches: (label: string) => boolean) {
  const rows = await database.all(listNamedKeys);
  return rows
    .filter(({ label }) => label !== null && matches(label.toLowerCase()))
    .map(({ project_id: projectId, project_name: projectName, ...key }) => ({
      ...describeKey(key),
      projectId,
      projectName,
    }));
}

/** Prints the keys of those whose name has the text in it, or of everybody. Errors: StartupError. */
export async function runPeopleList(text: string | undefined, flags: OperatorFlags): Promise<void> {
  const part = (text ?? '').trim().toLowerCase();
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const keys = await findKeys(database, (label) => label.includes(part));
    const rows = keys.map((key) => [
      key.label,
      key.role,
      key.id,
      key.prefix,
      key.lastUsedAt ?? 'never',
      key.expiresAt,
      key.projectId,
      key.projectName,
    ]);
    const head = ['name', 'role', 'key', 'begins with', 'last used', 'expires', 'project', ''];
    print(flags, { keys }, columns([head, ...rows]));
  });
}

/** Revokes every key with this name but those of owners, as the service does. Errors: OperatorError, StartupError. */
export async function runPeopleRemove(name: string, flags: OperatorFlags & { yes?: boolean }): Promise<void> {
  const wantedLabel = name.trim().toLowerCase();
  const config = loadOperatorConfig(flags);
  await withDatabase(config, async (database) => {
    const keys = await findKeys(database, (label) => label === wantedLabel);
    if (keys.length === 0)
      throw new OperatorError(`nobody is called "${name}": see envsnap-server people list`, 4);
    const owned = keys.filter(({ role }) => role === 'owner');
    const revoked = keys.filter(({ role }) => role !== 'owner');
    const found = `${count(revoked.length, 'key')} of "${name}"`;
    if (!flags.yes && revoked.length > 0)
      throw new StartupError(`this would revoke ${found}: to confirm, repeat the command with --yes`);
    const { createOperatorFeatures } = await import('./operator-features.ts');
    const createFeatures = await createOperatorFeatures(config, database);
    // One transaction for each project, so that no request waits for all of them.
    for (const { projectId, id } of revoked)
      await database.transact((executor) => createFeatures(executor).apiKeys.revoke({ projectId }, id));
    print(flags, { revoked, kept: owned }, [`revoked ${found}`]);
    if (revoked.length > 0)
      warn('Keys, shares and webhooks that these keys created remain: see envsnap-server audit --all');
    for (const { projectId, projectName } of owned)
      warn(
        `The owner's key of "${projectName}" stays: replace it with envsnap-server keys reset-owner ${projectId}`,
      );
    if (owned.length > 0) process.exitCode = 7;
  });
}
