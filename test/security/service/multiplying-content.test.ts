// Content that multiplies (patterns × entries, names × names, values × text), and every operation and page that could work on it:
// each stops by its budget, never by the clock, none blocks the server's thread, and another project waits for one of them at
// most.

import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Operation, operations } from '@envsnap/shared';
import { limits } from '@envsnap/shared/catalogue/limits';
import { describe, expect, it } from 'vitest';
import { createProjectPages } from '../../../packages/server/src/console/project-pages.ts';
import { createSnapshotPages } from '../../../packages/server/src/console/snapshot-pages.ts';
import { snapshotMetadata } from '../../../packages/shared/src/metadata.ts';
import { createWorld, pathOf, validBodyOf } from '../../server/api/world.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { longestTurn } from '../../support/longest-turn.ts';
import { startService, type TestService } from '../../support/service.ts';

const numbered = (count: number, name: (place: number) => string, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [name(place), value]));
/** As many lines of a policy as a snapshot may carry. */
function lines(head: string, line: (place: number) => string): string {
  const most = limits.carriedPolicyBytes - head.length - 1;
  const written: string[] = [];
  for (let size = 0; ; ) {
    const next = line(written.length);
    size += next.length + 1;
    if (size > most) break;
    written.push(next);
  }
  return [head, ...written].join('\n');
}

const long = (place: number) => `${'ab'.repeat(60)}${place}`;
const alike = (place: number) => `${place}_${'NAME'.repeat(28)}`;

interface Content {
  /** The content of both sides, with another value on each. */
  readonly sides: (value: string) => object;
  readonly policy?: string;
  readonly metadata?: object;
}

const packages = (count: number, name = (place: number) => `package-${place}`) => ({
  sides: (value: string) => ({ dependencies: { 'package-lock.json': numbered(count, name, value) } }),
});

const contents: Record<string, Content> = {
  'braces × packages': {
    ...packages(20_000),
    policy: lines('ignore:', (place) => `  - "*${'{a,b}'.repeat(9)}*${place}"`),
  },
  'stars × packages': {
    ...packages(20_000, long),
    policy: lines('ignore:', (place) => `  - "${'*a*b'.repeat(8)}c${place}"`),
  },
  'acceptances × packages': {
    ...packages(20_000),
    policy: lines('accepted:', () => '  - {key: "dependencies:**", reason: x}'),
  },
  'ended acceptances × packages': {
    ...packages(20_000),
    policy: lines('accepted:', () => '  - {key: "dependencies:*a*a*a*a*", reason: x, until: 2020-01-01}'),
  },
  'rules × packages': {
    ...packages(20_000, long),
    policy: lines('failOn:', (place) => `  - "dependencies:${'*a*b'.repeat(8)}c${place}"`),
  },
  'required names × variables': {
    sides: (value) => ({ envVars: numbered(10_000, alike, value) }),
    policy: lines('required:', (place) => `  - "${'EMAN'.repeat(28)}_${place}"`),
  },
  'forbidden patterns × variables': {
    sides: (value) => ({ envVars: numbered(10_000, alike, value) }),
    policy: lines('forbidden:', (place) => `  - "${'*M*E'.repeat(8)}x${place}"`),
  },
  'expected runtimes × runtimes': {
    sides: (value) => ({ runtimeVersions: numbered(8000, (place) => `${place}-runtime`, value) }),
    policy: lines('expect:\n  runtimes:', (place) => `    emitnur-${place}: "1"`),
  },
  'expected properties × properties of the system': {
    sides: () => ({}),
    policy: lines('expect:\n  system:', (place) => `    ytreporp-${place}: "1"`),
    metadata: { system: numbered(8000, (place) => `property-${place}`, 'x') },
  },
  'values × text': {
    sides: (value) => ({
      envVars: numbered(5000, (place) => `V${place}`, `${'a'.repeat(60)}${value}`),
      dependencies: { 'package-lock.json': numbered(10_000, (place) => `${'a'.repeat(50)}${place}`, value) },
    }),
  },
  'versions × versions': packages(20_000, (place) => `${'v/'.repeat(20)}${place}`),
};

