// Input and result of a diagnosis.

import type { ValueOrder } from '../environment/kind.ts';

export type Outcome = 'passed' | 'failed';

export interface Run {
  readonly outcome: Outcome;
  readonly machineName: string;
  /** ISO 8601; null if a file does not say. */
  readonly createdAt: string | null;
}

export interface FeatureInfo {
  /** The key as users know it: `runtimes.node`, `env:TZ`, `dependencies:package-lock.json/zod`. */
  readonly key: string;
  readonly label?: string;
  readonly direct?: boolean;
  /** For one entry of a list: the entry. The feature is then "the list holds this entry". */
  readonly entry?: string;
  readonly order: ValueOrder;
  /** Whether its values may be shown. Secrets, and what may be one, are compared but never shown. */
  readonly shown: boolean;
}

export interface Finding {
  /** Keys that split the runs alike, the likeliest cause first; at most 50. */
  readonly keys: readonly string[];
  readonly keyCount: number;
  /** One sentence without its full stop: `12 of 12 failing runs have node 24.1.0, 0 of 31 passing ones`. */
  readonly what: string;
  /** The keys that changed together with the first one, without a full stop; null if none did. */
  readonly together: string | null;
  /** Two-sided, by Fisher's exact test. */
  readonly pValue: number;
  readonly qValue: number;
  /** How many failing and passing runs have it, … */
  readonly inFailed: number;
  readonly inPassed: number;
  readonly ofFailed: number;
  readonly ofPassed: number;
  /** If all runs since a moment have it and no earlier run does: the time of the first one, ISO 8601. */
  readonly since: string | null;
  /** Index of the finding that already explains this one; null if there is none. */
  readonly explainedBy: number | null;
}

export interface DiagnosisNote {
  readonly code: 'too_few_runs' | 'one_outcome_only' | 'not_comparable' | 'runs_left_out' | 'keys_left_out';
  readonly message: string;
}

export interface Diagnosis {
  readonly runs: { readonly passed: number; readonly failed: number };
  /** The likeliest first. A q-value above {@link findingLimit} makes a finding a lead. */
  readonly findings: readonly Finding[];
  /** Number of tested hypotheses: features whose runs differ; features that differ alike count once. */
  readonly tests: number;
  readonly suggestion: string | null;
  readonly notes: readonly DiagnosisNote[];
}

/** Largest q-value of a finding: at most one finding in twenty is chance. */
export const findingLimit = 0.05;
