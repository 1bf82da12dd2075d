// Large snapshots of one moment: nobody else waits for all of them.

import { expect, it } from 'vitest';
import { findSnapshot } from '../../../packages/server/src/snapshots/repository.ts';
import { countingTurns } from '../../support/counting-turns.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';

describeEachDatabase((openDatabase) => {
  it('large snapshots that are read at one moment are spread over turns of the event loop', async () => {
    const { service, key, projectId } = await startProject(openDatabase);
    const body = { machineName: 'm', dependencies: { 'a.lock': { a: 'ä'.repeat(200_000) } } };
    const { id } = (await service.send(key, 'POST', '/machine/snapshots', body)).body;
    const turns = await countingTurns((turn) =>
      Promise.all(
        Array.from({ length: 10 }, async () => {
          const row = await findSnapshot(service.database, projectId, id);
          expect(JSON.parse(String(row?.dependencies))).toEqual(body.dependencies);
          for (const start = performance.now(); performance.now() - start < 10; );
          return turn();
        }),
      ),
    );
    // One that came by itself, and one that rested in the turn before.
    const together = [...Map.groupBy(turns, (turn) => turn).values()];
    expect(Math.max(...together.map((each) => each.length))).toBeLessThan(3);
  });
});
