// How often the comparison names the cause of a public thread, per batch, next to two simple rankings of the same cases. Only
// `--set-aside` measures the quarter that is set aside; it prints only totals and counts its runs.

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { placesOf } from '../../../packages/compare/src/causes/cause.ts';
import { readFailure } from '../../../packages/compare/src/failure/read-failure.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { differencesOf, type Entry } from '../../../packages/compare/src/model/model.ts';
import { type ComparisonReport, reportComparison } from '../../../packages/compare/src/report/report.ts';
import { isSetAside, readBatches, readSeenBatches, type Thread } from '../threads.ts';
import { carryOut, isRight } from './carry-out.ts';
import { isCauseOf } from './is-cause.ts';
import { rebuildThread } from './rebuild.ts';

const folder = import.meta.dirname;
const firstRuns = path.join(folder, 'first-runs.txt');
const askedFile = path.join(folder, 'set-aside-asked.txt');
const draws = 3;

interface Draw {
  readonly place: number | null;
  readonly withOutput?: { readonly place: number | null; readonly quote: 'right' | 'wrong' | 'none' };
  readonly alphabetical: number | null;
  readonly byDistance: number | null;
  readonly first: string;
  /** For a cause among the first three: whether its advice is right, and the result if it was carried out. */
  readonly advice?: { readonly isRight: boolean; readonly carriedOut: ReturnType<typeof carryOut> };
}

interface Measured {
  readonly one: Thread;
  readonly draws: readonly Draw[];
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'set-aside': { type: 'boolean' }, misses: { type: 'boolean' } },
});
const batches =
  positionals.length === 0
    ? readSeenBatches()
    : readBatches().filter(({ name }) => positionals.includes(name));
if (batches.length === 0) throw new Error(`there is no batch ${positionals.join(', ')}`);

const known = readFileSync(firstRuns, 'utf8');
const all: Measured[] = [];
for (const { name, threads } of batches) {
  const measured: Measured[] = [];
  for (const one of threads.filter(({ visible }) => visible))
    measured.push({ one, draws: await measure(one) });
  all.push(...measured);
  if (!known.includes(`${name} `)) {
    const date = new Date().toISOString().slice(0, 10);
    appendFileSync(firstRuns, `${name} ${date} ${totals(measured).join(' ')}\n`);
  }
}
const shown = all.filter(({ one }) => isSetAside(one) === (values['set-aside'] ?? false));
if (values['set-aside']) {
  const timesAsked = Number(readFileSync(askedFile, 'utf8')) + 1;
  writeFileSync(askedFile, `${timesAsked}\n`);
  print('set aside', shown);
  process.stdout.write(`asked ${timesAsked} times\n`);
} else {
  print('all', shown);
  for (const by of ['ecosystem', 'class'] as const)
    for (const [name, group] of Map.groupBy(shown, ({ one }) => one[by])) print(`${by} ${name}`, group);
  if (values.misses) for (const each of shown) printMiss(each);
}

async function measure(one: Thread): Promise<Draw[]> {
  const measured: Draw[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const rebuilt = await rebuildThread(one, draw);
    if (!rebuilt) return [];
    const differences = findDifferences(rebuilt.works, rebuilt.fails, { explains: true });
    const entries = differencesOf(differences);
    const sides = { a: rebuilt.works, b: rebuilt.fails };
    const report = reportComparison(differences);
    const failure = one.output === undefined ? undefined : readFailure(one.output);
    const explained = failure && reportComparison(differences, { failure, sides });
    const place = placeOf(one, report);
    const best = explained ?? report;
    const bestPlace = placeOf(one, best) ?? Number.POSITIVE_INFINITY;
    const cause = bestPlace <= 3 ? best.causes[bestPlace - 1] : undefined;
    measured.push({
      place,
      ...(explained && { withOutput: { place: placeOf(one, explained), quote: quoteOf(one, explained) } }),
      alphabetical: placeAmong(one, entries, (a, b) => compareText(keyOf(a), keyOf(b))),
      byDistance: placeAmong(one, entries, (a, b) => width(b) - width(a) || compareText(keyOf(a), keyOf(b))),
      first: best.causes[0]?.what ?? 'nothing',
      ...(cause && {
        advice: { isRight: isRight(one, cause, rebuilt), carriedOut: carryOut(cause, rebuilt) },
      }),
    });
  }
  return measured;
}

