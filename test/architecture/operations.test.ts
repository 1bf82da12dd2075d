// Every operation of the table is reachable: through a method of the SDK.

import { EnvSnap, type TransportEvent } from '@envsnap/sdk';
import { type Operation, operations } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { testKey } from '../sdk/support.ts';

const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';
type Call = { readonly operation: string; readonly method: string; readonly path: string };

/** Calls every method of every resource of the client, and says which requests came of it. */
async function callEverything(): Promise<Call[]> {
  const calls: Call[] = [];
  const events: TransportEvent[] = [];
  const connection = {
    baseUrl: 'http://127.0.0.1:4780',
    retries: 0,
    onEvent: (event: TransportEvent) => events.push(event),
    fetch: async (url: string, init: RequestInit) => {
      const operation = events.at(-1)?.operation ?? '';
      calls.push({ operation, method: init.method ?? '', path: new URL(url).pathname });
      return Response.json({});
    },
  };
  const client = new EnvSnap({ apiKey: testKey, ...connection });
  await EnvSnap.bootstrap({ projectName: 'p', ...connection }).catch(() => undefined);
  for (const resource of Object.values(client)) {
    const prototype: object = Object.getPrototypeOf(resource);
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const method: unknown = Reflect.get(prototype, name);
      if (name === 'constructor' || name === 'iterate' || typeof method !== 'function') continue;
      const argumentLists = [[], [id], [id, id], [id, id, 'viewer'], [{ content: 'x', filename: 'x' }]];
      for (const list of argumentLists)
        await (async () => method.apply(resource, list))().catch(() => undefined);
    }
  }
  return calls;
}

describe('every operation', () => {
  it('has a method of the SDK that sends its method and path', async () => {
    const calls = await callEverything();
    const reached: Record<string, boolean> = {};
    for (const [name, { method, path }] of Object.entries<Operation>(operations)) {
      const pattern = new RegExp(`^${path.replace(/:\w+/g, id)}$`);
      reached[name] = calls.some(
        (call) => call.operation === name && call.method === method && pattern.test(call.path),
      );
    }
    expect(reached).toEqual(Object.fromEntries(Object.keys(operations).map((name) => [name, true])));
  });
});
