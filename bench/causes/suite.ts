// How often the comparison names the true cause of a public report first, among the noise of two real machines.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SuiteResult } from '../result.ts';
import { type CaseSet, caseSets, cases, causeKinds } from './case.ts';
import { measureHealthyPeople } from './healthy/measure.ts';
import {
  drawsOfEachCase,
  type HealthyPair,
  measureCase,
  measureHealthy,
  type Outcome,
  teamPairs,
  unlikePairs,
} from './measure.ts';

const readme = path.join(import.meta.dirname, 'README.md');
const healthyRounds = 6;
/** Sets whose cases are about outputs. */
const outputSets = caseSets.filter((set) => /^(?:outputs|reported|misleading)/.test(set));
/** How many causes a reader sees at a glance. */
const fewCount = 5;

/** Measures every case and writes the tables into this folder's README. */
export async function run(): Promise<SuiteResult> {
  const outcomes: Outcome[] = [];
  for (const one of cases) outcomes.push(await measureCase(one));
  const healthy = await measureHealthy(healthyRounds, teamPairs);
  const unlike = await measureHealthy(healthyRounds, unlikePairs);
  const people = await measureHealthyPeople();
  const quiet = (100 * healthy.filter(({ counting }) => counting === 0).length) / healthy.length;
  const most = Math.max(...healthy.map(({ counting }) => counting));
  writeTables(outcomes, quiet, most, healthy.length, unlike);
  const ofSet = (name: CaseSet) => outcomes.filter(({ one }) => one.set === name);
  const figure = (name: string, value: number, aim: string) => ({ name, value, unit: '%', aim });
  return {
    suite: 'causes',
    rounds: drawsOfEachCase,
    figures: [
      figure('cause named first, half held out', share(ofSet('held out'), 1), '≥ 80%'),
      figure('cause among the first three, half held out', share(ofSet('held out'), 3), '≥ 95%'),
      figure('cause named first, half of the tuning', share(ofSet('tuning'), 1), '≥ 80%'),
      figure(
        'cause named first, later half that is only counted',
        share(ofSet('later, counted'), 1),
        '≥ 80%',
      ),
      figure(
        'cause among the first three, later half that is only counted',
        share(ofSet('later, counted'), 3),
        '≥ 95%',
      ),
      figure('cause named first, newest reports', share(ofSet('newest, counted'), 1), '≥ 80%'),
      figure('cause among the first three, newest reports', share(ofSet('newest, counted'), 3), '≥ 95%'),
      figure('healthy pairs of one team that end with exit 0', quiet, '≥ 90%'),
      figure(
        'healthy pairs of unlike machines that count at most 5 differences',
        (100 * unlike.filter(({ counting }) => counting <= fewCount).length) / unlike.length,
        '≥ 90%',
      ),
      ...[...Map.groupBy(people, ({ group }) => group)].map(([group, own]) => {
        const none = own.filter(({ counted }) => counted.length === 0).length;
        const name = `pairs of people and runners without a counted difference, ${group}`;
        return figure(name, (100 * none) / own.length, '≥ 90%');
      }),
    ],
  };
}

/** Percent of the draws in which the cause is among the first few. */
function share(
  outcomes: readonly Outcome[],
  first: number,
  placesOf: (outcome: Outcome) => Outcome['places'] = ({ places }) => places,
): number {
  const places = outcomes.flatMap(placesOf);
  return (100 * places.filter((place) => place !== null && place <= first).length) / places.length;
}

function writeTables(
  outcomes: readonly Outcome[],
  quiet: number,
  most: number,
  pairs: number,
  unlike: readonly HealthyPair[],
): void {
  const reports = outcomes.filter(({ one }) => !outputSets.includes(one.set));
  const percent = (value: number) => `${value.toFixed(1)}%`;
  const sets = [...new Set(reports.map(({ one }) => one.set))].map((name) => {
    const own = reports.filter(({ one }) => one.set === name);
    return `| ${name} | ${own.length} | ${percent(share(own, 1))} | ${percent(share(own, 3))} |`;
  });
  const kinds = causeKinds.map((kind) => {
    const own = reports.filter(({ one }) => one.kind === kind);
    return `| ${kind} | ${own.length} | ${percent(share(own, 1))} | ${percent(share(own, 3))} |`;
  });
  const missed = reports
    .filter(({ places }) => places.some((place) => place === null || place > 3))
    .map(
      ({ one, places, instead }) =>
        `| [${one.id}](https://github.com/${one.id}) | ${one.set} | ${one.differed} | ${places.map((place) => place ?? '–').join(', ')} | ${instead[0]?.replaceAll('|', '\\|') ?? ''} |`,
    );
  const tables = [
    '| set | cases | named first | among the first three |',
    '|---|---|---|---|',
    ...sets,
    '',
    '| cases with an output | | first without it | among three | named by it | first with it | among three | first with that of another case | among three |',
    '|---|---|---|---|---|---|---|---|---|',
    ...['public reports', ...outputSets].map((name) => {
      const from = name === 'public reports' ? reports : outcomes.filter(({ one }) => one.set === name);
      const own = from.filter(({ withOutput }) => withOutput);
      const named = own.reduce((sum, each) => sum + each.named, 0) / drawsOfEachCase / own.length;
      const places = [
        (outcome: Outcome) => outcome.places,
        ({ withOutput = [] }: Outcome) => withOutput,
        ({ withWrongOutput }: Outcome) => withWrongOutput,
      ].map((of) => [share(own, 1, of), share(own, 3, of)]);
      const figures = [...(places[0] ?? []), 100 * named, ...places.slice(1).flat()];
      return `| ${name} | ${own.length} | ${figures.map(percent).join(' | ')} |`;
    }),
    '',
    `Healthy pairs of one team, without a cause: ${percent(quiet)} of ${pairs} end with exit code 0; the most in a pair is ${most} differences that count.`,
    '',
    `Healthy pairs of different kinds (a Mac and Linux, a laptop and a runner, runners of two services): the most in one of ${unlike.length} pairs is ${Math.max(...unlike.map(({ counting }) => counting))} differences that count.`,
    '',
    '| kind of cause, all sets | cases | named first | among the first three |',
    '|---|---|---|---|',
    ...kinds,
    '',
    '### Missed: not among the first three in one draw or more',
    '',
    '| report | set | what differed | places in three draws | named first instead |',
    '|---|---|---|---|---|',
    ...missed,
  ];
  const [before, , after] = readFileSync(readme, 'utf8').split(/<!-- results (?:begin|end) -->/);
  writeFileSync(
    readme,
    `${before}<!-- results begin -->\n${tables.join('\n')}\n<!-- results end -->${after}`,
  );
}
