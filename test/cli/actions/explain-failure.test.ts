// How this machine explains the output of a failure.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { explainFailure } from '../../../packages/cli/src/actions/comparison/explain-failure.ts';
import { explainFirstFailure } from '../../../packages/cli/src/runs/explain-first-failure.ts';
import { readFailure } from '../../../packages/compare/src/failure/read-failure.ts';

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'envsnap-explain-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const explained = async (text: string, place = folder()) =>
  (await explainFailure(readFailure(text), place)).map(({ sentence }) => sentence);

/** A port on which this process listens until the test ends, or on which nothing listens. */
async function port(isOpen: boolean): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const close = () => new Promise((resolve) => server.close(resolve));
  if (isOpen) onTestFinished(async () => void (await close()));
  else await close();
  return port;
}

describe('the explanation of a first failure', () => {
  it('leaves out what a finding about the same file says, and nothing that only begins like it', () => {
    const metadata = { project: { root: '', outputs: { dist: 'not built', make: 'not built' } } };
    const snapshot = { machineName: 'm', os: 'linux', arch: 'x64', runtimeVersions: {}, metadata };
    const { explanations } = explainFirstFailure(snapshot, undefined, undefined, [
      { sentence: 'dist/main.js is not in this folder.', file: 'dist/main.js' },
      { sentence: 'make is not installed here.' },
    ]);
    expect(explanations).toEqual(['make is not installed here.']);
  });
});

describe('a failure that explains itself', () => {
  it('says who listens on a port', async () => {
    const number = await port(true);
    const [sentence] = await explained(`listen EADDRINUSE: address already in use :::${number}`);
    expect(sentence).toContain(`Port ${number} is in use: `);
    expect(sentence).toContain(`(process ${process.pid})`);
  });

  it('says that nothing listens on a port of this machine', async () => {
    const number = await port(false);
    expect(await explained(`connect ECONNREFUSED 127.0.0.1:${number}`)).toEqual([
      `Nothing listens on port ${number} of this machine: start the program that should listen there.`,
    ]);
  });

  it('says that a command is not here, or where it is', async () => {
    expect(await explained('sh: 1: no-such-command-here: not found')).toEqual([
      'no-such-command-here is not installed here, or its folder is not on PATH.',
    ]);
    const place = folder();
    mkdirSync(path.join(place, 'node_modules/.bin'), { recursive: true });
    writeFileSync(path.join(place, 'node_modules/.bin/acme-lint'), '', { mode: 0o755 });
    expect(await explained('sh: 1: acme-lint: not found', place)).toEqual([
      'acme-lint is in node_modules/.bin, which is not on PATH.',
    ]);
    expect(await explained('sh: 1: sh: not found')).toEqual([]);
  });

  it('says which file the folder lacks, and whether git ignores it', async () => {
    const place = folder();
    const git = (...words: string[]) => execFileSync('git', words, { cwd: place, stdio: 'ignore' });
    git('init', '-q');
    writeFileSync(path.join(place, '.gitignore'), '.env.local\n');
    writeFileSync(path.join(place, 'kept.json'), '{}');
    git('add', '.');
    rmSync(path.join(place, 'kept.json'));
    expect(await explained(`ENOENT: no such file or directory, open '${place}/.env.local'`, place)).toEqual([
      '.env.local is not in this folder, and git ignores it, so no clone has it: build or create it, or copy it from a machine where it works.',
    ]);
    expect(await explained("ENOENT: no such file or directory, open 'kept.json'", place)).toEqual([
      'kept.json is in git but not in this folder. To restore it: git checkout -- kept.json',
    ]);
    for (const other of ['/etc/no-such-file.conf', '../outside.txt', '.gitignore', 'node_modules/a/b.js'])
      expect(await explained(`ENOENT: no such file or directory, open '${other}'`, place)).toEqual([]);
  });

  it('says which file an installed package lacks', async () => {
    const place = folder();
    mkdirSync(path.join(place, 'node_modules/@acme/tax'), { recursive: true });
    const failure = (name: string) =>
      `Error: Cannot find module '${place}/node_modules/${name}/lib/a.js'. Please verify that the package.json has a valid "main"`;
    expect(await explained(failure('@acme/tax'), place)).toEqual([
      'node_modules/@acme/tax is installed without lib/a.js: remove that folder, and install the packages again.',
    ]);
    expect(await explained(failure('@acme/other'), place)).toEqual([]);
  });

  it('says nothing about a disk with room, and nothing if the output claims nothing', async () => {
    expect(await explained('No space left on device')).toEqual([]);
    const place = folder();
    expect(await explained(`EACCES: permission denied, open '${place}/a.log'`, place)).toEqual([]);
    expect(await explained('Error: expected 3, got 4')).toEqual([]);
  });
});
