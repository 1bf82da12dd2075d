// The two example programs, run against the real service with real deliveries and a forged one.
//
// @module-tag release

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUpAfterTest } from '../support/clean-up.ts';
import { describeOnSqlite } from '../support/databases.ts';
import { startProject } from '../support/service.ts';
import { freePort } from '../support/test-run.ts';

const examples = path.resolve(import.meta.dirname, '../../docs/examples');
const hasPython = spawnSync('python3', ['--version']).status === 0;

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

describeOnSqlite((openDatabase) => {
  describe.each([
    ['TypeScript', true],
    ['Python', hasPython],
  ] as const)('the example in %s', (language, there) => {
    it.skipIf(!there)(
      'verifies deliveries, refuses a forged one, and misses no change, however many come at once or while it is stopped',
      async () => {
        const { service, key } = await startProject(openDatabase, { ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8' });
        const receiver = `http://127.0.0.1:${await freePort()}/`;
        const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-example-'));
        cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
        const [program, ...args] =
          language === 'Python'
            ? ['python3', path.join(examples, 'drift_watch.py')]
            : [
                process.execPath,
                '--conditions=envsnap-source',
                '--no-warnings',
                path.join(examples, 'drift-watch.ts'),
              ];
        const start = async (snapshots: number) => {
          const running = spawn(program as string, [...args, String(snapshots)], {
            env: {
              PATH: process.env.PATH,
              ENVSNAP_BASE_URL: service.url,
              ENVSNAP_API_KEY: key,
              RECEIVER_URL: receiver,
              STATE_FILE: path.join(folder, 'state.json'),
            },
            stdio: ['ignore', 'pipe', 'pipe'],
          });
          child = running;
          const output = { text: '', lines: () => output.text.split('\n').filter(Boolean) };
          for (const stream of [running.stdout, running.stderr])
            stream.on('data', (chunk) => {
              output.text += chunk;
            });
          const ended = new Promise<number | null>((resolve) => running.once('close', resolve));
          await expect.poll(() => output.text).toContain('watching');
          return { output, ended };
        };
        const { output, ended } = await start(4);
        const store = (node: string) =>
          service.send(key, 'POST', '/machine/snapshots', { machineName: 'ci', runtimeVersions: { node } });
        await store('22.11.0');
        await expect.poll(() => output.text).toContain('ci: first snapshot');
        const forged = await fetch(receiver, {
          method: 'POST',
          headers: {
            'webhook-id': 'e',
            'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
            'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
          },
          body: '{"event":"snapshot.created"}',
        });
        expect(forged.status).toBe(400);
        for (const node of ['24.1.0', '24.1.0', '26.0.0']) await store(node);
        expect(await ended).toBe(0);
        expect(output.lines()).toEqual([
          'watching',
          'ci: first snapshot',
          'refused a delivery that is not genuine',
          'ci: failed; node is 22.11.0 in A, 24.1.0 in B (major)',
          'ci: equal',
          'ci: failed; node is 24.1.0 in A, 26.0.0 in B (major)',
        ]);

        // Events that arrived while nothing was watching.
        await store('20.1.0');
        const again = await start(2);
        await store('22.1.0');
        expect(await again.ended).toBe(0);
        expect(again.output.lines().filter((line) => line !== 'watching')).toEqual([
          'ci: failed; node is 26.0.0 in A, 20.1.0 in B (major)',
          'ci: failed; node is 20.1.0 in A, 22.1.0 in B (major)',
        ]);
        expect((await service.send(key, 'GET', '/machine/webhooks')).body.webhooks).toEqual([]);
      },
    );
  });
});
