// Two failures that an agent is asked to repair, each solved by following the tools' answers word for word: the command passes
// in the end, and no file of the project has changed.
//
// @module-tag release

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { cleanUpAfterTest } from '../support/clean-up.ts';
import { startPackageRegistry } from '../support/package-registry.ts';
import { createSandbox, programs, type Sandbox } from '../support/programs.ts';

interface Answer {
  readonly verdict: string;
  readonly causes?: readonly { readonly counts: boolean; readonly repair: { readonly commands: string[] } }[];
  readonly findings?: readonly { readonly advice: string }[];
}

function write(sandbox: Sandbox, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(sandbox.cwd, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(sandbox.cwd, name), text);
  }
}

/** Without blocking, because the registry runs in this process. */
async function shell(sandbox: Sandbox, script: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn('sh', ['-c', script], { cwd: sandbox.cwd, env: { ...sandbox.env, ...env } });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const [status] = await once(child, 'close');
  return { status, stdout: await stdout, stderr: await stderr };
}

/** Acts as an agent: runs the command under envsnap, asks with its output, and carries out the first answer. */
async function solve(sandbox: Sandbox, command: string, env: Readonly<Record<string, string>> = {}) {
  await shell(sandbox, 'git init -q && git add . && git -c user.name=a -c user.email=a@b.c commit -qm all');
  const failed = await sandbox.run(['run', '-q', '--', ...command.split(' ')], { env });
  expect(failed.exitCode).not.toBe(0);
  const client = new Client({ name: 'test', version: '1' });
  const transport = { command: process.execPath, args: [programs.cli, 'mcp'], cwd: sandbox.cwd };
  await client.connect(new StdioClientTransport({ ...transport, env: sandbox.env }));
  cleanUpAfterTest(() => client.close());
  expect(client.getInstructions()?.split('. ')).toHaveLength(3);
  const failure = failed.stdout + failed.stderr;
  const response = await client.callTool({ name: 'is_environmental', arguments: { failure } });
  const answer = response.structuredContent as unknown as Answer;
  const [said] = response.content as { text: string }[];
  const steps =
    answer.causes?.[0]?.repair.commands ?? answer.findings?.map(({ advice }) => advice).slice(0, 1) ?? [];
  expect({ steps, text: said?.text }).toMatchObject({ steps: expect.arrayContaining([expect.any(String)]) });
  const solved = await shell(sandbox, [...steps, command].join(' && '), env);
  expect(solved).toMatchObject({ status: 0, stderr: '' });
  expect((await shell(sandbox, 'git status --porcelain')).stdout).toBe('');
  return { answer, reply: said?.text ?? '', steps };
}

it('installs what is not as the lock file says, before anything has passed', {
  tags: 'release',
}, async () => {
  const sandbox = createSandbox();
  const folder = mkdtempSync(path.join(sandbox.home, 'registry-'));
  const registry = await startPackageRegistry(folder, [{ name: 'shop-rates', version: '1.1.0' }]);
  cleanUpAfterTest(() => registry.close());
  const npm = {
    PATH: process.env.PATH ?? '',
    npm_config_registry: registry.url,
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
  };
  write(sandbox, {
    'package.json': '{"name":"shop","private":true,"dependencies":{"shop-rates":"1.1.0"}}',
    '.gitignore': 'node_modules\n',
    'test.js': `const { version } = require('shop-rates/package.json');
      if (version !== '1.1.0') throw new Error('shop-rates not found in a version with taxes');`,
  });
  expect(await shell(sandbox, 'npm install --silent', npm)).toMatchObject({ status: 0 });
  for (const file of ['node_modules/shop-rates/package.json', 'node_modules/.package-lock.json']) {
    const stale = readFileSync(path.join(sandbox.cwd, file), 'utf8').replaceAll('1.1.0', '1.0.0');
    writeFileSync(path.join(sandbox.cwd, file), stale);
  }
  const { steps, reply } = await solve(sandbox, 'node test.js', npm);
  expect(steps).toEqual(['npm ci']);
  expect(reply).toContain('"shop-rates 1.0.0 is installed, package-lock.json says 1.1.0 ');
});

it('uses the runtime that the project declares', async () => {
  const sandbox = createSandbox();
  const manager = path.join(sandbox.home, '.nvm');
  const binOf = (version: string) => path.join(manager, 'versions/node', `v${version}`, 'bin');
  for (const version of ['20.11.0', '22.11.0']) {
    mkdirSync(binOf(version), { recursive: true });
    writeFileSync(path.join(binOf(version), 'node'), `#!/bin/sh\necho v${version}\n`);
    chmodSync(path.join(binOf(version), 'node'), 0o755);
  }
  // Only the part of the manager that this test uses.
  const functions = 'nvm() { PATH="$NVM_DIR/versions/node/v$2/bin:$PATH"; export PATH; }\n';
  writeFileSync(path.join(manager, 'nvm.sh'), functions);
  write(sandbox, {
    '.nvmrc': '22.11.0\n',
    'test.sh':
      'case $(node --version) in v22.*) ;; *) echo "Error: node 22 is required" >&2; exit 1 ;; esac\n',
  });
  const uses = (version: string) => ({ NVM_DIR: manager, PATH: `${binOf(version)}:${sandbox.env.PATH}` });
  await sandbox.run(['run', '-q', '--', 'sh', 'test.sh'], { env: uses('22.11.0') });
  const { answer, steps } = await solve(sandbox, 'sh test.sh', uses('20.11.0'));
  expect(answer.causes?.[0]?.counts).toBe(true);
  expect(steps.at(-1)).toBe('nvm install 22.11.0');
});
