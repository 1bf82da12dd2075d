// Whatever a request contains, its cost grows no faster than its size: every field of every operation. Costs are processor time,
// compared with that of a harmless request of the same size, so that a busy machine affects both. It must catch quadratic growth:
// a hundred times the cost.
//
// @module-tag release

import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Operation, operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import examples from '../../../packages/shared/src/openapi/examples.json' with { type: 'json' };
import { describeOnSqlite } from '../../support/databases.ts';
import { startServerProcess } from '../../support/programs.ts';
import { type RequestOptions, startProject, startService } from '../../support/service.ts';

/** How many times the cost of the harmless request is allowed. Parsing small values alone costs 25 times as much. */
const tolerance = 60;
const kibibyte = 1024;

/** Joins as many parts as fit into `bytes`. */
function fill(bytes: number, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let size = 0, index = 0; size < bytes; index += 1) {
    const next = part(index);
    parts.push(next);
    size += next.length + 1;
  }
  return parts.join(',');
}

const name = (index: number) => index.toString(36);

/** Values that are hard on a parser, a checker or a pattern, about `size` bytes as JSON. */
const hardValues: Record<string, (size: number) => string> = {
  'many small members': (size) => `{${fill(size, (index) => `"${name(index)}":""`)}}`,
  'many numbered members': (size) => `{${fill(size, (index) => `"${index * 7919}":""`)}}`,
  'members of the wrong type': (size) => `{${fill(size, (index) => `"${name(index)}":1`)}}`,
  'members named alike': (size) => `{${fill(size, (index) => `"${'k'.repeat(900)}${index}":""`)}}`,
  'maps in a map': (size) => `{${fill(size, (index) => `"${name(index)}":{"a":"1"}`)}}`,
  fingerprints: (size) => `{${fill(size, (index) => `"${name(index)}":"hmac:${'0'.repeat(32)}"`)}}`,
  'a list of small values': (size) => `[${fill(size, () => '0')}]`,
  'a list of texts': (size) => `[${fill(size, () => '"a"')}]`,
  'a list of objects': (size) => `[${fill(size, (index) => `{"${name(index)}":1}`)}]`,
  'nested lists': (size) => '['.repeat(size / 2) + ']'.repeat(size / 2),
  'nested objects': (size) => `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'a long number': (size) => '9'.repeat(size),
  spaces: (size) => JSON.stringify(`${' '.repeat(size)}x`),
  slashes: (size) => JSON.stringify('/'.repeat(size)),
  surrogates: (size) => `"${'\\ud83e\\udded'.repeat(size / 12)}"`,
  'halves of surrogates': (size) => `"${'\\ud83e'.repeat(size / 6)}"`,
  escapes: (size) => `"${'\\u0001'.repeat(size / 6)}"`,
  'a URL': (size) => JSON.stringify(`http://${'a.'.repeat(size / 2)}/`),
  'a path of a URL': (size) => JSON.stringify(`http://a/${'../%2e/'.repeat(size / 7)}`),
  'a secret': (size) => JSON.stringify(`whsec_${'A'.repeat(size)}=`),
};

const bodies = Object.values<Operation>(operations).flatMap(({ body, ...operation }) =>
  body === undefined ? [] : [{ ...operation, body }],
);

/**
 * Processor time of this process, because large bodies are parsed in a separate thread, in milliseconds: the least of three runs,
 * or of up to thirty until one costs less than `enough`, because other test files run in this process too.
 */
async function costOf(run: () => Promise<unknown>, enough?: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (enough === undefined ? 3 : 30); round += 1) {
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
    if (enough !== undefined && least < enough) break;
  }
  return least;
}

