// The master key is rotated under load, and the rotation itself is killed midway.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Check, every, none, shownP99 } from '../check.ts';
import { bootstrap, keepDoing, send } from '../requests.ts';

export const rotation: Check = {
  name: 'rotation',
  what: 'a new master key wraps the keys of all projects while requests run; the rotation is killed twice on its way',
  async run({ rounds, world }) {
    const databaseUrl = await (await world.postgres()).createDatabase();
    const oldKey = `old:${randomBytes(32).toString('hex')}`;
    const newKey = `new:${randomBytes(32).toString('hex')}`;
    const both = { ENVSNAP_ENCRYPTION_KEY: `${newKey},${oldKey}` };
    const first = await world.startServer({ databaseUrl, env: { ENVSNAP_ENCRYPTION_KEY: oldKey } });
    const projects = rounds(500);
    const stored: { key: string; id: string; value: string }[] = [];
    for (let index = 0; index < projects; index += 1) {
      const { key } = await bootstrap(first.url);
      const value = randomBytes(8).toString('hex');
      const body = { machineName: 'm', envVars: { VALUE: value } };
      const { body: made } = await send('POST', `${first.url}/machine/snapshots`, { key, body });
      stored.push({ key, id: made.id, value });
    }
    await first.end();
    const server = await world.startServer({ databaseUrl, env: both });
    let failed = 0;
    const times: number[] = [];
    const reading = keepDoing(4, async () => {
      const { key, id, value } = stored[Math.floor(Math.random() * stored.length)] as (typeof stored)[0];
      const answer = await send('GET', `${server.url}/machine/snapshots/${id}`, { key });
      times.push(answer.ms);
      if (answer.status !== 200 || answer.body.envVars.VALUE !== value) failed += 1;
      await sleep(40);
    });
    const env = { DATABASE_URL: databaseUrl, ...both };
    for (const killAfterMs of [350, 700]) await world.commandUntil(['keys', 'rotate'], env, killAfterMs);
    const rotated = await world.command(['keys', 'rotate', '--json'], env);
    await sleep(500);
    await reading.stop();
    await server.end();
    const alone = { DATABASE_URL: databaseUrl, ENVSNAP_ENCRYPTION_KEY: newKey };
    const doctor = await world.command(['doctor', '--json'], alone);
    const last = await world.startServer({ databaseUrl, env: { ENVSNAP_ENCRYPTION_KEY: newKey } });
    let readable = 0;
    for (const { key, id, value } of stored) {
      const answer = await send('GET', `${last.url}/machine/snapshots/${id}`, { key });
      if (answer.body.envVars?.VALUE === value) readable += 1;
    }
    await last.end();
    return [
      none(`requests that failed during the rotation, of ${times.length}`, failed),
      none('exit code of the rotation after two kills', rotated.exitCode ?? 1),
      none('exit code of doctor with the new key alone', doctor.exitCode ?? 1),
      every('snapshots readable with the new key alone', readable, projects),
      shownP99('requests during the rotation', times),
      atMost('the rotation', rotated.ms, 60_000, 'ms'),
    ];
  },
};
