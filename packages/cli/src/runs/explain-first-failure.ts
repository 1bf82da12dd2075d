// What there is to say about a run that failed and that nothing can be compared with: what the project misses on this machine,
// and what the output says.

import type { CaptureResult } from '@envsnap/capture';
import { environmentOf, type Failure } from '@envsnap/compare/workspace';
import { checkCaptured } from '../actions/comparison/check-machine.ts';
import type { FoundPolicy } from '../actions/comparison/load-policy.ts';

/** Something that is wrong on this machine: a sentence without its full stop, and what repairs it. */
export interface Finding {
  readonly message: string;
  readonly advice: string | null;
}

/** What is known about a run without another one. */
export interface FirstFailure {
  readonly findings: readonly Finding[];
  /** Lines of the output that report an error, safe to print. */
  readonly output: readonly string[];
}

/** Lines of the output that are shown. */
const linesShown = 2;

/** Explains a failure by what `check` finds and by the output, where that could be read. */
export function explainFirstFailure(
  captured: CaptureResult,
  policy: FoundPolicy | undefined,
  failure: Failure | undefined,
): FirstFailure {
  const { check } = checkCaptured(captured, policy);
  const violated = check.checks.filter(({ outcome }) => outcome === 'violated');
  return {
    findings: [
      ...missingVariables(captured.snapshot, failure),
      ...[...violated, ...check.declared, ...check.installed, ...check.notInstalled, ...check.checkout].map(
        ({ message, advice }) => ({ message, advice }),
      ),
    ],
    output: linesOf(failure),
  };
}

/** Variables that the project mentions, an error names and nobody sets. */
function missingVariables(snapshot: CaptureResult['snapshot'], failure: Failure | undefined): Finding[] {
  const environment = environmentOf(snapshot);
  const isSet = (name: string) =>
    Object.keys(environment.variables).some((key) => key === name || key.endsWith(`:${name}`));
  return environment.project.variables
    .filter(([name]) => failure?.errorNames.has(name) && !isSet(name))
    .map(([name, file]) => ({
      message: `${name} is not set, ${file} mentions it, and the output names it`,
      advice: `set ${name}`,
    }));
}

/** Lines that begin with what went wrong: `Error: …`, `error TS5081: …`. A summary such as `1 failed` says nothing more. */
function linesOf(failure: Failure | undefined): string[] {
  const lines = failure?.errors.map(({ words }) => words) ?? [];
  return lines
    .filter((words) => /(?:error|exception|fatal|panic(?:ked)?)\b.{0,30}?: \S/i.test(words))
    .slice(0, linesShown);
}
