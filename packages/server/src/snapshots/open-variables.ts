// Opens the variables of a stored snapshot.

import type { DataKeys } from '../infra/crypto/data-keys.ts';
import { variablesPlace } from '../infra/crypto/variables-place.ts';
import type { Executor } from '../infra/db/database.ts';
import type { SnapshotRow } from './repository.ts';

/** The variables of a project's row as JSON. */
export type OpenVariables = (
  projectId: string,
  row: Pick<SnapshotRow, 'id' | 'env_ciphertext'>,
) => Promise<Buffer>;

export function createOpenVariables(executor: Executor, dataKeys: DataKeys): OpenVariables {
  return async (projectId, row) => {
    const cipher = await dataKeys.cipherOf(executor, projectId);
    return cipher.open(variablesPlace(row.id), row.env_ciphertext);
  };
}
