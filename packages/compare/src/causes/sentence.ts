// Puts a cause into one sentence, without a capital at its start and without a full stop.

import { factRow } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { counted } from '@envsnap/shared/text/size';
import { dotenvPlace } from '../environment/dotenv-variable.ts';
import { checkoutText, moreFiles } from '../model/compare-checkout.ts';
import { lackingIn } from '../model/compare-installed.ts';
import {
  type DeclaredRequirement,
  type Entry,
  type EnvironmentComparison,
  toolOfKey,
} from '../model/model.ts';
import { nameList } from '../model/ordered-list.ts';
import { unreadContent } from '../model/package-origins.ts';
import { activationText } from './active-environment.ts';
import type { Group } from './group.ts';
import type { PackageFiles } from './package-files.ts';
import { otherOf, type SideName, type SideNames } from './side-names.ts';

export interface Telling {
  readonly comparison: EnvironmentComparison;
  readonly names: SideNames;
  readonly files: PackageFiles;
  readonly isEvident: boolean;
}

export function sentenceOf(kind: Group['kind'], entries: readonly Entry[], telling: Telling): string {
  const [leader, ...others] = entries as [Entry, ...Entry[]];
  const { comparison, names } = telling;
  switch (kind) {
    case 'packages':
      return packagesText(leader, entries, telling);
    case 'system packages':
      return systemPackagesText(leader, entries, telling);
    case 'installed':
      return installedText(leader, others, names);
    case 'checkout':
      return `${checkoutText(leader, names)}${moreFiles(others)}`;
  }
  const activation = kind === 'environment' ? activationText(entries, names) : undefined;
  if (activation !== undefined) return activation;
  if (others.length === 0) return entryText(leader, comparison, names);
  switch (kind) {
    case 'dotenv file':
      return missingFileText(entries, names);
    case 'platform': {
      const { a, b } = comparison;
      return `the platform is ${a.os} ${a.arch} ${names.a.at}, ${b.os} ${b.arch} ${names.b.at}`;
    }
    case 'runtime':
      return runtimeGroupText(leader, others, comparison, names);
    case 'runner':
      return `${entryText(leader, comparison, names)}, and ${others.map((entry) => entryText(entry, comparison, names)).join(', and ')}`;
    default:
      return familyText(leader, others, comparison, names);
  }
}

function entryText(entry: Entry, comparison: EnvironmentComparison, names: SideNames): string {
  switch (entry.section) {
    case 'os':
      return valuesText('the operating system', entry, names);
    case 'arch':
      return valuesText('the architecture', entry, names);
    case 'system':
      return valuesText(systemTitle(entry.key), entry, names);
    case 'facts':
      return factText(entry, names);
    case 'runtimes':
      return runtimeText(entry, names);
    case 'toolchain':
      return toolchainText(entry, names);
    case 'installed':
      return `${lackingIn(entry).what} ${names[lackingIn(entry).side].at}`;
    case 'paths':
      return entry.status === 'changed'
        ? `${entry.key} lists ${listPhrase(entry, names.b.at)}`
        : variableText(entry, comparison, names);
    default:
      return variableText(entry, comparison, names);
  }
}

function valuesText(what: string, { a, b }: Entry, names: SideNames): string {
  return `${what} is ${a ?? 'unknown'} ${names.a.at}, ${b ?? 'unknown'} ${names.b.at}`;
}

function systemTitle(key: string): string {
  const [name = ''] = key.split('.');
  return name === 'timezone' ? 'the time zone' : name === 'locale' ? 'the language' : key;
}

function variableText(entry: Entry, { needs }: EnvironmentComparison, names: SideNames): string {
  const { key, status, a, b } = entry;
  const file = entry.section === 'env' ? needs.variables.get(key) : undefined;
  const mention = file === undefined ? '' : ` (${file} names it)`;
  if (status === 'removed') return `${key} is set ${names.a.at}, not ${names.b.at}${mention}`;
  if (status === 'added') return `${key} is set ${names.b.at}, not ${names.a.at}${mention}`;
  if (hasShownValues(entry)) return `${key} is ${a || 'empty'} ${names.a.at}, ${b || 'empty'} ${names.b.at}`;
  if (entry.empty !== undefined)
    return `${key} is empty ${names[entry.empty].at}, and set ${names[otherOf(entry.empty)].at}`;
  return `${key} has a different value ${names.b.at}`;
}

function hasShownValues({ a, b, secret }: Entry): boolean {
  return a !== null && b !== null && !secret && a.length + b.length <= 60;
}

export function listPhrase(entry: Entry, at = 'in B'): string {
  const { added, removed, moved } = entry.list ?? { added: [], removed: [], moved: [] };
  if (isReordered(entry)) return `the same in a different order ${at}`;
  const parts: string[] = [];
  if (added.length > 0) parts.push(`${added.length} more${named(added)}`);
  if (removed.length > 0) parts.push(`${removed.length} fewer${named(removed)}`);
  if (moved.length > 0) parts.push(`${moved.length} in a different position`);
  return parts.length === 0 ? `different entries ${at}` : `${parts.join(', ')} ${at}`;
}

