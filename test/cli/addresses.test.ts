// The error for a mistyped address, or one that belongs to something else.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeyChecksum } from '../../packages/shared/src/api-key-format.ts';
import { createSandbox, type ServerProcess, startServerProcess } from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';

const { mistaken, topics } = readTestData<{ mistaken: [string, string][]; topics: [string, string][] }>(
  import.meta,
);

let server: ServerProcess;
let foreignUrl = '';
const foreign = createServer((_request, response) => {
  response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
});

beforeAll(async () => {
  server = await startServerProcess();
  await new Promise<void>((resolve) => foreign.listen(0, '127.0.0.1', resolve));
  foreignUrl = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => foreign.close(resolve)));

const initAt = (url: string) => ['init', '--base-url', url, '--project-name', 'shop'];
const wellFormedKey = `mk_${'0'.repeat(56)}${apiKeyChecksum('0'.repeat(56))}`;

describe('an address', () => {
  it('without a scheme gets a suggestion with the intended address', async () => {
    const { exitCode, stderr } = await createSandbox().run(initAt('localhost:4780'));
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean http://localhost:4780?');
    const remote = await createSandbox().run(initAt('envsnap.example.com'));
    expect(remote.stderr).toContain('Did you mean https://envsnap.example.com?');
  });

  it('with https where the server speaks http gets a suggestion with the http address', async () => {
    const { exitCode, stderr } = await createSandbox().run(initAt(server.url.replace('http:', 'https:')));
    expect(exitCode).toBe(6);
    expect(stderr).toContain(`An envsnap server responds at ${server.url}. Did you mean that?`);
  });

  it('of another service is reported as such by init, doctor and every other command', {
    tags: 'release',
  }, async () => {
    const message = 'is not an envsnap server';
    const init = await createSandbox().run(initAt(foreignUrl));
    expect([init.exitCode, init.stderr]).toEqual([6, expect.stringContaining(message)]);
    const sandbox = createSandbox();
    await sandbox.run(initAt(server.url));
    const doctor = await sandbox.run(['doctor', '--base-url', foreignUrl]);
    expect([doctor.exitCode, doctor.stdout]).toEqual([6, expect.stringContaining(message)]);
    // doctor reports the address even without a key.
    const bare = await createSandbox().run(['doctor', '--base-url', foreignUrl]);
    expect([bare.exitCode, bare.stdout]).toEqual([6, expect.stringContaining(message)]);
    const list = await sandbox.run(['snapshot', 'list', '--base-url', foreignUrl]);
    expect([list.exitCode, list.stderr]).toEqual([6, expect.stringContaining(message)]);
  });

  it('where nothing listens is reported in words', async () => {
    const port = await freePort();
    const { exitCode, stderr } = await createSandbox().run(initAt(`http://127.0.0.1:${port}`));
    expect(exitCode).toBe(6);
    expect(stderr).toContain('the connection was refused');
    expect(stderr).not.toContain('ECONNREFUSED');
  });
});

/** A port that was free a moment ago. Nothing else uses it on loopback within this test. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

describe('init', () => {
  it('never advises itself', async () => {
    const args = ['init', '--base-url', server.url, '--api-key-stdin'];
    const mistyped = await createSandbox().run(args, { stdin: wellFormedKey });
    expect(mistyped.exitCode).toBe(3);
    expect(mistyped.stderr).not.toContain('envsnap init');
  });
});

describe('a word that is not a command', () => {
  it.each(mistaken)('suggests the intended command for %s', async (word, meant) => {
    const { exitCode, stderr } = await createSandbox().run([word, 'x']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Did you mean: ${meant}?`);
  });

  it.each(topics)('%s suggests the command of the topic', async (words, meant) => {
    const { exitCode, stderr } = await createSandbox().run(words.split(' '));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`Did you mean: ${meant}?`);
  });
});

describe('what does not exist', () => {
  it('ends with 4: a file to upload, a profile', async () => {
    const sandbox = createSandbox();
    const upload = await sandbox.run(['file', 'upload', '/nonexistent']);
    expect([upload.exitCode, upload.stderr]).toEqual([4, expect.stringContaining('there is no such file')]);
    expect((await sandbox.run(['whoami', '--profile', 'nope'])).exitCode).toBe(4);
    expect((await sandbox.run(['profile', 'use', 'nope'])).exitCode).toBe(4);
  });
});
