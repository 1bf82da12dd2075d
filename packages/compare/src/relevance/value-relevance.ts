// When the values of a relevant variable are too similar to count by default.

import type { Entry } from '../model/model.ts';
import { compareLists, splitList } from '../model/ordered-list.ts';
import { languageReason } from './language-relevance.ts';
import { differInMildOptions } from './mild-options.ts';
import type { RelevanceContext } from './project-needs.ts';
import { isSameZone } from './time-zone.ts';
import { judgeVariable, type VariableRelevance } from './variable-relevance.ts';

export function placeReason({ key }: Entry, { needs, a, b }: RelevanceContext): string | null {
  const { row, mentionedIn } = judgeVariable(key, needs);
  if (row?.alike !== 'place' || mentionedIn !== undefined) return null;
  const [left, right] = [versionIn(a.variables[key]), versionIn(b.variables[key])];
  return left !== '' && right !== '' && left !== right ? null : 'where a tool is installed';
}

/** `17` of `/usr/lib/jvm/java-17-openjdk-amd64` and of `~/.sdkman/candidates/java/17.0.9-tem`; empty if there is none. */
function versionIn(path: string | undefined): string {
  // A name for the current choice, such as `current`, names no version.
  if (/[/\\-]current(?:[/\\-]|$)/.test(path ?? '')) return '';
  const found = /(?:^|[/\\@-])(?:jdk-?|java-?|v)?(?:1\.)?(\d+)(?=[._-]|$|[/\\])/.exec(path ?? '');
  return found?.[1] ?? '';
}

export function valueReason(entry: Entry, context: RelevanceContext): string | null {
  const variable = judgeVariable(entry.key, context.needs);
  const alike = variable.fromDotenv ? undefined : variable.row?.alike;
  switch (alike) {
    case 'language':
      return languageReason(entry, context);
    case 'zone':
      return sameZoneReason(context);
    case 'proxy':
      return withoutProxyReason(context);
    case 'sizes':
      return sizesReason(entry, variable, context) ?? unknownNameReason(entry, variable, context);
    case 'temporary folder':
      return temporaryReason(entry, context);
    default:
      return unknownNameReason(entry, variable, context);
  }
}

const ownPlace = /^(?:~|\/(?:usr|nix|snap|run|Applications|Library))(?:\/|$)/;

function sizesReason(
  { key }: Entry,
  { mentionedIn }: VariableRelevance,
  { a, b, explains }: RelevanceContext,
): string | null {
  if (explains || mentionedIn !== undefined) return null;
  const [left, right] = [a, b].map(({ variables }) => variables[key] ?? null);
  return differInMildOptions(left ?? null, right ?? null) ? 'only memory, jobs or messages differ' : null;
}

/**
 * An unmentioned variable on one side only is too small if it names a folder or is empty, which often means the same as unset. In
 * captures without values, empty values mean nothing.
 */
function unknownNameReason(
  { key, status }: Entry,
  { row, mentionedIn, fromDotenv }: VariableRelevance,
  { a, b, explains }: RelevanceContext,
): string | null {
  if (status === 'changed') return null;
  const { variables, ciProvider } = status === 'removed' ? a : b;
  if (!explains && ciProvider && variables[key] === 'test' && /(?:^|_)ENV$/.test(key)) return 'CI runs tests';
  if (mentionedIn !== undefined || fromDotenv) return null;
  if (row === undefined && ownPlace.test(variables[key] ?? '')) return 'where this machine keeps files';
  const holdsValues = Object.values(variables).some((value) => value !== '');
  return variables[key] === '' && holdsValues ? 'empty' : null;
}

function sameZoneReason({ a, b }: RelevanceContext): string | null {
  const [left, right] = [a.system.timezone, b.system.timezone];
  return left !== undefined && right !== undefined && isSameZone(left, right)
    ? 'the time zone is the same'
    : null;
}

/** Exceptions from a proxy mean nothing without a proxy. */
function withoutProxyReason({ a, b }: RelevanceContext): string | null {
  const hasProxy = [a, b].some(
    ({ variables, facts }) =>
      facts?.['net.proxies'] !== undefined ||
      Object.keys(variables).some((name) => /^(?:https?|all|ftp)_proxy$/i.test(name)),
  );
  return hasProxy ? null : 'no proxy is set';
}

const defaultTemporary = /^(?:\/tmp\/?|\/var\/folders\/.*|[A-Z]:\\.*\\Temp)$/i;

function temporaryReason({ key }: Entry, { needs, a, b }: RelevanceContext): string | null {
  if (needs.variables.has(key)) return null;
  const values = [a.variables[key], b.variables[key]];
  // A user's or session's own folder below the shared one.
  const [left, right] = values.map((value) => /^(?:\/var)?\/tmp\/|^\/run\/user\//.exec(value ?? '')?.[0]);
  if (left !== undefined && left === right) return `both are below ${left}`;
  const isOwn = values.some((value) => value !== undefined && !defaultTemporary.test(value));
  return isOwn && a.os === b.os ? null : 'the default of the operating system';
}

export function listReason({ key }: Entry, { a, b }: RelevanceContext): string | null {
  if (!/^path$/i.test(key)) {
    const [left, right] = [a, b].map(({ variables }) => variables[key] ?? '');
    return left === '' && right === '' ? 'empty' : null;
  }
  const lists = { a: a.variables[key], b: b.variables[key], os: [a.os, b.os] };
  return isNearlySameList(lists) ? null : 'each machine has its own folders; what they hold is compared';
}

interface RawLists {
  readonly a: string | undefined;
  readonly b: string | undefined;
  readonly os: readonly (string | null | undefined)[];
}

const mostChanges = 2;
const ownFolders =
  /\.nvm\/|\.volta|fnm|\.asdf|mise|\.pyenv|\.rbenv|\.rvm|\.sdkman|\.bun|\.deno|\.cargo\/bin|pnpm|homebrew|linuxbrew|\.vscode|\.cursor|JetBrains|snap\/bin|\.local\/share|node_modules\/\.bin|\.krew|\.jenv|\.local\/bin|fzf|\.opencode|go\/bin|WindowsApps|^\/mnt\/|^\/Applications\/|^~\/bin$|ccache|^\/usr\/lib\/wsl/i;

function isNearlySameList({ a, b, os }: RawLists): boolean {
  if (a === undefined || b === undefined || os[0] !== os[1]) return false;
  const left = splitList(a, os[0]);
  const right = splitList(b, os[1]);
  const change = compareLists(left, right, os[0]);
  if (!change) return false;
  const changed = [...change.added, ...change.removed, ...change.moved];
  const telling = changed.filter((folder) => !ownFolders.test(folder));
  const common = left.length - change.removed.length;
  return telling.length > 0 && changed.length <= mostChanges && common >= 3;
}
