// A second server on one data folder, while the first runs, and after it was killed.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../support/databases.ts';
import { runServerCommand, startServerIn } from '../../support/programs.ts';

it('a second server on a data folder is refused with the name of the first, and served after its kill', async () => {
  const folder = temporaryFolder();
  const dataDir = path.join(folder, 'data');
  const first = await startServerIn(folder);
  const { pid } = first.running.child;
  const refused = await runServerCommand(['start', '--port', '0', '--data-dir', dataDir]);
  expect([refused.stdout, refused.exitCode]).toEqual(['', 2]);
  expect(refused.stderr).toMatch(/^envsnap-server: another envsnap-server [^\n]+\n$/);
  expect(refused.stderr).toContain(`(process ${pid}, ${first.url}, since `);
  expect(refused.stderr).toContain(dataDir);
  expect((await fetch(`${first.url}/ready`)).status).toBe(200);

  // Operators' commands go on beside it.
  expect((await runServerCommand(['migrate', '--status', '--data-dir', dataDir])).exitCode).toBe(0);

  first.running.child.kill('SIGKILL');
  await first.running.finished;
  expect(existsSync(path.join(dataDir, 'server.json'))).toBe(true);
  const second = await startServerIn(folder);
  const again = await runServerCommand(['start', '--port', '0', '--data-dir', dataDir]);
  expect(again.stderr).toContain(`(process ${second.running.child.pid}, ${second.url}, since `);
});
