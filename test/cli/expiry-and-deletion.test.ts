import { EnvSnap } from '@envsnap/sdk';
import { describe, expect, it } from 'vitest';
import { parseExpiry } from '../../packages/cli/src/service-commands/keys-and-members.ts';
import { createSandbox, startServerProcess } from '../support/programs.ts';

const nowMs = Date.parse('2026-02-07T12:00:00.000Z');

describe('--expires', () => {
  it.each([
    ['12h', '2026-02-08T00:00:00.000Z'],
    ['90d', '2026-05-08T12:00:00.000Z'],
    ['4w', '2026-03-07T12:00:00.000Z'],
    ['2027-03-31', '2027-03-31T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseExpiry(text, nowMs)).toBe(expected);
  });

  it.each(['', '90', '0d', '-1d', '90D', '1y', '99999d', '2026-02-30', '2026-02-07', 'never'])(
    '%j is refused with what to write instead',
    (text) => {
      expect(() => parseExpiry(text, nowMs)).toThrow(/^--expires must be/);
    },
  );
});

it('creates and lists a key that expires, and warns about it', { tags: 'release' }, async () => {
  const server = await startServerProcess();
  const response = await fetch(`${server.url}/machine/keys/bootstrap`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"projectName":"p"}',
  });
  const { apiKey } = (await response.json()) as { apiKey: string };
  const sandbox = createSandbox();
  const env = { ENVSNAP_BASE_URL: server.url, ENVSNAP_API_KEY: apiKey };
  const made = await sandbox.json(['key', 'create', '--label', 'ci', '--expires', '2d'], { env });
  expect([made.exitCode, made.document.label]).toEqual([0, 'ci']);
  const { expiresAt, apiKey: itsKey } = made.document;
  const list = await sandbox.run(['key', 'list'], { env });
  expect(list.stdout).toMatch(/EXPIRES/);
  expect(list.stdout).toContain(expiresAt);
  const theirs = { ...env, ENVSNAP_API_KEY: itsKey };
  expect((await sandbox.run(['whoami'], { env: theirs })).stdout).toMatch(/^key expires +20/m);
  const doctor = await sandbox.json(['doctor'], { env: theirs });
  const check = doctor.document.checks.find(({ name }: { name: string }) => name === 'key');
  expect(check).toMatchObject({
    state: 'warning',
    message: expect.stringContaining(`expires at ${expiresAt}`),
  });
  const owners = await sandbox.json(['doctor'], { env });
  expect(owners.document.checks.find(({ name }: { name: string }) => name === 'key').state).toBe('ok');
  const invited = await sandbox.json(['team', 'invite', '--expires', '2d'], { env });
  expect(invited.document.expiresAt > expiresAt).toBe(true);
  const wrong = await sandbox.run(['key', 'create', '--expires', 'never'], { env });
  expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('--expires 90d')]);
});

// envsnap snapshot delete with filters, run as a process against a real server.

describe('snapshot delete', () => {
  it('keeps the newest snapshot of each machine, and deletes by id, age or machine', async () => {
    const { url } = await startServerProcess();
    const { apiKey } = await EnvSnap.bootstrap({ baseUrl: url, projectName: 'p' });
    const client = new EnvSnap({ baseUrl: url, apiKey });
    const store = async (machineName: string) => (await client.snapshots.create({ machineName })).id;
    const [a1, a2, a3] = [await store('a'), await store('a'), await store('a')];
    const [b1, b2] = [await store('b'), await store('b')];
    const sandbox = createSandbox();
    const env = { ENVSNAP_API_KEY: apiKey, ENVSNAP_BASE_URL: url };
    const remove = (...args: string[]) => sandbox.json(['snapshot', 'delete', ...args, '--yes'], { env });
    const remainingIds = async () => (await client.snapshots.list()).snapshots.map(({ id }) => id).sort();

    expect((await remove()).document.error.code).toBe('usage');
    expect((await remove(a1, '--keep', '1')).document.error.code).toBe('usage');
    expect((await remove('--older-than', 'soon')).document.error.message).toContain('is not an age');
    expect((await remove('--older-than', '1h')).document.ids).toEqual([]);
    const refused = await sandbox.run(['snapshot', 'delete', '--keep', '1'], { env });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes is missing') });
    expect(await remainingIds()).toEqual([a1, a2, a3, b1, b2].sort());
    // The newest of its machine, but not a baseline: it neither counts nor is deleted.
    const { id: run } = await client.snapshots.create({
      machineName: 'a',
      metadata: { outcome: { result: 'passed', of: 'tests' } },
    });

    expect((await remove('--keep', '1', '--machine', 'a')).document.ids.sort()).toEqual([a1, a2].sort());
    expect((await remove('--keep', '1')).document).toEqual({ id: b1, deleted: b1, ids: [b1] });
    expect(await remainingIds()).toEqual([a3, b2, run].sort());
    expect((await remove(a3, b2.slice(0, 13), run)).document.ids).toEqual([a3, b2, run]);
    expect(await remainingIds()).toEqual([]);
  });
});
