import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runServerCommand } from '../support/programs.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-startup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (env: Record<string, string>, ...flags: string[]) =>
  runServerCommand(['start', '--data-dir', path.join(folder, 'data'), ...flags], { env });

describe('a server that cannot start', () => {
  it('says that the port is in use, ends with 2 and writes nothing', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const finished = await start({}, '--port', String(port));
    taken.close();
    expect(finished.exitCode).toBe(2);
    expect(finished.stdout).toBe('');
    expect(finished.stderr).toMatch(/^envsnap-server: port in use: [^\n]*\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('names a master key that does not parse, ends with 2 and writes nothing', async () => {
    const finished = await start({ ENVSNAP_ENCRYPTION_KEY: 'too-short-to-be-one' }, '--port', '0');
    expect(finished.exitCode).toBe(2);
    expect(finished.stderr).toMatch(/^envsnap-server: ENVSNAP_ENCRYPTION_KEY [^\n]*\n$/);
    expect(finished.stderr).not.toContain('too-short');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('asks for the master key of PostgreSQL before it looks for the database', async () => {
    const finished = await start({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' }, '--port', '0');
    expect(finished.exitCode).toBe(2);
    expect(finished.stderr).toMatch(/^envsnap-server: ENVSNAP_ENCRYPTION_KEY is required [^\n]*\n$/);
  });
});
