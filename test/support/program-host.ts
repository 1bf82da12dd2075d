// Runs commands of envsnap one after the other in one process: the built bundle, started as bin/run.js starts it, but loaded
// once. Starting a process costs a command ten times as much as its work. Captures read on the main thread, as in the
// executables. Started by program-hosts.ts.

import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';

export interface HostedRequest {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: Uint8Array;
}

export interface HostedAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the command ended its process, and left something open that would disturb another. */
  readonly isLast: boolean;
}

interface Run {
  readonly output: { readonly stdout: Buffer[]; readonly stderr: Buffer[] };
  readonly stdin: Readable;
  readonly end: (how: Pick<HostedAnswer, 'exitCode' | 'isLast'>) => void;
}

const [program = ''] = process.argv.slice(2);
const base = pathToFileURL(program);
const read = (file: string) => readFileSync(new URL(file, base), 'utf8');
const { start } = await import(new URL('start.js', base).href);
let current: Run | undefined;
const runs = new AsyncLocalStorage<Run>();

for (const stream of ['stdout', 'stderr'] as const) {
  const write = (chunk: string | Uint8Array, encoding?: unknown, written?: unknown): boolean => {
    current?.output[stream].push(
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : Buffer.from(chunk),
    );
    const done = typeof encoding === 'function' ? encoding : written;
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  };
  process[stream].write = write;
}
Object.defineProperty(process, 'stdin', { get: () => current?.stdin });
const exit = process.exit.bind(process);
process.exit = ((code?: number) => {
  // Something that a command left open ends it a moment later, when another one may be running.
  const run = runs.getStore() ?? current;
  if (run === undefined || run !== current) return;
  current = undefined;
  run.end({ exitCode: Number(code ?? process.exitCode ?? 0), isLast: true });
}) as typeof process.exit;

/** Runs one command to its end, and removes the listeners that it leaves. */
async function runCommand({ args, env, cwd, stdin }: HostedRequest): Promise<HostedAnswer> {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  const emitters: EventEmitter[] = [process, process.stdout, process.stderr];
  const before = emitters.map((emitter) =>
    emitter.eventNames().map((event) => ({ event, listeners: new Set(emitter.listeners(event)) })),
  );
  const output: Run['output'] = { stdout: [], stderr: [] };
  const how = await new Promise<Parameters<Run['end']>[0]>((resolve, reject) => {
    const run = { output, stdin: Readable.from([Buffer.from(stdin)], { objectMode: false }), end: resolve };
    current = run;
    const packed = {
      command: [process.execPath, program],
      version: () => JSON.parse(read('../package.json')).version,
      main: () => import(new URL('../dist/main.js', base).href),
      manifest: () => JSON.parse(read('../dist/oclif.manifest.json')),
      buildId: () => read('../dist/build-id').trim(),
      load: (file: string) => import(new URL(`../dist/${file}`, base).href),
    };
    // As a separate program, it ends when nothing is left to do.
    process.channel?.unref();
    process.once('beforeExit', (exitCode) => resolve({ exitCode, isLast: false }));
    runs.run(run, () => start(args, packed).catch(reject));
  });
  process.channel?.ref();
  current = undefined;
  for (const [place, emitter] of emitters.entries())
    for (const event of emitter.eventNames()) {
      const known = before[place]?.find((each) => each.event === event)?.listeners;
      for (const listener of emitter.listeners(event))
        if (!known?.has(listener)) emitter.off(event, listener as () => void);
    }
  // Its folder may be removed.
  process.chdir('/');
  const text = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');
  return { ...how, stdout: text(output.stdout), stderr: text(output.stderr) };
}

process.on('message', async (request: HostedRequest) => {
  const answer = await runCommand(request);
  process.send?.(answer, () => answer.isLast && exit());
});
