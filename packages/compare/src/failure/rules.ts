// The catalogue of failures.

import { machineRules } from './rules/machines.ts';
import { programRules } from './rules/programs.ts';

export const failureRules = [...programRules, ...machineRules];
