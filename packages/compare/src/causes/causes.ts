// Finds the differences that most likely explain a failure in B: groups, scores, names and sorts them.

import { rankOfLoadedPackage } from '@envsnap/shared/catalogue/machine-packages';
import { commandsOf } from '@envsnap/shared/catalogue/project-tools';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { type ComparedSides, evidenceFinder } from '../failure/find-evidence.ts';
import type { Failure } from '../failure/read-failure.ts';
import { hasWord } from '../failure/versions-in-lines.ts';
import { differencesOf, type Entry, type EnvironmentComparison } from '../model/model.ts';
import type { PolicyCheck } from '../policy/policy.ts';
import { type Cause, type Place, placeKey } from './cause.ts';
import { findRepair } from './find-repair.ts';
import { type Group, groupsOf } from './group.ts';
import ordinaryWords from './ordinary-words.json' with { type: 'json' };
import { type PackageFiles, packageFiles } from './package-files.ts';
import { adviceOf, type Repair } from './repair.ts';
import {
  causeScores,
  type Evidence,
  evidencePoints,
  type Judgement,
  pointsOf,
  type Surroundings,
  silentTermsOf,
  type Terms,
  termsOf,
} from './score.ts';
import { differingDistribution, sentenceOf } from './sentence.ts';
import { type SideNames, sideNames } from './side-names.ts';
import { showValuesHint } from './terminal-hints.ts';

interface RankOptions {
  /** Accepted entries are grouped separately, because they must not represent an entry that counts. */
  readonly apart?: Pick<ReadonlySet<Entry>, 'has'>;
  readonly failure?: Failure | undefined;
  readonly checks?: readonly PolicyCheck[];
  readonly sides?: ComparedSides | undefined;
}

export function rankCauses(
  comparison: EnvironmentComparison,
  { apart, failure, checks = [], sides }: RankOptions = {},
): Cause[] {
  const names = sideNames(comparison);
  const files = packageFiles(comparison);
  const groups = judgedGroups(comparison, failure, apart, sides);
  const scores = causeScores(groups.map(({ judgement }) => judgement));
  return groups
    .map((group, place) => causeOf(group, scores[place] as number, { comparison, names, files, checks }))
    .sort((x, y) => y.score - x.score || (x.what < y.what ? -1 : x.what > y.what ? 1 : 0));
}

interface JudgedGroup extends Group {
  readonly judgement: Judgement;
  readonly terms: readonly Terms[];
}

export function judgedGroups(
  comparison: EnvironmentComparison,
  failure: Failure | undefined,
  apart?: RankOptions['apart'],
  sides?: ComparedSides,
): JudgedGroup[] {
  const judge = judgeOf(comparison, failure, sides);
  const files = packageFiles(comparison);
  const [alone, open]: [Entry[], Entry[]] = [[], []];
  for (const entry of differencesOf(comparison)) (apart?.has(entry) ? alone : open).push(entry);
  return [open, alone]
    .flatMap((entries) => groupsOf(entries, comparison))
    .map((group) => {
      const ordered = led(group, judge);
      return {
        ...ordered,
        judgement: judgementOf(ordered, judge, files),
        terms: ordered.entries.map((entry) => judge(entry).terms),
      };
    });
}

interface Judged {
  readonly terms: Terms;
  readonly points: number;
  readonly evidence: Evidence | undefined;
}
type Judge = (entry: Entry) => Judged;

