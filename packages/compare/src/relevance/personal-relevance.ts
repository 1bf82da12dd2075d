// Personal choices on healthy machines, which rarely count. docs/specification.md §12.

import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import type { VariableRow } from '@envsnap/shared/catalogue/variables/variable-class';
import { isHiddenValue } from '@envsnap/shared/opaque-value';
import { factRowOf } from '../environment/kind.ts';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';
import { splitList } from '../model/ordered-list.ts';
import type { RelevanceContext } from './project-needs.ts';
import { toolReason } from './tool-relevance.ts';
import { judgeVariable } from './variable-relevance.ts';

export function personalReason(entry: Entry, context: RelevanceContext): string | null {
  if (context.explains) return null;
  // The project's mentions and declarations are known if both captures recorded them.
  const isKnown = context.a.project.isRecorded && context.b.project.isRecorded;
  const reason = choiceReason(entry, context, isKnown) ?? driverReason(entry, context);
  if (reason !== null || !isKnown) return reason;
  return (
    variableReason(entry, context) ??
    mentionedReason(entry, context) ??
    packageReason(entry) ??
    toolReason(entry, context) ??
    platformReason(entry, context)
  );
}

function choiceReason(entry: Entry, context: RelevanceContext, isKnown: boolean): string | null {
  const { section, key } = entry;
  const { needs } = context;
  const isVariable = section === 'env' || section === 'paths';
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  if (isVariable && (fromDotenv || mentionedIn !== undefined)) return null;
  const fact = isVariable ? undefined : factRowOf(section, key);
  const { personal, family } = (isVariable ? row : fact) ?? {};
  // Applications read the settings of database clients too, so their project has to be known.
  const isClient = isVariable && row?.class === 'application';
  if (!personal || (isClient && !isKnown)) return null;
  if (needs.settings.has(fact?.apply?.by === 'git-config' ? fact.apply.key : key)) return null;
  if (key === 'php.extensions' && lacksRequiredExtension(entry, context)) return null;
  const isLikeIt = (other: VariableRow | undefined) =>
    isClient ? other?.provider === row.provider : family !== undefined && other?.family === family;
  return mentionsAny(needs, isLikeIt) ? null : 'a personal choice, and the project does not mention it';
}

/** Extensions that PHP contains, unless a distribution packages them one by one. */
const contained =
  /^(?:ctype|curl|dom|fileinfo|filter|iconv|json|mbstring|mysqlnd|openssl|pdo|pdo_sqlite|phar|posix|readline|session|simplexml|sodium|sqlite3|tokenizer|xml|xmlreader|xmlwriter|zlib)$/;

/** Whether an extension that the project requires differs. On each operating system, PHP itself contains other extensions. */
function lacksRequiredExtension({ list }: Entry, { needs, a, b }: RelevanceContext): boolean {
  const isSplit = [a, b].every(({ facts }) => [facts?.['php.extensions']].flat().includes('tokenizer'));
  const changed = [...(list?.added ?? []), ...(list?.removed ?? [])];
  return (
    a.os === b.os &&
    changed.some((name) => needs.settings.has(`ext-${name}`) && (isSplit || !contained.test(name)))
  );
}

const notMentioned = 'nothing in the project mentions it';

/**
 * Why a variable that the project does not mention does not count. Most names on a machine are unknown to the project, so a name
 * counts only if programs read it by convention (`NODE_ENV`, `DATABASE_URL`), or if it seems to be the team's: both sides set it,
 * it is named like a variable of the project, or it switches a program into another mode.
 */
function variableReason({ section, key, status }: Entry, { needs, a, b }: RelevanceContext): string | null {
  if (section !== 'env' && section !== 'paths') return null;
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  if (!needs.known || fromDotenv || mentionedIn !== undefined) return null;
  if (/^path$/i.test(key)) {
    const folders = changedFolders(key, { a, b });
    return folders.length > 0 && folders.every(isOfTool) ? 'folders of tools, compared separately' : null;
  }
  if (section === 'paths' && row?.alike === 'place') return 'where a tool is installed';
  const values = [a, b].flatMap(({ variables }) => variables[key] ?? []);
  if (row && isConventional(row)) {
    const assumed = row.assumed?.split(' ') ?? [];
    return values.every((value) => assumed.includes(value)) ? 'programs assume this value without it' : null;
  }
  const isLikeOwn = isNamedLikeOwn(key, needs);
  const isOfTeam = status === 'changed' || isLikeOwn || isMode.test(key);
  if (!isOfTeam || (row?.class ?? 'application') !== 'application') return notMentioned;
  if (values.every(isHere)) return 'names a place on this machine';
  return values.every(isHiddenValue) && !isLikeOwn ? 'each person has their own secret' : null;
}

