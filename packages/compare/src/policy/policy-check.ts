// One expectation of a policy and its result.

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

/** `accepted`: it is not met, and the policy accepts that. */
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
}

export type Unplaced = Omit<PolicyCheck, 'line'>;