function placeOf(one: Thread, { causes }: ComparisonReport): number | null {
  const place = causes.findIndex((cause) => placesOf(cause).some((each) => isCauseOf(one, keyOf(each))));
  return place < 0 ? null : place + 1;
}

/** Whether the words that the first cause quotes are about the cause. */
function quoteOf(one: Thread, { causes }: ComparisonReport): 'right' | 'wrong' | 'none' {
  const [first] = causes;
  if (first?.evidence === undefined) return 'none';
  return placesOf(first).some((each) => isCauseOf(one, keyOf(each))) ? 'right' : 'wrong';
}

function placeAmong(
  one: Thread,
  entries: readonly Entry[],
  order: (a: Entry, b: Entry) => number,
): number | null {
  const place = [...entries].sort(order).findIndex((entry) => isCauseOf(one, keyOf(entry)));
  return place < 0 ? null : place + 1;
}

function keyOf({ section, key }: Pick<Entry, 'section' | 'key'>): string {
  return `${section}:${key}`;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function width({ distance, status }: Entry): number {
  if (status !== 'changed') return 4;
  return { major: 5, minor: 3, patch: 2, prerelease: 1, build: 1, other: 4 }[distance ?? 'other'];
}

/** First and among three without the output and with it, named, wrong quotes; in percent of the draws. */
function totals(measured: readonly Measured[]): string[] {
  const every = measured.flatMap((each) => each.draws);
  const withOutputRanks = every.flatMap(({ withOutput }) => withOutput ?? []);
  const share = (list: readonly unknown[], count: number) =>
    list.length === 0 ? '–' : `${((100 * count) / list.length).toFixed(1)}`;
  const within = (places: readonly (number | null)[], most: number) =>
    share(places, places.filter((place) => place !== null && place <= most).length);
  const places = every.map(({ place }) => place);
  const toldPlaces = withOutputRanks.map(({ place }) => place);
  return [
    `${measured.filter((each) => each.draws.length > 0).length}`,
    within(places, Number.POSITIVE_INFINITY),
    within(places, 1),
    within(places, 3),
    `${withOutputRanks.length / draws}`,
    within(toldPlaces, 1),
    within(toldPlaces, 3),
    share(withOutputRanks, withOutputRanks.filter(({ quote }) => quote === 'wrong').length),
    ...[(draw: Draw) => draw.alphabetical, (draw: Draw) => draw.byDistance].flatMap((of) => [
      within(every.map(of), 1),
      within(every.map(of), 3),
    ]),
  ];
}

function print(name: string, measured: readonly Measured[]): void {
  const [cases, named, first, three, outputs, firstTold, threeTold, wrong, alpha, alpha3, wide, wide3] =
    totals(measured);
  process.stdout.write(
    `${name}: ${cases} cases, named ${named}%, first ${first}%, among three ${three}%; ` +
      `with output (${outputs}): first ${firstTold}%, among three ${threeTold}%, wrong quotes ${wrong}%; ` +
      `alphabetical ${alpha}/${alpha3}%, widest ${wide}/${wide3}%\n`,
  );
  const advised = measured.flatMap(({ draws: own }) => own.flatMap(({ advice }) => advice ?? []));
  const carried = advised.filter(({ carriedOut }) => carriedOut !== undefined);
  const rightly = (list: readonly unknown[], count: number) => ((100 * count) / list.length).toFixed(1);
  if (advised.length > 0)
    process.stdout.write(
      `  advice right in ${rightly(advised, advised.filter((each) => each.isRight).length)}% of ${advised.length} among three; ` +
        `${carried.length} carried out here, ${carried.filter((each) => each.carriedOut === 'right').length} with success\n`,
    );
}

function printMiss({ one, draws: own }: Measured): void {
  const places = own.map(({ place, withOutput }) => (withOutput ?? { place }).place);
  if (own.length === 0) process.stdout.write(`  ${one.thread}: cannot be rebuilt\n`);
  else if (places.some((place) => place !== 1))
    process.stdout.write(
      `  ${one.thread} [${places.map((place) => place ?? '–').join(', ')}] ${JSON.stringify(one.cause)}: ${own[0]?.first}\n`,
    );
}
