// Every command, in a repository made to keep it busy and against a server made to mislead it: it ends, prints nothing that a
// terminal would interpret, and never crashes. The commands come from the program's own table.

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import examples from '../../packages/shared/src/openapi/examples.json' with { type: 'json' };
import { operations } from '../../packages/shared/src/operations.ts';
import { ensureBuilt } from '../../scripts/build.ts';
import { cleanUpAfterTest } from '../support/clean-up.ts';
import { findObeyed } from '../support/log-obedience.ts';
import { createSandbox, type Finished, programs, type Sandbox } from '../support/programs.ts';
import { readTestData } from '../support/test-data.ts';
import { words } from '../support/words.ts';
import {
  hostileSnapshots,
  trick,
  writeHostileRepository,
  writeHostileSnapshots,
} from './hostile-repository.ts';

ensureBuilt();
const manifest = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../packages/cli/dist/oclif.manifest.json'), 'utf8'),
) as { commands: Record<string, object> };

const apiKey = 'mk_1111111111111111111111111111111111111111111111111111111150839eeb';
const [one, two] = hostileSnapshots;

/** How each command is called; several ways if it reads both files and stored data. */
const { calls } = readTestData<{ calls: Readonly<Record<string, readonly (readonly string[])[]>> }>(
  import.meta,
);

/** Texts with a fixed form: ids, times, keys, addresses, digests. */
const formed = /^[0-9a-f-]{36}$|^\d{4}-\d\d-\d\dT|^mk_|^https?:|^[0-9a-f]{64}$/;

/** A response of the service, with hostile text in every text of a fixed form, or in every other text. */
function misleading(value: unknown, inFormed: boolean): unknown {
  if (typeof value === 'string') return formed.test(value) === inFormed ? `${value}${trick}` : value;
  if (Array.isArray(value)) return value.map((each) => misleading(each, inFormed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      const inner = misleading(each, inFormed);
      // Keys of a map are data too.
      return /[.:/ A-Z]/.test(key) && !inFormed
        ? [
            [`${key}${trick}`, inner],
            [key, inner],
          ]
        : [[key, inner]];
    }),
  );
}

const answers = Object.entries(operations).map(([name, { method, path: pattern, status }]) => ({
  method,
  pattern: new RegExp(`^${pattern.replace(/:[A-Za-z]+/g, '[^/]+')}$`),
  status,
  answer: (examples as Record<string, { answer?: unknown }>)[name]?.answer ?? {},
}));

/** Number of requests that reached the servers. */
let requests = 0;

function startServer(answerOf: (answer: unknown) => string): Promise<Server> {
  const server = createServer((request, response) => {
    requests += 1;
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    const found = answers.find(({ method, pattern }) => method === request.method && pattern.test(pathname));
    request.resume().on('end', () => {
      response.writeHead(found?.status ?? 404, { 'content-type': 'application/json' });
      response.end(answerOf(found?.answer ?? { error: `no${trick}` }));
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const servers: Server[] = [];
beforeAll(async () => {
  servers.push(await startServer((answer) => JSON.stringify(misleading(answer, false))));
  servers.push(await startServer((answer) => JSON.stringify(misleading(answer, true))));
  servers.push(await startServer(() => `{"error":"${'x'.repeat(100_000)}`));
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

function expectOrderly(call: string, { exitCode, signal, stdout, stderr }: Finished): void {
  expect({ call, signal, exitCode }).toEqual({ call, signal: null, exitCode: expect.any(Number) });
  expect({ call, stderr }).toEqual({
    call,
    // Calls must not be refused before anything hostile is read.
    stderr: expect.not.stringMatching(
      /unexpected failure|\bat .*\.[jt]s:\d+|out of memory|unknown flag|is not a snapshot/,
    ),
  });
  // `complete` separates a word from its description by a tab.
  const found = findObeyed(stdout.replaceAll('\t', ' ')) ?? findObeyed(stderr);
  expect({ call, found }).toEqual({ call, found: null });
}

describe('every command', () => {
  it('has a call here', () => {
    expect(Object.keys(calls).sort()).toEqual(Object.keys(manifest.commands).sort());
  });

  it('every tool for agents returns a proper result about a hostile repository', async () => {
    const { cwd, env } = createSandbox();
    writeHostileRepository(cwd);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [programs.cli, 'mcp'], cwd, env }),
    );
    cleanUpAfterTest(() => client.close());
    const inputs: Record<string, string> = { a: one, b: two, works: one, key: 'env:A', command: 'make' };
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(3);
    for (const { name, inputSchema } of tools) {
      const inputFields = Object.keys(inputSchema.properties ?? {}).map((field) => [
        field,
        inputs[field] ?? trick,
      ]);
      const { content } = await client.callTool({ name, arguments: Object.fromEntries(inputFields) });
      const text = content.map((part) => ('text' in part ? part.text : '')).join('\n');
      expectOrderly(name, { exitCode: 0, signal: null, stdout: text, stderr: '' });
    }
  }, 60_000);

  const sample = words`compare share snapshot:show webhook:listen`;
  const others = Object.keys(calls).filter((command) => !sample.includes(command));
  const againstOne = '%s ends in order in a hostile repository and against a hostile server';
  it.each(sample)(againstOne, (command) => endInOrder(command, servers.slice(0, 1), 2));
  it.each(sample)('every call of %s does', { tags: 'release' }, endAgainstOne);
  it.each(others)(againstOne, { tags: 'release' }, endAgainstOne);
  const againstOthers = '%s ends in order against servers that mislead otherwise';
  it.each(Object.keys(calls))(againstOthers, { tags: 'release' }, endAgainstOthers);
});

function endAgainstOne(command: string): Promise<void> {
  return endInOrder(command, servers.slice(0, 1));
}

function endAgainstOthers(command: string): Promise<void> {
  return endInOrder(command, servers.slice(1));
}

/** Makes each call of a command, or one of every `step`, against one server after the other. */
async function endInOrder(command: string, against: readonly Server[], step = 1): Promise<void> {
  const asking = new Set(calls[command]?.filter((_, place) => place % step === 0));
  for (const server of against) {
    // A call that sent nothing to the first server sends nothing to the others either.
    if (asking.size === 0) return;
    const { port } = server.address() as AddressInfo;
    const sandbox = createSandbox();
    // One round in a busy repository is enough.
    (server === servers[0] ? writeHostileRepository : writeHostileSnapshots)(sandbox.cwd);
    const env = { ENVSNAP_API_KEY: apiKey, ENVSNAP_BASE_URL: `http://127.0.0.1:${port}` };
    const listenAndStop: Sandbox['run'] = async (words, options) => {
      const running = sandbox.start(words, options);
      const listening = running.waitFor('stderr', /Listening/).catch(() => undefined);
      await Promise.race([listening, running.finished]);
      running.child.kill('SIGINT');
      return running.finished;
    };
    for (const args of asking) {
      const before = requests;
      const words = [...command.split(':'), ...args];
      const ended = command === 'webhook:listen' ? listenAndStop : sandbox.run;
      expectOrderly(words.join(' '), await ended(words, { env }));
      // A run is recorded after its end.
      if (requests === before && command !== 'run') asking.delete(args);
    }
  }
}
