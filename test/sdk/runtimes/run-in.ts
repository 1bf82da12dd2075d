// Runs the bundled scenarios in each runtime: Node.js of three versions, Bun, Deno, workerd, Chromium. All come with the
// development dependencies; a missing one fails its test.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { launchBrowser } from '../../support/browser.ts';
import type { Outcome } from './scenarios.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const fromRuntimes = createRequire(path.join(root, 'test/runtimes/package.json'));

/** Addresses of the servers that the scenarios call. */
export interface Servers {
  readonly scripted: string;
  readonly service: string;
}

/** Bundles the scenarios with the SDK into one module without imports. `entry` is the module's code. */
async function bundleScenarios(folder: string, entry: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, 'scenarios.mjs');
  await build({
    stdin: {
      contents: `import { runScenarios } from ${JSON.stringify(path.join(import.meta.dirname, 'scenarios.ts'))};\n${entry}`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2023',
    keepNames: true,
    conditions: ['envsnap-source'],
    outfile,
    absWorkingDir: root,
    logLevel: 'warning',
  });
  return outfile;
}

/** The program of a runtime that is published as one package per platform. */
function programOf(meta: string, packages: Readonly<Record<string, string>>, file: string): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = packages[platform];
  if (!name) throw new Error(`The tests know no ${meta} for ${platform}`);
  const nextTo = createRequire(fromRuntimes.resolve(`${meta}/package.json`));
  return path.join(path.dirname(nextTo.resolve(`${name}/package.json`)), file);
}

/** Command lines that run a module, by the name of the runtime. */
const commands: Readonly<Record<string, () => readonly string[]>> = {
  'Node.js 22': () => [nodeOf(22)],
  'Node.js 24': () => [process.execPath],
  'Node.js 26': () => [nodeOf(26)],
  Bun: () => [
    programOf(
      'bun',
      {
        'linux-x64': '@oven/bun-linux-x64',
        'linux-arm64': '@oven/bun-linux-aarch64',
        'darwin-arm64': '@oven/bun-darwin-aarch64',
      },
      'bin/bun',
    ),
  ],
  Deno: () => [
    programOf(
      'deno',
      {
        'linux-x64': '@deno/linux-x64-glibc',
        'linux-arm64': '@deno/linux-arm64-glibc',
        'darwin-arm64': '@deno/darwin-arm64',
      },
      'deno',
    ),
    'run',
    '--no-remote',
    '--no-lock',
    '--no-config',
    '--allow-net=127.0.0.1',
  ],
};

function nodeOf(major: number): string {
  const name = `node-${major}-${process.platform}-${process.arch}`;
  return path.join(path.dirname(fromRuntimes.resolve(`${name}/package.json`)), 'bin/node');
}

/** Runs the scenarios in a runtime that takes a module as its program. */
export async function runInProcess(
  runtime: keyof typeof commands & string,
  folder: string,
  servers: Servers,
): Promise<Outcome[]> {
  const file = await bundleScenarios(
    folder,
    `const outcomes = await runScenarios(${JSON.stringify(servers.scripted)}, ${JSON.stringify(servers.service)});
     console.log(JSON.stringify(outcomes));`,
  );
  const [program = '', ...args] = commands[runtime]?.() ?? [];
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1', DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1', DENO_DIR: folder };
  const child = spawn(program, [...args, file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new Error(`${runtime} ended with ${code}: ${output.stderr.slice(-2000)}`);
  return JSON.parse(output.stdout.trim().split('\n').at(-1) ?? '') as Outcome[];
}

/** Runs the scenarios in a Worker of workerd: without Node.js's modules, as at the edge. */
export async function runInWorkerd(folder: string, servers: Servers): Promise<Outcome[]> {
  const file = await bundleScenarios(
    folder,
    `export default { async fetch() { return Response.json(await runScenarios(${JSON.stringify(servers.scripted)}, ${JSON.stringify(servers.service)})); } };`,
  );
  const config = path.join(folder, 'config.capnp');
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "${path.basename(file)}")],
      compatibilityDate = "2026-06-01",
    )),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`,
  );
  const program = programOf(
    'workerd',
    {
      'linux-x64': '@cloudflare/workerd-linux-64',
      'linux-arm64': '@cloudflare/workerd-linux-arm64',
      'darwin-arm64': '@cloudflare/workerd-darwin-arm64',
    },
    'bin/workerd',
  );
  const child = spawn(program, ['serve', '--control-fd=3', config], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  try {
    let errors = '';
    child.stderr?.on('data', (chunk) => {
      errors += chunk;
    });
    const port = await new Promise<number>((resolve, reject) => {
      child.stdio[3]?.on('data', (chunk) => {
        const event = /\{"event":\s*"listen".*?"port":\s*(\d+)/.exec(String(chunk));
        if (event) resolve(Number(event[1]));
      });
      child.once('close', (code) => reject(new Error(`workerd ended with ${code}: ${errors.slice(-2000)}`)));
    });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const text = await response.text();
    if (!response.ok) throw new Error(`workerd answered ${response.status}: ${text} ${errors.slice(-2000)}`);
    return JSON.parse(text) as Outcome[];
  } finally {
    child.kill();
  }
}

/** Serves the page that runs the scenarios in a browser: from a separate origin, so that CORS decides. */
export async function servePage(folder: string, servers: () => Servers) {
  const server = createServer(async (request, response) => {
    if (request.url === '/') {
      response.setHeader('content-type', 'text/html');
      // As in a page that came over plain http, which this one may not be: addresses of this machine count as safe.
      response.end(
        '<!doctype html><title>scenarios</title><script>delete Crypto.prototype.randomUUID</script>',
      );
      return;
    }
    const file = await bundleScenarios(
      folder,
      `globalThis.outcomes = runScenarios(${JSON.stringify(servers().scripted)}, ${JSON.stringify(servers().service)});`,
    );
    response.setHeader('content-type', 'text/javascript');
    response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Runs the scenarios in Chromium, in a page of the given origin. */
export async function runInChromium(origin: string): Promise<Outcome[]> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${origin}/`);
    await page.addScriptTag({ url: '/scenarios.mjs', type: 'module' });
    return (await page.evaluate('globalThis.outcomes')) as Outcome[];
  } finally {
    await browser.close();
  }
}
