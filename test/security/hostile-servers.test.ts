// Servers that answer with endless, packed, misshapen or misleading bodies: the command line ends properly and within limits.

import { existsSync, readdirSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createSandbox, type Finished, type RunOptions, type Sandbox } from '../support/programs.ts';

const apiKey = 'mk_1111111111111111111111111111111111111111111111111111111150839eeb';
const mebibyte = 1024 * 1024;

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server?.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function run(from: Sandbox, baseUrl: string, args: readonly string[], options: RunOptions = {}) {
  return from.run(args, { ...options, env: { ENVSNAP_API_KEY: apiKey, ENVSNAP_BASE_URL: baseUrl } });
}

/** Keeping the body would crash the program. */
const inLittleMemory = { nodeArgs: ['--max-old-space-size=256'] };

/** The program ended deliberately, with a short message, without a stack or a crash. */
function expectOrderly({ exitCode, signal, stdout, stderr }: Finished, ...codes: number[]): void {
  expect({ signal, known: codes.includes(exitCode ?? -1), exitCode }).toEqual({
    signal: null,
    known: true,
    exitCode,
  });
  expect(stderr).not.toMatch(/unexpected failure|\bat .*\.[jt]s:\d+|heap out of memory/);
  expect(stdout.length + stderr.length).toBeLessThan(4000);
}

describe('a server whose response never ends', () => {
  for (const [what, args, contentType] of [
    ['a list', ['snapshot', 'list'], 'application/json'],
    ['an error', ['whoami'], 'text/html'],
  ] as const)
    test(`is cut off before it has sent much: ${what}`, {
      tags: what === 'an error' ? [] : 'release',
    }, async () => {
      let sent = 0;
      const chunk = Buffer.alloc(65_536, 0x20);
      const baseUrl = await serve((_request, response) => {
        response.writeHead(contentType === 'text/html' ? 500 : 200, { 'Content-Type': contentType });
        const more = (): void => {
          while (!response.destroyed && response.write(chunk)) sent += chunk.length;
          sent += chunk.length;
        };
        response.on('drain', more).on('error', () => undefined);
        more();
      });
      const finished = await run(createSandbox(), baseUrl, args, inLittleMemory);
      expectOrderly(finished, 6, 7);
      expect(sent).toBeLessThan(120 * mebibyte);
    });

  test('is not unpacked to its end: a body of 2 GiB in 2 MiB', { tags: 'release' }, async () => {
    const packed = gzipSync(Buffer.alloc(64 * mebibyte, 0x20));
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      for (let times = 0; times < 32; times += 1) response.write(packed);
      response.end();
    });
    expectOrderly(await run(createSandbox(), baseUrl, ['snapshot', 'list'], inLittleMemory), 6, 7);
  });
});

describe('a server whose response has another shape', () => {
  const bodies = [
    '{"snapshots":{}}',
    '{"snapshots":[null,7,"x"]}',
    '{"snapshots":[{"id":7}],"total":"x"}',
    '[]',
    'null',
    '7',
    '"text"',
    '{"__proto__":{"snapshots":[]}}',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    '<html>login</html>',
    '',
    '\u0000',
  ];
  const commands = [['snapshot', 'list'], ['whoami'], ['matrix']];
  const learnsSo = async (body: string, asked: readonly (readonly string[])[]) => {
    const baseUrl = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(body);
    });
    const home = createSandbox();
    for (const args of asked) expectOrderly(await run(home, baseUrl, args), 6);
  };
  const cases = bodies.map((body, place) => [body.slice(0, 40), body, place] as const);
  // The bodies in between are of the same kinds.
  test.each(cases.filter((_, place) => place % 2 === 0))('is refused: %j', (_, body, place) =>
    learnsSo(body, [commands[place % commands.length] ?? []]),
  );
  test.each(cases)('is refused by every command: %j', { tags: 'release' }, (_, body) =>
    learnsSo(body, commands),
  );

  test('is refused when a capture asks for the fingerprint key, and gets no secret', async () => {
    const bodies: string[] = [];
    const baseUrl = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end('{"id":"../../x","key":"short","createdAt":"2026-01-01T00:00:00.000Z"}');
      });
    });
    const home = createSandbox();
    await home.run(['capture'], {
      env: { ENVSNAP_API_KEY: apiKey, ENVSNAP_BASE_URL: baseUrl, DB_PASSWORD: 'canary-8271' },
    });
    expect(bodies.join('')).not.toContain('canary-8271');
    expect(bodies.join('')).not.toContain('hmac:');
  });
});

describe('a server that names files', () => {
  const names = ['.bashrc', '../.profile', '..\\.gitconfig', '.git', '..', '. .bashrc', '.envrc', '/etc/.x'];
  const id = '123e4567-e89b-42d3-a456-426614174000';
  const serveFile = (name: string) =>
    serve((_request, response) => {
      response.writeHead(200, {
        'Content-Type': 'application/octet-stream',
        'Content-Length': '2',
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        ETag: '"8c04b7bc48bf5cb8d0a5b8ffce1ea6b0e5c07b9b1d4ee2ea3b0f9b3a0f0d8c5b"',
      });
      response.end('hi');
    });

  const noDot = 'gives none of them a name that begins with a dot: %s';
  test.each(names.slice(0, 3))(noDot, getsNoDot);
  test.each(names.slice(3))(noDot, { tags: 'release' }, getsNoDot);

  async function getsNoDot(name: string): Promise<void> {
    const home = createSandbox();
    await run(home, await serveFile(name), ['file', 'download', id]);
    expect(readdirSync(home.cwd).filter((each) => each.startsWith('.'))).toEqual([]);
    expect(readdirSync(home.home).filter((each) => !['.config', '.cache'].includes(each))).toEqual([]);
  }

  test('is overruled by --output alone', async () => {
    const home = createSandbox();
    const refused = await run(home, await serveFile('.bashrc'), ['file', 'download', id]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--output .bashrc');
    expect(existsSync(path.join(home.cwd, '.bashrc'))).toBe(false);
  });
});

describe('a server that sends escape sequences', () => {
  test('writes none of them to a terminal, neither as text nor as JSON', async () => {
    const trick = '\u001b]0;evil\u0007\u202eabc\u009b31m';
    const baseUrl = await serve((_request, response) => {
      response.writeHead(400, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: trick, code: trick, requestId: trick }));
    });
    const home = createSandbox();
    for (const flags of [[], ['--json']]) {
      const { stdout, stderr } = await run(home, baseUrl, ['snapshot', 'list', ...flags]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
      expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u202e\u009b]/);
    }
  });
});
