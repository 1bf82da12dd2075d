// The SDK in every runtime that it is promised for: the same scenarios in each, against real servers on this machine.

import path from 'node:path';
import { describe, expect, it } from 'vitest';
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
  // What is tested is the client: one database is enough.
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

describe('the SDK', () => {
  it.each(['Node.js 22', 'Node.js 24', 'Node.js 26', 'Bun', 'Deno'])('works in %s', async (runtime) => {
    const outcomes = await withServers({}, (servers, folder) => runInProcess(runtime, folder, servers));
    expect(outcomes).toEqual(noFailures);
  });

  it('works in workerd', async () => {
    const outcomes = await withServers({}, (servers, folder) => runInWorkerd(folder, servers));
    expect(outcomes).toEqual(noFailures);
  });

  it('works in Chromium, from a page of another origin', async () => {
    let servers: Servers | undefined;
    const page = await servePage(path.join(temporaryFolder(), 'run'), () => servers as Servers);
    try {
      const outcomes = await withServers({ ENVSNAP_CORS_ORIGINS: page.origin }, (started) => {
        servers = started;
        return runInChromium(page.origin);
      });
      expect(outcomes).toEqual(noFailures);
    } finally {
      await page.close();
    }
  });
});
