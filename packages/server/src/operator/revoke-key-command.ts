// `envsnap-server keys revoke`: by the rules by which the service revokes one.

import { findCurrent } from '../api-keys/repository.ts';
import { StartupError } from '../infra/app-error.ts';
import { parseKeyId } from './arguments.ts';
import { OperatorError } from './operator-error.ts';
import { createOperatorFeatures } from './operator-features.ts';
import { loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
import { print } from './print.ts';

/** Revokes a key of any project, unless it is the owner's. Errors: OperatorError, StartupError. */
export async function runKeysRevoke(keyId: string, flags: OperatorFlags): Promise<void> {
  const id = parseKeyId(keyId);
  const config = loadOperatorConfig(flags);
  await withDatabase(config, async (database) => {
    const key = await database.get(findCurrent, { id });
    if (!key) throw new OperatorError(`there is no key ${id}; it may have been revoked already`, 4);
    const { project_id: projectId, project_name: projectName, label, role } = key;
    if (role === 'owner') {
      throw new StartupError(
        `this is the owner's key of "${projectName}", which cannot be revoked: ` +
          `replace it with envsnap-server keys reset-owner ${projectId}`,
      );
    }
    const createFeatures = await createOperatorFeatures(config, database);
    await database.transact((executor) => createFeatures(executor).apiKeys.revoke({ projectId }, id));
    print(flags, { revoked: id, label, role, projectId, projectName }, [
      `revoked the ${role}'s key ${label === null ? id : `"${label}"`} of the project "${projectName}"`,
    ]);
  });
}
