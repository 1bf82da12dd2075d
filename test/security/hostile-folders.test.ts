// A capture of hostile folders starts nothing but probes of known tools, as strace shows, if it is installed.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { toolTable } from '../../packages/capture/src/runtimes/tool-table.ts';
import { ensureBuilt } from '../../scripts/build.ts';
import { fewTools } from '../support/few-tools.ts';
import { words } from '../support/words.ts';
import { hostileFolders, type Victim } from './hostile-folders.ts';

const program = path.resolve(import.meta.dirname, '../../packages/cli/bin/run.js');
const straceWorks =
  spawnSync('strace', ['-f', '--seccomp-bpf', '-e', 'trace=execve', '-o', '/dev/null', 'true']).status === 0;

let root: string;
beforeAll(() => {
  ensureBuilt();
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'hostile-')));
});
function victimIn(name: string): Victim {
  const base = path.join(root, name.replace(/[^a-z]+/gi, '-').slice(0, 40));
  const home = path.join(base, 'home');
  mkdirSync(home, { recursive: true });
  mkdirSync(path.join(base, 'folder'));
  return { home, folder: path.join(base, 'folder'), marker: path.join(base, 'started') };
}

const shims = ['.cargo/bin', '.asdf/shims', '.local/share/mise/shims', '.volta/bin', '.pyenv/shims'];

function environment(
  { home }: Victim,
  variables: Record<string, string> | undefined,
): Record<string, string> {
  const folders = shims.map((folder) => path.join(home, folder));
  return {
    HOME: home,
    PATH: `${folders.join(':')}:${process.env.PATH}`,
    LANG: 'C.UTF-8',
    ENVSNAP_API_KEY: `mk_${'0'.repeat(64)}`,
    DATABASE_PASSWORD: 'do-not-pass-on',
    ...variables,
  };
}

const args = ({ folder }: Victim) => [program, 'capture', '--dir', folder, '--dry-run', '--json'];

interface Execution {
  readonly file: string;
  readonly line: string;
  /** Started by the capture itself, not by a program that the capture started. */
  readonly direct: boolean;
}

/** Programs that strace saw start, without the capture itself. */
function executionsIn(log: string): Execution[] {
  const parents = new Map<string, string>();
  const unfinished = new Map<string, string>();
  const started: { pid: string; file: string; line: string }[] = [];
  for (const line of readFileSync(log, 'utf8').split('\n')) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const child = /^(?:<\.\.\. )?(?:clone3?|v?fork)\b.* = (\d+)$/.exec(rest)?.[1];
    if (child !== undefined) parents.set(child, pid);
    // strace splits a call into two lines if another process comes in between.
    const begun = /^execve(?:at)?\((?:AT_FDCWD, )?"([^"]*)"/.exec(rest)?.[1];
    if (begun !== undefined && rest.endsWith('<unfinished ...>')) unfinished.set(pid, begun);
    const file = begun ?? (/^<\.\.\. execve(?:at)? resumed>/.test(rest) ? unfinished.get(pid) : undefined);
    if (file !== undefined && / = 0$/.test(rest)) started.push({ pid, file, line });
  }
  // The first one is the capture; programs that it starts have no other program among their ancestors.
  const [capture, ...others] = started;
  const programs = new Set(others.map(({ pid }) => pid));
  const earlier = new Set<string>();
  return others.map(({ pid, file, line }) => {
    let ancestor = parents.get(pid);
    while (ancestor !== undefined && ancestor !== capture?.pid && !programs.has(ancestor))
      ancestor = parents.get(ancestor);
    const direct = !earlier.has(pid) && (ancestor === undefined || ancestor === capture?.pid);
    earlier.add(pid);
    return { file, line, direct };
  });
}

/** Names of the table, and the interpreters that its scripts name. Programs that these start must only be outside the folder. */
const known = new Set(toolTable.flatMap(({ executables }) => executables));
const interpreters = new Set(words`env sh dash bash nodejs node perl python ruby php`);

