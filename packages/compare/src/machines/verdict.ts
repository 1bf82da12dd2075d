// Judges a snapshot against an earlier one by its own policy, for the server and `envsnap status`.

import type { ShortCause } from '@envsnap/shared';
import type { SnapshotVerdict } from '@envsnap/shared/machine-state';
import { placesOf } from '../causes/cause.ts';
import { withoutTerminalHints } from '../causes/terminal-hints.ts';
import { type ComparisonRules, compareEnvironments } from '../compare-environments.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { carriedPolicy, PolicyError } from '../policy/policy-file.ts';
import { unmetOf } from '../report/expectations.ts';
import type { ComparisonReport } from '../report/report.ts';

/** How the two are related: two snapshots of a machine, or a run and the last run that passed. */
export type Relation = 'machine' | 'run';

const mostCauses = 3;
const longestSentence = 500;

/** Without machine names, because otherwise the same cause would differ between runners. */
export const relations = {
  machine: {
    labels: {
      a: 'the previous snapshot',
      b: 'this snapshot',
      at: { a: 'in the previous snapshot', b: 'in this one' },
    },
  },
  run: {
    labels: {
      a: 'the run that passed',
      b: 'this run',
      at: { a: 'in the run that passed', b: 'in this run' },
    },
    explains: true,
  },
} as const satisfies Record<Relation, ComparisonRules>;

interface StoredVerdict {
  readonly report: ComparisonReport;
  /** Why B's policy could not be used; null if it could, or if B has none. */
  readonly policyProblem: string | null;
}

/** Compares, and judges by B's policy if it has one. */
export function judgeStored(
  a: ComparableEnvironment,
  b: ComparableEnvironment,
  rules: Omit<ComparisonRules, 'policy'> = {},
): StoredVerdict {
  const { policy, problem } = policyOf(b);
  return { report: compareEnvironments(a, b, { ...rules, policy }), policyProblem: problem };
}

function policyOf(side: ComparableEnvironment) {
  try {
    return { policy: carriedPolicy(side), problem: null };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    return { policy: undefined, problem: error.message };
  }
}

export function verdictOn(
  a: ComparableEnvironment,
  b: ComparableEnvironment,
  relation: Relation,
): SnapshotVerdict {
  const { report } = judgeStored(a, b, relations[relation]);
  const [violated] = unmetOf(report);
  return {
    counting: report.counting.size,
    violation: violated ? shortCause({ what: violated.message, advice: violated.advice }) : null,
    causes: countingCauses(report)
      .slice(0, mostCauses)
      .map(({ what, advice, repair }) =>
        shortCause({ what, advice: repair.side === 'a' ? nothingToDo(relation) : advice }),
      ),
  };
}

function shortCause({ what, advice }: ShortCause): ShortCause {
  return { what: short(what), advice: short(advice) };
}

/** Advice where the earlier snapshot departed from what the project declares: nobody can repair the past. */
function nothingToDo(relation: Relation): string {
  const { a, at } = relations[relation].labels;
  return `change nothing ${at.b}: ${a} did not have what the project asks for`;
}

function countingCauses({ causes, counting }: ComparisonReport): ComparisonReport['causes'] {
  const keys = new Set([...counting].map(({ section, key }) => `${section}\n${key}`));
  return causes.filter((cause) => placesOf(cause).some(({ section, key }) => keys.has(`${section}\n${key}`)));
}

function short(sentence: string): string {
  const text = withoutTerminalHints(sentence);
  return text.length > longestSentence ? `${text.slice(0, longestSentence).toWellFormed()}…` : text;
}
