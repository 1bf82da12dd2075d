// Rebuilds every case among the noise of real machines and asks the comparison for the cause.

import { isInOutput, placesOf } from '../../packages/compare/src/causes/cause.ts';
import { type Failure, readFailure } from '../../packages/compare/src/failure/read-failure.ts';
import { findDifferences } from '../../packages/compare/src/model/find-differences.ts';
import type { EnvironmentComparison } from '../../packages/compare/src/model/model.ts';
import { type ComparisonReport, reportComparison } from '../../packages/compare/src/report/report.ts';
import { type CauseCase, cases } from './case.ts';
import { createEnvironment } from './environment.ts';
import { createMachine, type MachineKind } from './machines.ts';
import { projectNames } from './projects.ts';
import { createRandom } from './random.ts';

/** Number of random draws of noise for each case. */
export const drawsOfEachCase = 3;
/** Number of other cases' outputs for each draw. */
const wrongOutputsOfEachDraw = 4;

const pairs: readonly (readonly [MachineKind, MachineKind])[] = [
  ['zsh laptop', 'fish laptop'],
  ['fish laptop', 'zsh laptop'],
  ['zsh laptop', 'zsh laptop'],
  ['zsh laptop', 'github runner'],
  ['fish laptop', 'circle runner'],
  ['github runner', 'fish laptop'],
  ['github runner', 'github runner'],
  ['mac laptop', 'zsh laptop'],
  ['mac laptop', 'mac laptop'],
  ['wsl laptop', 'fish laptop'],
];

export interface Outcome {
  readonly one: CauseCase;
  /** Rank of the cause in each draw, from 1; null if it is not among the causes. */
  readonly places: readonly (number | null)[];
  /** The same with the output of the failure; absent if the case has none. */
  readonly withOutput?: readonly (number | null)[];
  /** In how many draws the cause quotes the output. */
  readonly named: number;
  /** The same with outputs of cases with other causes, several for each draw: the effect of a wrong hint. */
  readonly withWrongOutput: readonly (number | null)[];
  /** The cause that was named first instead of the right one. */
  readonly instead: readonly string[];
  /** Number of differences that count in each draw. */
  readonly counting: readonly number[];
}

/** One draw of a case: what differs, the case's own output, and outputs of other cases. */
export interface CaseDraw {
  readonly differences: EnvironmentComparison;
  readonly own: Failure | undefined;
  readonly wrong: readonly Failure[];
}

/** Rebuilds a case several times, each with other noise. */
export async function* drawsOfCase(one: CauseCase, draws: number): AsyncGenerator<CaseDraw> {
  const { id } = one;
  const own = failures.get(one);
  const wrong = wrongFailuresFor(one);
  for (let draw = 0; draw < draws; draw += 1) {
    const random = createRandom(`${id}/${draw}`);
    const [worksOn, failsOn] = one.machines ?? random.pick(pairs);
    const zone = random.pick(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']);
    const sideOf = (kind: MachineKind, side: 'a' | 'b') =>
      createEnvironment(
        createMachine(kind, `${id}/${draw}/${side}`, zone),
        one.project,
        side === 'a' ? one.works : one.fails,
      );
    const differences = findDifferences(await sideOf(worksOn, 'a'), await sideOf(failsOn, 'b'), {
      explains: true,
    });
    yield { differences, own, wrong };
  }
}

export async function measureCase(one: CauseCase, draws = drawsOfEachCase): Promise<Outcome> {
  const places: (number | null)[] = [];
  const withOutput: (number | null)[] = [];
  const withWrongOutput: (number | null)[] = [];
  const instead: string[] = [];
  const counting: number[] = [];
  let named = 0;
  for await (const { differences, own, wrong } of drawsOfCase(one, draws)) {
    const report = reportComparison(differences);
    const place = placeOf(one, report);
    places.push(place);
    if (own) {
      const informed = reportComparison(differences, { failure: own });
      const informedPlace = placeOf(one, informed);
      withOutput.push(informedPlace);
      const found = informedPlace === null ? undefined : informed.causes[informedPlace - 1];
      if (found && isInOutput(found)) named += 1;
    }
    for (const failure of wrong)
      withWrongOutput.push(placeOf(one, reportComparison(differences, { failure })));
    counting.push(report.counting.size);
    if (place !== 1) instead.push(report.causes[0]?.what ?? 'nothing');
  }
  const hasOutput = withOutput.length > 0;
  return { one, places, ...(hasOutput && { withOutput }), named, withWrongOutput, instead, counting };
}

function placeOf({ cause }: CauseCase, { causes }: ComparisonReport): number | null {
  const place = causes.findIndex((each) =>
    placesOf(each).some(({ section, key }) => cause.includes(`${section}:${key}`)),
  );
  return place < 0 ? null : place + 1;
}

const failures = new Map(
  cases.flatMap((one) => (one.output === undefined ? [] : [[one, readFailure(one.output)] as const])),
);

/** Outputs of cases with other kinds of causes, drawn by the case's name. */
function wrongFailuresFor({ id, kind }: CauseCase): Failure[] {
  const others = [...failures].filter(([other]) => other.kind !== kind);
  const random = createRandom(`${id}/wrong`);
  return Array.from({ length: wrongOutputsOfEachDraw }, () => random.pick(others)[1]);
}

export interface HealthyPair {
  readonly kinds: string;
  readonly counting: number;
  readonly keys: readonly string[];
}

type Pairs = readonly (readonly [MachineKind, MachineKind])[];

/** Machines of the same or nearly the same kind. */
export const teamPairs: Pairs = [
  ['zsh laptop', 'fish laptop'],
  ['zsh laptop', 'zsh laptop'],
  ['fish laptop', 'fish laptop'],
  ['mac laptop', 'mac laptop'],
  ['zsh laptop', 'wsl laptop'],
  ['github runner', 'github runner'],
  ['gitlab runner', 'gitlab runner'],
];

/** Machines that differ in kind: each pair naturally has a cause or two. */
export const unlikePairs: Pairs = [
  ['mac laptop', 'zsh laptop'],
  ['mac laptop', 'wsl laptop'],
  ['mac laptop', 'github runner'],
  ['mac laptop', 'container'],
  ['zsh laptop', 'github runner'],
  ['wsl laptop', 'github runner'],
  ['fish laptop', 'gitlab runner'],
  ['zsh laptop', 'container'],
  ['github runner', 'gitlab runner'],
  ['github runner', 'circle runner'],
];

/** Two healthy machines of one team in one time zone with no cause between them, over all projects. */
export async function measureHealthy(rounds: number, pairs: Pairs): Promise<HealthyPair[]> {
  const found: HealthyPair[] = [];
  for (const name of projectNames) {
    for (const [first, second] of pairs) {
      for (let round = 0; round < rounds; round += 1) {
        const seed = `healthy/${name}/${round}`;
        const zone = createRandom(seed).pick(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']);
        const a = await createEnvironment(createMachine(first, `${seed}/a`, zone), name);
        const b = await createEnvironment(createMachine(second, `${seed}/b`, zone), name);
        const report = reportComparison(findDifferences(a, b));
        found.push({
          kinds: `${first} / ${second}`,
          counting: report.counting.size,
          keys: [...report.counting].map(({ section, key }) => `${section}:${key}`),
        });
      }
    }
  }
  return found;
}