/** Why a variable that the project mentions does not count: CI definitions set it for their jobs, or each side has its own folder. */
function mentionedReason({ section, key, status }: Entry, { needs, a, b }: RelevanceContext): string | null {
  if (section !== 'env') return null;
  const { row, mentionedIn = '', fromDotenv } = judgeVariable(key, needs);
  if (fromDotenv) return null;
  if (status === 'changed') {
    const values = [a, b].flatMap(({ variables }) => variables[key] ?? []);
    const isPlace = (row?.class ?? 'application') === 'application' && values.every(isPath);
    return isPlace ? 'each machine has its own folder' : null;
  }
  const [having, lacking] = status === 'removed' ? [a, b] : [b, a];
  const isOfJob = having.ciProvider !== undefined && lacking.ciProvider === undefined;
  return isOfJob && ciDefinition.test(mentionedIn) ? 'set by the CI definition for its jobs' : null;
}

const ciDefinition =
  /^\.(?:github|forgejo|gitea|gitlab|circleci|buildkite|woodpecker|semaphore|azure-pipelines)\/|^\.?(?:gitlab-ci|travis|appveyor|azure-pipelines|bitbucket-pipelines|drone|woodpecker|cirrus|Jenkinsfile|cloudbuild|buildspec)\b/;

/** Whether programs read a variable that no project has to mention. Names of a family (`DB_*`) belong to the project that reads them. */
function isConventional({ class: own, pattern, likelihood, assumed }: VariableRow): boolean {
  if (own === 'tool-setting' || pattern.includes('*')) return false;
  return likelihood !== undefined || assumed !== undefined;
}

/** This machine, or a folder or file on it. */
function isHere(value: string): boolean {
  return isPath(value) || /^(?:localhost|127\.0\.0\.1|\[?::1\]?)(?::\d+)?$/.test(value);
}

function isPath(value: string): boolean {
  return /^(?:(?:~|\/)[^\s:]*|[A-Z]:\\[^:]*)$/.test(value);
}

/** Names of variables with which applications choose a mode. */
const isMode = /^APP_|(?:^|_)(?:ENV|ENVIRONMENT|MODE|STAGE)$/;

/** `STRIPE_PORT` in a project that mentions `STRIPE_KEY`. */
function isNamedLikeOwn(key: string, { variables }: ProjectNeeds): boolean {
  const first = key.split('_', 1)[0] as string;
  return first.length > 2 && [...variables.keys()].some((name) => name.startsWith(`${first}_`));
}

function mentionsAny(
  { variables, providers, ignoreCase }: ProjectNeeds,
  test: (row: VariableRow | undefined) => boolean,
): boolean {
  return [...variables.keys()].some((name) => test(describeVariable(name, { providers, ignoreCase })));
}

/** Folders that only one side has; empty if only their order differs. */
function changedFolders(key: string, { a, b }: Pick<RelevanceContext, 'a' | 'b'>): string[] {
  const [left = [], right = []] = [a, b].map(({ variables, os }) => splitList(variables[key] ?? '', os));
  return [
    ...left.filter((folder) => !right.includes(folder)),
    ...right.filter((folder) => !left.includes(folder)),
  ];
}

function isOfTool(folder: string): boolean {
  return /^(?:~|\/opt|\/snap|\/usr\/lib)\//.test(folder);
}

function driverReason({ section, key, status, a, b }: Entry, context: RelevanceContext): string | null {
  if (key === 'loader.preload') {
    const libraries = [a, b]
      .filter((value) => value !== 'none')
      .join(', ')
      .split(', ');
    return libraries.every((library) => allocator.test(library)) ? 'a different memory allocator' : null;
  }
  if (section !== 'paths') return null;
  const changed = changedFolders(key, context);
  const { variables } = status === 'removed' ? context.a : context.b;
  if (status !== 'changed' && variables.LOADEDMODULES !== undefined) return 'set by environment modules';
  const isDriver =
    changed.length > 0 && changed.every((folder) => providedFolder.test(folder) || allocator.test(folder));
  return isDriver ? 'set by a tool or driver' : null;
}

/** Libraries that images and their users load before others, to use less memory. */
const allocator = /\/lib(?:jemalloc|tcmalloc\w*|mimalloc)\.so[.\d]*$/;

/** Folders of a graphics driver, of a tool that a runner installed, or of Nix, Guix or Homebrew. */
const providedFolder =
  /^(?:$|\/(?:usr|opt)\/.*(?:cuda|rocm)|\/opt\/(?:hostedtoolcache|homebrew)\/|\/(?:nix|gnu)\/store\/|\/home\/linuxbrew\/)/;

/** Packages of the operating system, which its updates change. */
function packageReason({ file }: Entry): string | null {
  const isOfSystem = file !== undefined && packageDatabaseOf(file) !== undefined;
  return isOfSystem ? 'comes with the operating system and its updates' : null;
}

function platformReason({ section, key }: Entry, { a, b }: RelevanceContext): string | null {
  if (section === 'os' || section === 'arch') return 'the project does not ask for a platform';
  if (a.os === b.os) return null;
  if (section === 'paths') return 'each operating system has its own folders';
  const isOfSystem = section === 'facts' && /^(?:fs|git\.core|home|limits|memory|program)\./.test(key);
  return isOfSystem ? 'comes with the operating system' : null;
}