describeOnSqlite((openDatabase) => {
  // The measured work happens in this process, including SQLite.
  describe('the cost of a request', () => {
    it.each(bodies)('of $name grows with its size, with one hard value in five in any field', (operation) =>
      expectGrowth(operation, 5),
    );
    it.each(bodies)(
      'of $name grows with its size, whatever is sent in any field',
      { tags: 'release' },
      (operation) => expectGrowth(operation, 1),
    );

    /** Sends one of `every` hard values in each field: each field gets others. */
    async function expectGrowth(operation: (typeof bodies)[number], every: number): Promise<void> {
      const { name: called, method, path, access, body: schema, largeBody } = operation;
      const service = await startService(openDatabase, { ENVSNAP_LOG_LEVEL: 'silent' });
      const { request: least } = (examples as Record<string, { request?: object }>)[called] ?? {};
      const bytes = (largeBody ? 200 : 60) * kibibyte;
      const fields = [...Object.keys((schema as unknown as { shape: object }).shape), 'unknown'];
      for (const [turn, field] of fields.entries()) {
        // Separate quotas, so that rows of one field do not make the next request fail.
        const { apiKey: key, projectId } = await service.bootstrap();
        const place = path.replace(/:\w+/g, projectId);
        const send = (body: string) => () =>
          service.request(method, place, access === 'public' ? { body } : { key, body });
        const harmless = JSON.stringify({ ...least, [field]: undefined, padding: 'x'.repeat(bytes) });
        await send(harmless)();
        const baseline = await costOf(send(harmless));
        const values = Object.entries(hardValues).filter((_, index) => index % every === turn % every);
        for (const [what, make] of values) {
          const body = JSON.stringify({ ...least, [field]: null }).replace(
            `"${field}":null`,
            () => `"${field}":${make(bytes - 2000)}`,
          );
          // Every request may cost a millisecond in addition.
          const most = tolerance * (baseline + 1);
          const sendOnce = async () =>
            expect([field, what, (await send(body)()).status]).not.toEqual([field, what, 500]);
          const cost = await costOf(sendOnce, most);
          expect(cost, `${field}, ${what}: ${cost} ms, harmless: ${baseline} ms`).toBeLessThan(most);
        }
      }
    }

    it('is small for what is refused by its size, packed or not', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_LOG_LEVEL: 'silent' });
      const bomb = `{"projectName":"p",${fill(8 * 1024 * kibibyte, (index) => `"${name(index)}":1`)}}`;
      const empty = gzipSync('');
      const cases: [string, RequestOptions][] = [
        ['/machine/keys/bootstrap', { body: bomb }],
        ['/machine/keys/bootstrap', { body: gzipSync(bomb), headers: { 'content-encoding': 'gzip' } }],
        [
          '/machine/keys/bootstrap',
          { body: brotliCompressSync(bomb.slice(0, 1_000_000)), headers: { 'content-encoding': 'br' } },
        ],
        ['/machine/webhooks', { key, body: gzipSync(bomb), headers: { 'content-encoding': 'gzip' } }],
        ['/machine/snapshots', { key, body: gzipSync(bomb), headers: { 'content-encoding': 'gzip' } }],
        // Decompresses to nothing, forever.
        [
          '/machine/keys',
          { key, body: Buffer.concat(Array(20_000).fill(empty)), headers: { 'content-encoding': 'gzip' } },
        ],
      ];
      for (const [path, options] of cases) {
        const answer = await service.request('POST', path, options).catch(() => undefined);
        // A caller that is still sending may see the connection end before the answer.
        if (answer) expect([path, answer.status, answer.body.code]).toEqual([path, 413, 'body_too_large']);
      }
      const counts = await service.send(key, 'GET', '/machine/usage');
      expect(counts.body.resources).toMatchObject({ snapshots: 0, apiKeys: 1 });
    });

    it('for what is stored grows with what is asked for: keys of slashes, deep paths, repeated keys', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_LOG_LEVEL: 'silent' });
      const packages = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, '1']));
      const body = {
        machineName: 'm',
        dependencies: { 'a/b/package-lock.json': packages },
        metadata: { a: { b: 1 } },
      };
      for (let index = 0; index < 20; index += 1) {
        const padded = { ...body, envVars: { N: `${index}` }, runtimeVersions: { node: `${index}` } };
        await service.send(key, 'POST', '/machine/snapshots', padded);
      }
      const ask = (query: string) => () => service.send(key, 'GET', query);
      const history = (wanted: string) => ask(`/machine/history?key=${encodeURIComponent(wanted)}`);
      const baseline = await costOf(history('dependencies:a/b/package-lock.json/p1'));
      for (const wanted of [
        `dependencies:${'/'.repeat(8000)}`,
        `dependencies:${'a/'.repeat(4000)}`,
        `dependencies:a/b/package-lock.json/${'/'.repeat(8000)}`,
        `metadata.${'a.'.repeat(4000)}b`,
        `runtimes.${'.'.repeat(8000)}`,
      ]) {
        const most = 10 * (baseline + 1);
        const cost = await costOf(history(wanted), most);
        expect(cost, `${wanted.slice(0, 40)}: ${cost} ms, plain: ${baseline} ms`).toBeLessThan(most);
      }
      expect((await history(`dependencies:${'/'.repeat(9000)}`)()).status).toBe(400);
      const machines = (keys: string[]) => ask(`/machine/machines?keys=${keys.join(',')}`);
      const one = await costOf(machines(['dependencies:a/b/package-lock.json/p1']));
      const twenty = Array.from({ length: 20 }, (_, index) => `dependencies:a/b/package-lock.json/p${index}`);
      const most = 10 * (one + 1);
      expect(await costOf(machines(twenty), most)).toBeLessThan(most);
    });

    it('of a comparison is bounded when it is stored: no name of a file is repeated without end', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_LOG_LEVEL: 'silent' });
      const packages = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [name(index), '']));
      const body = { machineName: 'm', dependencies: { ['f'.repeat(4096)]: packages } };
      const refused = await service.send(key, 'POST', '/machine/snapshots', body);
      expect([refused.status, refused.body.details[0].path]).toEqual([400, 'dependencies']);
    });
  });
});

it('the cost of a request is no higher with an Idempotency-Key for what is ignored of a body', {
  tags: 'release',
}, async () => {
  // In a separate process, because other test files run in this one.
  const { url } = await startServerProcess();
  const send = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const type = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/machine/${path}`, {
      method: 'POST',
      body,
      headers: { ...type, ...headers },
    });
    expect(answer.status, await answer.clone().text()).toBe(201);
    return (await answer.json()) as Record<string, string>;
  };
  const { apiKey = '' } = await send('keys/bootstrap', '{"projectName":"p"}');
  const secondsUsed = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)$/m.exec(metrics)?.[1]);
  };
  const members = fill(2 * 1024 * kibibyte, (index) => `"${name(index * 7919)}":1`);
  const body = `{"machineName":"m","unknown":{${members}}}`;
  let sent = 0;
  const costOfThree = async (headersOf: () => Record<string, string>) => {
    const before = await secondsUsed();
    for (let count = 0; count < 3; count += 1) {
      sent += 1;
      await send('snapshots', body, { 'x-api-key': apiKey, ...headersOf() });
    }
    return (await secondsUsed()) - before;
  };
  const plainly = () => costOfThree(() => ({}));
  const once = () => costOfThree(() => ({ 'idempotency-key': `key-${sent}` }));
  await once();
  const [plain, keyed] = [Math.min(await plainly(), await plainly()), Math.min(await once(), await once())];
  expect(keyed / plain, `${keyed} s, without: ${plain} s`).toBeLessThan(1.6);
});
