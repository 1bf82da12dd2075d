// Finds the smallest set of differences that turns a passing command into a failing one, by delta debugging. Pure: the caller runs it.

/** The result of a run. `unclear`: it failed in another way than the failing side, or skipped itself. */
export type TrialResult = 'passed' | 'failed' | 'unclear';

export interface Suspect {
  readonly id: string;
  readonly group: string;
  readonly weight: number;
}

interface SearchOptions<S extends Suspect> {
  /** Runs the command on the passing side with these differences of the failing side. Called once for each set. */
  readonly run: (differences: ReadonlySet<S>) => Promise<TrialResult>;
  readonly onStep?: (suspected: readonly S[], runsLeft: number) => void;
}

export interface SearchResult<S extends Suspect> {
  /** Sets of differences, each of which alone makes the command fail, in the order of the search. */
  readonly causes: readonly (readonly S[])[];
  /** Proven: a run with each cause alone failed, and a run with everything but the causes passed. */
  readonly proven: boolean;
}

/** Maximum number of differences that may be needed together; if there are more, the results contradict each other. */
const mostTogether = 8;
const mostCauses = 4;

/** Searches for the cause. Expects that the command fails with all suspects and passes with none, as measured before.
 * Assumes that a failing set still fails with more differences; if that is wrong, the result may stay unproven. */
export async function searchCause<S extends Suspect>(
  suspects: readonly S[],
  options: SearchOptions<S>,
): Promise<SearchResult<S>> {
  const run = remembered(options.run, suspects);
  // Repeats earlier runs, because the command may have turned out to be flaky.
  const prove: Run<S> = (differences) =>
    differences.length === 0 || differences.length === suspects.length
      ? options.run(new Set(differences))
      : run(differences);
  const causes: S[][] = [];
  let rest = inOrder(suspects);
  for (;;) {
    const cause = await smallestSet(rest, run, options);
    if (!cause) return { causes, proven: false };
    // Alone it does not fail: it needs another difference that was not found.
    if ((await prove(cause)) !== 'failed') return { causes: [...causes, cause], proven: false };
    causes.push(cause);
    rest = rest.filter((suspect) => !cause.includes(suspect));
    options.onStep?.(cause, 1);
    const without = await prove(rest);
    if (without === 'passed') return { causes, proven: true };
    if (without === 'unclear' || causes.length === mostCauses || rest.length === 0)
      return { causes, proven: false };
  }
}

/** Sorts groups by their likeliest member, and members by their weight. */
function inOrder<S extends Suspect>(suspects: readonly S[]): S[] {
  const groups = new Map<string, S[]>();
  for (const suspect of suspects) {
    const group = groups.get(suspect.group);
    if (group) group.push(suspect);
    else groups.set(suspect.group, [suspect]);
  }
  const byWeight = (x: Suspect, y: Suspect) => y.weight - x.weight;
  for (const group of groups.values()) group.sort(byWeight);
  return [...groups.values()].sort((x, y) => byWeight(x[0] as S, y[0] as S)).flat();
}

type Run<S> = (differences: readonly S[]) => Promise<TrialResult>;

/** Zeller and Hildebrandt's ddmin for a command that keeps failing as differences are added: the shortest beginning of the
 * list that fails ends with a necessary difference; with that one fixed, the search repeats on the part before it. Each
 * necessary difference costs one run for each halving, where ddmin's two-way split costs up to two. Undefined if the runs
 * contradict each other. */
async function smallestSet<S extends Suspect>(
  ordered: readonly S[],
  run: Run<S>,
  options: SearchOptions<S>,
): Promise<S[] | undefined> {
  const necessary: S[] = [];
  let candidates = ordered;
  while (candidates.length > 0) {
    const base = [...necessary];
    const end = await shortestFailing(candidates, base, run, options);
    // Only the whole set has failed so far: does it still fail?
    const doubtful = end === ordered.length && end > 1;
    if (doubtful && (await options.run(new Set(ordered))) !== 'failed') return undefined;
    if (necessary.length === mostTogether) return undefined;
    necessary.push(candidates[end - 1] as S);
    candidates = candidates.slice(0, end - 1);
    options.onStep?.([...candidates, ...necessary], 2);
    if ((await run(necessary)) === 'failed') return minimal(necessary, run);
  }
  return necessary;
}

async function shortestFailing<S extends Suspect>(
  candidates: readonly S[],
  held: readonly S[],
  run: Run<S>,
  options: SearchOptions<S>,
): Promise<number> {
  let passing = 0;
  let failing = candidates.length;
  while (failing - passing > 1) {
    const middle = middleOf(candidates, passing, failing);
    const remaining = Math.ceil(Math.log2(failing - passing)) + 2;
    options.onStep?.([...candidates.slice(passing, failing), ...held], remaining);
    if ((await run([...held, ...candidates.slice(0, middle)])) === 'failed') failing = middle;
    else passing = middle;
  }
  return failing;
}

function middleOf<S extends Suspect>(candidates: readonly S[], passing: number, failing: number): number {
  const between = candidates.slice(passing, failing);
  const total = between.reduce((sum, { weight }) => sum + weight, 0);
  let sum = 0;
  let best = passing + 1;
  let bestDistance = Number.POSITIVE_INFINITY;
  const borders = between.some((suspect, index) => index > 0 && suspect.group !== between[index - 1]?.group);
  for (const [index, suspect] of between.slice(0, -1).entries()) {
    sum += suspect.weight;
    if (borders && between[index + 1]?.group === suspect.group) continue;
    const distance = Math.abs(sum - total / 2);
    if (distance < bestDistance) [best, bestDistance] = [passing + index + 1, distance];
  }
  return best;
}

/** Removes each difference without which the others still fail. The last one found is known to be necessary, unless a run was
 * unclear: then one of them may fail alone, although no set in between could be judged. */
async function minimal<S extends Suspect>(found: readonly S[], run: Run<S>): Promise<S[]> {
  let smallest = [...found];
  let isUnclear = false;
  for (const difference of found.slice(0, -1)) {
    const fewer = smallest.filter((other) => other !== difference);
    if (fewer.length === 0) continue;
    const result = await run(fewer);
    if (result === 'failed') smallest = fewer;
    if (result === 'unclear') isUnclear = true;
  }
  if (!isUnclear) return smallest;
  for (const difference of smallest) if ((await run([difference])) === 'failed') return [difference];
  return smallest;
}

function remembered<S extends Suspect>(run: SearchOptions<S>['run'], suspects: readonly S[]): Run<S> {
  const numbers = new Map(suspects.map((suspect, index) => [suspect, index]));
  const known = new Map<string, Promise<TrialResult>>();
  known.set('', Promise.resolve('passed'));
  known.set(suspects.map((_, index) => index).join(), Promise.resolve('failed'));
  return (differences) => {
    const key = differences
      .map((difference) => numbers.get(difference) ?? -1)
      .sort((x, y) => x - y)
      .join();
    let result = known.get(key);
    if (!result) {
      result = run(new Set(differences));
      known.set(key, result);
    }
    return result;
  };
}
