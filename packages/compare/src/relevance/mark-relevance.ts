// Marks what a comparison shows but does not count by default: differences that cannot change what this project does,
// and those that are too small to. Decisions §12.

import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { type Distance, reaches } from '@envsnap/versions';
import type { ComparableEnvironment, Entry } from '../model/model.ts';
import { everydayReason } from './fact-relevance.ts';
import { isNearlySameList } from './list-relevance.ts';
import type { ProjectNeeds } from './project-needs.ts';
import { isLanguage, isManager } from './runtime-kinds.ts';
import { isSameZone } from './time-zone.ts';
import { judgeVariable } from './variable-relevance.ts';

/** How far apart versions must be to count by default. What is on one side only always counts. */
const languageLevel: Distance = 'minor';
const managerLevel: Distance = 'major';

/** The sides as they were captured, for what entries do not hold. */
export interface RelevanceContext {
  readonly needs: ProjectNeeds;
  readonly a: ComparableEnvironment;
  readonly b: ComparableEnvironment;
}

/** The entries, each marked where it does not count by default: as context, or as too mild. */
export function markRelevance(entries: readonly Entry[], context: RelevanceContext): Entry[] {
  return entries.map((entry) => {
    if (entry.status === 'same') return entry;
    const reason = contextReason(entry, context);
    if (reason !== null) return { ...entry, context: true as const, contextReason: reason };
    const mild = mildReason(entry, context);
    return mild === null ? entry : { ...entry, mild };
  });
}

/** Why a difference cannot matter to the project, or null where it can. */
function contextReason(entry: Entry, { needs, a, b }: RelevanceContext): string | null {
  switch (entry.section) {
    case 'runtimes':
      if (!isAskedFor(entry.key, needs)) return 'nothing in the project asks for it';
      return hasAlternative(entry, a, b) ? 'another tool of the kind is there' : null;
    case 'system':
      return entry.context ? 'of the machine' : null;
    case 'dependencies':
      return packageReason(entry, a, b);
    case 'env':
      return variableReason(entry, needs, a, b);
    case 'paths':
      return judgeVariable(entry.key, needs).contextOf;
    case 'facts':
      if (comesWithArchitecture.has(entry.key) && a.arch !== b.arch) return 'comes with the architecture';
      return entry.context ? 'tells machines apart' : null;
    default:
      return entry.context ? 'context' : null;
  }
}

/** Instructions and page sizes are the processor's: another one is a cause of its own. */
const comesWithArchitecture = new Set(['cpu.features', 'memory.pageSize']);

/** Why a difference that could matter is too small to count unless a rule asks for its section, or null. */
function mildReason(entry: Entry, { needs, a, b }: RelevanceContext): string | null {
  switch (entry.section) {
    case 'runtimes':
      return runtimeReason(entry);
    case 'system':
      return systemReason(entry, a, b) ?? languageReason(entry, a, b);
    case 'paths':
      return listReason(entry, a, b);
    case 'env':
      return (
        temporaryReason(entry, needs, a, b) ??
        languageReason(entry, a, b) ??
        sameZoneReason(entry, a, b) ??
        withoutProxyReason(entry, a, b) ??
        unknownNameReason(entry, needs, a, b)
      );
    case 'facts':
      return everydayReason(entry, { a, b });
    default:
      return null;
  }
}

/** Names of packages mean something to one package manager alone; where the other side has none such, they tell nothing. */
function packageReason(
  { file, context }: Entry,
  a: ComparableEnvironment,
  b: ComparableEnvironment,
): string | null {
  if (file === undefined || packageDatabaseOf(file) === undefined) return null;
  const isOnBoth = [a, b].every(({ dependencies }) => Object.hasOwn(dependencies ?? {}, file));
  if (!isOnBoth) return 'of a package manager that one side has';
  return context ? 'of the operating system' : null;
}

function isAskedFor(key: string, needs: ProjectNeeds): boolean {
  return needs.known ? needs.tools.has(key) : isLanguage(key) || isManager(key);
}

