// How much work a captured folder may ask for. A few bytes of an index, a pack or a list of patterns can stand for hours and for
// any amount of memory; what real repositories ask for lies far below. Counted, not timed: it is the same on every machine.

/** The folder asks for more work than any real one. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
  override readonly message = 'reading it would take too much time or memory';
}

/** Takes steps of some 5 ns each; throws {@link TooMuchWork} once there have been too many. What is kept counts more. */
export type Spend = (steps: number) => void;

/** Steps of a call to the file system. */
export const fileSteps = 500;

/** Steps that reading a repository, with its submodules and its rules, may take: some 15 s. */
const maxSteps = 3e9;

/** One budget. */
export function createEffort(steps = maxSteps): Spend {
  let left = steps;
  return (taken) => {
    left -= taken;
    if (left < 0) throw new TooMuchWork();
  };
}
