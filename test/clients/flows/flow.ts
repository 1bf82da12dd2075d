// The flow in TypeScript: the paths that openapi-typescript generates from the description, called with openapi-fetch.

import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './description.ts';

const baseUrl = process.env.BASE_URL ?? '';

/** The response of a successful call. */
function answerOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  assert.equal(error, undefined);
  assert(data !== undefined);
  return data;
}

const open = createClient<paths>({ baseUrl });
const { apiKey, projectId } = answerOf(
  await open.POST('/machine/keys/bootstrap', { body: { projectName: 'generated' } }),
);
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': apiKey } });

async function store(node: string): Promise<string> {
  const body = { machineName: 'build-7', os: 'linux', runtimeVersions: { node }, envVars: { CI: '1' } };
  return answerOf(await client.POST('/machine/snapshots', { body })).id;
}
const snapshotA = await store('22.1.0');
const snapshotB = await store('24.1.0');

const page = answerOf(await client.GET('/machine/snapshots', { params: { query: { limit: 1 } } }));
assert.equal(page.total, 2);
assert.equal(page.snapshots[0]?.id, snapshotB);
assert.notEqual(page.next, null);

const path = { id: snapshotA };
assert.equal(answerOf(await client.GET('/machine/snapshots/{id}', { params: { path } })).envVars.CI, '1');

const { diff } = answerOf(
  await client.POST('/machine/snapshots/compare', { body: { snapshotA, snapshotB } }),
);
assert.deepEqual(diff.runtimes, [{ key: 'node', a: '22.1.0', b: '24.1.0', match: false }]);

const project = { params: { path: { id: projectId } } };
answerOf(await client.PATCH('/machine/projects/{id}', { ...project, body: { name: 'renamed' } }));
assert.equal(answerOf(await client.GET('/machine/projects/{id}', project)).name, 'renamed');

const hook = answerOf(
  await client.POST('/machine/webhooks', {
    body: { url: 'https://example.com/hook', events: ['snapshot.created'] },
  }),
);
const webhook = { params: { path: { id: hook.id } } };
assert.equal(
  answerOf(await client.PATCH('/machine/webhooks/{id}', { ...webhook, body: { active: false } })).active,
  false,
);

// @ts-expect-error The generated type refuses it, as the service does.
const mistyped = await client.PATCH('/machine/webhooks/{id}', { ...webhook, body: { active: 'yes' } });
assert.equal(mistyped.error?.code, 'validation_failed');
const empty = await client.PATCH('/machine/webhooks/{id}', { ...webhook, body: {} });
assert.equal(
  empty.error?.error,
  'Invalid body: the body must contain at least one of url, events, format, active',
);

answerOf(await client.DELETE('/machine/snapshots/{id}', { params: { path } }));
assert.equal(answerOf(await client.GET('/machine/usage')).resources.snapshots, 1);
console.log('done');