/** Tools of which a project needs one. */
const alternatives: readonly (readonly string[])[] = [
  ['gcc', 'clang'],
  ['g++', 'clang'],
  ['docker', 'podman'],
  ['terraform', 'tofu'],
  ['lua', 'luajit'],
];

/** A tool on one side only, where the other side has one that does the same. */
function hasAlternative({ key, status }: Entry, a: ComparableEnvironment, b: ComparableEnvironment): boolean {
  if (status === 'changed') return false;
  const without = status === 'removed' ? b : a;
  return alternatives.some(
    (group) =>
      group.includes(key) && group.some((name) => Object.hasOwn(without.runtimeVersions ?? {}, name)),
  );
}

function runtimeReason({ key, status, distance }: Entry): string | null {
  if (status !== 'changed' || distance === null) return null;
  if (isLanguage(key))
    return reaches(distance, languageLevel) ? null : `less than a ${languageLevel} version apart`;
  if (isManager(key))
    return reaches(distance, managerLevel) ? null : `less than a ${managerLevel} version apart`;
  return 'a tool in another version';
}

/** Distributions matter by what they bring, which has entries of its own; the C library by what was built for it. */
function systemReason(entry: Entry, a: ComparableEnvironment, b: ComparableEnvironment): string | null {
  const name = entry.key.split('.')[0] as string;
  if (name === 'timezone' && entry.a !== null && entry.b !== null)
    return isSameZone(entry.a, entry.b) ? 'one time zone under two names' : null;
  if ((name === 'libc' || name.startsWith('distr')) && a.os !== b.os)
    return 'comes with the operating system';
  if (name === 'libc') {
    if (entry.distance === 'major' || entry.status !== 'changed') return null;
    return isMuchOlder(entry.b, entry.a) ? null : 'new enough for what was built for the other';
  }
  if (name.startsWith('distr')) {
    const family = (value: string | null) => value?.split(' ', 1)[0];
    const otherRelease =
      a.os === 'linux' &&
      entry.status === 'changed' &&
      family(entry.a) === family(entry.b) &&
      entry.distance === 'major';
    return otherRelease ? null : 'told by what it brings';
  }
  return null;
}

/** Programs are built on images that are a few releases old: only a C library older than those does not run them. */
function isMuchOlder(version: string | null, than: string | null): boolean {
  const numbers = (text: string | null) => (text?.match(/\d+/g) ?? []).map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [otherMajor = 0, otherMinor = 0] = numbers(than);
  return major < otherMajor || (major === otherMajor && otherMinor - minor >= releasesApart);
}

const releasesApart = 4;

/** Variables that say where something is installed: the place is each machine's own, the version in it is not. */
const places = new Set(
  (
    'JAVA_HOME JDK_HOME JRE_HOME GEM_HOME GEM_PATH VIRTUAL_ENV CONDA_PREFIX DOTNET_ROOT GRADLE_USER_HOME ANDROID_HOME ' +
    'ANDROID_SDK_ROOT CUDA_HOME CUDA_PATH SDKROOT DEVELOPER_DIR EMSDK VCPKG_ROOT'
  ).split(' '),
);

function variableReason(
  entry: Entry,
  needs: ProjectNeeds,
  a: ComparableEnvironment,
  b: ComparableEnvironment,
): string | null {
  const { contextOf, mentionedIn } = judgeVariable(entry.key, needs);
  if (contextOf !== null) return contextOf;
  if (!places.has(entry.key) || mentionedIn !== undefined) return null;
  const [left, right] = [versionIn(a.envVars?.[entry.key]), versionIn(b.envVars?.[entry.key])];
  return left !== '' && right !== '' && left !== right ? null : 'where a tool is installed';
}

/** `17` of `/usr/lib/jvm/java-17-openjdk-amd64` and of `~/.sdkman/candidates/java/17.0.9-tem`; empty where there is none. */
function versionIn(path: string | undefined): string {
  const found = /(?:^|[/\\@-])(?:jdk-?|java-?|v)?(?:1\.)?(\d+)(?=[._-]|$|[/\\])/.exec(path ?? '');
  return found?.[1] ?? '';
}

