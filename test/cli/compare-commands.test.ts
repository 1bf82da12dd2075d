// compare, check, matrix, history and snapshot export, run as processes.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EnvSnap } from '@envsnap/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderCheck, renderCheckForGithub } from '../../packages/cli/src/commands/check.ts';
import { screenOf } from '../../packages/cli/src/terminal/terminal.ts';
import {
  createProject,
  createSandbox,
  type Sandbox,
  type ServerProcess,
  startServerProcess,
} from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';

const { anna, summary, expired } = readTestData<{ anna: Snapshot; summary: string[]; expired: object }>(
  import.meta,
);

interface Snapshot {
  machineName: string;
  runtimeVersions: Record<string, string>;
  dependencies: Record<string, Record<string, string>>;
  envVars: Record<string, string>;
  metadata: { git: object; system: { distribution?: object; libc?: object; kernel?: string } };
}

/** Writes two snapshots that differ by `change` and returns their names. */
function pair(sandbox: Sandbox, change: (copy: Snapshot) => void): [string, string] {
  const copy = structuredClone(anna);
  copy.machineName = 'ben';
  change(copy);
  writeFileSync(path.join(sandbox.cwd, 'anna.json'), JSON.stringify(anna));
  writeFileSync(path.join(sandbox.cwd, 'ben.json'), JSON.stringify(copy));
  return ['anna.json', 'ben.json'];
}
const newerNode = (copy: Snapshot) => {
  copy.runtimeVersions.node = '22.14.0';
  delete (copy.envVars as Partial<Snapshot['envVars']>).DATABASE_URL;
};

describe('the three situations', () => {
  it('a colleague’s newer Node minor and a missing variable', async () => {
    const sandbox = createSandbox();
    const { stdout, exitCode } = await sandbox.run(['compare', ...pair(sandbox, newerNode)]);
    expect(exitCode).toBe(1);
    expect(stdout.trimEnd().split('\n')).toEqual(summary);
  });

  it('a lock file that drifted in one sub-package', async () => {
    const sandbox = createSandbox();
    const files = pair(sandbox, (copy) => {
      copy.dependencies['packages/api/package-lock.json'] = { express: '5.0.1', qs: '6.11.2', hono: '4.1.0' };
    });
    const { stdout, exitCode } = await sandbox.run(['compare', ...files, '--fail-on', 'dependencies:major']);
    expect(exitCode).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(10);
    expect(lines[0]).toBe(
      'packages/api/package-lock.json drifted: 2 packages differ, most notably express 4.19.0 → 5.0.1 (major); the other dependency files are equal.',
    );
    expect(lines[4]).toBe(
      '  Dependencies  ~ express  4.19.0 → 5.0.1   major  packages/api/package-lock.json',
    );
    expect(lines[5]).toBe('                ~ qs       6.11.0 → 6.11.2  patch  not counted');
  });

  it('CI with another libc', async () => {
    const sandbox = createSandbox();
    const files = pair(sandbox, (copy) => {
      copy.metadata.system = {
        distribution: { id: 'alpine', version: '3.20' },
        libc: { kind: 'musl', version: '1.2.5' },
        kernel: '6.8.0',
      };
    });
    const { stdout, exitCode } = await sandbox.run(['compare', ...files, '--fail-on', 'system:major']);
    expect(exitCode).toBe(1);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeLessThan(10);
    expect(lines[0]).toBe('libc is glibc 2.36 on anna, musl 1.2.5 on ben.');
  });
});

