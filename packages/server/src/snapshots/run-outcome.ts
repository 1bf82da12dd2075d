// Reads from a snapshot's metadata how the run that it belongs to ended. docs/specification.md §13.

const longestName = 255;

/** The columns that filters and diagnoses look at; null where the metadata say nothing of the kind. */
export function runOutcomeOf(metadata: Readonly<Record<string, unknown>>): {
  outcome: 'passed' | 'failed' | null;
  outcomeOf: string | null;
} {
  const outcome = Object.hasOwn(metadata, 'outcome') ? metadata.outcome : undefined;
  if (outcome !== 'passed' && outcome !== 'failed') return { outcome: null, outcomeOf: null };
  const name = Object.hasOwn(metadata, 'outcomeOf') ? metadata.outcomeOf : undefined;
  return { outcome, outcomeOf: typeof name === 'string' && name.length <= longestName ? name : null };
}
