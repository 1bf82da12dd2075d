// The catalogue of failures: every rule, in groups by what it speaks of.

import { type FailureRule, ruleOf } from './rule.ts';
import { fileRules } from './rules/files.ts';
import { limitRules } from './rules/limits.ts';
import { networkRules } from './rules/network.ts';
import { programRules } from './rules/programs.ts';
import { textRules } from './rules/text.ts';
import { versionRules } from './rules/versions.ts';

/** All rules. */
export const failureRules: readonly FailureRule[] = [
  ...programRules,
  ...versionRules,
  ...limitRules,
  ...networkRules,
  ...textRules,
  ...fileRules,
].map(ruleOf);
