import { expect, test } from 'vitest';
import { createLogOutput, type LogTarget } from '../../../packages/server/src/infra/log-output.ts';

/** A reader who takes only what `read` lets through. */
function createSlowTarget() {
  const sent: string[] = [];
  let waiting = 0;
  let failing = false;
  const target: LogTarget = {
    send(text) {
      if (failing) throw new Error('ENOSPC');
      sent.push(text);
      waiting += text.length;
    },
    waitingBytes: () => waiting,
    sendLast: () => undefined,
  };
  return {
    target,
    sent,
    read: () => {
      waiting = 0;
    },
    fail: (value: boolean) => {
      failing = value;
    },
  };
}

const line = `${'x'.repeat(5000)}\n`;

test('lines that nobody reads are dropped and counted, and the count is logged when there is room again', () => {
  const { target, sent, read } = createSlowTarget();
  const output = createLogOutput(target);
  for (let index = 0; index < 1000; index += 1) output.write(line);
  const sentBefore = sent.length;
  expect(sentBefore * line.length).toBeLessThan(1.1 * 1024 * 1024);
  read();
  output.write(line);
  const [notice = '', ...rest] = (sent.at(-1) ?? '').split('\n');
  expect(JSON.parse(notice)).toMatchObject({ level: 'warn', dropped: 1000 - sentBefore });
  expect(rest.join('\n')).toBe(line);
});

test('lines that cannot be written are counted like those that nobody reads', () => {
  const { target, sent, fail } = createSlowTarget();
  const output = createLogOutput(target);
  fail(true);
  output.write(line);
  output.write(line);
  fail(false);
  output.write(line);
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('"dropped":2');
});

test('a flush writes what waits, and ends although nobody reads', async () => {
  const { target, sent, read } = createSlowTarget();
  const output = createLogOutput(target);
  output.write('short\n');
  expect(sent).toEqual([]);
  await new Promise<void>((resolve) => output.flush(resolve));
  expect(sent).toEqual(['short\n']);
  read();
  await new Promise<void>((resolve) => output.flush(resolve));
});
