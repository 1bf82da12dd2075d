// The check of all tests' traffic finds the mistakes that it is meant to find.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../support/test-data.ts';
import { checkExchange } from '../support/traffic/api-document.ts';
import type { Exchange } from '../support/traffic/watch-exchange.ts';

type More = { headers?: Record<string, string>; requestBody?: unknown };
const { deviations } = readTestData<{
  deviations: [string, [string, string, number, unknown, More?], string][];
}>(import.meta);

const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';
const always = {
  'x-request-id': 'r',
  'x-ratelimit-limit': 60,
  'x-ratelimit-remaining': 59,
  'x-ratelimit-reset': 1,
};
const json = { ...always, 'content-type': 'application/json; charset=utf-8' };
const error = { error: 'No', code: 'snapshot_not_found', requestId: 'r' };

function exchange(
  method: string,
  target: string,
  status: number,
  answer: unknown,
  more: Partial<Omit<Exchange, 'requestBody'>> & { requestBody?: unknown } = {},
): Exchange {
  return {
    method,
    target,
    status,
    requestHeaders: { 'content-type': 'application/json' },
    answerHeaders: json,
    answerBody: Buffer.from(JSON.stringify(answer)),
    ...more,
    requestBody: Buffer.from(more.requestBody === undefined ? '' : JSON.stringify(more.requestBody)),
  };
}

describe('the check of traffic against the API document', () => {
  it('passes traffic that fits the document', () => {
    expect(checkExchange(exchange('DELETE', `/machine/snapshots/${id}`, 200, { success: true }))).toEqual([]);
    expect(checkExchange(exchange('DELETE', `/machine/snapshots/${id}`, 404, error))).toEqual([]);
    expect(checkExchange(exchange('GET', '/nowhere', 404, { ...error, code: 'route_not_found' }))).toEqual(
      [],
    );
    const made = { id, machineName: 'm', createdAt: '2026-02-07T13:05:00.000Z' };
    const packed = { answerHeaders: { ...json, 'content-encoding': 'gzip' } };
    const create = exchange('POST', '/machine/snapshots', 201, made, { requestBody: { machineName: 'm' } });
    expect(
      checkExchange({ ...create, ...packed, answerBody: gzipSync(create.answerBody as Buffer) }),
    ).toEqual([]);
  });

  it.each(deviations)('finds %s that the document does not have', (_what, call, deviation) => {
    const [method, target, status, answer, { headers = {}, requestBody } = {}] = call;
    const one = exchange(method, target, status, answer, {
      answerHeaders: { ...json, ...headers },
      requestBody,
    });
    expect(checkExchange(one).join('\n')).toContain(deviation);
  });

  it('finds a header that is missing', () => {
    const one = exchange('DELETE', `/machine/snapshots/${id}`, 401, { ...error, code: 'invalid_api_key' });
    expect(checkExchange(one)).toEqual([
      'DELETE /machine/snapshots/{id} 401: header WWW-Authenticate is missing',
    ]);
  });
});
