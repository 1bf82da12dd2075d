// Limits the work that untrusted data may cause. A few bytes of a pattern, an index or a list of names can mean hours of
// matching. Steps are counted, not timed, so a budget ends at the same place on every machine.

/** Thrown if data needs more work than that of any real project. */
export class TooMuchWorkError extends Error {
  override readonly name = 'TooMuchWorkError';

  constructor(work: string) {
    super(`${work} would take too much time or memory`);
  }
}

/** Takes steps of some 5 ns each from a budget; throws {@link TooMuchWorkError} once it is used up. */
export type Spend = (steps: number) => void;

/** A budget for several kinds of work: takes the name of the work, for the error, and returns a function that spends steps. */
export type WorkBudget = (work: string) => Spend;

/** Steps that a comparison or a page of snapshots may take: some 2 s. */
const defaultSteps = 4e8;

export function createWorkBudget(steps = defaultSteps): WorkBudget {
  let remaining = steps;
  return (work) => (taken) => {
    remaining -= taken;
    if (remaining < 0) throw new TooMuchWorkError(work);
  };
}