export function isReordered({ list }: Entry): boolean {
  return list !== undefined && list.moved.length > 0 && list.added.length + list.removed.length === 0;
}

function named(entries: readonly string[]): string {
  const isShown = entries.length <= 2 && entries.every((entry) => entry !== '' && entry.length <= 60);
  return isShown ? ` (${entries.join(', ')})` : '';
}

function factText({ key, a, b, list }: Entry, { a: left, b: right }: SideNames): string {
  const title = factRow(key)?.title ?? key;
  if (!list) return `${title} is ${a} ${left.at}, ${b} ${right.at}`;
  const { added, removed, moved } = list;
  // “none” means a list without items.
  const [gone, come] = [removed, added].map((items) => items.filter((item) => item !== 'none'));
  const parts = [
    gone?.length ? `lacks ${nameList(gone)} ${right.at}` : '',
    come?.length ? `has ${nameList(come)} ${right.at} only` : '',
    moved.length > 0 ? `is in a different order ${right.at}` : '',
  ];
  return `${key} ${parts.filter((part) => part !== '').join(' and ')}`;
}

function runtimeText({ key, a, b, status, distance }: Entry, names: SideNames): string {
  if (status === 'removed') return `${key} ${a} is ${names.a.at}, not ${names.b.at}`;
  if (status === 'added') return `${key} ${b} is ${names.b.at}, not ${names.a.at}`;
  const apart = distance === null || distance === 'other' ? '' : ` (${distance})`;
  return `${key} is ${a} ${names.a.at}, ${b} ${names.b.at}${apart}`;
}

function toolchainText({ key, declared }: Entry, names: SideNames): string {
  const { a, b } = declared ?? { a: null, b: null };
  const tool = toolOfKey(key);
  const unmet = (requirement: DeclaredRequirement, { name }: SideName) =>
    `${declaringFile(requirement)} asks for ${tool} ${requirement.requirement}, ${name} has ${requirement.present}`;
  if (b?.satisfied === false && a?.satisfied !== false) return unmet(b, names.b);
  if (a && b && a.requirement !== b.requirement)
    return `${declaringFile(a)} asks for ${tool} ${a.requirement} ${names.a.at}, ${b.requirement} ${names.b.at}`;
  if (a?.satisfied === false) return unmet(a, names.a);
  return `${tool} ${(a ?? b)?.requirement ?? ''} is declared ${a ? names.a.at : names.b.at} only`;
}

function declaringFile({ file }: DeclaredRequirement): string {
  return file || 'the project';
}

/** A tool that comes with a runtime changes with it; if another member leads, the runtime is one of the rest. */
function runtimeGroupText(
  leader: Entry,
  others: readonly Entry[],
  comparison: EnvironmentComparison,
  names: SideNames,
): string {
  const difference = entryText(leader, comparison, names);
  const tool = toolOfKey(leader.key);
  const also = others
    .filter(({ section, key }) => section === 'runtimes' && key !== tool)
    .map(({ key }) => key);
  return also.length > 0
    ? `${difference}, and ${also.join(' and ')} ${also.length === 1 ? 'differs' : 'differ'} too`
    : difference;
}

function familyText(
  leader: Entry,
  others: readonly Entry[],
  comparison: EnvironmentComparison,
  names: SideNames,
): string {
  const tools = [leader, ...others];
  if (tools.every(({ key, section }) => section === 'facts' && key.startsWith('program.')))
    return basicToolsText(tools, names);
  const difference = entryText(leader, comparison, names);
  const also = others.filter(({ section }) => section === leader.section).map(({ key }) => key);
  const effect = others.find(({ section }) => section === 'system');
  if (effect && leader.section === 'env') {
    // The resulting language or zone says more than a variable that is set or whose value is hidden.
    const result = entryText(effect, comparison, names);
    if (leader.status === 'changed' && !hasShownValues(leader))
      return `${[leader.key, ...also].join(', ')}: ${result}`;
    if (also.length === 0 && leader.status !== 'changed') return `${difference}: ${result}`;
  }
  if (also.length === 0) return difference;
  return `${difference}; ${also.join(', ')} ${also.length > 1 ? 'differ' : 'differs'} too`;
}

/** `sed, find and date are GNU on ci-runner, BSD on anna-mbp` */
function basicToolsText(entries: readonly Entry[], names: SideNames): string {
  const flavours = (side: 'a' | 'b') =>
    [...new Set(byKey(entries).map((entry) => entry[side] ?? 'unknown'))].join(' or ');
  const tools = byKey(entries).map(({ key }) => key.slice('program.'.length));
  return `${tools.slice(0, -1).join(', ')} and ${tools.at(-1)} are ${flavours('a')} ${names.a.at}, ${flavours('b')} ${names.b.at}`;
}

