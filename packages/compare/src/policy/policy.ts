// The type of a policy, without zod, so that comparing does not load the types of the validating library.

import type { PresetName } from './presets.ts';

type OneOrMore = string | string[];
type MapOfThem = Record<string, OneOrMore>;

/** A known difference that does not count. */
export interface Acceptance {
  /** `SECTION:PATTERN` or `PATTERN`, as in `ignore`. */
  readonly key: string;
  /** The accepted value in A or B; any value if absent. `''`: no value. */
  readonly a?: string | undefined;
  readonly b?: string | undefined;
  readonly reason: string;
  /** The last day on which it applies, `YYYY-MM-DD` in UTC. */
  readonly until?: string | undefined;
}

/** A policy as in its file; `policySchema` describes each part. */
export interface Policy {
  version?: '1' | undefined;
  baseline?: string | undefined;
  failOn?: OneOrMore | undefined;
  preset?: PresetName | undefined;
  accepted?: Acceptance[] | undefined;
  ignore?: string[] | undefined;
  expect?:
    | {
        os?: OneOrMore | undefined;
        arch?: OneOrMore | undefined;
        runtimes?: MapOfThem | undefined;
        env?: MapOfThem | undefined;
        facts?: MapOfThem | undefined;
        system?: MapOfThem | undefined;
      }
    | undefined;
  required?: string[] | undefined;
  forbidden?: string[] | undefined;
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  );
}

export const policyRules = [
  'os',
  'arch',
  'system',
  'facts',
  'runtimes',
  'env',
  'required',
  'forbidden',
] as const;
export type PolicyRule = (typeof policyRules)[number];

/** `accepted`: not met, but accepted by the policy. */
export const policyOutcomes = ['met', 'violated', 'accepted', 'unknown'] as const;
export type PolicyOutcome = (typeof policyOutcomes)[number];

export interface PolicyCheck {
  readonly rule: PolicyRule;
  readonly key: string;
  readonly outcome: PolicyOutcome;
  readonly expected: string;
  readonly actual: string | null;
  readonly message: string;
  readonly advice: string;
  readonly line: number;
  /** Whether the other side meets it. Absent if it was not needed. */
  readonly metByA?: boolean;
}

export type Unplaced = Omit<PolicyCheck, 'line' | 'metByA'>;
