// What the flags of bisect mean.

import { type SectionName, sectionOf } from '@envsnap/shared/address';
import { compileGlob } from '@envsnap/shared/text/glob';
import { CliError } from '../../errors/cli-error.ts';
import { needsConsent, type Plan, withheld } from './bisect-change.ts';
import type { FailsIf } from './bisect-exit-codes.ts';

/** Reads `--fails-if`: an exit code, `/expression/`, or text that the output holds. Exit code 2 when it is none of these. */
export function parseFailsIf(text: string | undefined): FailsIf {
  if (text === undefined) return { kind: 'any-failure' };
  if (text === '')
    throw new CliError('--fails-if is empty, which the output of every run holds', {
      code: 'usage',
      hint: 'Give an exit code, /an expression/, or text that only a failing run prints.',
    });
  if (/^\d{1,3}$/.test(text)) return { kind: 'exit', code: Number(text) };
  const expression = /^\/(.+)\/([imsu]*)$/s.exec(text);
  if (!expression) return { kind: 'output', test: (output) => output.includes(text) };
  try {
    const pattern = new RegExp(expression[1] as string, expression[2]);
    return { kind: 'output', test: (output) => pattern.test(output) };
  } catch (error) {
    throw new CliError(`--fails-if ${text} is not an expression: ${(error as Error).message}`, {
      code: 'usage',
      cause: error,
    });
  }
}

/** The sections whose differences can be tried. */
const triable: readonly SectionName[] = ['env', 'paths', 'facts', 'system', 'runtimes'];

/** Keeps only the differences that `--only SECTION:PATTERN` names. Exit code 2 for a section that has none. */
export function chooseChanges(plan: Plan, only: readonly string[] | undefined): Plan {
  if (only === undefined) return plan;
  const tests = only.map(parseOnly);
  const changes = plan.changes
    .filter(({ section, name }) => tests.some((test) => test.fits(section, name)))
    // Whoever writes a name down has decided about it; a pattern may fit names that nobody had in mind.
    .map((change) => {
      const { risk: _, isForeign: __, ...allowed } = change;
      return tests.some((test) => test.names && test.fits(change.section, change.name)) ? allowed : change;
    });
  const kept = new Set(changes.map(({ id }) => id));
  const left = plan.changes.filter(({ id }) => !kept.has(id));
  const reason = '--only leaves it out';
  return { changes, notTried: [...plan.notTried, ...left.map(({ id }) => ({ key: id, reason }))] };
}

/** Takes out the differences that somebody here would have to ask for, and says so of each. */
export function withholdUnasked({ changes, notTried }: Plan): Plan {
  return {
    changes: changes.filter((change) => !needsConsent(change)),
    notTried: [...changes.filter(needsConsent).map(withheld), ...notTried],
  };
}

interface OnlyTest {
  readonly fits: (section: string, name: string) => boolean;
  /** Whether the pattern is a name. */
  readonly names: boolean;
}

function parseOnly(text: string): OnlyTest {
  const [, written = '', pattern = '*'] = /^([A-Za-z]+)(?:[.:](.*))?$/s.exec(text) ?? [];
  const section = written === 'metadata' ? 'system' : sectionOf(written);
  if (section === undefined || !triable.includes(section)) {
    throw new CliError(`--only ${text} does not name a section that can be tried`, {
      code: 'usage',
      hint: `For example: --only 'env:LC_*'. Sections: ${triable.join(', ')}.`,
    });
  }
  // Lists of folders are variables.
  const sections = section === 'env' ? ['env', 'paths'] : [section];
  const fits = compileGlob(pattern, { syntax: 'names' });
  return { fits: (each, name) => sections.includes(each) && fits(name), names: !/[*?]/.test(pattern) };
}