describe('compare', () => {
  it('prints one JSON document that holds no value', async () => {
    const sandbox = createSandbox();
    const { document, exitCode, stderr } = await sandbox.json(['compare', ...pair(sandbox, newerNode)]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(document).toMatchObject({
      verdict: 'failed',
      snapshotA: null,
      summary: { runtimes: { changed: 1, counting: 1 } },
    });
    expect(JSON.stringify(document)).not.toContain('canary');
  });

  const starts = {
    markdown: /^### ❌ envsnap/,
    table: /^node is/,
    json: /^\{\n/,
    html: /^<!doctype html>/,
    junit: /^<\?xml/,
    sarif: /^\{[\s\S]*sarif/,
    github: /^::/,
  };
  const [first, ...others] = Object.entries(starts) as [[string, RegExp], ...[string, RegExp][]];
  const writesToFile = async (format: string, start: RegExp) => {
    const sandbox = createSandbox();
    const args = ['compare', ...pair(sandbox, newerNode), '--format', format, '--output', 'out'];
    expect(await sandbox.run(args)).toMatchObject({ exitCode: 1, stdout: '' });
    const written = readFileSync(path.join(sandbox.cwd, 'out'), 'utf8');
    expect(written).toMatch(start);
    expect(written).toContain('DATABASE_URL');
    expect(written).not.toContain('canary');
  };
  it.each([first])('writes %s to a file', writesToFile);
  it.each(others)('writes %s to a file', { tags: 'release' }, writesToFile);

  it('shows values only when asked, and only where both sides have them', async () => {
    const sandbox = createSandbox();
    const files = pair(sandbox, (copy) => {
      copy.envVars.NODE_ENV = 'canary-test';
    });
    expect((await sandbox.run(['compare', ...files])).stdout).not.toContain('canary');
    const shown = await sandbox.run(['compare', ...files, '--show-values']);
    expect(shown.stdout).toContain('canary-development → canary-test');
    pair(sandbox, (copy) => {
      copy.envVars = { DATABASE_URL: '', NODE_ENV: '', HOME: '' };
    });
    const refused = await sandbox.run(['compare', ...files, '--show-values']);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('ben.json was captured without values');
  });

  it('shows values that are not secret of the user’s own files, on the user’s own screen', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const capture = (file: string, env: Record<string, string>) =>
      sandbox.run(['capture', '--output', file], {
        env: { ENVSNAP_FINGERPRINT_KEY: 'canary-of-a-key-0123456789', ...env },
      });
    await capture('a.json', { APP_MODE: 'slow', API_TOKEN: 'canary-secret-one-1234' });
    await capture('b.json', { APP_MODE: 'fast', API_TOKEN: 'canary-secret-two-1234' });
    const { stdout } = await sandbox.run(['compare', 'a.json', 'b.json']);
    expect(stdout).toMatch(/~ APP_MODE +slow +→ fast/);
    expect(stdout).toMatch(/~ API_TOKEN +\(secret\) → \(secret\)/);
    expect(stdout).not.toMatch(/canary|shows both/);
    const forOthers = await sandbox.run(['compare', 'a.json', 'b.json', '--format', 'markdown']);
    expect(forOthers.stdout).not.toContain('slow');
    expect((await sandbox.run(['compare', 'a.json', 'local'])).stdout).toContain('slow, only in A');
  });

  it('adds to the step summary and prints annotations for GitHub', async () => {
    const sandbox = createSandbox();
    const summary = path.join(sandbox.cwd, 'summary.md');
    writeFileSync(summary, 'before\n');
    const { stdout, exitCode } = await sandbox.run(
      ['compare', ...pair(sandbox, newerNode), '--format', 'github'],
      { env: { GITHUB_STEP_SUMMARY: summary } },
    );
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^::error title=envsnap%3A Variables::DATABASE_URL: only on anna$/m);
    expect(readFileSync(summary, 'utf8')).toMatch(/^before\n### /);
    const unwritable = await sandbox.run(['compare', ...pair(sandbox, newerNode), '--format', 'github'], {
      env: { GITHUB_STEP_SUMMARY: sandbox.cwd },
    });
    expect(unwritable).toMatchObject({ exitCode: 1, stdout });
    expect(unwritable.stderr).toContain('GITHUB_STEP_SUMMARY cannot be written');
  });

  it('leaves standard output to the document with --json', async () => {
    const sandbox = createSandbox();
    const files = pair(sandbox, newerNode);
    const { document } = await sandbox.json(['compare', ...files, '--output', '-', '--format', 'html']);
    expect(document.verdict).toBe('failed');
    const refused = await sandbox.json(['compare', ...files, '--report', 'html=-']);
    expect(refused.document.error.message).toContain('both write to standard output');
  });

  it('prints nothing with --quiet, and exits as it would without', async () => {
    const sandbox = createSandbox();
    const files = pair(sandbox, newerNode);
    expect(await sandbox.run(['compare', ...files, '--quiet'])).toMatchObject({
      exitCode: 1,
      stdout: '',
      stderr: '',
    });
    expect((await sandbox.run(['compare', files[0], files[0], '--quiet'])).exitCode).toBe(0);
  });

  it('ends silently when the reader of its output goes away', () => {
    const sandbox = createSandbox();
    const files = pair(sandbox, (copy) => {
      const lock = copy.dependencies['package-lock.json'] as Record<string, string>;
      for (let index = 0; index < 4000; index += 1) lock[`package-${index}`] = '1.0.0';
    });
    const program = path.resolve(import.meta.dirname, '../../packages/cli/bin/run.js');
    const result = spawnSync(
      '/bin/sh',
      ['-c', `"${process.execPath}" "${program}" compare ${files.join(' ')} | head -1`],
      { cwd: sandbox.cwd, env: sandbox.env, encoding: 'utf8' },
    );
    expect(result.stderr).toBe('');
    expect(result.stdout.split('\n')).toHaveLength(2);
  });

  it('explains wrong rules before it loads anything', async () => {
    const sandbox = createSandbox();
    const wrong = await sandbox.run(['compare', 'none.json', 'none.json', '--fail-on', 'runtimes:majr']);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
    expect(wrong.stderr).toContain('Did you mean "major"?');
  });
});

describe('the policy', () => {
  const policy = [
    'baseline: anna.json',
    'failOn: [runtimes:major, env]',
    'ignore: ["env:DATABASE_*"]',
    'expect:',
    '  runtimes:',
    '    node: ">=22 <23"',
    'required: [SHOP_KEY]',
    '',
  ].join('\n');

  it('gives compare its baseline, its rules and its expectations', async () => {
    const sandbox = createSandbox();
    pair(sandbox, newerNode);
    writeFileSync(path.join(sandbox.cwd, '.envsnap.yaml'), policy);
    const { document, exitCode } = await sandbox.json(['compare', 'anna.json', 'ben.json']);
    expect(exitCode).toBe(1);
    expect(document.failOn).toEqual(['runtimes:major', 'env']);
    expect(document.summary.env).toMatchObject({ removed: 0, ignored: 1 });
    expect(document.policy.checks.map((check: { outcome: string }) => check.outcome)).toEqual([
      'met',
      'violated',
    ]);
    const without = await sandbox.run(['compare', 'anna.json', 'ben.json', '--no-policy', '--fail-on', 'os']);
    expect(without.exitCode).toBe(0);
    const against = await sandbox.json(['compare', '--fail-on', 'none', '--quiet']);
    expect(against.document.a.label).toBe('anna.json');
    expect(against.document.b.label).toBe('local');
  });

  it('is found above the folder, up to the repository’s root, and its mistakes are reported with their lines', async () => {
    const sandbox = createSandbox();
    const files = pair(sandbox, newerNode);
    writeFileSync(
      path.join(sandbox.cwd, '.envsnap.yaml'),
      'failOn: none\nexpects: {}\nexpect:\n  node: 22\n',
    );
    const wrong = await sandbox.run(['compare', ...files]);
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
    expect(wrong.stderr).toContain(
      '.envsnap.yaml:2:1 expects: there is no such key here; did you mean "expect"?',
    );
    expect(wrong.stderr).toContain('.envsnap.yaml:4:3 expect.node');
    expect((await sandbox.run(['compare', ...files, '--policy', 'none.yaml'])).exitCode).toBe(4);
  });
});

describe('check', () => {
  it('passes, fails and explains, without a server and without a value of a variable', async () => {
    const sandbox = createSandbox();
    const file = path.join(sandbox.cwd, '.envsnap.yaml');
    const env = { SHOP_KEY: 'canary-key', TZ: 'canary-zone', NODE_OPTIONS: undefined };
    writeFileSync(path.join(sandbox.cwd, 'Makefile'), 'test:\n\tcsc app.cs\n');
    const bare = await sandbox.run(['check'], { env });
    expect(bare).toMatchObject({ exitCode: 0, stderr: '' });
    expect(bare.stdout).toMatch(
      /was not checked: the project declares no versions and has no lock file\.\n\nNote: no \.envsnap\.yaml/,
    );
    const lock = '{"packages":{"node_modules/a":{"version":"1.0.0"}}}';
    writeFileSync(path.join(sandbox.cwd, 'package-lock.json'), lock);
    const locked = (await sandbox.run(['check'], { env })).stdout;
    expect(locked).toMatch(/lock files could not be looked up\.\n\n.* of package-lock\.json are installed/);
    writeFileSync(
      file,
      'expect:\n  runtimes:\n    node: ">=18"\n  env:\n    SHOP_KEY: canary-key\nrequired: [SHOP_KEY]\n',
    );
    const passed = await sandbox.run(['check'], { env });
    expect(passed.exitCode).toBe(0);
    expect(passed.stdout).toMatch(/meets \.envsnap\.yaml: 3 expectations\./);
    writeFileSync(
      file,
      'expect:\n  runtimes:\n    node: "<18"\n  env:\n    TZ: UTC\nrequired: [SHOP_KEYS]\nforbidden: [SHOP_*]\n',
    );
    const { document, exitCode, stdout, stderr } = await sandbox.json(['check'], { env });
    expect(exitCode).toBe(1);
    expect(document).toMatchObject({ passed: false, policy: '.envsnap.yaml' });
    expect(stdout + stderr).not.toContain('canary-zone');
    const failed = renderCheck(document, screenOf({}, {}), { all: false });
    expect(failed).toMatch(/✗ node +is \S+, expected <18 +\.envsnap\.yaml:3/);
    expect(failed).toMatch(/✗ TZ +has a value other than UTC +\.envsnap\.yaml:5/);
    expect(failed).toMatch(/✗ SHOP_KEYS +is not set \(SHOP_KEY is\), but required +\.envsnap\.yaml:6/);
    expect(renderCheckForGithub(document)).toMatch(
      /^::error file=\.envsnap\.yaml,line=6,title=envsnap policy::SHOP_KEYS is not set/m,
    );
  });
});

describe('versions that the project declares', () => {
  it('are checked by check and doctor without a policy, and can be accepted by one', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, '.nvmrc'), '4.9.1\n');
    const finding = `node is ${process.versions.node}, .nvmrc asks for 4.9.1`;
    const check = await sandbox.run(['check']);
    expect(check).toMatchObject({ exitCode: 1, stderr: '' });
    expect(check.stdout).toContain(`✗ ${finding}`);
    expect(check.stdout).toContain('Next: install node 4.9.1\n');
    const agent = await sandbox.run(['check', '--format', 'agent']);
    expect(agent.stdout).toContain(`versions that are not the declared ones: "${finding}"`);
    const doctor = await sandbox.run(['doctor']);
    expect(doctor.exitCode).toBe(1);
    expect(doctor.stdout).toContain(`✗ declared  ${finding}`);
    expect(doctor.stdout).toContain('no server is set, and none is needed here');
    const accepted = await sandbox.run(['accept', 'toolchain:node', '--reason', 'the upgrade is planned']);
    expect(accepted.exitCode).toBe(0);
    expect((await sandbox.json(['check'])).document).toMatchObject({
      passed: true,
      declared: [],
      accepted: 1,
    });
    // Also if two files declare the tool.
    writeFileSync(path.join(sandbox.cwd, '.node-version'), '4.9.0\n');
    expect((await sandbox.json(['check'])).document).toMatchObject({ passed: true, accepted: 2 });
    const file = path.join(sandbox.cwd, '.envsnap.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}    until: 2020-01-31\n`);
    const ended = await sandbox.run(['check']);
    expect(ended.exitCode).toBe(1);
    const note = 'toolchain:node was accepted until 2020-01-31 (the upgrade is planned); it counts again.';
    expect(ended.stdout.match(/^Note: .*$/gm)).toEqual([`Note: ${note}`]);
    expect((await sandbox.run(['check', '--format', 'agent'])).stdout).toContain(
      `notes: "${note.slice(0, 70)}`,
    );
    writeFileSync(
      file,
      'required: [SHOP_KEY]\naccepted:\n  - { key: env:SHOP_KEY, reason: set later, until: 2020-01-31 }\n  - { key: env:OTHER, reason: x, until: 2020-01-31 }\n  - { key: toolchain, reason: planned }\n',
    );
    expect(await sandbox.json(['check'])).toMatchObject(expired);
    writeFileSync(
      file,
      'required: [SHOP_KEY]\naccepted:\n  - { key: env:SHOP_KEY, reason: set later }\n  - { key: toolchain, reason: planned }\n',
    );
    expect(await sandbox.json(['check'])).toMatchObject({
      exitCode: 0,
      document: { checks: [{ outcome: 'accepted' }], accepted: 3, notes: [] },
    });
  });
});

