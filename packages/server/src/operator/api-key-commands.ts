// `envsnap-server keys reset-owner|revoke`: replaces a lost or leaked owner's key, and revokes any other key by the rules of the
// service.

import { randomUUID } from 'node:crypto';
import * as rows from '../api-keys/repository.ts';
import { OperatorError, StartupError } from '../infra/app-error.ts';
import { apiKeyPrefixOf, generateApiKey, hashApiKey } from '../infra/crypto/api-key.ts';
import type { Executor } from '../infra/db/database.ts';
import { readDatabaseClock } from '../infra/db/database-clock.ts';
import { defineSql } from '../infra/db/statement.ts';
import { lockProject } from '../projects/repository.ts';
import { operatorAudit } from './operator-audit.ts';
import { loadOperatorConfig, type OperatorFlags, parseProjectId, withDatabase } from './operator-session.ts';
import { print, warn } from './print.ts';
import { getProject } from './project-commands.ts';

interface OwnerRow {
  id: string;
  label: string | null;
  member_id: string;
  joined_at: number;
}

const findOwner = defineSql<{ projectId: string }, OwnerRow>(
  ({ lock }) => `select api_keys.id, label, memberships.id as member_id, joined_at from api_keys
  join memberships on memberships.api_key_id = api_keys.id
  where api_keys.project_id = :projectId and role = 'owner' ${lock('api_keys')} ${lock('memberships')}`,
);

/** Replaces the owner's key. The old one ends with its sessions and links. Errors: OperatorError, StartupError. */
export async function runKeysResetOwner(projectId: string, flags: OperatorFlags): Promise<void> {
  const id = parseProjectId(projectId);
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const apiKey = generateApiKey();
    const { apiKeyId, name } = await database.transact((executor) => replaceOwnerKey(executor, id, apiKey));
    print(flags, { projectId: id, apiKeyId, apiKey }, [apiKey]);
    warn(
      `This is the new key of the owner of "${name}"; it will not be shown again. The old key and its sessions have ended. ` +
        'Keys, shares and webhooks that it created remain.',
    );
  });
}

/** The member stays the same; only the key changes. */
async function replaceOwnerKey(executor: Executor, projectId: string, apiKey: string) {
  await executor.get(lockProject, { id: projectId });
  const { name } = await getProject(executor, projectId);
  const owner = await executor.get(findOwner, { projectId });
  if (!owner) throw new OperatorError(`the project ${projectId} has no owner; run envsnap-server doctor`);
  const { label } = owner;
  const id = randomUUID();
  const nowMs = (await readDatabaseClock(executor)).nowMs();
  await rows.removeKey(executor, owner.id, nowMs);
  await executor.run(rows.insertKey, {
    id,
    project_id: projectId,
    key_hash: hashApiKey(apiKey),
    prefix: apiKeyPrefixOf(apiKey),
    label,
    role: 'owner',
    created_at: nowMs,
    expires_at: null,
  });
  await executor.run(rows.insertMembership, {
    id: owner.member_id,
    project_id: projectId,
    api_key_id: id,
    invited_by: null,
    joined_at: owner.joined_at,
  });
  const log = await operatorAudit(executor);
  log.record(projectId, 'key.owner_reset', { type: 'key', id, name: label }, { replaced: owner.id });
  return { apiKeyId: id, name };
}

const findByPrefix = defineSql<{ id: string }, rows.CurrentKeyRow>(
  `select ${rows.keyColumns}, project_id, projects.name as project_name ${rows.withProject} and prefix = :id`,
);

/** Revokes a key of any project, by its id or how it begins, unless it is the owner's. Errors: OperatorError, StartupError. */
export async function runKeysRevoke(text: string, flags: OperatorFlags): Promise<void> {
  const mistake = 'KEY must be the id of a key or its first 11 characters, as project show prints them';
  // Whoever pastes a leaked key needs no more than its beginning.
  const prefix = /^mk_[0-9a-f]{8}/.exec(text)?.[0];
  const id = prefix ?? parseProjectId(text, mistake);
  const config = loadOperatorConfig(flags);
  await withDatabase(config, async (database) => {
    const [key, ...others] = await database.all(prefix ? findByPrefix : rows.findCurrent, { id });
    if (!key) throw new OperatorError(`there is no key ${id}; it may have been revoked already`, 4);
    if (others.length > 0) {
      const ids = [key, ...others].map((each) => each.id).join(', ');
      throw new StartupError(`several keys begin with ${id}: give the whole id of one (${ids})`);
    }
    const { project_id: projectId, project_name: projectName, label, role } = key;
    if (role === 'owner') {
      throw new StartupError(
        `this is the owner's key of "${projectName}", which cannot be revoked: ` +
          `replace it with envsnap-server keys reset-owner ${projectId}`,
      );
    }
    const { createOperatorFeatures } = await import('./operator-features.ts');
    const createFeatures = await createOperatorFeatures(config, database);
    await database.transact((executor) => createFeatures(executor).apiKeys.revoke({ projectId }, key.id));
    print(flags, { revoked: key.id, label, role, projectId, projectName }, [
      `revoked the ${role}'s key ${label === null ? key.id : `"${label}"`} of the project "${projectName}"`,
    ]);
    warn(`Keys, shares and webhooks that it created remain: see envsnap-server audit ${projectId}`);
  });
}
