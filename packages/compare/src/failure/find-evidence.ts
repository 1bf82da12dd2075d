// Finds the causes that the output of a failed command names, with the words that name them.

import { commandsOf } from '@envsnap/shared/catalogue/project-tools';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { type Evidence, evidencePoints, scoreOf } from '../causes/score.ts';
import { environmentOf } from '../environment/environment.ts';
import { factRowOf } from '../environment/kind.ts';
import { checkoutPlace } from '../model/compare-checkout.ts';
import {
  type ComparableEnvironment,
  differencesOf,
  type Entry,
  type EnvironmentComparison,
} from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';
import { clueFor, isFarApart, isPlausible, nameOf, toolOf } from './clue-evidence.ts';
import { namesFile } from './named-file.ts';
import { pairOf } from './pairs.ts';
import type { Failure } from './read-failure.ts';
import commonWords from './rules/common-words.json' with { type: 'json' };
import { stemOf } from './stems.ts';
import { asksForVersion, hasWord, separates } from './versions-in-lines.ts';

/** A shorter part of a variable's name occurs in too many lines. */
const shortestPart = 5;
const shortestTool = 4;
const shortestTail = 8;
const longestPart = 100;
/** A variable, its fact and a declared version may have the same value. */
const mostOfAValue = 3;

/** An output with more of the differing variables prints its whole environment, so it names none of them. */
const mostMentioned = 4;

export interface ComparedSides {
  readonly a: ComparableEnvironment;
  readonly b: ComparableEnvironment;
}

export function evidenceFinder(
  comparison: EnvironmentComparison,
  failure: Failure,
  sides?: ComparedSides,
): (entry: Entry) => Evidence | undefined {
  const differing = differencesOf(comparison);
  const mentioned = mentionedVariables(differing, failure);
  const isRare = rareValues(differing);
  const nearby = new Map(
    [...failure.values].flatMap(([name, words]) => name.split(/[/_]/).map((part) => [part, words] as const)),
  );
  const variables = sides && [environmentOf(sides.b).variables, environmentOf(sides.a).variables];
  return (entry) =>
    better(
      evidenceOf(entry, failure, mentioned, isRare, comparison.needs) ?? prefixEvidence(entry, nearby),
      variables && variableValueEvidence(entry, failure, variables),
    );
}

/** A variable whose value, or a distinctive part of it, is in a line that reports an error. */
function variableValueEvidence(
  entry: Entry,
  { errors }: Failure,
  variables: readonly Readonly<Record<string, string>>[],
): Evidence | undefined {
  if (entry.section !== 'env' || entry.secret) return undefined;
  for (const values of variables) {
    const value = (values[entry.key] ?? '').toLowerCase();
    // Not a word of messages, and not a path that many variables contain.
    const isOwn = /^(?=.*[^a-z])[^/~].{7,}/.test(value);
    const whole = isOwn ? errors.find(({ line }) => hasWord(line, value)) : undefined;
    if (whole) return { words: whole.words, kind: 'named' };
    const parts = [value, ...value.split(/[\s,;=]+/)].filter((part) => isTellingPart(part));
    const found = isPlausible(entry) && errors.find(({ line }) => parts.some((part) => hasWord(line, part)));
    if (found) return { words: found.words, kind: 'meant' };
  }
  return undefined;
}

function isTellingPart(part: string): boolean {
  return (
    part.length <= longestPart &&
    (/^-\w{3,}|^-w|^\/\w{3,}\/\w|^[a-z]\w{7,}$/.test(part) || /\w[/:]\w/.test(part))
  );
}

