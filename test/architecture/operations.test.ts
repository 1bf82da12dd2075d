// Every operation of the table is reachable: through a method of the SDK.

import {
  type Answers,
  type Bodies,
  EnvSnap,
  type Queries,
  type SnapshotContent,
  type TransportEvent,
  type WebhookPayload,
} from '@envsnap/sdk';
import type * as shared from '@envsnap/shared';
import {
  type BodyOf,
  type Operation,
  type OperationName,
  type Operations,
  operations,
  type ResponseOf,
} from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { testKey } from '../sdk/support.ts';

const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';
type Call = { readonly operation: string; readonly method: string; readonly path: string };

/** Calls every method of every resource of the client, and returns the resulting requests. */
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

// Compares the types of the SDK's contract, which a script writes, with those of the operations' schemas.

describe("the SDK's contract", () => {
  it('has the types that the schemas give', () => {
    // The compiler reports differences here.
    const differing: [Differing<Checks>] extends [never] ? 'none' : Differing<Checks> = 'none';
    expect(differing).toBe('none');
  });
});

/** True if the types are interchangeable. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** A body with read-only lists. */
type Given<Body> = {
  [K in keyof Body]: [Extract<Body[K], unknown[]>] extends [never]
    ? Body[K]
    : Exclude<Body[K], unknown[]> | readonly Extract<Body[K], unknown[]>[number][];
};
type AllWith<Part extends 'response' | 'body' | 'query'> = {
  [N in OperationName]: Operations[N] extends Record<Part, infer Schema>
    ? Schema extends 'binary'
      ? never
      : N
    : never;
}[OperationName];
type Checks = { [N in keyof Answers as `answer of ${N}`]: Same<Answers[N], ResponseOf<Operations[N]>> } & {
  [N in keyof Bodies as `body of ${N}`]: Same<Bodies[N], Given<BodyOf<Operations[N]>>>;
} & {
  content: Same<SnapshotContent, shared.SnapshotContent>;
  payload: Same<WebhookPayload, shared.WebhookPayload>;
  answers: Same<keyof Answers, AllWith<'response'>>;
  bodies: Same<keyof Bodies, AllWith<'body'>>;
  queries: Same<keyof Queries, AllWith<'query'>>;
};
type Differing<C> = { [K in keyof C]: C[K] extends true ? never : K }[keyof C];
