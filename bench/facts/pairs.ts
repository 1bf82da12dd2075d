// Pairs of small projects that differ in one thing that changes what is installed or run: prints for each whether the comparison
// names it and whether it counts.
//
//   node --conditions=envsnap-source bench/facts/pairs.ts [tuned | held-out | held-out-2 | …] [PATTERN]
//
// In `pairs/*.txt`, `# TITLE -> KEY` begins a pair (`*` stands for any characters; `=` for a healthy pair, in which nothing
// may count), `@ FILE` a file of it, and `~ FROM => TO` says what B has in place of a text of A's files. Each pair is also
// captured twice as it is.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { capture } from '../../packages/capture/src/index.ts';
import { createComparer } from '../../packages/compare/src/index.ts';
import { compileGlob } from '../../packages/shared/src/text/glob.ts';

interface Pair {
  readonly title: string;
  readonly key: string;
  readonly files: Map<string, string>;
  readonly changes: [from: string, to: string][];
}

const withLineEnds = (text: string): string => text.replaceAll('\\r', '\r').replaceAll('\\n', '\n');

function readPairs(text: string): Pair[] {
  return text.split(/^# (?=.* -> )/m).flatMap((part) => {
    const [head = '', ...lines] = part.split('\n');
    const [title = '', key] = head.split(' -> ');
    if (key === undefined) return [];
    const pair: Pair = { title, key, files: new Map(), changes: [] };
    let file = '';
    for (const line of lines) {
      const [, from = '', to = ''] = /^~ (.*?) =>(?: (.*))?$/.exec(line) ?? [];
      if (line.startsWith('@ ')) file = line.slice(2);
      else if (from) pair.changes.push([withLineEnds(from), withLineEnds(to)]);
      else pair.files.set(file, `${pair.files.get(file) ?? ''}${line}\n`);
    }
    return [pair];
  });
}

const root = mkdtempSync(path.join(tmpdir(), 'envsnap-pairs-'));

async function snapshotOf(files: Iterable<readonly [file: string, text: string]>) {
  // The same name for both sides, because the path of a project is a difference too.
  const folder = path.join(root, 'project');
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), `${text.trimEnd()}\n`);
  }
  return (await capture({ dir: folder })).snapshot;
}

const compare = createComparer();

async function differencesOf(pair: Pair, isChanged: boolean): Promise<Map<string, boolean>> {
  const changed = [...pair.files].map(([file, text]) => {
    const after = pair.changes.reduce((before, [from, to]) => before.replaceAll(from, to), text);
    return [file, isChanged ? after : text] as const;
  });
  if (isChanged && changed.every(([file, text]) => pair.files.get(file) === text))
    throw new Error(`${pair.title} changes nothing`);
  const { comparison, counting } = compare(await snapshotOf(pair.files), await snapshotOf(changed));
  const found = new Map<string, boolean>();
  for (const [section, entries] of Object.entries(comparison.sections))
    for (const entry of entries)
      if (entry.status !== 'same') found.set(`${section}:${entry.key}`, counting.has(entry));
  return found;
}

const sets = ['tuned', 'held-out', 'held-out-2', 'held-out-3', 'held-out-4', 'held-out-5'];
const [half, pattern = ''] = process.argv.slice(2);
try {
  for (const name of sets.filter((each) => half === undefined || half === each)) {
    const text = readFileSync(path.join(import.meta.dirname, 'pairs', `${name}.txt`), 'utf8');
    const tally = { of: 0, seen: 0, counted: 0, same: 0, healthy: 0, quiet: 0 };
    for (const pair of readPairs(text).filter(({ title }) => title.includes(pattern))) {
      const repeated = await differencesOf(pair, false);
      const found = await differencesOf(pair, true);
      const isHealthy = pair.key === '=';
      const fits = compileGlob(isHealthy ? '*' : pair.key, { syntax: 'names' });
      const own = [...found].filter(([key]) => fits(key) && !repeated.has(key));
      const counts = own.some(([, counted]) => counted);
      tally.same += repeated.size === 0 ? 1 : 0;
      tally[isHealthy ? 'healthy' : 'of'] += 1;
      if (isHealthy) tally.quiet += counts ? 0 : 1;
      else if (own.length > 0) tally.seen += 1;
      if (!isHealthy && counts) tally.counted += 1;
      const seen = counts ? 'counted' : 'seen, not counted';
      const verdict = `${isHealthy && counts ? 'NOISE ' : ''}${own.length > 0 ? seen : isHealthy ? 'equal' : 'NOT SEEN'}`;
      const keys = [...found.keys()]
        .filter((key) => !repeated.has(key))
        .slice(0, 4)
        .join(', ');
      const again = repeated.size === 0 ? '' : `; unchanged it differs in ${[...repeated.keys()].join(', ')}`;
      process.stdout.write(`${pair.title.padEnd(62)} ${verdict}: ${keys}${again}\n`);
    }
    process.stdout.write(
      `${name}: seen ${tally.seen} of ${tally.of}, counted ${tally.counted}, nothing counted in ${tally.quiet} of ${tally.healthy} healthy, equal where nothing changed ${tally.same}\n\n`,
    );
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
