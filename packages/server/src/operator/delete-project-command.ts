// `envsnap-server project delete`: by the rules by which the service deletes one.

import { StartupError } from '../infra/app-error.ts';
import { parseProjectId } from './arguments.ts';
import { createOperatorFeatures } from './operator-features.ts';
import { loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
import { print } from './print.ts';
import { getProject } from './project-rows.ts';

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
        `this deletes the project "${name}" with all its snapshots, files and keys, for good: repeat the command with --yes`,
      );
    }
    const createFeatures = await createOperatorFeatures(config, database);
    await database.transact((executor) => createFeatures(executor).projects.remove(id));
    await database.discardDeleted();
    print(flags, { deleted: id, name }, [
      `deleted the project "${name}"; its keys and encrypted values are gone, the server removes what is left`,
    ]);
  });
}
