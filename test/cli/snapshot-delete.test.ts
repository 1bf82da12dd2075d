// envsnap snapshot delete with filters, run as a process against a real server.

import { EnvSnap } from '@envsnap/sdk';
import { describe, expect, it } from 'vitest';
import { createSandbox, startServerProcess } from '../support/programs.ts';

describe('snapshot delete', () => {
  it('leaves the newest of each machine, and deletes what is named, old or of a machine', async () => {
    const { url } = await startServerProcess();
    const { apiKey } = await EnvSnap.bootstrap({ baseUrl: url, projectName: 'p' });
    const client = new EnvSnap({ baseUrl: url, apiKey });
    const store = async (machineName: string) => (await client.snapshots.create({ machineName })).id;
    const [a1, a2, a3] = [await store('a'), await store('a'), await store('a')];
    const [b1, b2] = [await store('b'), await store('b')];
    const sandbox = createSandbox();
    const env = { ENVSNAP_API_KEY: apiKey, ENVSNAP_BASE_URL: url };
    const remove = (...args: string[]) => sandbox.json(['snapshot', 'delete', ...args, '--yes'], { env });
    const left = async () => (await client.snapshots.list()).snapshots.map(({ id }) => id).sort();

    expect((await remove()).document.error.code).toBe('usage');
    expect((await remove(a1, '--keep', '1')).document.error.code).toBe('usage');
    expect((await remove('--older-than', 'soon')).document.error.message).toContain('is not an age');
    expect((await remove('--older-than', '1h')).document.ids).toEqual([]);
    const asked = await sandbox.run(['snapshot', 'delete', '--keep', '1'], { env });
    expect(asked).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes is missing') });
    expect(await left()).toEqual([a1, a2, a3, b1, b2].sort());
    // The newest of its machine, and no baseline: it neither counts nor goes.
    const { id: run } = await client.snapshots.create({
      machineName: 'a',
      metadata: { outcome: { result: 'passed', of: 'tests' } },
    });

    expect((await remove('--keep', '1', '--machine', 'a')).document.ids.sort()).toEqual([a1, a2].sort());
    expect((await remove('--keep', '1')).document).toEqual({ id: b1, deleted: b1, ids: [b1] });
    expect(await left()).toEqual([a3, b2, run].sort());
    expect((await remove(a3, b2.slice(0, 13), run)).document.ids).toEqual([a3, b2, run]);
    expect(await left()).toEqual([]);
  });
});
