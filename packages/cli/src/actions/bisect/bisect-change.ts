// A difference in a bisection: a setting of a run that can take the value of either side.

import type { Suspect } from '@envsnap/compare/diagnosis';
import type { ComparableEnvironment, ProjectNeeds } from '@envsnap/compare/workspace';
import { type SectionName, sectionOf } from '@envsnap/shared/address';
import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { compileGlob } from '@envsnap/shared/text/glob';
import { usageError } from '../../errors/cli-error.ts';
import type { RunSetting } from './bisect-setting.ts';

export type Side = 'a' | 'b';

export interface Change extends Suspect {
  /** The section (`env`, `facts`, `runtimes`, …) and the name in it, as in `--only`. */
  readonly section: string;
  readonly name: string;
  /** The text for each side: `TZ=Asia/Kolkata`, `no TZ`. Never a secret. */
  readonly texts: Readonly<Record<Side, string>>;
  /** Why A's value may not work here, such as a missing folder. Left out if both sides have the same result with it. */
  readonly doubt?: string;
  /** The possible effect of its value: `load code into Node.js`. Tried only with the user's consent. */
  readonly risk?: string;
  /** Whether somebody else recorded one of its values, which is not known to be inert. Needs consent too. */
  readonly isForeign?: true;
  /** A folder of PATH that only one side has; the change adds or removes it. */
  readonly folder?: { readonly path: string; readonly side: Side };
  /** A differing runtime that this folder is the first to contain. */
  readonly brings?: string;
  readonly apply: (setting: RunSetting, side: Side) => void;
}

export interface NotTried {
  readonly key: string;
  readonly reason: string;
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly notTried: readonly NotTried[];
}

export interface PlanInput {
  readonly a: ComparableEnvironment;
  readonly b: ComparableEnvironment;
  readonly local: ComparableEnvironment;
  /** Whether A is this machine: then it has the secrets that A's capture hides. */
  readonly aIsLocal?: boolean;
  /** Whether B is this machine: then its side of a difference is already in effect. */
  readonly bIsLocal: boolean;
  /** The sides whose values somebody else recorded; none by default. */
  readonly strangers?: ReadonlySet<Side>;
  /** The work tree here, which captures write as `<checkout>`. */
  readonly checkout: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

export interface PlanDraft {
  readonly changes: Change[];
  readonly notTried: NotTried[];
  /** The requirements of the project, for the weights of the differences. */
  readonly needs: ProjectNeeds;
}

export function runsExpected(differences: number, repetitions: number): number {
  return 2 * repetitions + Math.ceil(Math.log2(differences + 1)) + 2;
}

export function needsConsent({ risk, isForeign }: Change): boolean {
  return risk !== undefined || isForeign === true;
}

/** The key and reason of such a difference for which nobody gave consent. */
function withheld({ id, risk }: Change): NotTried {
  const reason =
    risk === undefined
      ? 'someone else recorded its value: --trust tries all values, --only env:NAME tries one variable'
      : `it can ${risk}, so bisect tries it only if --only names it`;
  return { key: id, reason };
}

/** Variables of one runtime or tool are tried together; all others one by one. */
export function groupOf(variable: string): string {
  const provider = describeVariable(variable)?.provider;
  return provider && groupingProviders.has(provider) ? provider : `env:${variable}`;
}

const groupingProviders = new Set(
  'node npm python pip java go rust ruby dotnet php c perl git elixir haskell lua r julia'.split(' '),
);

const triable: readonly SectionName[] = ['env', 'paths', 'facts', 'system', 'runtimes'];

/** Keeps only the differences that `--only SECTION:PATTERN` names. Exit code 2 if a section has none. */
export function chooseChanges(plan: Plan, only: readonly string[] | undefined): Plan {
  if (only === undefined) return plan;
  const tests = only.map(parseOnly);
  const changes = plan.changes
    .filter(({ section, name }) => tests.some((test) => test.fits(section, name)))
    // Naming a variable is consent. A pattern is not: it may match names that its author did not think of.
    .map((change) => {
      const { risk: _, isForeign: __, ...allowed } = change;
      return tests.some((test) => test.names && test.fits(change.section, change.name)) ? allowed : change;
    });
  const planned = new Set(changes.map(({ id }) => id));
  const leftOut = plan.changes.filter(({ id }) => !planned.has(id));
  const reason = '--only leaves it out';
  return { changes, notTried: [...plan.notTried, ...leftOut.map(({ id }) => ({ key: id, reason }))] };
}

/** Removes the differences that need consent, and lists each with the reason. */
export function withholdWithoutConsent({ changes, notTried }: Plan): Plan {
  return {
    changes: changes.filter((change) => !needsConsent(change)),
    notTried: [...changes.filter(needsConsent).map(withheld), ...notTried],
  };
}

function parseOnly(text: string) {
  const [, written = '', pattern = '*'] = /^([A-Za-z]+)(?:[.:](.*))?$/s.exec(text) ?? [];
  const section = written === 'metadata' ? 'system' : sectionOf(written);
  if (section === undefined || !triable.includes(section)) {
    throw usageError(
      `--only ${text} does not name a section that bisect can try`,
      `For example: --only 'env:LC_*'. Sections: ${triable.join(', ')}.`,
    );
  }
  // Lists of folders are variables.
  const sections = section === 'env' ? ['env', 'paths'] : [section];
  const fits = compileGlob(pattern, { syntax: 'names' });
  return {
    fits: (each: string, name: string) => sections.includes(each) && fits(name),
    names: !/[*?]/.test(pattern),
  };
}
