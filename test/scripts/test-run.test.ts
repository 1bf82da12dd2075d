import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, inject, it } from 'vitest';

it('keeps the exit code of a run that loaded PostgreSQL', () => {
  const loader = pathToFileURL(path.resolve(import.meta.dirname, '../support/reachable-postgres.ts')).href;
  // The run's own folder already has a copy if root cannot use the checkout's programs.
  const folder = path.join(inject('runFolder'), 'loaded-again');
  const program = `
    const { loadEmbeddedPostgres } = await import(${JSON.stringify(loader)});
    await loadEmbeddedPostgres(${JSON.stringify(folder)});
    process.exitCode = 3;`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(3);
});
