// The comparison as scripts and the command line call it: finds differences, applies rules and a policy, names causes.

import { createWorkBudget, type WorkBudget } from '@envsnap/shared/work-budget';
import { environmentOf } from './environment/environment.ts';
import type { ComparedSides } from './failure/find-evidence.ts';
import type { Failure } from './failure/read-failure.ts';
import { findDifferences, type SideLabels } from './model/find-differences.ts';
import { lackingNote } from './model/lacking-note.ts';
import type { ComparableEnvironment, ComparisonNote } from './model/model.ts';
import { withNamesOf } from './model/names-of-other-side.ts';
import { workspaceView } from './model/workspace-view.ts';
import { checkPolicy } from './policy/check-policy.ts';
import { parseFailOn } from './policy/fail-on.ts';
import { ignoreTest } from './policy/ignore-patterns.ts';
import type { PolicyCheck } from './policy/policy.ts';
import type { LoadedPolicy } from './policy/policy-file.ts';
import { type PresetName, presetRules } from './policy/presets.ts';
import { type ComparisonReport, type FailureExplanation, reportComparison } from './report/report.ts';

/** Options for what counts and what is shown. */
export interface ComparisonRules {
  /** The result of `parsePolicy` of `@envsnap/compare/policy`; B is checked against it. */
  readonly policy?: LoadedPolicy | undefined;
  /** Rules for what counts, as for `--fail-on`: `runtimes:minor,env`. Overrides the preset and the policy. */
  readonly failOn?: string | undefined;
  readonly preset?: PresetName | undefined;
  /** Patterns of entries to leave out, in addition to those of the policy: `dependencies:**\/@types/*`. */
  readonly ignore?: readonly string[] | undefined;
  /** The comparison explains why B failed. Then an empty installation counts. Default false. */
  readonly explains?: boolean | undefined;
  /** A package's folder below the root: both sides are reduced to it, see {@link workspaceView}. */
  readonly workspace?: string | undefined;
  /** The result of `readFailure` for the output of the failure on B; causes that it names come first. */
  readonly failure?: Failure | undefined;
  /** Explanations of the failure that were found on the machine where it happened. They come first. */
  readonly explanations?: readonly FailureExplanation[] | undefined;
  /** Put the values of variables into the entries; `safe` does so only where both sides were captured without secrets. Default
   * false. */
  readonly showValues?: boolean | 'safe' | undefined;
  /** A side is the environment of a process, a shell or a service: a note says what B lacks of A. Default false. */
  readonly saysLacking?: boolean | undefined;
  /** The name of each side, and its place in sentences. Default: the machine names. */
  readonly labels?: SideLabels | undefined;
  /** The day by which acceptances expire. Default: now. */
  readonly now?: Date | undefined;
}

/** Compares two sides with parsed rules. Throws a `TooMuchWorkError` if these need too much work here. */
export type Comparer = (a: ComparableEnvironment, b: ComparableEnvironment) => ComparisonReport;

/** Reads the rules, so that mistakes in them are reported before anything is loaded. Throws a `PatternError`. */
export function createComparer(rules: ComparisonRules = {}): Comparer {
  const { policy, failOn, preset, labels, now, workspace } = rules;
  const patterns = [...(rules.ignore ?? []), ...(policy?.policy.ignore ?? [])];
  ignoreTest(patterns, createWorkBudget()(workOfPatterns(patterns)));
  const failRules =
    failOn !== undefined ? parseFailOn(failOn) : ((preset && presetRules(preset)) ?? policy?.failOn);
  const view = (side: ComparableEnvironment) =>
    workspace === undefined ? side : workspaceView(side, workspace);
  return (wholeA, wholeB) => {
    const budget = createWorkBudget();
    for (const side of [wholeA, wholeB]) requireEnvironment(side);
    const b = view(wholeB);
    const a = withNamesOf(view(wholeA), b);
    const [left, right] = [environmentOf(a), environmentOf(b)];
    const { showValues = false } = rules;
    const explains =
      rules.failure !== undefined || rules.explains === true || right.outcome?.result === 'failed';
    const differences = findDifferences(a, b, {
      explains,
      asked: policy && variablesOf(policy),
      ignore: ignoreTest(patterns, budget(workOfPatterns(patterns))),
      showValues: showValues === 'safe' ? left.capture.safe && right.capture.safe : showValues,
      ...(labels ? { labels } : {}),
    });
    const isCiOnOneSide = (left.ciProvider === undefined) !== (right.ciProvider === undefined);
    const byItself = failRules === undefined && isCiOnOneSide && !explains;
    const notes = [
      ...(rules.saysLacking ? lackingNote(a, b, differences) : []),
      ...(byItself ? [presetNote] : []),
      ...differences.notes,
    ];
    return reportComparison(
      { ...differences, notes },
      {
        failRules: byItself ? presetRules('ci') : failRules,
        policy: policy && { file: policy.file, checks: checksOf(policy, { a, b }, budget) },
        accepted: policy?.policy.accepted,
        sides: { a, b },
        failure: rules.failure,
        explanations: rules.explanations,
        explains,
        now,
        budget,
      },
    );
  };
}

/** The checks of B, and whether A meets what B does not. Only then does it help to make B like A. */
function checksOf(policy: LoadedPolicy, { a, b }: ComparedSides, budget: WorkBudget): PolicyCheck[] {
  const checks = checkPolicy(policy, b, budget);
  if (!checks.some(({ outcome }) => outcome === 'violated')) return checks;
  const ofA = checkPolicy(policy, a, budget);
  return checks.map((check, place) => ({ ...check, metByA: ofA[place]?.outcome === 'met' }));
}

function variablesOf({ file, policy }: LoadedPolicy): (readonly [name: string, file: string])[] {
  const { expect, required = [], forbidden = [] } = policy;
  return [...Object.keys(expect?.env ?? {}), ...required, ...forbidden].map((name) => [name, file]);
}

const workOfPatterns = (patterns: readonly string[]) => `matching ${patterns.length} ignore patterns`;

const presetNote: ComparisonNote = {
  code: 'one_side_ci',
  message:
    'One side is a CI run and the other is not, so --preset ci leaves out the usual differences between the two. --preset none counts them.',
};

/** Two values that are not environments would show no difference, although nothing was compared. */
function requireEnvironment(side: ComparableEnvironment): void {
  if (typeof (side as Partial<ComparableEnvironment> | null | undefined)?.machineName !== 'string')
    throw new TypeError(
      'This is not an environment, because it has no machineName. parseEnvironment reads one, and its errors say what is wrong.',
    );
}

/** Compares two environments and judges the differences; the verdict is that of `envsnap compare` with the same rules.
 * Throws a `PatternError` for rules that cannot be parsed. */
export function compareEnvironments(
  a: ComparableEnvironment,
  b: ComparableEnvironment,
  rules: ComparisonRules = {},
): ComparisonReport {
  return createComparer(rules)(a, b);
}
