// Explains a failed run without comparing it: what the project needs and this machine lacks, and what the output says.

import { type ComparableEnvironment, environmentOf, type Failure } from '@envsnap/compare/workspace';
import { checkSnapshot, unsetOfSamples } from '../actions/comparison/check-machine.ts';
import type { FoundPolicy } from '../actions/comparison/load-policy.ts';

/** A problem on this machine: a sentence without its full stop, and its repair. */
interface MissingPiece {
  readonly message: string;
  readonly advice: string | null;
  /** Whether the output names it. */
  readonly named: boolean;
}

/** The explanation of a single run. */
export interface FirstFailure {
  readonly findings: readonly MissingPiece[];
  /** Lines of the output that report an error, safe to print. */
  readonly output: readonly string[];
}

const linesShown = 2;

/** Explains a failure by what `check` finds and by the output, if that could be read; what the output names comes first. */
export function explainFirstFailure(
  snapshot: ComparableEnvironment,
  policy: FoundPolicy | undefined,
  failure: Failure | undefined,
): FirstFailure {
  const { checks, declared, installed, notInstalled, checkout } = checkSnapshot(snapshot, policy);
  const { dependencies } = environmentOf(snapshot);
  const isMissing = (name: string) => failure?.missing.has(name) === true;
  const finding = (named: boolean, { message, advice }: Pick<MissingPiece, 'message' | 'advice'>) => ({
    message,
    advice,
    named,
  });
  const missing = missingVariables(snapshot, failure);
  const unset = missing.length > 0 ? [] : unsetOfSamples(snapshot);
  const findings = [
    ...missing,
    ...checks
      .filter(({ outcome }) => outcome === 'violated')
      .map((each) => finding(namesKey(failure, each.key), each)),
    ...notInstalled.map((each) => finding(Object.keys(dependencies[each.file] ?? {}).some(isMissing), each)),
    ...declared.map((each) => finding(isMissing(each.tool), each)),
    ...installed.map((each) => finding(isMissing(each.name), each)),
    ...checkout.filter(({ counts }) => counts).map((each) => finding(false, each)),
    ...unset.map((each) => finding(false, each)),
    ...checkout.filter(({ counts }) => !counts).map((each) => finding(false, each)),
  ];
  return {
    findings: [...findings.filter(({ named }) => named), ...findings.filter(({ named }) => !named)],
    output: linesOf(failure),
  };
}

function namesKey(failure: Failure | undefined, key: string): boolean {
  return failure?.errorNames.has(key) === true;
}

/** Unset or empty variables that the project mentions and the output names. Outside errors, a name without `_` may be a word. */
function missingVariables(snapshot: ComparableEnvironment, failure: Failure | undefined): MissingPiece[] {
  const environment = environmentOf(snapshot);
  const isNamed = (name: string) =>
    namesKey(failure, name) || (name.includes('_') && failure?.names.has(name) === true);
  const valuesOf = (name: string) =>
    Object.entries(environment.variables).filter(([key]) => key === name || key.endsWith(`:${name}`));
  return environment.project.variables
    .filter(([name]) => isNamed(name) && valuesOf(name).every(([, value]) => value === ''))
    .map(([name, file]) => ({
      message: `${name} is ${valuesOf(name).length === 0 ? 'not set' : 'empty'}, ${file} mentions it, and the output names it`,
      advice: `set ${name}`,
      named: true,
    }));
}

/** Lines that begin with what went wrong: `Error: …`, `error TS5081: …`. A summary such as `1 failed` says nothing more. */
export function linesOf(failure: Failure | undefined): string[] {
  const lines = failure?.errors.map(({ words }) => words) ?? [];
  return lines
    .filter((words) => /(?:error|exception|fatal|panic(?:ked)?)\b.{0,30}?: \S/i.test(words))
    .slice(0, linesShown);
}