function isKnownProbe({ file }: Execution): boolean {
  const name = path.basename(file);
  const bare = name.replace(/[-.]?\d[\d.]*$/, '');
  return (
    known.has(name) ||
    known.has(bare) ||
    interpreters.has(bare) ||
    known.has(path.basename(realpathSync(file)))
  );
}

/** Captures such a folder; returns the capture. */
function startsNothing(name: string, prepare: (typeof hostileFolders)[string]) {
  const victim = victimIn(name);
  const env = environment(victim, prepare(victim));
  rmSync(victim.marker, { force: true });
  const log = path.join(victim.home, '..', 'strace');
  // Only the traced calls stop the process.
  const strace = words`strace -f --seccomp-bpf -s 256 -e trace=execve,execveat,clone,clone3,fork,vfork -o`;
  const [file = '', ...leading] = straceWorks ? [...strace, log, process.execPath] : [process.execPath];
  const ran = spawnSync(file, [...leading, ...args(victim)], {
    cwd: victim.folder,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(ran.error).toBeUndefined();
  expect({ status: ran.status, stderr: ran.status === 0 ? '' : ran.stderr }).toEqual({
    status: 0,
    stderr: '',
  });
  expect(existsSync(victim.marker) ? readFileSync(victim.marker, 'utf8') : 'nothing').toBe('nothing');
  const captured = JSON.parse(ran.stdout);
  expect(JSON.stringify(captured.runtimeVersions)).not.toContain('66.6.6');
  if (!straceWorks) return captured;
  const started = executionsIn(log);
  expect(started.filter(({ file: each }) => each.startsWith(victim.folder))).toEqual([]);
  const direct = started.filter((each) => each.direct);
  expect(direct.length).toBeGreaterThan(0);
  expect(direct.filter((each) => !isKnownProbe(each)).map((each) => each.line)).toEqual([]);
  expect(started.filter(({ file: each }) => path.basename(each) === 'git').length).toBeLessThanOrEqual(1);
  return captured;
}

describe('a capture of a hostile folder', () => {
  const [repository, ...others] = Object.entries(hostileFolders);
  const [onPath, ...rest] = [
    ...others.filter(([name]) => name.startsWith('programs on PATH')),
    ...others.filter(([name]) => !name.startsWith('programs on PATH')),
  ];
  test.each([repository as NonNullable<typeof repository>])('starts nothing of %s', startsNothing);
  test.each(rest)('starts nothing of %s', { tags: 'release' }, startsNothing);

  test('starts nothing of programs on PATH that lie in the folder, and says why they are unknown', {
    tags: 'release',
  }, () => {
    const { unknown } = startsNothing(...(onPath as NonNullable<typeof onPath>)).metadata.capture;
    expect(unknown).toEqual(
      expect.arrayContaining(
        ['jq', 'make', 'cmake'].map((key) => ({
          section: 'runtimes',
          key,
          reason: 'it is in the captured folder, and a capture starts no program there',
        })),
      ),
    );
  });
});

describe('probes', () => {
  test('get neither keys nor secrets nor settings of envsnap', () => {
    const victim = victimIn('environment');
    const seen = path.join(victim.home, 'seen');
    const bin = path.join(victim.home, 'bin');
    mkdirSync(bin);
    execFileSync('/bin/sh', [
      '-c',
      `printf '#!/bin/sh\\nenv > ${seen}\\necho jq-1.7.1\\n' > ${bin}/jq && chmod +x ${bin}/jq`,
    ]);
    const env = environment(victim, {
      PATH: `${bin}:${fewTools()}`,
      ENVSNAP_FINGERPRINT_KEY: 'fingerprints',
      GITHUB_TOKEN: `ghp_${'a1B2'.repeat(9)}`,
      NPM_CONFIG_REGISTRY: 'https://user:pw@registry.example.org',
      SOME_SETTING: 'x',
    });
    execFileSync(process.execPath, args(victim), { cwd: victim.folder, env, encoding: 'utf8' });
    const passed = readFileSync(seen, 'utf8');
    expect(passed).toMatch(/^HOME=/m);
    for (const never of ['ENVSNAP_', 'TOKEN', 'do-not-pass-on', 'user:pw', 'SOME_SETTING'])
      expect(passed).not.toContain(never);
  });
});
