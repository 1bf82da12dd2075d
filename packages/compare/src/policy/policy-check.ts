// One expectation of a policy and its result.

/** The rules of a policy, each a part of it. */
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

/** One expectation and its result. */
export interface PolicyCheck {
  readonly rule: PolicyRule;
  readonly key: string;
  readonly outcome: PolicyOutcome;
  /** What the policy asks for; for variables never a value that was found. */
  readonly expected: string;
  /** What is there; null for variables, whose values are not shown. */
  readonly actual: string | null;
  /** A sentence without its full stop: `node is 20.11.0, expected >=22 <25`. */
  readonly message: string;
  /** What to do about a violation, as part of a sentence. */
  readonly advice: string;
  /** 1-based line in the policy file. */
  readonly line: number;
}

/** A check before its line in the file is known. */
export type Unplaced = Omit<PolicyCheck, 'line'>;