describe('installed packages that are not those of the lock file', () => {
  it('are named by check and doctor, with what repairs them', { tags: 'release' }, async () => {
    const sandbox = createSandbox();
    const packages = { 'node_modules/zod': { version: '4.6.7' } };
    const write = (name: string, value: unknown) => {
      mkdirSync(path.dirname(path.join(sandbox.cwd, name)), { recursive: true });
      writeFileSync(path.join(sandbox.cwd, name), JSON.stringify(value));
    };
    write('package.json', { dependencies: { zod: '^4.0.0' } });
    write('package-lock.json', { lockfileVersion: 3, packages });
    write('node_modules/zod/package.json', { version: '4.0.1' });
    const finding = 'zod 4.0.1 is installed, package-lock.json says 4.6.7';
    const check = await sandbox.run(['check']);
    expect(check).toMatchObject({ exitCode: 1 });
    expect(check.stdout).toContain(`✗ ${finding}`);
    expect(check.stdout).toContain('Next: npm ci\n');
    expect((await sandbox.json(['check'])).document).toMatchObject({
      policy: null,
      passed: false,
      installed: [{ name: 'zod', installed: '4.0.1', locked: '4.6.7', advice: 'npm ci' }],
    });
    expect((await sandbox.run(['doctor'])).stdout).toContain(finding);
    writeFileSync(path.join(sandbox.cwd, '.envsnap.yaml'), 'expect:\n  facts:\n    fs.caseSensitive: true\n');
    const withPolicy = await sandbox.run(['check']);
    expect(withPolicy.exitCode).toBe(1);
    expect(withPolicy.stdout).toContain('meets .envsnap.yaml, but 1 package differs from the lock file');
    write('node_modules/zod/package.json', { version: '4.6.7' });
    expect((await sandbox.run(['check'])).exitCode).toBe(0);
    rmSync(path.join(sandbox.cwd, '.envsnap.yaml'));
    expect(await sandbox.run(['check'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('matches what the project declares and locks'),
    });
    expect(await sandbox.run(['doctor'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('packages match package-lock.json'),
    });
  });

  it('are reported as not installed if there are none, which is not a failure', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const write = (name: string, text: string) => writeFileSync(path.join(sandbox.cwd, name), text);
    write('package.json', '{"dependencies":{"zod":"^4.0.0"}}');
    write('package-lock.json', '{"lockfileVersion":3,"packages":{"node_modules/zod":{"version":"4.6.7"}}}');
    const finding = 'nothing from package-lock.json is installed';
    const alone = await sandbox.run(['check']);
    expect(alone.exitCode).toBe(0);
    expect(alone.stdout).toContain(`! ${finding}`);
    expect(alone.stdout).toContain('Next: npm ci\n');
    expect((await sandbox.run(['doctor'])).stdout).toMatch(new RegExp(`! installed +${finding}\n +npm ci\n`));
    write('.envsnap.yaml', 'expect:\n  facts:\n    fs.caseSensitive: true\n');
    expect(await sandbox.json(['check'])).toMatchObject({
      exitCode: 0,
      document: {
        passed: true,
        notInstalled: [{ file: 'package-lock.json', message: finding, advice: 'npm ci' }],
      },
    });
    const annotations = await sandbox.run(['check', '--format', 'github']);
    expect(annotations.stdout).toContain(
      `::notice file=package-lock.json,title=envsnap%3A installed packages::${finding}`,
    );
  });
});

describe('over stored snapshots', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess();
  });
  async function project() {
    const sandbox = createSandbox();
    const { apiKey } = await createProject(sandbox, server.url);
    const client = new EnvSnap({ baseUrl: server.url, apiKey });
    const store = async (machineName: string, node: string, zod = '3.24.1') => {
      const dependencies = { 'package-lock.json': { zod } };
      const { id } = await client.snapshots.create({
        ...anna,
        machineName,
        runtimeVersions: { node },
        dependencies,
      });
      return id;
    };
    return { ...sandbox, client, store };
  }

  it('matrix marks the odd one out', async () => {
    const { run, json, store, cwd } = await project();
    for (const machine of ['web-1', 'web-2']) await store(machine, '22.11.0');
    await store('web-3', '20.11.0');
    const { stdout, exitCode } = await run(['matrix', '--key', 'dependencies:package-lock.json/zod']);
    expect(exitCode).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]?.trim()).toMatch(/^web-1 +web-2 +web-3$/);
    expect(stdout).toMatch(/^~ runtimes\.node +22\.11\.0 +22\.11\.0 +20\.11\.0 \*$/m);
    expect(stdout).toMatch(/web-3 is the odd one out in 1 of them/);
    const { document } = await json(['matrix', 'web-1', 'web-3']);
    expect(document.machines.map((machine: { machineName: string }) => machine.machineName)).toEqual([
      'web-1',
      'web-3',
    ]);
    const unknown = await run(['matrix', 'web-9']);
    expect(unknown).toMatchObject({ exitCode: 4, stdout: '' });
    expect(unknown.stderr).toContain('Did you mean web-1?');
    expect((await run(['matrix', 'ci/linux'])).stderr).toContain('machine "ci/linux" is stored');
    expect((await run(['matrix', '--key', 'nonsense'])).exitCode).toBe(2);
    const captured = { machineName: 'web', runtimeVersions: { node: '22.11.0' } };
    for (const name of ['a.json', 'b.json']) writeFileSync(path.join(cwd, name), JSON.stringify(captured));
    writeFileSync(path.join(cwd, 'c.json'), '{"machineName": "web", "runtimeVersions": {"node": "20.1.0"}}');
    const files = await run(['matrix', 'a.json', 'b.json', 'c.json']);
    expect(files.stdout).toMatch(/^~ runtimes\.node +22\.11\.0 +22\.11\.0 +20\.1\.0 \*$/m);
    expect(files.stdout).toMatch(/^Next: envsnap compare a\.json c\.json$/m);
    const mixed = await run(['matrix', 'c.json', 'web-1', 'latest:web-3']);
    expect(mixed.stdout).toMatch(/^≠ runtimes\.node +20\.1\.0 +22\.11\.0 +20\.11\.0$/m);
  });

  it('matrix distinguishes values of a variable, and compares only numbers from one response', {
    tags: 'release',
  }, async () => {
    const { client, json } = await project();
    for (let place = 0; place <= 100; place += 1)
      await client.snapshots.create({
        machineName: `m-${String(place).padStart(3, '0')}`,
        envVars: { TZ: place % 100 === 0 ? 'canary/One' : 'canary/Two' },
        metadata: { outcome: { result: 'passed', of: 'test' } },
      });
    const { document } = await json(['matrix', '--key', 'env:TZ']);
    const [{ values, equal, odd, unknown }] = document.rows;
    expect([equal, odd, unknown]).toEqual([false, [0], [100]]);
    expect([values[0], values[1], values[99], values[100]]).toEqual(['value 1', 'value 2', 'value 2', null]);
  });

  it('history says when a value changed, and by how much', { tags: 'release' }, async () => {
    const { run, json, store } = await project();
    const ids = [
      await store('web-1', '20.11.0'),
      await store('web-1', '22.11.0'),
      await store('web-1', '22.14.0'),
    ];
    const { stdout, exitCode } = await run(['history', 'runtimes.node', '--machine', 'web-1']);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/~ 22\.11\.0 {2}major/);
    expect(stdout).toMatch(/~ 22\.14\.0 {2}minor/);
    expect(stdout).toContain(`Next: envsnap compare ${ids[1]?.slice(0, 8)} ${ids[2]?.slice(0, 8)}`);
    const { document } = await json(['history', 'dependencies:package-lock.json/zod']);
    expect(document.series[0].changes).toHaveLength(1);
    expect((await run(['history', 'runtimes.nod'])).stderr).toContain('Did you mean runtimes.node?');
    expect((await run(['history', 'node'])).exitCode).toBe(2);
    expect((await run(['history', 'os', '--machine', 'nobody'])).exitCode).toBe(4);
  });

  it('snapshot export writes to standard output or a file, and exits with 4 if nothing can be exported', {
    tags: 'release',
  }, async () => {
    const { run, json, store, cwd } = await project();
    const id = await store('web-1', '22.11.0');
    expect((await run(['snapshot', 'export', id, '--format', 'nvmrc'])).stdout).toBe('22.11.0\n');
    await run(['snapshot', 'export', 'latest:web-1', '--format', 'dotenv', '--output', 'env']);
    const written = readFileSync(path.join(cwd, 'env'), 'utf8');
    expect(written).toContain('NODE_ENV=canary-development\n# DATABASE_URL: a secret');
    const { document } = await json(['snapshot', 'export', id, '--format', 'cyclonedx']);
    expect(JSON.parse(document.content).bomFormat).toBe('CycloneDX');
    writeFileSync(path.join(cwd, 'bare.json'), '{"machineName":"bare"}');
    const nothing = await run(['snapshot', 'export', 'bare.json', '--format', 'nvmrc']);
    expect(nothing).toMatchObject({ exitCode: 4, stdout: '' });
    expect((await run(['snapshot', 'export', id, '--format', 'nonsense'])).exitCode).toBe(2);
    const process = await run(['snapshot', 'export', 'pid:1', '--format', 'nvmrc']);
    expect(process.stderr).toContain('pid:1 is not a stored snapshot\nFirst envsnap capture pid:1 --output');
  });
});