interface Schema {
  readonly def: { readonly type: string; readonly [part: string]: unknown };
}

/** What fits a schema, with `count` entries in each list and record, named like packages. */
function filled({ def }: Schema, count: number, place = 0): unknown {
  const many = (part: unknown) => Array.from({ length: count }, (_, at) => filled(part as Schema, count, at));
  if (def.type === 'object')
    return Object.fromEntries(
      Object.entries(def.shape as object).map(([name, part]) => [name, filled(part, count, place)]),
    );
  if (def.type === 'record')
    return Object.fromEntries(
      many(def.valueType).map((value, at) => [at === 0 ? 'package-lock.json' : `package-${at}`, value]),
    );
  if (def.type === 'array') return many(def.element);
  if (def.type === 'union') return filled((def.options as Schema[])[0] as Schema, count, place);
  if (def.innerType) return filled(def.innerType as Schema, count, place);
  if (def.type === 'enum') return Object.keys(def.entries as object).at(-1);
  return def.type === 'string' ? `package-${place}` : def.type === 'boolean' || place;
}

/** Every field of the metadata that holds many entries, as full as a snapshot may carry it. */
for (const [field, schema] of Object.entries(snapshotMetadata.shape as unknown as Record<string, Schema>)) {
  const sizeOf = (count: number) => JSON.stringify({ [field]: filled(schema, count) }).length;
  if (sizeOf(2) === sizeOf(1)) continue;
  let count = 2;
  while (sizeOf(Math.ceil(count * 1.2)) < limits.metadataBytes - 2000) count = Math.ceil(count * 1.2);
  contents[`${field} × packages`] = { ...packages(10_000), metadata: { [field]: filled(schema, count) } };
}

/** Addresses of pages that need more than their path. */
function pagesOf(a: string, b: string, webhookId: string): string[] {
  const filled: Record<string, string[]> = {
    'machines/:name': ['machines/m'],
    'runs/:id': [`runs/${b}`],
    compare: [`compare?a=${a}&b=${b}`, `compare?a=${a}&b=${b}&all=1`],
    'snapshots/:id': [`snapshots/${b}`],
    'webhooks/:id': [`webhooks/${webhookId}`],
    search: ['search', 'search?q=a'],
    history: ['history', 'history?path=dependencies:package-lock.json/package-1'],
    why: ['why', 'why?test=one'],
  };
  return [createSnapshotPages, createProjectPages]
    .flatMap((create) => Object.keys(create({} as never).pages))
    .flatMap((address) => filled[address] ?? [address]);
}