/** Whether the direction contradicts the failure: something ran short, but B has at least as much of it as A. */
function isReversed(entry: Entry, needs: ProjectNeeds): boolean {
  const { section, a, b, status, list, context } = entry;
  if (section === 'runtimes' && status === 'added') return true;
  // A program may try a second address of localhost first.
  if (section === 'env' || entry.key === 'net.localhost') return false;
  const { counts, ofArchitecture } = factRowOf(entry.section, entry.key) ?? {};
  if (ofArchitecture && context) return true;
  if (typeof counts === 'object' && counts.when.startsWith('lacks')) return list?.removed.length === 0;
  const turned = { ...entry, a: b, b: a, status: turnedStatus[status] };
  return 2 * scoreOf(entry, needs) < scoreOf(turned, needs);
}
const turnedStatus = { added: 'removed', removed: 'added', changed: 'changed', same: 'same' } as const;

function rareValues(entries: Iterable<Entry>): (value: string) => boolean {
  const times = new Map<string, number>();
  for (const { a, b } of entries)
    for (const value of [a, b]) if (value !== null) times.set(value, (times.get(value) ?? 0) + 1);
  return (value) => (times.get(value) ?? 0) <= mostOfAValue;
}

function evidenceOf(
  entry: Entry,
  failure: Failure,
  mentioned: ReadonlyMap<string, string>,
  isRare: (value: string) => boolean,
  needs: ProjectNeeds,
): Evidence | undefined {
  if (isReversed(entry, needs)) return toolEvidence(entry, failure) ?? settingOf(entry, failure);
  const found = [
    mentionOf(entry, failure, mentioned),
    missingOf(entry, failure),
    fileOf(entry, failure),
    valueEvidence(entry, failure, isRare),
    ...failure.clues.map((clue) => clueFor(entry, clue)),
    packageOf(entry, failure),
    nameEvidence(entry, failure.errors),
    pairOf(entry, failure),
  ];
  return found.reduce(better, undefined);
}

function better(one: Evidence | undefined, other: Evidence | undefined): Evidence | undefined {
  return other && (!one || evidencePoints(other) > evidencePoints(one)) ? other : one;
}

/** A tool that only B has. It can only cause failures that it reports, or that quote it. */
function toolEvidence(entry: Entry, { errors, quoted }: Failure): Evidence | undefined {
  const tool = entry.section === 'runtimes' && entry.status === 'added' ? entry.key : undefined;
  if (tool === undefined || !isPlausible(entry)) return undefined;
  const speaks = errors.find(({ line }) => {
    const withoutLevel = line.replace(/^\W{0,8}(?:error|fatal)\W{1,4}/, '');
    return withoutLevel.startsWith(tool) && /^(?:: (?!\*)| -)/.test(withoutLevel.slice(tool.length));
  });
  const words = speaks?.words ?? quoted.get(tool);
  return words === undefined ? undefined : { words, kind: 'hinted' };
}

/** Facts of the processor have no better direction: `Unsupported system page size`. */
function settingOf(entry: Entry, { errors }: Failure): Evidence | undefined {
  return factRowOf(entry.section, entry.key)?.ofArchitecture ? nameEvidence(entry, errors) : undefined;
}

function mentionOf(
  { section, key }: Entry,
  { errorNames }: Failure,
  mentioned: ReadonlyMap<string, string>,
): Evidence | undefined {
  const words = section === 'env' || section === 'paths' ? mentioned.get(key) : undefined;
  return words === undefined ? undefined : { words, kind: errorNames.has(nameOf(key)) ? 'named' : 'hinted' };
}

function missingOf(
  { section, key, name, status, context, list, distance }: Entry,
  { missing }: Failure,
): Evidence | undefined {
  const isGone = status === 'removed';
  // For a set of programs, some of which B lacks.
  const program = key === 'path.programs' ? list?.removed.find((each) => missing.has(each)) : undefined;
  if (program !== undefined) return { words: missing.get(program) as string, kind: 'missing' };
  if (context && !isGone) return undefined;
  const tool = toolOf({ section, key });
  const stem = name === undefined ? '' : stemOf(name);
  const words = tool
    ? missing.get(tool)
    : name === undefined
      ? undefined
      : (missing.get(name) ?? (stem.length > 1 ? (missing.get(stem) ?? missing.get(`/${stem}`)) : undefined));
  // A tool that is present in another patch release is hardly missing.
  const kind = isGone ? 'missing' : isFarApart({ section, distance }) ? 'named' : 'hinted';
  return words === undefined ? undefined : { words, kind };
}