describe('what a stored snapshot carries', () => {
  it('its policy applies if the folder has none, on the command line and on a shared page', {
    tags: 'release',
  }, async () => {
    const server = await startServerProcess();
    const { apiKey } = await EnvSnap.bootstrap({ baseUrl: server.url, projectName: 'shop' });
    const client = new EnvSnap({ baseUrl: server.url, apiKey });
    const sandbox = createSandbox();
    const env = { ENVSNAP_BASE_URL: server.url, ENVSNAP_API_KEY: apiKey };
    const [fileA, fileB] = pair(sandbox, newerNode);
    const lenient = { path: '<checkout>/.envsnap.yaml', text: 'failOn: [arch]\n' };
    const copy = JSON.parse(readFileSync(path.join(sandbox.cwd, fileB), 'utf8'));
    const a = await client.snapshots.create(anna);
    const b = await client.snapshots.create({ ...copy, metadata: { ...copy.metadata, policy: lenient } });
    const verdictOf = async (...args: string[]) => {
      const { exitCode, document } = await sandbox.json(['compare', ...args], { env });
      return [exitCode, document.verdict];
    };
    expect(await verdictOf(a.id, b.id)).toEqual([0, 'tolerated']);
    expect(await verdictOf(a.id, b.id, '--no-policy')).toEqual([1, 'failed']);
    expect(await verdictOf(fileA, fileB)).toEqual([1, 'failed']);
    const asText = await sandbox.run(['compare', a.id, b.id], { env });
    expect(asText.stderr).toContain('Using the policy in B, <checkout>/.envsnap.yaml.');
    const shared = await sandbox.run(['share', a.id, b.id, '--expires', '1h'], { env });
    expect(shared.stdout).toMatch(/^http:\S+\/share\/[\w-]{43}\n$/);
    expect(await (await fetch(shared.stdout.trim())).text()).toContain('data-verdict="tolerated"');
    const opened = await sandbox.run(['open', 'runs'], { env });
    expect(opened.stdout).toMatch(/^http:\S+\/console\/sign-in\?link=[\w-]{43}\n$/);
    const broken = { path: '.envsnap.yaml', text: 'failOn: [nonsense]\n' };
    const c = await client.snapshots.create({ ...copy, metadata: { policy: broken } });
    const refused = await sandbox.run(['compare', a.id, c.id], { env });
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('--no-policy ignores it'),
    ]);
  });
});
