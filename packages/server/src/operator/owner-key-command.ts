// `envsnap-server keys reset-owner`: a new key for a project whose owner has lost theirs, or whose key is known to others.

import { rememberKey } from '../audit/sign-in-failures.ts';
import { apiKeyPrefixOf, generateApiKey, hashApiKey } from '../infra/crypto/api-key.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { parseProjectId } from './arguments.ts';
import { operatorAudit } from './operator-audit.ts';
import { OperatorError } from './operator-error.ts';
import { loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
import { print, warn } from './print.ts';
import { getProject } from './project-rows.ts';

const findOwner = defineStatement<{ projectId: string }, { id: string; label: string | null }>(
  (qb, p, dialect) =>
    dialect.lockRows(qb('api_keys').select('id', 'label').where({ project_id: p.projectId, role: 'owner' })),
);

const replaceSecret = defineStatement<{ id: string; keyHash: string; prefix: string }>((qb, p) =>
  qb('api_keys').where('id', p.id).update({ key_hash: p.keyHash, prefix: p.prefix, last_used_at: null }),
);

/** Replaces the secret of the owner's key; the old one is refused from now on. Errors: OperatorError, StartupError. */
export async function runKeysResetOwner(projectId: string, flags: OperatorFlags): Promise<void> {
  const id = parseProjectId(projectId);
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const project = await getProject(database, id);
    const apiKey = generateApiKey();
    const apiKeyId = await database.transact((executor) => replaceOwnerKey(executor, id, apiKey));
    print(flags, { projectId: id, apiKeyId, apiKey }, [apiKey]);
    warn(
      `This is the owner's key of "${project.name}" now; it will not be shown again. The old one is refused from now on.`,
    );
  });
}

async function replaceOwnerKey(executor: Executor, projectId: string, apiKey: string): Promise<string> {
  const owner = await executor.get(findOwner, { projectId });
  if (!owner) throw new OperatorError(`the project ${projectId} has no owner; run envsnap-server doctor`);
  const { id, label } = owner;
  await executor.run(rememberKey, { id, endedAtMs: Date.now() });
  await executor.run(replaceSecret, { id, keyHash: hashApiKey(apiKey), prefix: apiKeyPrefixOf(apiKey) });
  operatorAudit(executor).record({
    projectId,
    action: 'key.owner_reset',
    target: { type: 'key', id, name: label },
  });
  return id;
}
