// The answer on a failure before any run has passed: what this machine lacks that the project asks for.

import { agentSentence } from '@envsnap/compare/formats/agent';
import { readFailure } from '@envsnap/compare/workspace';
import { explainFailure } from '../actions/comparison/explain-failure.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { explainFirstFailure } from '../runs/explain-first-failure.ts';
import { newestRun } from '../runs/snapshot-store.ts';
import { type AgentAnswer, inBoundary, mostShown } from './agent-answer.ts';
import { type AgentSources, projectAbove } from './agent-sources.ts';

/** Explains a failure by the state of this machine, which is captured unless a failed run was recorded. */
export async function answerFirstFailure(
  input: { readonly failure: string },
  from: AgentSources,
): Promise<AgentAnswer> {
  const policy = await loadPolicy('.', undefined, { optional: false });
  const store = await from.store();
  const failed = await newestRun(store, { result: 'failed' });
  const snapshot = failed ?? (await from.sources(false).captureLocal());
  const failure = readFailure(input.failure);
  const ofState = await explainFailure(failure, process.cwd());
  const { findings, explanations, isLacking } = explainFirstFailure(
    snapshot,
    policy,
    failure,
    ofState,
    await projectAbove(),
  );
  const state = explanations.map((message) => ({ message, advice: null, named: true }));
  const shown = [...state, ...findings].slice(0, mostShown);
  const isNamed = shown[0]?.named === true;
  const head = isNamed
    ? 'Likely: the output names the first item.'
    : isLacking
      ? 'Unknown: this machine lacks what the project asks for, and there is no passed run yet to compare with.'
      : 'Unknown: this machine has what the project declares and locks, and there is no passed run yet to compare with.';
  const next =
    shown.length > 0
      ? 'Next: fix the first item, and run the command again.'
      : 'Next: put envsnap run -- in front of the command, here and where it passes.';
  const lines = shown.map(
    ({ message, advice }, place) =>
      `${place + 1}. ${agentSentence(message)}${advice === null ? '' : `; advice: ${agentSentence(advice)}`}`,
  );
  return {
    text: [head, inBoundary(lines), next].join('\n'),
    data: { verdict: isNamed ? 'likely' : 'unknown', findings: shown, next },
  };
}
