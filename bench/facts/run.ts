// Makes each injection, captures, compares with the machine as it was, and prints whether it was seen and at which rank.
// Repetitions change what changes by itself, and must show nothing.
//
//   node bench/facts/run.ts [PATTERN]      Linux, as root, with the built command line

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Injection } from './injection.ts';
import { injections } from './injections.ts';
import { heldOut, tuned } from './project-injections.ts';
import { repetitions } from './repetitions.ts';

const program = path.resolve(import.meta.dirname, '../../packages/cli/bin/run.js');
const root = mkdtempSync(path.join(tmpdir(), 'envsnap-facts-'));
// Captures by another user must get in, too.
chmodSync(root, 0o777);
const pattern = process.argv[2];

interface Entry {
  readonly key?: string;
  readonly status?: string;
  readonly match?: boolean;
}
interface Document {
  readonly diff: Record<string, Entry[] | Entry>;
  readonly causes: readonly { readonly section: string; readonly keys: readonly string[] }[];
}

/** A project, a home folder and a working folder, the same each time. */
function makeFolders(): { project: string; home: string; work: string } {
  const [project, home, work] = ['project', 'home', 'work'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [project, home, work]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  }
  const packages = {
    'node_modules/zod': { version: '4.6.7' },
    'node_modules/left-pad': { version: '1.3.0' },
  };
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(project, name)), { recursive: true });
    writeFileSync(path.join(project, name), text);
  };
  put('package.json', '{"dependencies":{"zod":"^4.0.0","left-pad":"^1.3.0"}}');
  put('requirements.txt', 'requests==2.32.0\n');
  put('go.mod', 'module shop\n\ngo 1.22\n\nrequire example.com/x v1.0.0\n');
  put('Cargo.lock', '[[package]]\nname = "serde"\nversion = "1.0.0"\n');
  put('Gemfile.lock', 'GEM\n  specs:\n    rack (3.0.0)\n');
  put(
    'pom.xml',
    '<project><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>1</version></dependency></dependencies></project>',
  );
  put('.env', 'PORT=3000\n');
  put('package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));
  put('node_modules/zod/package.json', '{"version":"4.6.7"}');
  put('node_modules/left-pad/package.json', '{"version":"1.3.0"}');
  put('.venv/pyvenv.cfg', 'home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.12.1\n');
  put('.venv/bin/python', '');
  put('.venv/lib/python3.12/site-packages/requests-2.32.0.dist-info/METADATA', '');
  put('src/index.js', 'export {};\n');
  put('run.sh', '#!/bin/sh\nexec true\n');
  chmodSync(path.join(project, 'run.sh'), 0o755);
  symlinkSync('run.sh', path.join(project, 'link'));
  put('.gitignore', 'node_modules/\n.venv/\n');
  // The same commit each time.
  const moment = '2026-01-01T00:00:00Z';
  const env = {
    ...process.env,
    GIT_AUTHOR_DATE: moment,
    GIT_COMMITTER_DATE: moment,
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    ['commit', '-q', '-m', 'first'],
  ])
    spawnSync('git', ['-C', project, ...identity, ...args], { env });
  return { project, home, work };
}

/** Captures in a mount namespace of its own, so that nothing of the machine changes. */
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
      ...[
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
      ],
      ...[program, 'capture', '--dir', project, '--output', output],
    ],
    {
      env: {
        ...process.env,
        ...{ HOME: home, WORK: work, PROJECT: project, TERM: 'xterm' },
        // One for all: what an earlier capture remembered must hide no difference.
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

function differing({ diff }: Document): string[] {
  return Object.entries(diff).flatMap(([section, entries]) => {
    const name = section === 'envVars' ? 'env' : section;
    if (!Array.isArray(entries)) return entries.match === false ? [`${name}:${name}`] : [];
    return entries.filter(({ status }) => status !== 'same').map(({ key }) => `${name}:${key}`);
  });
}

const matches = (key: string, wanted: readonly string[]): boolean =>
  wanted.some((each) => (each.endsWith('*') ? key.startsWith(each.slice(0, -1)) : key === each));

const wanted = <T extends Injection>(each: T): boolean =>
  pattern === undefined || each.name.includes(pattern);
const chosen = [...injections, ...tuned, ...heldOut].filter(wanted);
const repeated = repetitions.filter(wanted);
let seen = 0;
let clean = 0;
let first = 0;
let same = 0;
const tell = (name: string, line: string): void => {
  process.stdout.write(`${name.padEnd(60)} ${line}\n`);
};
try {
  const before = capture('before', {});
  for (const [index, repetition] of repeated.entries()) {
    try {
      const keys = differing(compare(before, capture(`repetition-${index}`, repetition)));
      const others = keys.filter((key) => !matches(key, repetition.also ?? []));
      if (others.length === 0) same += 1;
      tell(repetition.name, others.length === 0 ? 'the same' : `DIFFERS in ${others.join(', ')}`);
    } catch (error) {
      tell(repetition.name, `NOT MADE: ${(error as Error).message}`);
    }
  }
  for (const [index, injection] of chosen.entries()) {
    try {
      const document = compare(before, capture(`injection-${index}`, injection));
      const keys = differing(document);
      const isSeen = injection.seen.every((key) => keys.includes(key));
      const others = keys.filter((key) => !matches(key, [...injection.seen, ...(injection.also ?? [])]));
      const rank = document.causes.findIndex(({ section, keys: named }) =>
        named.some((key) => injection.seen.includes(`${section}:${key}`)),
      );
      if (isSeen) seen += 1;
      if (others.length === 0) clean += 1;
      if (rank === 0) first += 1;
      const tail = others.length > 0 ? `, and also ${others.join(', ')}` : '';
      tell(injection.name, `${isSeen ? 'seen' : 'NOT SEEN'}, rank ${rank < 0 ? '-' : rank + 1}${tail}`);
    } catch (error) {
      tell(injection.name, `NOT MADE: ${(error as Error).message}`);
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}
const share = (count: number): string =>
  `${count} of ${chosen.length} (${Math.round((count / chosen.length) * 100)} %)`;
process.stdout.write(
  `seen ${share(seen)}, without another difference ${share(clean)}, ranked first ${share(first)}\n`,
);
process.stdout.write(`the same ${same} of ${repeated.length} times\n`);
process.exitCode = seen >= 0.95 * chosen.length && same === repeated.length ? 0 : 1;
