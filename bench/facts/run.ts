// Makes each injection, captures, compares with the machine as it was, and prints whether it was seen and its rank. Repetitions
// make changes that happen on every machine, which must show nothing.
//
//   node bench/facts/run.ts [PATTERN | settings | tuned | held-out]      Linux, as root, with the built command line

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Injection, injectionSets, repetitions } from './injection.ts';
import { makeSampleProject } from './sample-project.ts';

const program = path.resolve(import.meta.dirname, '../../packages/cli/bin/run.js');
const root = mkdtempSync(path.join(tmpdir(), 'envsnap-facts-'));
// Captures by another user need access too.
chmodSync(root, 0o777);
const pattern = process.argv[2];

interface Entry {
  readonly key?: string;
  readonly status?: string;
  readonly match?: boolean;
  readonly counts: boolean;
}
interface Document {
  readonly diff: Record<string, Entry[] | Entry>;
  readonly causes: readonly { readonly section: string; readonly keys: readonly string[] }[];
}

const sample = path.join(root, 'sample', 'project');

/** A project, a home folder and a working folder, the same each time. */
function makeFolders(): { project: string; home: string; work: string } {
  // The folders above the project also belong to this run.
  const [above, home, work] = ['above', 'home', 'work'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [above, home, work]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  const project = path.join(above, 'project');
  cpSync(sample, project, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  return { project, home, work };
}

/** Captures in a separate mount namespace, so that the machine does not change. */
function capture(name: string, injection: Partial<Injection>): string {
  const { project, home, work } = makeFolders();
  const output = path.join(root, `${name}.json`);
  const expand = (text: string): string =>
    text.replaceAll('$WORK', work).replaceAll('$PATH', process.env.PATH ?? '');
  const env = Object.fromEntries(
    Object.entries(injection.env ?? {}).map(([key, value]) => [key, expand(value)]),
  );
  const script = `set -e; ${injection.setup ?? ':'}; cd "$PROJECT"; exec "$@"`;
  const { status, stderr } = spawnSync(
    'unshare',
    [
      ...(injection.namespaces ?? []),
      '-m',
      '--propagation',
      'private',
      'sh',
      '-c',
      script,
      'sh',
      ...(injection.run ?? []),
      process.execPath,
      program,
      'capture',
      '--dir',
      project,
      '--output',
      output,
    ],
    {
      env: {
        ...process.env,
        HOME: home,
        WORK: work,
        PROJECT: project,
        TERM: 'xterm',
        // Shared by all captures: an earlier capture's cache must not hide a difference.
        XDG_CACHE_HOME: path.join(root, 'cache'),
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new Error(`${name}: ${stderr.trim().split('\n').at(-1)}`);
  return output;
}

function compare(a: string, b: string): Document {
  const { stdout } = spawnSync(process.execPath, [program, 'compare', a, b, '--json'], {
    encoding: 'utf8',
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Document;
}

/** Keys that differ, with whether they count. */
function differing({ diff }: Document): Map<string, boolean> {
  const found = new Map<string, boolean>();
  for (const [section, entries] of Object.entries(diff)) {
    const name = section === 'envVars' ? 'env' : section;
    if (!Array.isArray(entries)) {
      if (entries.match === false) found.set(`${name}:${name}`, entries.counts);
    } else
      for (const { key, status, counts } of entries)
        if (status !== 'same') found.set(`${name}:${key}`, counts);
  }
  return found;
}

const matches = (key: string, wanted: readonly string[]): boolean =>
  wanted.some((each) => (each.endsWith('*') ? key.startsWith(each.slice(0, -1)) : key === each));

const wanted = <T extends Injection>(each: T): boolean =>
  pattern === undefined || each.name.includes(pattern);
/** How many differences of a set were seen. */
interface Tally {
  readonly of: number;
  seen: number;
  counted: number;
  first: number;
  alone: number;
}

const print = (name: string, line: string): void => {
  process.stdout.write(`${name.padEnd(60)} ${line}\n`);
};

/** Makes each difference of a set, and prints whether it was seen. */
function measure(name: string, chosen: readonly Injection[]): Tally {
  const tally: Tally = { of: chosen.length, seen: 0, counted: 0, first: 0, alone: 0 };
  for (const [index, injection] of chosen.entries()) {
    try {
      const after = capture(`${name}-${index}`, injection);
      // Captured again if something else differs: packages of the machine may have been installed in the meantime.
      let document = compare(before, after);
      if (othersOf(document, injection).length > 0) {
        before = capture('before', {});
        document = compare(before, after);
      }
      const keys = differing(document);
      const own = [...keys].filter(([key]) => matches(key, injection.seen));
      const isSeen = injection.seen.every((wanted) => own.some(([key]) => matches(key, [wanted])));
      const counts = own.some(([, counted]) => counted);
      const others = othersOf(document, injection);
      const rank = document.causes.findIndex(({ section, keys: named }) =>
        named.some((key) => matches(`${section}:${key}`, injection.seen)),
      );
      if (isSeen) tally.seen += 1;
      if (isSeen && counts) tally.counted += 1;
      if (others.length === 0) tally.alone += 1;
      if (rank === 0) tally.first += 1;
      const tail = others.length > 0 ? `, and also ${others.join(', ')}` : '';
      const verdict = isSeen ? `seen, ${counts ? 'counted' : 'not counted'}` : 'NOT SEEN';
      print(injection.name, `${verdict}, rank ${rank < 0 ? '-' : rank + 1}${tail}`);
    } catch (error) {
      print(injection.name, `NOT MADE: ${(error as Error).message}`);
    }
  }
  return tally;
}

function othersOf(document: Document, { seen, also = [] }: Partial<Injection>): string[] {
  return [...differing(document).keys()].filter((key) => !matches(key, [...(seen ?? []), ...also]));
}

function summarize(name: string, { of, seen, counted, first, alone }: Tally): void {
  const share = (count: number) => `${count} of ${of} (${Math.round((count / of) * 100)}%)`;
  if (of > 0)
    process.stdout.write(
      `${name}: seen ${share(seen)}, counted ${share(counted)}, ranked first ${share(first)}, without another difference ${share(alone)}\n`,
    );
}

let before = '';
let isFine = true;
try {
  makeSampleProject(sample);
  before = capture('before', {});
  const repeated = repetitions.filter(wanted);
  let same = 0;
  for (const [index, repetition] of repeated.entries()) {
    try {
      const others = othersOf(compare(before, capture(`repetition-${index}`, repetition)), repetition);
      if (others.length === 0) same += 1;
      print(repetition.name, others.length === 0 ? 'the same' : `DIFFERS in ${others.join(', ')}`);
    } catch (error) {
      print(repetition.name, `NOT MADE: ${(error as Error).message}`);
    }
  }
  process.stdout.write(`the same ${same} of ${repeated.length} times\n`);
  isFine &&= same === repeated.length;
  const tallies = injectionSets.map(({ name, injections }) => ({
    name,
    tally: measure(name, pattern === name ? injections : injections.filter(wanted)),
  }));
  for (const { name, tally } of tallies) {
    summarize(name, tally);
    isFine &&= tally.seen >= (name === 'settings' ? 0.95 : 0.7) * tally.of;
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exitCode = isFine ? 0 : 1;