function byKey(entries: readonly Entry[]): Entry[] {
  return [...entries].sort((x, y) => (x.key < y.key ? -1 : 1));
}

function missingFileText(entries: readonly Entry[], names: SideNames): string {
  const [first] = entries as [Entry, ...Entry[]];
  const variables = nameList(entries.map(({ key }) => dotenvPlace(key)?.name ?? key));
  const [having, lacking] = first.status === 'removed' ? [names.a, names.b] : [names.b, names.a];
  return `${dotenvPlace(first.key)?.file} is ${having.at}, not ${lacking.at} (${variables})`;
}

function packagesText(leader: Entry, entries: readonly Entry[], { files, names }: Telling): string {
  const { file = '' } = leader;
  const total = files.sizes.get(file) ?? 0;
  const rest = files.only === file ? '; the other dependency files are equal' : '';
  const isWhole = total > 1 && total === entries.length;
  if (isWhole && entries.every(({ status }) => status === 'removed'))
    return `${file} (${total} packages) is ${names.a.at}, not ${names.b.at}${rest}`;
  if (isWhole && entries.every(({ status }) => status === 'added'))
    return `${file} (${total} packages) is ${names.b.at}, not ${names.a.at}${rest}`;
  const one = packageText(leader, names);
  return entries.length === 1
    ? `${file}: ${one}${rest}`
    : `${file} drifted: ${entries.length} packages differ, most notably ${one}${rest}`;
}

function packageText({ name = '', a, b, status, distance, differsIn }: Entry, names: SideNames): string {
  if (name === unreadContent)
    return status === 'changed' ? 'it is not read, and its content differs' : presence(status, names);
  if (name.startsWith('#'))
    return `${name.slice(1)}: ${a ?? 'none'} ${names.a.at}, ${b ?? 'none'} ${names.b.at}`;
  if (differsIn === 'content')
    return `${name} has different content at the same version: ${a} ${names.a.at}, ${b} ${names.b.at}`;
  if (differsIn !== undefined) return `${name} is ${a} ${names.a.at}, ${b} ${names.b.at}`;
  if (status === 'removed') return `${name} ${a} is ${names.a.at} only`;
  if (status === 'added') return `${name} ${b} is ${names.b.at} only`;
  return `${name} ${a} → ${b}${distance === 'other' || !distance ? '' : ` (${distance})`}`;
}

function presence(status: Entry['status'], names: SideNames): string {
  return `it is ${status === 'removed' ? names.a.at : names.b.at} only, and it is not read`;
}

const packagesNamed = 3;

function systemPackagesText(
  leader: Entry,
  entries: readonly Entry[],
  { comparison, names, isEvident }: Telling,
): string {
  const others = entries.length - 1;
  // The package that the output misses is the cause; other differing packages are only counted.
  if (isEvident && leader.status === 'removed')
    return `${leader.name} ${leader.a} is installed ${names.a.at}, not ${names.b.at}${othersText(others)}`;
  if (isEvident) return `${packageText(leader, names)}${othersText(others)}`;
  const listed = entries
    .slice(0, packagesNamed)
    .map((entry) => packageText({ ...entry, distance: null }, names));
  const more = entries.length - listed.length;
  const all = `${listed.join(', ')}${more > 0 ? ` and ${counted(more, 'more package')}` : ''}`;
  const distribution = differingDistribution(comparison);
  if (distribution)
    return `${leader.context ? 'packages' : 'libraries'} of ${distribution.a} and ${distribution.b} differ: ${all}`;
  return `${leader.context ? 'packages of the system' : 'libraries that programs load'} differ: ${all}`;
}

function othersText(count: number): string {
  return count > 0
    ? `, and ${counted(count, 'more package')} of the system ${count > 1 ? 'differ' : 'differs'}`
    : '';
}

export function differingDistribution({ sections }: EnvironmentComparison): Entry | undefined {
  return sections.system.find(({ key, status }) => key === 'distribution' && status === 'changed');
}

function installedText(leader: Entry, others: readonly Entry[], names: SideNames): string {
  const sides = new Set([leader, ...others].map(({ drift }) => drift?.sides ?? 'both'));
  const [only] = sides.size === 1 ? sides : [];
  const at = only === 'a' || only === 'b' ? names[only].at : 'on both sides';
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return `installed packages ${at} are not those of ${leader.file}: ${leader.name} is ${leader.a} ${names.a.at}, ${leader.b} ${names.b.at}${whereabouts(leader)}${more}`;
}

function whereabouts({ drift, direct }: Entry): string {
  const { folder = null, requiredBy = [] } = drift ?? {};
  const need = `${requiredBy.join(' and ')} ${requiredBy.length > 1 ? 'need' : 'needs'}`;
  const parts = [
    folder ?? '',
    !direct && requiredBy.length > 0 ? (folder === null ? `${need} it` : `which ${need}`) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
