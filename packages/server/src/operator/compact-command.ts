// `envsnap-server compact`: gives the space of deleted rows back to the disk of the embedded database.

import { StartupError } from '../infra/app-error.ts';
import { compactSqlite, isSqliteInUse } from '../infra/db/sqlite-file.ts';
import { recordOperation } from './operator-audit.ts';
import {
  embeddedDatabaseFile,
  loadOperatorConfig,
  type OperatorFlags,
  withDatabase,
} from './operator-session.ts';
import { megabytes, print, warn } from './print.ts';

/** Runs the command. Errors: StartupError. */
export async function runCompact(flags: OperatorFlags): Promise<void> {
  const config = loadOperatorConfig(flags);
  const file = embeddedDatabaseFile(config);
  if (file === undefined) {
    throw new StartupError(
      'PostgreSQL sees to its space by itself; to give it back to the disk, run VACUUM FULL there while the servers are stopped',
    );
  }
  // Before this command opens it too.
  if (isSqliteInUse(file)) warn('The database is in use: the server waits until this is done.');
  await withDatabase(config, async (database) => {
    const compaction = compactSqlite(file);
    await recordOperation(database, 'database.compacted', { ...compaction });
    const { bytesBefore, bytesAfter } = compaction;
    print(flags, compaction, [
      `the database took ${megabytes(bytesBefore)} and takes ${megabytes(bytesAfter)} now`,
    ]);
  });
}
