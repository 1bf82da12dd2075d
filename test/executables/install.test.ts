// The installer, with archives of small programs instead of ours: what it selects, checks, replaces and leaves behind.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const script = path.resolve(import.meta.dirname, '../../install.sh');
const isThere = (name: string) => spawnSync(name, ['--version']).status === 0;
const canDownload = ['curl', 'wget'].some(isThere);
const isHere = process.platform === 'linux' && process.arch === 'x64';
/** The end of a program that lacks something. */
const fails = '#!/bin/sh\nexit 127\n';
const answers = '#!/bin/sh\necho "envsnap/1.2.3 $*"\n';

const pem = (name: string) => readFileSync(path.join(import.meta.dirname, `../fixtures/tls/${name}.pem`));
const tls = { key: pem('key'), cert: pem('certificate') };
const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe.skipIf(!isHere)('install.sh', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'envsnap-install-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A release with an archive for each target; with `lib`, it includes its libraries. */
  function release(name: string, programs: Record<string, string>): string {
    const at = path.join(folder, name);
    mkdirSync(at);
    for (const [target, text] of Object.entries(programs)) {
      const inside = path.join(at, `envsnap-${target}`);
      mkdirSync(path.join(inside, target.endsWith('any-libc') ? 'lib' : ''), { recursive: true });
      writeFileSync(path.join(inside, 'envsnap'), text, { mode: 0o755 });
      execFileSync('tar', ['-czf', `${inside}.tar.gz`, '-C', at, path.basename(inside)]);
      rmSync(inside, { recursive: true });
    }
    execFileSync('sh', ['-c', 'sha256sum *.tar.gz >SHA256SUMS'], { cwd: at });
    return at;
  }
  const install = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('sh', [script, ...args], {
      cwd: folder,
      // With this variable, cd prints its target.
      env: { ...process.env, CDPATH: folder },
      encoding: 'utf8',
      timeout: 30_000,
    });
    return { status, stdout, stderr };
  };
  const installed = (to: string) =>
    spawnSync(path.join(to, 'envsnap'), ['x'], { encoding: 'utf8', env: { PATH: '' } });

  it('takes the archive with its own libraries if the other does not start, and the other one later if it does', () => {
    const to = path.join(folder, "it's here");
    const both = release('both', { 'linux-x64': fails, 'linux-x64-any-libc': answers });
    expect(install('--from', both, '--to', to)).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(to)).toEqual(['envsnap', 'envsnap.d']);
    expect(installed(to).stdout).toBe('envsnap/1.2.3 x\n');
    // Again, over the existing installation.
    expect(install('--from', both, '--to', "it's here")).toMatchObject({ status: 0, stderr: '' });
    expect(installed(to).stdout).toBe('envsnap/1.2.3 x\n');
    expect(install('--from', release('plain', { 'linux-x64': answers }), '--to', to).status).toBe(0);
    expect(readdirSync(to)).toEqual(['envsnap']);
    expect(readFileSync(path.join(to, 'envsnap'), 'utf8')).toBe(answers);
  });

  it('replaces a program that runs', async () => {
    const to = path.join(folder, 'busy');
    mkdirSync(to);
    cpSync('/bin/sleep', path.join(to, 'envsnap'));
    const running = spawn(path.join(to, 'envsnap'), ['60']);
    try {
      await once(running, 'spawn');
      expect(install('--from', release('newer', { 'linux-x64': answers }), '--to', to).status).toBe(0);
      expect(running.exitCode).toBeNull();
      expect(installed(to).stdout).toBe('envsnap/1.2.3 x\n');
    } finally {
      running.kill();
    }
  });

  it('leaves the old program unchanged if the new one is damaged, does not start or cannot be downloaded', {
    tags: 'release',
  }, () => {
    const to = path.join(folder, 'kept');
    mkdirSync(to);
    writeFileSync(path.join(to, 'envsnap'), answers, { mode: 0o755 });
    const damaged = release('damaged', { 'linux-x64': answers });
    writeFileSync(path.join(damaged, 'SHA256SUMS'), `${'0'.repeat(64)}  envsnap-linux-x64.tar.gz\n`);
    const broken = release('broken', { 'linux-x64': fails, 'linux-x64-any-libc': fails });
    const alone = release('alone', { 'linux-x64': fails });
    for (const [from, said] of [
      [damaged, 'the checksum of envsnap-linux-x64.tar.gz does not match: nothing was installed'],
      [broken, 'envsnap does not start here: nothing was installed'],
      [alone, `${alone} has no envsnap-linux-x64-any-libc.tar.gz`],
    ] as const) {
      expect(install('--from', from, '--to', to)).toEqual({
        status: 1,
        stdout: '',
        stderr: `install.sh: ${said}\n`,
      });
      expect(readdirSync(to)).toEqual(['envsnap']);
      expect(installed(to).stdout).toBe('envsnap/1.2.3 x\n');
    }
  });

  it.skipIf(!canDownload)('leaves nothing when a download is interrupted', async () => {
    const to = path.join(folder, 'interrupted');
    const server = createServer((_, answer) =>
      answer.writeHead(200, { 'content-length': '1000' }).write('half'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const from = addressOf(server);
    const child = spawn('sh', [script, '--from', from, '--to', to], { detached: true, stdio: 'ignore' });
    try {
      await once(server, 'request');
      // Like Ctrl-C: signals the installer and what it started.
      process.kill(-(child.pid as number), 'SIGINT');
      const [status] = await once(child, 'exit');
      expect(status).toBe(130);
      expect(readdirSync(to)).toEqual([]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it.skipIf(!isThere('wget'))(
    'follows redirects with wget, and uses nothing that came over plain http',
    async () => {
      const from = release('redirected', { 'linux-x64': answers });
      const plain = createServer((request, answer) =>
        answer.end(readFileSync(`${from}/${path.basename(request.url ?? '')}`)),
      );
      const secure = createSecureServer(tls, (request, answer) => {
        const [, place, name] = request.url?.split('/') ?? [];
        const location = place === 'plain' ? `${addressOf(plain)}/${name}` : `/here/${name}`;
        if (place === 'here') answer.end(readFileSync(`${from}/${name}`));
        else answer.writeHead(302, { location }).end();
      });
      for (const server of [plain, secure]) await once(server.listen(0, '127.0.0.1'), 'listening');
      const tools = path.join(folder, 'tools');
      mkdirSync(tools);
      const link = 'for name in $1; do ln -s "$(command -v "$name")" "$2/$name"; done';
      const names = 'cat cp cut grep gzip mkdir mktemp mv rm sed sha256sum tar uname wget';
      execFileSync('sh', ['-c', link, 'sh', names, tools]);
      writeFileSync(path.join(folder, 'wgetrc'), 'check_certificate = off\n');
      const env = { PATH: tools, WGETRC: path.join(folder, 'wgetrc') };
      const installFrom = async (place: string) => {
        const address = `${addressOf(secure).replace('http', 'https')}/${place}`;
        const to = path.join(folder, `from-${place}`);
        const child = spawn('/bin/sh', [script, '--from', address, '--to', to], { env });
        const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
        return { status, said, installed: readdirSync(to) };
      };
      expect(await installFrom('moved')).toEqual({ status: 0, said: '', installed: ['envsnap'] });
      expect(await installFrom('plain')).toEqual({
        status: 1,
        said: expect.stringContaining('redirects to plain http'),
        installed: [],
      });
      for (const server of [plain, secure]) server.close();
    },
  );

  it('says where it cannot write, and which option it does not know', { tags: 'release' }, () => {
    const { status, stderr } = install('--to', '/dev/null/bin');
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('install.sh: cannot create'),
    });
    expect(install('--form', 'x')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'install.sh: there is no option "--form"; --help shows all options\n',
    });
    for (const words of [['--from'], ['--to', ''], ['--version='], ['--server', '--version']]) {
      const result = install(...words);
      expect(result).toMatchObject({ status: 2, stderr: expect.stringMatching(/ needs a value; .*\n$/) });
      expect(result.stderr.split('\n')).toHaveLength(2);
    }
    expect(install('--from', folder, '--version', '1.2.3').stderr).toContain('use it without --from');
    for (const from of [
      'http://example.org/x',
      'http://127.0.0.1.example.org/x',
      'http://127.0.0.1:80@example.org',
    ])
      expect(install('--from', from)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--from is plain http'),
      });
    expect(install('--help').stdout).toMatch(/^ {2}--to DIR/m);
  });
});
