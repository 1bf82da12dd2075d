// Fits the sizes of the score's terms (packages/compare/src/causes/score-sizes.json) to the tuning halves of the cases and of the
// shown threads, and prints which sizes change and the effect on the other halves. Deterministic: coordinate search over the
// named terms, in the order of the table.
//
//   node --conditions=envsnap-source bench/causes/fit.ts

import { judgedGroups } from '../../packages/compare/src/causes/causes.ts';
import {
  causeScores,
  type Judgement,
  pointsOf,
  type Sizes,
  type Terms,
} from '../../packages/compare/src/causes/score.ts';
import presentSizes from '../../packages/compare/src/causes/score-sizes.json' with { type: 'json' };
import { type Failure, readFailure } from '../../packages/compare/src/failure/read-failure.ts';
import { findDifferences } from '../../packages/compare/src/model/find-differences.ts';
import type { EnvironmentComparison } from '../../packages/compare/src/model/model.ts';
import { cases } from './case.ts';
import { drawsOfCase } from './measure.ts';
import { isCauseOf } from './threads/is-cause.ts';
import { rebuildThread } from './threads/rebuild.ts';
import { isForTuning, isSetAside, readSeenBatches } from './threads.ts';

/** Sets that are used for fitting. The others judge the result. */
const tuning = new Set<string>(['tuning', 'later, looked at', 'outputs, tuning', 'reported, mended']);
const draws = 2;
/** Steps of one term, as factors. */
const steps = [0.4, 0.6, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.6];
const rounds = 2;
/** Least gain of a step, as a share of one case; smaller gains fit noise. */
const leastGain = 0.25;
/** Weight of a case with another failure's output, compared with the right output or none. */
const weightOfWrong = 0.25;
/** Weight of a real failure with its output, which is the usual case. */
const weightOfThread = 2;

/** A comparison's group, as input of the score. */
interface Group {
  readonly terms: readonly Terms[];
  readonly judgement: Omit<Judgement, 'points'>;
  readonly isCause: boolean;
}
interface Draw {
  readonly groups: readonly Group[];
  readonly weight: number;
}

function drawOf(
  comparison: EnvironmentComparison,
  failure: Failure | undefined,
  isCause: (key: string) => boolean,
  weight: number,
): Draw {
  const groups = judgedGroups(comparison, failure).map(({ entries, terms, judgement }) => ({
    // Equal terms have the same size.
    terms: [...new Map(terms.map((each) => [JSON.stringify(each), each])).values()],
    judgement,
    isCause: entries.some(({ section, key }) => isCause(`${section}:${key}`)),
  }));
  return { groups, weight };
}

/** 1 if the cause comes first, 1/2 if it comes second, and so on. */
function gainOf({ groups, weight }: Draw, sizes: Sizes): number {
  const scores = causeScores(
    groups.map(({ terms, judgement }) => ({
      ...judgement,
      points: terms.reduce((most, each) => Math.max(most, pointsOf(each, sizes)), 0),
    })),
    sizes,
  );
  const best = Math.max(...scores.filter((_, place) => groups[place]?.isCause));
  if (best === Number.NEGATIVE_INFINITY) return 0;
  return weight / (1 + scores.filter((score) => score > best).length);
}

/** Distances and classes keep their order. */
function isInOrder({ sizes }: Sizes): boolean {
  const falling = (names: readonly (keyof Sizes['sizes'])[]) =>
    names.every((name, place) => place === 0 || sizes[names[place - 1] as typeof name] >= sizes[name]);
  const classes = ['strong', 'likely', 'possible', 'now and then', 'rare', 'slight', 'context'] as const;
  const roles = ['language', 'manager', 'tool', 'package'] as const;
  return (
    falling(classes.map((name) => `fact ${name}` as const)) &&
    // Declared things come before things that merely differ.
    falling(['declared unmet in B', 'language major']) &&
    falling(['manager removed', 'manager major']) &&
    roles.every((role) => falling([`${role} major`, `${role} minor`, `${role} patch`, `${role} build`]))
  );
}

const halves: Record<'seen' | 'unseen', Draw[]> = { seen: [], unseen: [] };
for (const one of cases) {
  const half = halves[tuning.has(one.set) ? 'seen' : 'unseen'];
  const isCause = (key: string) => one.cause.includes(key);
  for await (const { differences, own, wrong } of drawsOfCase(one, draws)) {
    half.push(drawOf(differences, undefined, isCause, 1));
    if (own) half.push(drawOf(differences, own, isCause, 1));
    for (const failure of wrong) half.push(drawOf(differences, failure, isCause, weightOfWrong));
  }
}
for (const one of readSeenBatches().flatMap(({ threads }) => threads)) {
  if (!one.visible || isSetAside(one)) continue;
  const half = halves[isForTuning(one) ? 'seen' : 'unseen'];
  const failure = one.output === undefined ? undefined : readFailure(one.output);
  for (let draw = 0; draw < draws; draw += 1) {
    const rebuilt = await rebuildThread(one, draw);
    if (!rebuilt) continue;
    const differences = findDifferences(rebuilt.works, rebuilt.fails, { explains: true });
    const isCause = (key: string) => isCauseOf(one, key);
    half.push(drawOf(differences, undefined, isCause, 1));
    if (failure) half.push(drawOf(differences, failure, isCause, weightOfThread));
  }
}

const fitted = structuredClone(presentSizes);
const totalOf = (list: readonly Draw[]) => list.reduce((sum, draw) => sum + gainOf(draw, fitted), 0);
const total = () => totalOf(halves.seen);
const before = total();
const unseenBefore = totalOf(halves.unseen);
let best = before;
for (let round = 0; round < rounds; round += 1)
  for (const [part, terms] of Object.entries(fitted) as [keyof typeof fitted, Record<string, number>][])
    for (const name of Object.keys(terms)) {
      const start = terms[name] as number;
      let chosen = start;
      for (const step of steps) {
        terms[name] =
          part === 'shares' ? Number((start * step).toFixed(3)) : Math.round(start * step * 100) / 100;
        if (part === 'sizes') terms[name] = Math.min(100, Math.round(terms[name]));
        if ((part === 'shares' && terms[name] >= 1) || !isInOrder(fitted)) continue;
        const reached = total();
        if (reached > best + leastGain) [best, chosen] = [reached, terms[name]];
      }
      terms[name] = chosen;
    }

const changed = Object.entries(fitted).flatMap(([part, terms]) =>
  Object.entries(terms).flatMap(([name, size]) => {
    const start = (presentSizes[part as keyof typeof fitted] as Record<string, number>)[name];
    return start === size ? [] : [`${name}: ${start} -> ${size}\n`];
  }),
);
process.stdout.write(
  `${changed.join('')}${halves.seen.length} comparisons that were seen: ${before.toFixed(1)} before, ${best.toFixed(1)} after\n` +
    `${halves.unseen.length} comparisons that were not: ${unseenBefore.toFixed(1)} before, ${totalOf(halves.unseen).toFixed(1)} after\n`,
);
