// The gates of the guide, run unchanged against the real service.
//
// @module-tag release

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cleanUpAfterTest } from '../support/clean-up.ts';
import { describeOnSqlite } from '../support/databases.ts';
import { startProject } from '../support/service.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/gates.md'), 'utf8');
const has = (command: string) => spawnSync(command, ['--version']).status === 0;

const gates = [
  { language: 'ts', file: 'gate.ts', words: [process.execPath, '--conditions=envsnap-source'], there: true },
  { language: 'python', file: 'gate.py', words: ['python3'], there: has('python3') },
  { language: 'sh', file: 'gate.sh', words: ['sh'], there: has('curl') && has('jq') },
] as const;

describeOnSqlite((openDatabase) => {
  describe.each(gates)('the gate in $language', ({ language, file, words, there }) => {
    it.skipIf(!there)(
      'passes if nothing differs, fails with the reason if a difference counts, and fails without a server',
      async () => {
        const { service, key } = await startProject(openDatabase);
        const block = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';
        // In the checkout, so that the SDK is found.
        const folder = mkdtempSync(path.join(import.meta.dirname, 'gate-'));
        cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
        const program = path.join(folder, file);
        writeFileSync(program, block);
        const [command, ...flags] = words;
        const run = (baseUrl: string) =>
          new Promise<{ code: number | null; output: string }>((resolve) => {
            const env = { PATH: process.env.PATH, ENVSNAP_BASE_URL: baseUrl, ENVSNAP_API_KEY: key };
            const child = spawn(command, [...flags, program], { env, stdio: ['ignore', 'pipe', 'ignore'] });
            let output = '';
            child.stdout.on('data', (chunk) => {
              output += chunk;
            });
            child.once('close', (code) => resolve({ code, output }));
          });
        const store = async (machineName: string, node: string) => {
          const body = { machineName, runtimeVersions: { node } };
          expect((await service.send(key, 'POST', '/machine/snapshots', body)).status).toBe(201);
        };
        await store('build-7', '22.11.0');
        await store('ci', '22.11.0');
        expect((await run(service.url)).code).toBe(0);
        await store('ci', '24.1.0');
        const failed = await run(service.url);
        expect(failed.code).toBe(1);
        expect(failed.output).toContain('node is 22.11.0 on build-7');
        expect((await run('http://127.0.0.1:9')).code).not.toBe(0);
      },
    );
  });
});
