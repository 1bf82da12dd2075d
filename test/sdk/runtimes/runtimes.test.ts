// The SDK in every supported runtime: the same scenarios in each, against real servers on this machine.
//
// @module-tag release

import path from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import { migrate } from '../../../packages/server/src/infra/db/migrate.ts';
import { temporaryFolder } from '../../support/databases.ts';
import { startServiceOn } from '../../support/service.ts';
import { runInChromium, runInProcess, runInWorkerd, type Servers, servePage } from './run-in.ts';
import { startScenarioServer } from './scenario-server.ts';
import { type Outcome, scenarioNames } from './scenarios.ts';

const noFailures: Outcome[] = scenarioNames.map((name) => ({ name }));

async function withServers(
  env: Record<string, string>,
  run: (servers: Servers, folder: string) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  await using scripted = await startScenarioServer();
  // This tests the client, so one database is enough.
  const database = await openDatabase({ url: undefined, dataDir: temporaryFolder() });
  await migrate(database);
  const service = await startServiceOn(database, env);
  try {
    return await run({ scripted: scripted.url, service: service.url }, path.join(temporaryFolder(), 'run'));
  } finally {
    await service.stop();
    await database.close();
  }
}

async function inChromium(): Promise<Outcome[]> {
  let servers: Servers | undefined;
  // From another origin than the service's.
  const page = await servePage(path.join(temporaryFolder(), 'run'), () => servers as Servers);
  try {
    return await withServers({ ENVSNAP_CORS_ORIGINS: page.origin }, (started) => {
      servers = started;
      return runInChromium(page.origin);
    });
  } finally {
    await page.close();
  }
}

// In parallel, because the scenarios mostly wait for time limits.
it('the SDK works in every runtime', async () => {
  const runs: Record<string, Promise<Outcome[]>> = {
    workerd: withServers({}, (servers, folder) => runInWorkerd(folder, servers)),
    Chromium: inChromium(),
  };
  for (const runtime of ['Node.js 22', 'Node.js 24', 'Node.js 26', 'Bun', 'Deno'])
    runs[runtime] = withServers({}, (servers, folder) => runInProcess(runtime, folder, servers));
  const outcomes = await Promise.all(Object.values(runs));
  expect(Object.keys(runs).map((runtime, index) => [runtime, outcomes[index]])).toEqual(
    Object.keys(runs).map((runtime) => [runtime, noFailures]),
  );
});