/** A file that git ignores, so that only one side has it. */
function fileOf({ section, key, b }: Entry, { errors }: Failure): Evidence | undefined {
  const { subject, name } = checkoutPlace(key);
  if (section !== 'checkout' || subject !== 'ignored') return undefined;
  const words = errors.find(({ line }) => namesFile(line, name))?.words;
  return words === undefined ? undefined : { words, kind: b === 'none' ? 'missing' : 'named' };
}

function packageOf({ name, context }: Entry, { quoted, sources }: Failure): Evidence | undefined {
  if (name === undefined || context) return undefined;
  const [named, passed] = [quoted.get(name), sources.get(name)];
  if (named !== undefined) return { words: named, kind: 'named' };
  return passed === undefined ? undefined : { words: passed, kind: 'hinted' };
}

function valueEvidence(
  { section, key, name, a, b, context }: Entry,
  { values }: Failure,
  isRare: (value: string) => boolean,
): Evidence | undefined {
  if (section === 'env' || section === 'paths') return undefined;
  const own = (name ?? key).toLowerCase();
  const found = [b, a].flatMap((value) => {
    const words = isTelling(value) && isRare(value) ? values.get(value.toLowerCase()) : undefined;
    return words === undefined ? [] : [words];
  });
  const [words] = found;
  if (words === undefined) return undefined;
  const isNamed = values.has(own) || words.toLowerCase().includes(own);
  // If the output gives both versions, it is about them.
  if (context && !isNamed && found.length < 2) return undefined;
  // Programs print the system on which they run.
  if (section === 'system' || section === 'os' || section === 'arch')
    return { words, kind: 'hinted', isIndirect: true };
  return { words, kind: isNamed ? 'named' : 'meant' };
}

function isTelling(value: string | null): value is string {
  return (
    value !== null &&
    (/^\d+(?:\.\d+){1,3}$/.test(value) || (/^[a-z][\w-]{3,30}$/i.test(value) && !ordinary.has(value)))
  );
}
const ordinary = new Set(
  'true false none default auto never always linux unix full input main master warning error file unlimited native direct'.split(
    ' ',
  ),
);

const common = new Set(commonWords);

