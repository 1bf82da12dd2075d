// The check of all tests' traffic finds the mistakes that it is meant to find.

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkExchange } from '../support/traffic/api-document.ts';
import type { Exchange } from '../support/traffic/watch-exchange.ts';

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

  it.each<[string, Exchange, string]>([
    [
      'a status',
      exchange('DELETE', `/machine/snapshots/${id}`, 418, error),
      'DELETE /machine/snapshots/{id} 418: the status is not declared',
    ],
    ['an operation', exchange('GET', '/machine/secrets', 200, {}), 'the document has no such operation'],
    [
      'a field',
      exchange('DELETE', `/machine/snapshots/${id}`, 200, { success: true, more: 1 }),
      'answer must NOT have additional properties (more)',
    ],
    [
      'the value of a field',
      exchange('DELETE', `/machine/snapshots/${id}`, 200, { success: false }),
      'answer /success must be equal to constant',
    ],
    [
      'a code',
      exchange('GET', '/nowhere', 404, { ...error, code: 'new_code' }),
      'answer /code must be equal to one of the allowed values',
    ],
    [
      'a content type',
      exchange(
        'GET',
        '/machine/usage',
        200,
        {},
        { answerHeaders: { ...always, 'content-type': 'text/html' } },
      ),
      'content type "text/html" is not declared',
    ],
    [
      'a header',
      exchange('GET', '/machine/usage', 404, error, { answerHeaders: { ...json, 'x-secret': '1' } }),
      'the status is not declared',
    ],
    [
      'a header of an answer',
      exchange('DELETE', `/machine/snapshots/${id}`, 404, error, {
        answerHeaders: { ...json, 'x-new': '1' },
      }),
      'header x-new is not declared',
    ],
    [
      'the kind of a header',
      exchange('DELETE', `/machine/snapshots/${id}`, 404, error, {
        answerHeaders: { ...json, 'x-ratelimit-limit': 'many' },
      }),
      'header X-RateLimit-Limit must be integer',
    ],
    [
      'an accepted body',
      exchange('POST', '/machine/webhooks/x', 200, {}, { method: 'PATCH', requestBody: { url: 5 } }),
      'accepted a body that /url must be string',
    ],
    [
      'an accepted query',
      exchange('GET', '/machine/snapshots?offset=-1', 200, {}),
      'accepted query offset=-1, which must be >= 0',
    ],
  ])('finds %s that the document does not have', (_what, one, deviation) => {
    expect(checkExchange(one).join('\n')).toContain(deviation);
  });

  it('finds a header that is missing', () => {
    const one = exchange('DELETE', `/machine/snapshots/${id}`, 401, { ...error, code: 'invalid_api_key' });
    expect(checkExchange(one)).toEqual([
      'DELETE /machine/snapshots/{id} 401: header WWW-Authenticate is missing',
    ]);
  });
});
