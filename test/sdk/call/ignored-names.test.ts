import { afterEach, expect, it, vi } from 'vitest';
import { startScriptedServer } from '../../support/scripted-server.ts';
import { clientOf } from '../support.ts';

afterEach(() => vi.restoreAllMocks());

it('warns once for each name that the server ignored', async () => {
  const answer = (names: string) => ({
    status: 200,
    json: { machines: [] },
    headers: { 'x-ignored-parameters': names },
  });
  await using server = await startScriptedServer(answer('machine, dry'), answer('dry, z%C3%BC'));
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const client = clientOf(server);
  await client.request({ method: 'GET', path: '/machine/machines', query: { machine: 'ci', dry: 1 } });
  await client.request({ method: 'GET', path: '/machine/machines' });
  expect(warn.mock.calls.flat()).toEqual([
    'envsnap: the server does not know "machine" and ignored it (request)',
    'envsnap: the server does not know "dry" and ignored it (request)',
    'envsnap: the server does not know "z%C3%BC" and ignored it (request)',
  ]);
});
