// Runs with a planted cause among the noise of healthy machines: each run is on a different machine.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { Outcome } from '../../packages/compare/src/diagnosis/model.ts';
import type { ComparableEnvironment } from '../../packages/compare/src/model/model.ts';
import type { Change } from '../causes/case.ts';
import { createEnvironment } from '../causes/environment.ts';
import { createMachine, type MachineKind } from '../causes/machines.ts';
import type { ProjectName } from '../causes/projects.ts';
import type { Random } from '../causes/random.ts';

export interface PlantedRun {
  readonly outcome: Outcome;
  readonly environment: ComparableEnvironment;
}

/** A difference that makes runs fail, and the key under which it has to be found. */
export interface PlantedCause {
  readonly name: string;
  readonly key: string;
  /** The values of passing and failing machines. */
  readonly passing: Change;
  readonly failing: Change;
}

export const plantedCauses = load(
  readFileSync(new URL('planted-causes.yaml', import.meta.url), 'utf8'),
) as readonly PlantedCause[];

/** Machines of a team and its CI; each run draws its machine again. */
const kinds: readonly MachineKind[] = [
  'zsh laptop',
  'fish laptop',
  'wsl laptop',
  'github runner',
  'gitlab runner',
  'circle runner',
  'container',
];
const project: ProjectName = 'web';

export interface Trial {
  readonly cause: PlantedCause | undefined;
  readonly passed: number;
  readonly failed: number;
  /** How likely a run is to fail with the cause and without it. */
  readonly failsWith: number;
  readonly failsWithout: number;
}

/** Makes the runs of a trial. Outcomes are drawn first; the probability of the cause follows by Bayes' rule. */
export async function createRuns(trial: Trial, random: Random): Promise<PlantedRun[]> {
  const { cause, failsWith, failsWithout } = trial;
  const outcomes = [
    ...Array.from({ length: trial.passed }, (): Outcome => 'passed'),
    ...Array.from({ length: trial.failed }, (): Outcome => 'failed'),
  ];
  return Promise.all(
    outcomes.map(async (outcome, index) => {
      const [there, not] =
        outcome === 'failed' ? [failsWith, failsWithout] : [1 - failsWith, 1 - failsWithout];
      const hasCause = cause !== undefined && random.chance(there / (there + not));
      const machine = createMachine(random.pick(kinds), random.hex(8));
      const change = hasCause ? cause.failing : (cause?.passing ?? {});
      const environment = await createEnvironment(machine, project, change);
      const createdAt = new Date(Date.UTC(2026, 9, 1, 0, index * 37)).toISOString();
      return { outcome, environment: { ...environment, createdAt } };
    }),
  );
}
