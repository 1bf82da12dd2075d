// How often the diagnosis names a planted cause first, and how often it finds something although there is no cause.

import { diagnose, findingLimit } from '../../packages/compare/src/diagnosis/diagnosis.ts';
import { createRandom } from '../causes/random.ts';
import type { Figure } from '../result.ts';
import { createRuns, plantedCauses, type Trial } from './planted-runs.ts';

interface Strength {
  readonly name: string;
  readonly failsWith: number;
  readonly failsWithout: number;
}

const strengths: readonly Strength[] = [
  { name: 'always fails with it, never without', failsWith: 1, failsWithout: 0 },
  { name: 'fails 9 of 10 times with it, 1 of 20 without', failsWith: 0.9, failsWithout: 0.05 },
  { name: 'fails 7 of 10 times with it, 1 of 5 without', failsWith: 0.7, failsWithout: 0.2 },
];
const sizes = [3, 10, 30];

/** One diagnosis of planted runs: whether the cause comes first, and whether it is called a finding. */
async function tryOnce(
  trial: Trial,
  seed: string,
): Promise<{ first: boolean; found: boolean; findings: number }> {
  const runs = await createRuns(trial, createRandom(seed));
  const { findings } = diagnose(runs);
  const key = trial.cause?.key ?? '';
  const real = findings.filter(({ qValue, explainedBy }) => qValue <= findingLimit && explainedBy === null);
  return {
    first: findings[0]?.keys.includes(key) ?? false,
    found: real.some(({ keys }) => keys.includes(key)),
    findings: real.length,
  };
}

/** Measures all strengths and sizes, and then trials without any cause. */
export async function proveWhy(trialsEach: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, failsWith, failsWithout } of strengths) {
    for (const size of sizes) {
      let first = 0;
      let found = 0;
      for (let trial = 0; trial < trialsEach; trial += 1) {
        const cause = plantedCauses[trial % plantedCauses.length];
        const seed = `${name}/${size}/${trial}`;
        const result = await tryOnce({ cause, passed: size, failed: size, failsWith, failsWithout }, seed);
        if (result.first) first += 1;
        if (result.found) found += 1;
      }
      const aim = failsWith === 1 && size === 10 ? { aim: '≥ 90%' } : {};
      const percent = (count: number) => (100 * count) / trialsEach;
      figures.push({
        name: `why: planted cause first, ${size}+${size} runs, ${name}`,
        value: percent(first),
        unit: '%',
        ...aim,
      });
      figures.push({ name: `why: the same, called a finding`, value: percent(found), unit: '%' });
    }
  }
  for (const size of sizes) {
    let false_ = 0;
    const trials = trialsEach * 2;
    for (let trial = 0; trial < trials; trial += 1) {
      const nothing = { cause: undefined, passed: size, failed: size, failsWith: 1, failsWithout: 1 };
      const { findings } = await tryOnce(nothing, `nothing/${size}/${trial}`);
      if (findings > 0) false_ += 1;
    }
    figures.push({
      name: `why: something found where there is nothing, ${size}+${size} runs`,
      value: (100 * false_) / trials,
      unit: '%',
      aim: '≤ 5%',
    });
  }
  return figures;
}
