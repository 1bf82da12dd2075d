// Whether the repair of a cause does what it says: it changes the right side to what works there, and if this machine can, its
// commands are run unchanged, starting from the failing side's state.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { factRow } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { Cause } from '../../../packages/compare/src/causes/cause.ts';
import type { BuiltEnvironment } from '../environment.ts';
import type { Thread } from '../threads.ts';

type Sides = Readonly<Record<'works' | 'fails', BuiltEnvironment>>;

/** Whether a person who follows it as written changes the wrong side to a value that works. */
export function isRight({ repair: solved }: Thread, cause: Cause, sides: Sides): boolean {
  const { side, kind, what, value } = cause.repair;
  if (kind === 'ask' || side === (solved.side === 'works' ? 'b' : 'a')) return false;
  const [key = ''] = cause.keys;
  if (kind === 'configure' || kind === 'restore') return true;
  const expected = cause.section === 'env' ? shownValue(key, sides.works) : sides.works.runtimeVersions[what];
  if (kind === 'unset') return expected === undefined;
  // The value of a secret is never shown.
  return value === undefined || expected === undefined || expected.startsWith('hmac:') || value === expected;
}

/** The language and the zone are the effective ones, which several variables can set. */
function shownValue(name: string, { envVars, metadata }: BuiltEnvironment): string | undefined {
  if (name === 'TZ') return metadata.timezone;
  return /^LANG(?:UAGE)?$|^LC_ALL$/.test(name) ? metadata.locale : envVars[name];
}

interface Check {
  /** Commands that give the shell the failing side's value. */
  readonly before: string;
  /** The command that prints the repaired value. */
  readonly print: string;
  readonly expected: string;
}

/** The result; undefined if there is no command, or this machine cannot run it. */
export function carryOut({ section, keys, repair }: Cause, sides: Sides): 'right' | 'wrong' | undefined {
  const check = repair.commands.length === 0 ? undefined : checkOf(section, keys[0] ?? '', repair, sides);
  if (check === undefined) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-repair-'));
  try {
    const script = ['git init -q .', check.before, ...repair.commands, check.print].join('\n');
    const env = { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
    const { stdout, status } = spawnSync('/bin/sh', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
    return status === 0 && stdout.trim() === check.expected.replaceAll('~', folder) ? 'right' : 'wrong';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function checkOf(
  section: Cause['section'],
  key: string,
  { side, kind, what }: Cause['repair'],
  { works, fails }: Sides,
): Check | undefined {
  const [from, to] = side === 'a' ? [works, fails] : [fails, works];
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  if (kind === 'set' || kind === 'unset') {
    const present = from.envVars[what];
    return {
      before: present === undefined ? '' : `export ${what}=${quote(present)}`,
      print: `printenv ${what} || true`,
      expected: kind === 'unset' ? '' : (shownValue(what, to) ?? ''),
    };
  }
  const [present, wanted] = [from, to].map(({ metadata }) => metadata.facts[key]);
  const { apply } = (section === 'facts' ? factRow(key) : undefined) ?? {};
  if (apply?.by === 'umask')
    return { before: `umask ${present}`, print: 'umask', expected: String(wanted).padStart(4, '0') };
  if (apply?.by === 'git-config' && wanted !== undefined)
    return {
      before: present === undefined ? '' : `git config --global ${apply.key} ${quote(String(present))}`,
      print: `git config ${apply.key} || true`,
      expected: wanted === factRow(key)?.unset && !/^(?:true|false)$/.test(wanted) ? '' : String(wanted),
    };
  const most = spawnSync('/bin/sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout.trim();
  if (
    apply?.by === 'limit' &&
    apply.limit === 'nofile' &&
    Math.max(Number(present), Number(wanted)) <= Number(most)
  )
    return { before: `ulimit -Sn ${present}`, print: 'ulimit -Sn', expected: String(wanted) };
  return undefined;
}
