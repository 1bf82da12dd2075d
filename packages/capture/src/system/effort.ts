// The limit on work that a captured folder may cause. Real repositories need far less.

import { createWorkBudget, type Spend, TooMuchWorkError } from '@envsnap/shared/work-budget';

/** Steps of a call to the file system. */
export const fileSteps = 500;

/** Steps that reading a repository, with its submodules and its rules, may take: some 15 s. */
const maxSteps = 3e9;

const work = 'reading it';

/** One budget. Stored values cost more. */
export function createEffort(steps = maxSteps): Spend {
  return createWorkBudget(steps)(work);
}

/** The error for files that are already too large or too many. */
export function tooMuchToRead(): TooMuchWorkError {
  return new TooMuchWorkError(work);
}
