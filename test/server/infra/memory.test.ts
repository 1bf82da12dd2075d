// V8's space for new objects: bounded under load, and as large again after a rest.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const memory = path.resolve(import.meta.dirname, '../../../packages/server/src/infra/memory.ts');

/** Prints the size of the space in MiB after a load, after a rest, and after the same load again. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setImmediate as nextTurn } from 'node:timers/promises';
  const { boundYoungHeap } = await import(${JSON.stringify(memory)});
  const youngMiB = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 1024 ** 2;
  async function work() {
    let kept;
    for (let turn = 0; turn < 250; turn += 1) {
      kept = Array.from({ length: 20_000 }, (_, index) => ({ index, text: turn + ' ' + index }));
      await nextTurn();
    }
    return kept.length;
  }
  boundYoungHeap();
  await work();
  const underLoad = youngMiB();
  gc({ type: 'major', flavor: 'last-resort' });
  const atRest = youngMiB();
  await nextTurn();
  await work();
  console.log(JSON.stringify({ underLoad, atRest, again: youngMiB() }));
`;

test('the space for new objects grows to 32 MiB and no further, and does so again after it has shrunk', async () => {
  const args = ['--expose-gc', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { underLoad, atRest, again } = JSON.parse(stdout) as Record<string, number>;
  expect(atRest).toBeLessThan(16);
  expect({ underLoad, again }).toEqual({ underLoad: 32, again: 32 });
});