/** Names in an error line, found without rules: a tool, an entry that only A's list has, or parts of a variable's name. */
function nameEvidence(entry: Entry, errors: Failure['errors']): Evidence | undefined {
  const { section, key, list, status } = entry;
  const tool = status === 'changed' ? toolOf(entry) : undefined;
  const isUsed = tool !== undefined && isPlausible(entry);
  const isMention =
    tool !== undefined &&
    (tool.length >= shortestTool || tool === 'git') &&
    (isUsed || toolRow(tool)?.kind !== 'language');
  const commands = tool === undefined ? [] : commandsOf(tool);
  const lacking = section === 'facts' ? (list?.removed ?? []).map((item) => item.toLowerCase()) : [];
  const folders = section === 'paths' ? (list?.added ?? []).map(prefixOf) : [];
  // `max_map_count` of kernel.maxMapCount.
  const setting = section === 'facts' ? key.slice(key.lastIndexOf('.') + 1) : '';
  const speaker = /^program\.(?!sh$)/.test(key) ? `${setting}: ` : undefined;
  const name = section === 'env' ? nameOf(key).toLowerCase() : '';
  const parts = isPlausible(entry) ? name.split('_').filter((part) => part.length >= shortestPart) : [];
  // `dont_write_bytecode` of PYTHONDONTWRITEBYTECODE.
  const tail = name
    .replace(/^(?:python|node|npm_config|java|ruby|rust|cargo|go|php|git|docker)_?/, '')
    .replaceAll('_', '');
  const spelled = /[A-Z]|autocrlf/.test(setting) ? setting.toLowerCase() : tail;
  // `unable to open display`: B has no DISPLAY.
  const isWord = status === 'removed' && name.length > shortestPart && !name.includes('_');
  const meaning = ({ line, squashed, said }: Failure['errors'][number]): Evidence['kind'] | undefined => {
    if (lacking.some((item) => hasWord(line, item))) return 'named';
    if (folders.some((folder) => folder.length > shortestPart && line.includes(`${folder}/`))) return 'named';
    if (isWord && hasWord(line, name)) return 'meant';
    if (speaker !== undefined && ` ${line}`.includes(` ${speaker}`)) return 'meant';
    if (spelled.length >= shortestTail && squashed.includes(spelled))
      return section === 'facts' ? 'meant' : 'named';
    if (isUsed && asksForVersion(line, tool) && separates(line, entry)) return 'meant';
    if (commands.some((command) => line.startsWith(`${command}: `)) && isFarApart(entry)) return 'meant';
    // The tool prints its usage: another release has other options.
    if (commands.some((command) => line.startsWith(`usage: ${command} `))) return 'meant';
    // "memory" in Composer's output means COMPOSER_MEMORY_LIMIT.
    return (isMention && commands.some((command) => hasWord(said, command))) ||
      parts.filter((part) => line.includes(part)).length >= 2 ||
      parts.some((part) => !common.has(part) && hasWord(line, part))
      ? 'hinted'
      : undefined;
  };
  if (tool === undefined && section !== 'facts' && name === '' && folders.length === 0) return undefined;
  let best: Evidence | undefined;
  for (const error of errors) {
    const kind = meaning(error);
    const isIndirect = tool === undefined && (kind === 'hinted' || isWord);
    const found: Evidence | undefined = kind && { words: error.words, kind, isIndirect };
    if (found && (!best || evidencePoints(found) > evidencePoints(best))) best = found;
  }
  return best;
}

/** A file or test beside the error has the name with which a variable begins: `spec/shop/cart_spec.rb` of SHOP_MODE. */
function prefixEvidence(entry: Entry, nearby: ReadonlyMap<string, string>): Evidence | undefined {
  const [prefix = '', ...rest] = nameOf(entry.key).toLowerCase().split('_');
  if (entry.section !== 'env' || rest.length === 0 || prefix.length < shortestPart || common.has(prefix))
    return undefined;
  const words = isPlausible(entry) ? nearby.get(prefix) : undefined;
  return words === undefined ? undefined : { words, kind: 'hinted', isIndirect: true };
}

/** Where the programs of a folder of PATH have their libraries: `/opt/anaconda3` of `/opt/anaconda3/bin`. */
function prefixOf(folder: string): string {
  const prefix = folder.toLowerCase().replace(/^~|\/s?bin\/?$/g, '');
  return /^(?:\/usr(?:\/local)?|\/opt|\/opt\/homebrew|\/snap|\/\.local)?$/.test(prefix) ? '' : prefix;
}

/** Differences between healthy machines come first only if the output names them. Missing packages do not count by
 * default, but explain a lot. */
function mentionedVariables(entries: Iterable<Entry>, { names }: Failure): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { section, key } of entries) {
    if (section !== 'env' && section !== 'paths') continue;
    const name = nameOf(key);
    const words = names.get(name);
    if (words !== undefined && meansVariable(name, words)) found.set(key, words);
  }
  return found.size > mostMentioned ? new Map() : found;
}

/** Names of one word are words of a language too: quotation marks, `$`, `=` or what is said of it show the variable. */
function meansVariable(name: string, words: string): boolean {
  if (name.includes('_')) return true;
  const forms = [
    '$_',
    '{_}',
    "'_'",
    '"_"',
    '_=',
    'env._',
    'variable _',
    '_ environment variable',
    '_ must ',
    '_ is not set',
    '_ is unset',
  ];
  return forms.some((form) => words.includes(form.replace('_', () => name)));
}
