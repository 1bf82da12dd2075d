import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../packages/server/src/infra/db/connection.ts';
import {
  runServerCommand,
  runServerCommandHere,
  type ServerProcess,
  startServerIn,
} from '../../support/programs.ts';
import { readTestData } from '../../support/test-data.ts';

const { prunedAnswer } = readTestData<{ prunedAnswer: unknown[] }>(import.meta);

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-operator-'));
  made.push(folder);
  return folder;
}

async function bootstrap(server: ServerProcess) {
  const response = await fetch(`${server.url}/machine/keys/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"projectName":"operated"}',
  });
  return (await response.json()) as { projectId: string; apiKey: string };
}

async function stop(server: ServerProcess): Promise<void> {
  server.running.child.kill('SIGTERM');
  await server.running.finished;
}

function json(finished: { stdout: string }) {
  return JSON.parse(finished.stdout);
}

describe('the commands of the operator', () => {
  it('show and change quotas while the server runs, from the next request on', async () => {
    const folder = newFolder();
    const server = await startServerIn(folder);
    const { projectId, apiKey } = await bootstrap(server);
    const flags = ['--data-dir', path.join(folder, 'data')];
    const none = ['--max-snapshots', '0', '--json', ...flags];
    const set = await runServerCommand(['quota', 'set', projectId, ...none]);
    expect([set.exitCode, json(set).quotas.maxSnapshots]).toEqual([0, 0]);
    const refused = await fetch(`${server.url}/machine/snapshots`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: '{"machineName":"m"}',
    });
    expect((await refused.json()).error).toBe('Snapshot quota exceeded (max 0)');
    const get = await runServerCommandHere(['quota', 'get', projectId, ...flags]);
    expect(get.stdout).toMatch(/^snapshots +0 +0$/m);

    for (const [args, exitCode, text] of [
      [['quota', 'set', projectId], 2, 'nothing to set'],
      [['quota', 'set', projectId, '--max-files', '-1'], 2, '--max-files must be a whole number'],
      [['quota', 'set', projectId, '--requests-per-day', '0'], 2, 'from 1 to'],
      [['quota', 'get', 'x'], 2, 'must be a UUID'],
      [['quota', 'get', '00000000-0000-7000-8000-000000000000'], 4, 'there is no project'],
    ] as const) {
      const finished = await runServerCommandHere([...args, ...flags]);
      expect([finished.exitCode, finished.stdout]).toEqual([exitCode, '']);
      expect(finished.stderr).toContain(text);
    }
  });

  it('back up a running server, and restore into an empty folder that then serves', {
    tags: 'release',
  }, async () => {
    const folder = newFolder();
    const server = await startServerIn(folder);
    const { apiKey } = await bootstrap(server);
    const form = new FormData();
    form.append('file', new Blob(['in the backup']), 'a.txt');
    const uploaded = await fetch(`${server.url}/machine/files`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey },
      body: form,
    });
    const { id } = (await uploaded.json()) as { id: string };
    const backup = path.join(folder, 'backup');
    const data = ['--data-dir', path.join(folder, 'data')];
    const plain = await runServerCommand(['backup', backup, ...data]);
    expect(plain.exitCode).toBe(0);
    expect(plain.stdout).toContain('1 project, 0 snapshots, 1 file');
    expect(plain.stderr).toContain('Not in the backup: master key');
    const key = readFileSync(path.join(folder, 'data/master.key'), 'utf8').trim();
    const again = await runServerCommand(['backup', backup, ...data]);
    expect([again.exitCode, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
    const whole = path.join(folder, 'with-key');
    expect((await runServerCommand(['backup', whole, '--include-master-key', ...data])).exitCode).toBe(0);
    await stop(server);

    // The contents of the files are lost: the earlier backup is the only copy.
    const nightly = path.join(folder, 'nightly');
    mkdirSync(nightly);
    const keep = ['backup', nightly, '--keep', '1', ...data];
    expect((await runServerCommand(keep)).exitCode).toBe(0);
    renameSync(path.join(folder, 'data/files'), path.join(folder, 'away'));
    const lossy = await runServerCommand([...keep, '--json']);
    expect([lossy.exitCode, json(lossy)]).toMatchObject([7, { files: 0, lostFiles: [id], removed: [] }]);
    expect(lossy.stderr).toContain(`has lost the contents of 1 file: ${id}`);
    expect(readdirSync(nightly)).toHaveLength(2);
    for (const [action, times] of [
      ['backup.created', 3],
      ['backup.incomplete', 1],
    ] as const)
      expect(json(await runServerCommand(['audit', '--action', action, '--json', ...data])).total).toBe(
        times,
      );
    rmSync(path.join(folder, 'data/files'), { recursive: true, force: true });
    renameSync(path.join(folder, 'away'), path.join(folder, 'data/files'));

    const other = newFolder();
    const occupied = await runServerCommand(['restore', backup, ...data]);
    expect([occupied.exitCode, occupied.stderr]).toEqual([
      2,
      expect.stringContaining('name an empty folder'),
    ]);
    writeFileSync(path.join(other, 'damaged'), readFileSync(whole).subarray(0, 2000));
    const target = ['--data-dir', path.join(other, 'data')];
    const damaged = await runServerCommand(['restore', path.join(other, 'damaged'), ...target]);
    expect([damaged.exitCode, damaged.stderr]).toEqual([7, expect.stringContaining('is damaged')]);
    expect(readdirSync(other)).toEqual(['damaged']);
    const restored = await runServerCommand(['restore', whole, '--json', ...target]);
    expect([restored.exitCode, json(restored).files]).toEqual([0, 1]);
    const back = await startServerIn(other);
    const file = await fetch(`${back.url}/machine/files/${id}`, { headers: { 'x-api-key': apiKey } });
    expect(await file.text()).toBe('in the backup');

    const third = newFolder();
    const elsewhere = ['--data-dir', path.join(third, 'data')];
    const keyless = await runServerCommand(['restore', backup, ...elsewhere]);
    expect([keyless.exitCode, keyless.stderr]).toEqual([0, expect.stringContaining('set master key')]);
    const sick = await runServerCommand(['doctor', '--json', ...elsewhere]);
    expect([sick.exitCode, json(sick).healthy]).toEqual([7, false]);
    const sound = await runServerCommand(['doctor', ...elsewhere], { env: { ENVSNAP_ENCRYPTION_KEY: key } });
    expect([sound.exitCode, sound.stdout]).toEqual([0, expect.stringContaining('nothing is wrong')]);
  });

  it('rotate a generated master key only while the server is stopped, and keys of the setting at any time', {
    tags: 'release',
  }, async () => {
    const folder = newFolder();
    const server = await startServerIn(folder);
    const { apiKey } = await bootstrap(server);
    const flags = ['--data-dir', path.join(folder, 'data')];
    const keyFile = path.join(folder, 'data/master.key');
    const before = readFileSync(keyFile, 'utf8').trim();
    const early = await runServerCommand(['keys', 'rotate', ...flags]);
    expect([early.exitCode, early.stderr]).toEqual([2, expect.stringContaining('stop it first')]);
    expect(readFileSync(keyFile, 'utf8').trim()).toBe(before);
    await stop(server);

    const rotated = await runServerCommand(['keys', 'rotate', '--json', ...flags]);
    expect([rotated.exitCode, json(rotated).rewrapped]).toEqual([0, 1]);
    const after = readFileSync(keyFile, 'utf8').trim();
    expect(after).not.toContain(before);
    const [retired = ''] = json(rotated).retiredFiles;
    expect(retired).toBe(`${keyFile}.${json(rotated).retired[0]}`);
    expect(readFileSync(retired, 'utf8').trim()).toBe(before);
    expect(statSync(retired).mode & 0o777).toBe(0o600);
    const back = await startServerIn(folder);
    const works = await fetch(`${back.url}/machine/snapshots`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: '{"machineName":"m","envVars":{"A":"b"}}',
    });
    expect(works.status).toBe(201);

    const third = 'ab'.repeat(32);
    const env = { ENVSNAP_ENCRYPTION_KEY: `new:${third},old:${after}` };
    const online = await runServerCommand(['keys', 'rotate', ...flags], { env });
    expect(online.exitCode).toBe(0);
    expect(online.stdout).toContain('can be removed from ENVSNAP_ENCRYPTION_KEY in a day');
    const status = await runServerCommand(['keys', 'status', '--json', ...flags], { env });
    const used = { dataKeys: 1, fingerprintKeys: 1, needed: true, supplied: true, primary: true };
    expect(json(status).masterKeys).toEqual([
      { id: expect.any(String), label: 'new', ...used },
      expect.objectContaining({ label: 'old', dataKeys: 0, needed: false, supplied: true }),
    ]);
    const wrong = await runServerCommand(['keys', 'status', ...flags]);
    expect([wrong.exitCode, wrong.stderr]).toEqual([0, expect.stringContaining('needs master key')]);
    expect(wrong.stdout).toMatch(/^[0-9a-f]{16} +new +1 +no$/m);
    const short = { env: { ENVSNAP_ENCRYPTION_KEY: 'short' } };
    const unreadable = await runServerCommand(['keys', 'status', ...flags], short);
    expect(unreadable.exitCode).toBe(0);
    expect(unreadable.stdout).toContain('ENVSNAP_ENCRYPTION_KEY must be 32 bytes');
  });

  it('find and repair what disagrees', { tags: 'release' }, async () => {
    const folder = newFolder();
    const server = await startServerIn(folder);
    await bootstrap(server);
    await stop(server);
    const flags = ['--data-dir', path.join(folder, 'data')];
    const stray = path.join(folder, 'data/files/00000000-0000-7000-8000-000000000000');
    writeFileSync(stray, 'nobody needs this');
    const database = await openDatabase({ url: undefined, dataDir: path.join(folder, 'data') });
    await database.run(
      database.dialect.builder('project_quotas').update({ files_used: 3, storage_used_bytes: 17 }),
    );
    const expiresAt = Date.now() + 6 * 24 * 3_600_000;
    await database.run(database.dialect.builder('api_keys').update({ expires_at: expiresAt }));
    await database.close();
    const found = await runServerCommand(['doctor', ...flags]);
    expect(found.exitCode).toBe(7);
    expect(found.stdout).toMatch(
      /^problem +quotas +project \S+ counts 0 snapshots, 0 runs, 3 files, 17 bytes but holds/m,
    );
    expect(found.stdout).toMatch(/^warning +files +1 stored file that nothing refers to/m);
    expect(found.stdout).toMatch(/^warning +API keys +bootstrap, key \S+ of project \S+, expires at 20/m);
    const fixed = await runServerCommand(['doctor', '--fix', ...flags]);
    expect([fixed.exitCode, fixed.stdout]).toEqual([0, expect.stringMatching(/^fixed +quotas/m)]);
    const again = await openDatabase({ url: undefined, dataDir: path.join(folder, 'data') });
    await again.run(again.dialect.builder('api_keys').update({ expires_at: expiresAt + 2 * 24 * 3_600_000 }));
    await again.close();
    expect(readdirSync(path.join(folder, 'data/files'))).toEqual([]);
    const clean = await runServerCommand(['doctor', ...flags]);
    expect([clean.exitCode, clean.stdout]).toEqual([0, expect.not.stringMatching(/problem|warning/)]);
  });

  it('migrate and prune; a folder without a database is a mistake, not a new one', async () => {
    const folder = newFolder();
    const flags = ['--data-dir', path.join(folder, 'data')];
    const status = await runServerCommandHere(['migrate', '--status', '--json', ...flags]);
    expect([status.exitCode, json(status).applied, json(status).pending[0]]).toEqual([
      0,
      [],
      expect.stringMatching(/^0001_schema_[0-9a-f]{8}$/),
    ]);
    for (const args of [['doctor'], ['prune'], ['keys', 'status'], ['backup', path.join(folder, 'b')]]) {
      const finished = await runServerCommandHere([...args, ...flags]);
      expect(finished.exitCode).toBe(2);
      expect(finished.stderr).toContain('there is no database at');
    }
    expect(readdirSync(folder)).toEqual([]);
    expect((await runServerCommandHere(['migrate', ...flags])).stdout).toContain('applied 0001_schema_');
    expect((await runServerCommandHere(['migrate', ...flags])).stdout).toBe('the schema is up to date\n');
    const pruned = await runServerCommandHere(['prune', '--json', ...flags]);
    expect([pruned.exitCode, json(pruned)]).toEqual(prunedAnswer);
    const mistaken = await runServerCommandHere(['prune', '--request-log-days', 'x', '--json', ...flags]);
    expect(mistaken.exitCode).toBe(2);
    expect(json(mistaken).error.message).toContain('--request-log-days');
  });
});