const temporaryFolders = new Set(['TMPDIR', 'TMP', 'TEMP']);

const plainEnglish = /^(?:C|POSIX|en_[A-Z]{2})\.utf-?8$/i;

/** English in UTF-8 and C in UTF-8 differ in how they sort, and in little else. */
function languageReason({ key }: Entry, a: ComparableEnvironment, b: ComparableEnvironment): string | null {
  if (!/^(?:LANG|LC_ALL|LC_CTYPE|locale)$/.test(key)) return null;
  const [left, right] = [languageOf(a), languageOf(b)];
  if (
    left !== '' &&
    left.toLowerCase().replace('utf-8', 'utf8') === right.toLowerCase().replace('utf-8', 'utf8')
  )
    return 'the language in effect is the same';
  return plainEnglish.test(left) && plainEnglish.test(right) ? 'English in UTF-8 on both' : null;
}

/** What is in effect: `LC_ALL` outranks `LC_CTYPE`, and that `LANG`. */
function languageOf({ envVars = {}, metadata }: ComparableEnvironment): string {
  const set = envVars.LC_ALL || envVars.LC_CTYPE || envVars.LANG;
  return set ?? (typeof metadata?.locale === 'string' ? metadata.locale : '');
}

/**
 * A name that nobody documents and nothing mentions, on one side only. People export where they keep their things, and
 * programs take an empty variable and none for the same; empty values of captures without values mean nothing.
 */
function unknownNameReason(
  { key, status }: Entry,
  needs: ProjectNeeds,
  a: ComparableEnvironment,
  b: ComparableEnvironment,
): string | null {
  if (status === 'changed') return null;
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  if (row !== undefined || mentionedIn !== undefined || fromDotenv) return null;
  const { envVars = {} } = status === 'removed' ? a : b;
  if (/^~(?:\/|$)/.test(envVars[key] ?? '')) return 'a folder in the home folder';
  const holdsValues = Object.values(envVars).some((value) => value !== '');
  return envVars[key] === '' && holdsValues ? 'empty' : null;
}

/** A variable that says what holds without it changes nothing. */
function sameZoneReason({ key }: Entry, a: ComparableEnvironment, b: ComparableEnvironment): string | null {
  const [left, right] = [a.metadata?.timezone, b.metadata?.timezone];
  return key === 'TZ' && typeof left === 'string' && typeof right === 'string' && isSameZone(left, right)
    ? 'the time zone is the same'
    : null;
}

/** What to reach without a proxy means nothing where there is no proxy. */
function withoutProxyReason({ key }: Entry, ...sides: readonly ComparableEnvironment[]): string | null {
  if (!/^no_proxy$/i.test(key)) return null;
  const hasProxy = sides.some(({ envVars = {}, metadata }) => {
    const facts = metadata?.facts as Record<string, unknown> | undefined;
    return (
      facts?.['net.proxies'] !== undefined ||
      Object.keys(envVars).some((name) => /^(?:https?|all|ftp)_proxy$/i.test(name))
    );
  });
  return hasProxy ? null : 'no proxy is set';
}

function temporaryReason(
  { key }: Entry,
  needs: ProjectNeeds,
  a: ComparableEnvironment,
  b: ComparableEnvironment,
): string | null {
  if (!temporaryFolders.has(key) || needs.variables.has(key)) return null;
  const isOwn = [a.envVars?.[key], b.envVars?.[key]].some(
    (value) => value !== undefined && !isDefaultTemporary(value),
  );
  return isOwn && a.os === b.os ? null : 'the default of the operating system';
}

function isDefaultTemporary(value: string): boolean {
  return /^(?:\/tmp\/?|\/var\/folders\/.*|[A-Z]:\\.*\\Temp)$/i.test(value);
}

function listReason({ key }: Entry, a: ComparableEnvironment, b: ComparableEnvironment): string | null {
  if (!/^path$/i.test(key)) return null;
  const lists = { a: a.envVars?.[key], b: b.envVars?.[key], os: [a.os, b.os] };
  return isNearlySameList(lists) ? null : 'each machine has its own folders; what they hold is compared';
}