function judgeOf(
  comparison: EnvironmentComparison,
  failure: Failure | undefined,
  sides: ComparedSides | undefined,
): Judge {
  const around = surroundingsOf(comparison);
  const evidenceOf = failure && evidenceFinder(comparison, failure, sides);
  const evidenceByEntry = new Map(
    differencesOf(comparison).map((entry) => [entry, evidenceOf?.(entryInOutput(entry, failure))] as const),
  );
  const reports = failure?.errors.some(({ line }) => line.trim() !== '') ?? false;
  const isSilent = reports && ![...evidenceByEntry.values()].some(Boolean);
  const isOfOption = failure?.errors.some(({ line }) => ofOption.test(line)) ?? false;
  const isOfTests = failure?.errors.some(({ line }) => ofTests.test(line)) ?? false;
  const known = new Map<Entry, Judged>();
  return (entry) => {
    const found = known.get(entry);
    if (found) return found;
    const silence = !isSilent
      ? undefined
      : failure && isOfOtherLanguage(entry, failure)
        ? 'setting not in the output'
        : silentTermsOf(entry);
    const { mild, ...plain } = entry;
    // Any version of a tool that reports something there may be the cause.
    const isReportingTool = isSilent && (isOfOption || failure?.reportingTools.has(entry.key));
    const isUsed = entry.b !== null && (isReportingTool || comparison.needs.started.has(entry.key));
    const inOutput = isUsed && entry.section === 'runtimes' ? { ...plain, inOutput: true as const } : entry;
    // Tests compare printed text, but rarely its width or colour.
    const own: Terms =
      isSilent && isOfTests && shapesOutput(entry)
        ? { size: 'variable usual changed' }
        : termsOf(entryInOutput(inOutput, failure), comparison.needs, around);
    const terms = { ...own, ...(silence && { silence }) };
    const judged = { terms, points: pointsOf(terms), evidence: evidenceByEntry.get(entry) };
    known.set(entry, judged);
    return judged;
  };
}

/** Whether another language wrote the output. */
function isOfOtherLanguage({ section, key }: Entry, { reportingTools }: Failure): boolean {
  const isLanguage = section === 'runtimes' && toolRow(key)?.kind === 'language';
  return (
    isLanguage &&
    !reportingTools.has(key) &&
    [...reportingTools].some((tool) => toolRow(tool)?.kind === 'language')
  );
}

/** Another release of a tool has other options; which tool it is, such lines do not always say. */
const ofOption =
  /(?:unknown|unrecogni[sz]ed|unsupported|invalid|no such) (?:command.line )?(?:option|flag|switch|argument|subcommand|command)|unexpected argument/;
const ofTests = /\btests?\b|assert|\bfailures?\b|✗|✖|●/;

function shapesOutput({ section, key }: Entry): boolean {
  return section === 'env' && /^(?:COLUMNS|LINES|NO_COLOR|FORCE_COLOR|CLICOLOR_FORCE)$/.test(key);
}

/** A tool that wrote the output counts, even if the project does not say that it uses it. */
function entryInOutput(entry: Entry, failure: Failure | undefined): Entry & { readonly inOutput?: true } {
  if (failure === undefined || !entry.context) return entry;
  const { context, ...inOutput } = entry;
  // A tool that B lacks cannot have written the output.
  if (entry.section === 'runtimes' && entry.b === null) return entry;
  if (entry.section === 'runtimes' && failure.reportingTools.has(entry.key))
    return { ...inOutput, inOutput: true };
  if (entry.section === 'runtimes') return isMentioned(entry.key, failure) ? inOutput : entry;
  const isLibrary = entry.status === 'removed' && /^lib|-dev(?:el)?$/.test(entry.name ?? '');
  return isLibrary && failure.lacksLibrary ? inOutput : entry;
}

function isMentioned(tool: string, { said }: Failure): boolean {
  return commandsOf(tool).some(
    (command) => command.length > 2 && !ordinary.has(command) && hasWord(said, command),
  );
}

/** Commands whose names are words of ordinary text too. */
const ordinary: ReadonlySet<string> = new Set(ordinaryWords);

function surroundingsOf(comparison: EnvironmentComparison): Surroundings {
  const [os] = comparison.sections.os;
  return {
    system: os !== undefined && os.status !== 'same',
    distribution: differingDistribution(comparison) !== undefined,
  };
}

/** Sorts a group, the leader first: entries that the output names, then those that the project asks for, then those
 * that a person can set, then the likeliest. */
