// How likely a difference in a variable explains a failure: a view of the catalogue of variables.

import { type ProjectNeeds, projectNeeds } from '../relevance/project-needs.ts';
import { judgeVariable } from '../relevance/variable-relevance.ts';
import { isLanguageVariable } from './one-cause.ts';

/** `missing`: in A only; `added`: in B only. */
export type VariableChange = 'changed' | 'added' | 'missing';

const weights = {
  mentioned: { missing: 92, changed: 80, added: 66 },
  application: { missing: 84, changed: 64, added: 60 },
  unknown: { missing: 62, changed: 54, added: 30 },
  'tool-setting': { missing: 46, changed: 46, added: 44 },
  high: { missing: 72, changed: 84, added: 82 },
  usual: { missing: 54, changed: 58, added: 56 },
  low: { missing: 18, changed: 20, added: 20 },
} satisfies Record<string, Record<VariableChange, number>>;

/** People choose their language once for all they do: what differs by project comes first. */
const languageWeights: Record<VariableChange, number> = { missing: 70, changed: 71, added: 70 };

const nothingKnown = projectNeeds();

/** Weight from 0 (never the cause) to 100 (surely), for a project. */
export function variableWeight(
  name: string,
  change: VariableChange,
  needs: ProjectNeeds = nothingKnown,
): number {
  const { row, mentionedIn, fromDotenv } = judgeVariable(name, needs);
  if (name === 'CI') return { missing: 40, changed: 30, added: 60 }[change];
  // Each machine has its own; where it matters, the programs that are found by it differ too.
  if (/^path$/i.test(name)) return { missing: 60, changed: 40, added: 20 }[change];
  if (isLanguageVariable(name)) return languageWeights[change];
  if (row?.class === 'behaviour') return weights[row.likelihood ?? 'usual'][change];
  if (mentionedIn !== undefined || fromDotenv) return weights.mentioned[change];
  if (row?.class === 'application') return weights.application[change];
  if (row?.class === 'tool-setting') return weights['tool-setting'][change];
  // Of a person, a desktop, a CI service: the last of the context.
  return row === undefined ? weights.unknown[change] : 10;
}
