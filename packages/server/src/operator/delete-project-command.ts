// `envsnap-server project delete`: by the rules by which the service deletes one.

import { createFeatureFactory } from '../features.ts';
import { StartupError } from '../infra/app-error.ts';
import { systemClock } from '../infra/clock.ts';
import { createDataKeys } from '../infra/crypto/data-keys.ts';
import { openKeyring } from '../infra/crypto/keyring.ts';
import { createAscendingIdGenerator, createNameableIdGenerator } from '../infra/ids.ts';
import { createStoredJobs } from '../stored-jobs.ts';
import { createEventSignal } from '../webhooks/event-signal.ts';
import { parseProjectId } from './arguments.ts';
import { operatorOrigin } from './operator-audit.ts';
import { keyringOptions, loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
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
    const keyring = await openKeyring(database, keyringOptions(config));
    const dataKeys = createDataKeys(keyring);
    // No job is run here, so no thread starts.
    const { jobs, tableBytes } = createStoredJobs({
      database,
      dataKeys,
      limitBytes: 0,
      jobSeconds: config.jobSeconds,
    });
    const createFeatures = createFeatureFactory({
      clock: systemClock,
      newId: createNameableIdGenerator(systemClock),
      newEventId: createAscendingIdGenerator(systemClock),
      dataKeys,
      jobs,
      tableBytes,
      keyring,
      // Deliveries of the project go with it; there is nobody to wake.
      signal: createEventSignal(() => undefined),
      traceparent: () => undefined,
      defaultQuotas: config.projectDefaults,
      maxProjects: config.maxProjects,
      installHint: undefined,
      flushLog: async () => undefined,
    });
    await database.transact((executor) => createFeatures(executor, operatorOrigin()).projects.remove(id));
    await database.discardDeleted();
    print(flags, { deleted: id, name }, [
      `deleted the project "${name}"; its keys and encrypted values are gone, the server removes what is left`,
    ]);
  });
}
