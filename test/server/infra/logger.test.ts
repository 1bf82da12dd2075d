import { expect, test } from 'vitest';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';

function capture() {
  const lines: string[] = [];
  const logger = createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } });
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') };
}

test('a line is one JSON object with level, time and message', () => {
  const { logger, lines, last } = capture();
  logger.info({ requestId: 'r1' }, 'done');
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(last()).toMatchObject({ level: 'info', requestId: 'r1', msg: 'done' });
  expect(last().time).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/);
});

test('secret fields are taken out at any depth and in any spelling, in child loggers too', () => {
  const { logger, lines } = capture();
  const canary = 'canary-value';
  logger.info({ req: { headers: { Authorization: canary, 'x-api-key': canary, COOKIE: canary } } });
  logger.info({ a: { b: { c: [{ envVars: { NAME: canary } }] } }, api_key: canary, keyHash: canary });
  logger.child({ secret: canary }).info('child');
  logger.info({ databaseUrl: canary, body: { value: canary }, bytes: Buffer.from(canary) });
  expect(lines.join('')).not.toContain(canary);
  expect(lines.join('')).not.toContain(Buffer.from(canary).toString('base64'));
});

test('keys, webhook secrets and passwords in URLs are taken out of any text', () => {
  const { logger, lines } = capture();
  const key = `mk_${'0123456789abcdef'.repeat(4)}`;
  logger.info({ url: `/x?key=${key}` }, `used ${key} and whsec_${'a'.repeat(43)}=`);
  logger.error(new Error('cannot reach postgres://user:hunter2@db/envsnap'));
  logger.error({ err: new Error('outer', { cause: new Error('https://a:hunter2@example.com') }) });
  expect(lines.join('')).not.toContain(key);
  expect(lines.join('')).not.toContain('whsec_aaa');
  expect(lines.join('')).not.toContain('hunter2');
  expect(lines.join('')).toContain('postgres://user:[redacted]@db/envsnap');
});

test("an error's extra fields, where drivers put rows, are not written; its cause is", () => {
  const { logger, lines, last } = capture();
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (x)=(canary-value)',
  });
  logger.error({ err: new Error('failed', { cause }) });
  expect(lines.join('')).not.toContain('canary-value');
  expect(last().err).toMatchObject({ type: 'Error', message: 'failed', cause: { code: '23505' } });
});