function led(group: Group, judge: Judge): Group {
  const evidenceRank = (entry: Entry) => {
    const { evidence } = judge(entry);
    return evidence === undefined ? 0 : evidencePoints(evidence);
  };
  const isSetting = ({ section, context, mild }: Entry) =>
    (section === 'env' || section === 'paths') && !context && mild === undefined;
  const points = (entry: Entry) => judge(entry).points;
  const orders: Readonly<Partial<Record<Group['kind'], readonly ((entry: Entry) => number)[]>>> = {
    packages: [({ direct }) => Number(direct ?? false)],
    installed: [({ direct }) => Number(direct ?? false)],
    // Named entries come before merely counted ones.
    checkout: [({ key }) => Number(key.includes('/'))],
    family: [(entry) => Number(isSetting(entry)), ({ section }) => Number(section !== 'checkout')],
    alone: [(entry) => Number(isSetting(entry))],
    'system packages': [
      ({ status }) => Number(status === 'changed'),
      ({ name = '' }) => -rankOfLoadedPackage(name),
    ],
  };
  const ranking = [evidenceRank, ...(orders[group.kind] ?? []), points];
  const ranked = shownOf(group, judge).map((entry) => ({
    entry,
    ranks: ranking.map((rank) => rank(entry)),
  }));
  ranked.sort((x, y) => {
    for (const [place, rank] of x.ranks.entries()) {
      const difference = (y.ranks[place] as number) - rank;
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return { ...group, entries: ranked.map(({ entry }) => entry) };
}

function shownOf({ kind, entries }: Group, judge: Judge): readonly Entry[] {
  if (kind !== 'system packages') return entries;
  const shown = entries.filter((entry) => !entry.context || judge(entry).evidence !== undefined);
  return shown.length > 0 ? shown : entries;
}

function judgementOf({ kind, entries }: Group, judge: Judge, files: PackageFiles): Judgement {
  const [leader] = entries as [Entry, ...Entry[]];
  const { file } = leader;
  return {
    points: entries.reduce((most, entry) => Math.max(most, judge(entry).points), 0),
    evidence: judge(leader).evidence,
    ...(kind === 'packages' &&
      !leader.context && { packages: entries.length, isOnlyFile: file !== undefined && files.only === file }),
  };
}

interface Telling {
  readonly comparison: EnvironmentComparison;
  readonly names: SideNames;
  readonly files: PackageFiles;
  readonly checks: readonly PolicyCheck[];
}

function causeOf({ kind, entries, judgement }: JudgedGroup, score: number, context: Telling): Cause {
  const { evidence } = judgement;
  const [leader] = entries as [Entry, ...Entry[]];
  const isEvident = evidence !== undefined;
  const placeOf = ({ section, key }: Entry): Place => ({ section, key });
  const repair = findRepair(kind, entries, { ...context, words: evidence?.words });
  return {
    score,
    members: entries.map(placeOf),
    section: leader.section,
    kind: isOfMany(leader) || leader.status === 'same' ? 'changed' : leader.status,
    keys: entries.filter(({ section }) => section === leader.section).map(({ key }) => key),
    also: entries.filter(({ section }) => section !== leader.section).map(placeOf),
    what: sentenceOf(kind, entries, { ...context, isEvident }),
    advice: adviceOf(repair, context.names) + hintFor(repair, leader, context.comparison),
    repair,
    ...(evidence !== undefined && (evidence.isIndirect ? { hinted: true } : { evidence: evidence.words })),
  };
}

const isOfMany = ({ section }: Entry) =>
  section === 'dependencies' || section === 'installed' || section === 'checkout';

function hintFor(
  { value, commands }: Repair,
  { section, secret, status }: Entry,
  { showsValues }: EnvironmentComparison,
): string {
  const isVariable = section === 'env' || section === 'paths';
  const isOpen = value === undefined && commands.length === 0;
  // A copied sample.
  if (isVariable && commands[0]?.startsWith('cp ')) return ', and fill in the values that it leaves empty';
  return isVariable && isOpen && status === 'changed' && !secret && !showsValues ? showValuesHint : '';
}

/** The same cause, with sentences made from other entries, for readers who must not see everything. */
export function causeWithTexts(
  cause: Cause,
  comparison: EnvironmentComparison,
  view: (entry: Entry) => Entry,
): Cause {
  const byPlace = new Map(differencesOf(comparison).map((entry) => [placeKey(entry), entry] as const));
  const entries = cause.members.flatMap((place) => byPlace.get(placeKey(place)) ?? []);
  const [group] = groupsOf(entries, comparison);
  const names = sideNames(comparison);
  if (group === undefined || entries.every((entry) => view(entry) === entry)) return cause;
  const seen = entries.map(view);
  const files = packageFiles(comparison);
  const { evidence: words } = cause;
  const context = { comparison, names, files, checks: [], isEvident: words !== undefined, words };
  const repair = findRepair(group.kind, seen, context);
  return { ...cause, what: sentenceOf(group.kind, seen, context), advice: adviceOf(repair, names), repair };
}
