import { inspect } from 'node:util';
import { ApiError, EnvsnapError, UnexpectedResponseError } from '@envsnap/sdk';
import { errorCodes } from '@envsnap/shared/error-codes';
import { describe, expect, it } from 'vitest';
import { startScriptedServer } from '../support/scripted-server.ts';
import { readTestData } from '../support/test-data.ts';
import { clientOf, failureOf, testKey } from './support.ts';

const { classOf, odd } = readTestData<{
  classOf: Record<keyof typeof errorCodes, string>;
  odd: [string, object][];
}>(import.meta);

async function failWith(
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): Promise<unknown> {
  await using server = await startScriptedServer({ status, json, headers });
  return await clientOf(server, { retries: 0 })
    .usage.get()
    .catch((error: unknown) => error);
}

describe('an error response', () => {
  it.each(Object.entries(errorCodes))('with %s has its class', async (code, { status }) => {
    const error = await failWith(status, { error: 'Text', code, requestId: 'of the body' });
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(EnvsnapError);
    expect(error).toMatchObject({
      name: classOf[code as keyof typeof errorCodes],
      message: 'Text',
      status,
      code,
      requestId: `req-${status}`,
      operation: 'getUsage',
      details: [],
    });
    expect((error as ApiError).constructor.name).toBe(classOf[code as keyof typeof errorCodes]);
  });

  it('names every field that is wrong once', async () => {
    const details = [
      { path: 'role', message: 'must be one of admin, member, viewer' },
      { path: 'label', message: 'must be at most 100 characters' },
    ];
    const fields = 'role must be one of admin, member, viewer; label must be at most 100 characters';
    const [first] = details;
    const named = `Invalid body: ${first?.path} ${first?.message}`;
    expect(await failWith(400, { error: named, details })).toMatchObject({
      details,
      message: `Invalid body: ${fields}`,
    });
    expect(await failWith(400, { error: 'Invalid', details })).toMatchObject({
      message: `Invalid (${fields})`,
    });
  });

  it('takes the seconds to wait from the body where no header shows', async () => {
    const json = { error: 'Rate limit exceeded (per-day)', code: 'rate_limited', retryAfter: 4000 };
    expect(await failWith(429, json)).toMatchObject({ retryAfterSeconds: 4000 });
    expect(await failWith(429, json, { 'retry-after': '3' })).toMatchObject({ retryAfterSeconds: 3 });
  });

  it.each(odd)('is still readable with %s', async (_, json) => {
    expect(await failWith(400, json)).toMatchObject({
      name: 'ValidationError',
      message: 'Text',
      code: undefined,
      details: [],
      retryAfterSeconds: undefined,
    });
  });

  it.each(['from_the_future', 'constructor'])('keeps the code %s, which it does not know', async (code) => {
    expect(await failWith(400, { error: 'Text', code })).toMatchObject({ name: 'ValidationError', code });
    // Without a row in its table, the status decides whether another attempt is worth it.
    await using server = await startScriptedServer({ status: 503, json: { error: 'Text', code } });
    const client = clientOf(server, { retries: 1, maxRetryAfterSeconds: 0 });
    await expect(client.usage.get()).rejects.toMatchObject({ name: 'ServerError', code });
    expect(server.seen).toHaveLength(2);
  });

  it.each([[null], ['text'], [[]]])('is still readable with %j as its body', async (json) => {
    expect(await failWith(418, json)).toMatchObject({
      name: 'ApiError',
      message: 'The server responded with 418',
    });
  });
});

describe('a response of another server', () => {
  it('is reported with its status, its id and its first bytes, without a key', async () => {
    const text = `<html>${testKey}${'x'.repeat(2000)}`;
    await using server = await startScriptedServer({
      status: 200,
      text,
      headers: { 'content-type': 'text/html', 'x-request-id': 'of-the-proxy' },
    });
    const error = await failureOf(clientOf(server).usage.get());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({ status: 200, requestId: 'of-the-proxy' });
    const { bodyStart } = error as UnexpectedResponseError;
    expect(bodyStart).toMatch(/^<html>mk_…x+$/);
    expect(bodyStart).toHaveLength(500);
  });

  it('shows nothing of JSON, which may hold a secret', async () => {
    await using server = await startScriptedServer({
      status: 200,
      json: { keys: [{ id: 7, key: 'fingerprint-secret' }] },
    });
    const error = await failureOf(clientOf(server).keys.list());
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(inspect(error, { showHidden: true })).not.toContain('fingerprint-secret');
  });
});

describe('a creating call that failed', () => {
  it('has the idempotency key that makes a later one safe', async () => {
    await using server = await startScriptedServer('drop');
    const client = clientOf(server, { retries: 0 });
    const fail = (call: Promise<unknown>) => call.catch((caught: unknown) => caught as EnvsnapError);
    const error = (await fail(client.snapshots.create({ machineName: 'm' }))) as EnvsnapError;
    expect(error.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect(error.idempotencyKey).toBe(server.seen[0]?.headers['idempotency-key']);
    const options = { idempotencyKey: 'mine' };
    const thrown = (await fail(client.keys.create({}, options))) as EnvsnapError;
    expect(thrown.idempotencyKey).toBe('mine');
    expect(inspect(thrown)).not.toContain('mine');
    expect(await fail(client.usage.get())).not.toHaveProperty('idempotencyKey');
  });
});
