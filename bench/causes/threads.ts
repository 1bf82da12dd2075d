/** Reads the collected public threads: real failures whose resolved cause was a difference of environment. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { z } from 'zod';

const folder = path.join(import.meta.dirname, 'threads');

const name = z.array(z.string());
const { classes, ecosystems } = z
  .strictObject({ classes: name, ecosystems: name })
  .parse(load(readFileSync(path.join(import.meta.dirname, 'threads.yaml'), 'utf8')));

/** Such as `runtimes.node`, `env:TZ` or `dependencies:package-lock.json/esbuild`. */
const address = z
  .string()
  .regex(
    /^(?:os|arch|(?:runtimes|system|facts|toolchain|checkout|fields\.proposed)\.[\w.+-]+|env:\w+|paths:.+|(?:dependencies|installed):.+\/.+)$/,
  );

/** Where it works and where it fails. `null` is absent, `?` a value that the thread does not give. */
const values = z.tuple([z.string().nullable(), z.string().nullable()]);

const differences = z.record(address, values);

const side = z.strictObject({
  os: z.string().optional(),
  arch: z.string().optional(),
  kind: z.enum(['laptop', 'ci', 'container', 'server', 'wsl']).optional(),
  distribution: z.string().optional(),
  libc: z.string().optional(),
});

const output = z
  .string()
  .refine((text) => text.trimEnd().split('\n').length <= 12, 'at most 12 lines')
  .refine((text) => text.split('\n').every((line) => line.length <= 200), 'at most 200 characters a line');

const thread = z
  .strictObject({
    thread: z.string().regex(/^[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/),
    date: z.iso.date(),
    ecosystem: z.enum(ecosystems),
    class: z.enum(classes),
    visible: z.boolean(),
    why_not: z.string().optional(),
    works: side,
    fails: side,
    command: z.string().optional(),
    declares: z.record(address, z.string()).optional(),
    cause: differences,
    follows: differences.optional(),
    beside: differences.optional(),
    output: output.optional(),
    repair: z.strictObject({
      side: z.enum(['works', 'fails', 'both']),
      kind: z.enum(['set', 'unset', 'install', 'use', 'configure', 'restore', 'ask']),
      what: z.string(),
      value: z.string().optional(),
    }),
    said: z.string(),
  })
  .refine((one) => one.visible === (one.why_not === undefined), 'only what is not visible says why not')
  .refine((one) => !one.visible || Object.keys(one.cause).length > 0, 'what is visible has a cause')
  .refine(
    (one) => !one.visible || Object.values(one.cause).every(([works, fails]) => works !== fails),
    'the sides of a cause differ',
  );

export type Thread = z.infer<typeof thread>;

interface Batch {
  name: string;
  digest: string;
  threads: Thread[];
}

/** Every batch, in the order of their names. */
export function readBatches(): Batch[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const name = path.basename(file, '.yaml');
      return { name, digest: sha256(text), threads: parse(name, text) };
    });
}

function parse(name: string, text: string): Thread[] {
  // Dates stay text.
  const listed = z.array(z.looseObject({ thread: z.string(), date: z.unknown() })).parse(load(text));
  return listed.map((item) => {
    const date = item.date instanceof Date ? item.date.toISOString().slice(0, 10) : item.date;
    const parsed = thread.safeParse({ ...item, date });
    if (!parsed.success) throw new Error(`${name}, ${item.thread}: ${z.prettifyError(parsed.error)}`);
    return parsed.data;
  });
}

/** Batches whose first run is recorded. Others are not run by default, so that nobody learns from them before their first run. */
export function readSeenBatches(): Batch[] {
  const runs = readFileSync(path.join(folder, 'first-runs.txt'), 'utf8');
  return readBatches().filter(({ name }) => runs.includes(`${name} `));
}

/** The recorded digests: one line per frozen batch, with its name, date, number of threads and SHA-256. */
export function readDigests(): { batch: string; date: string; threads: number; digest: string }[] {
  return readFileSync(path.join(folder, 'digests.txt'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [batch = '', date = '', threads = '', digest = ''] = line.split(/\s+/);
      return { batch, date, threads: Number(threads), digest };
    });
}

/** A quarter of all threads is set aside: only its totals are ever printed. */
export function isSetAside(one: Pick<Thread, 'thread'>): boolean {
  return Number.parseInt(sha256(one.thread).slice(0, 2), 16) < 64;
}

/** Half of the threads that are shown are read to tune rules and sizes; the other half only checks them. */
export function isForTuning(one: Pick<Thread, 'thread'>): boolean {
  return Number.parseInt(sha256(one.thread).slice(2, 4), 16) < 128;
}

/** Threads with the same key have exactly the same cause: the same addresses with the same values. */
export function keyOfCause(one: Pick<Thread, 'cause'>): string {
  return JSON.stringify(Object.entries(one.cause).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