describeEachDatabase((openDatabase) => {
  /** A project with the content on both sides, and every request about it. */
  async function prepare(content: Content) {
    const service = await startService(openDatabase, {
      // Ten times the processor time of the budget.
      ENVSNAP_JOB_SECONDS: '20',
      ENVSNAP_MAX_BYTES_IN_FLIGHT: String(256 * 1024 ** 2),
    });
    const world = await createWorld(service, ['keyId', 'webhookId', 'deliveryId', 'fileId']);
    const key = world.keys.owner;
    const store = async (value: string, result: string, policy?: string) => {
      const body = {
        machineName: 'm',
        ...content.sides(value),
        metadata: {
          outcome: { result, of: 'test' },
          ...content.metadata,
          ...(policy && { policy: { path: '.envsnap.yaml', text: policy } }),
        },
      };
      const answer = await service.send(key, 'POST', '/machine/snapshots', body);
      expect(answer.status, JSON.stringify(answer.body).slice(0, 200)).toBe(201);
      return { id: String(answer.body.id), body };
    };
    const [a, b] = [await store('1', 'passed'), await store('2', 'failed', content.policy)];
    const targets = { ...world, snapshotId: b.id };
    const bodies: Record<string, object> = {
      compareSnapshots: { snapshotA: a.id, snapshotB: b.id },
      diagnose: { passed: [a.id], failed: [b.id] },
      createShare: { kind: 'comparison', a: a.id, b: b.id },
    };
    const requests: [name: string, ask: () => Promise<Response>][] = Object.values<Operation>(operations)
      .filter(
        ({ method, safe, name, response }) =>
          (method === 'GET' && response !== 'binary') || safe || name in bodies,
      )
      .map((operation) => {
        const { name, method } = operation;
        const body = bodies[name] ?? validBodyOf(name as keyof typeof operations, targets).body;
        const ask = () =>
          fetch(`${service.url}${pathOf(operation, targets)}`, {
            method,
            headers: { 'x-api-key': key, 'content-type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
        return [name, ask];
      });
    const signedIn = await fetch(`${service.url}/console/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ key }),
    });
    const [cookie = ''] = signedIn.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '');
    for (const page of pagesOf(a.id, b.id, world.webhookId))
      requests.push([
        page,
        () => fetch(`${service.url}/console/${page}`, { headers: { accept: 'text/html', cookie } }),
      ]);
    return { service, asked: requests, body: b.body };
  }

  describe('content that multiplies', () => {
    it.each(Object.entries(contents))(
      'ends by its budget, whatever calls it: %s',
      { timeout: 900_000, tags: 'release' },
      async (_, content) => {
        const { asked, body } = await prepare(content);
        const once = await longestTurn(async () => {
          await nextTurn();
          JSON.parse(JSON.stringify([body, body, body]));
        });
        const found: string[] = [];
        for (const [name, ask] of asked) {
          let status = 0;
          const turn = await longestTurn(async () => {
            const answer = await ask();
            status = answer.status;
            const text = await answer.text();
            if (
              /more than \d+ s of the server/.test(text) ||
              (status >= 400 && status !== 422 && status !== 413)
            )
              found.push(`${name}: ${status} ${text.slice(0, 300)}`);
          });
          if (turn > 5 * once + 300)
            found.push(`${name}: a turn of ${turn} ms, the content alone: ${once} ms`);
        }
        expect(found).toEqual([]);
      },
    );

    /** The order of the ends: three requests about the content, and a read and a job of another project that come later. */
    async function orderOf(service: TestService, ask: () => Promise<Response>, other: string) {
      const ended: string[] = [];
      const note = (what: string, work: Promise<unknown>) => work.then(() => ended.push(what));
      const own = Array.from({ length: 3 }, () =>
        note(
          'own',
          ask().then((answer) => answer.text()),
        ),
      );
      // Until they wait for each other in the job thread, or turn out not to need it for long.
      for (let looks = 0; looks < 3 && ended.length === 0; ) {
        const metrics = await (await fetch(`${service.url}/metrics`)).text();
        if (/^envsnap_jobs\{state="waiting"\} 2$/m.test(metrics)) looks += 1;
      }
      const read = note('read', service.send(other, 'GET', '/machine/snapshots'));
      const job = note('job', service.send(other, 'GET', `/machine/history?key=env:${randomUUID()}`));
      const isJob = ended.length === 0;
      await Promise.all([...own, read, job]);
      return isJob ? ended : undefined;
    }

    it('delays another project by at most two requests, whatever the operation or page', {
      timeout: 900_000,
      tags: 'release',
    }, async () => {
      const { service, asked } = await prepare(contents['braces × packages'] as Content);
      const other = (await service.bootstrap()).apiKey;
      const orders: Record<string, string[]> = {};
      for (const [name, ask] of asked) {
        const order = await orderOf(service, ask, other);
        if (order) orders[name] = order;
      }
      const waited = (order: string[], what: string) =>
        order.slice(0, order.indexOf(what)).filter((each) => each === 'own').length;
      const found = Object.entries(orders).filter(
        ([, order]) => waited(order, 'read') > 1 || waited(order, 'job') > 2,
      );
      expect(found).toEqual([]);
      const working = ['compareSnapshots', 'diagnose', 'createShare', 'getProjectHealth'];
      expect(Object.keys(orders)).toEqual(expect.arrayContaining(working));
    });
  });
});
