// When the values of a variable that could matter are too alike to count by default.

import type { Entry } from '../model/model.ts';
import { isNearlySameList } from './list-relevance.ts';
import type { RelevanceContext } from './relevance-context.ts';
import { isSameZone } from './time-zone.ts';
import { judgeVariable } from './variable-relevance.ts';

/** Variables that say where something is installed: the place is each machine's own, the version in it is not. */
const places = new Set(
  (
    'JAVA_HOME JDK_HOME JRE_HOME GEM_HOME GEM_PATH VIRTUAL_ENV CONDA_PREFIX DOTNET_ROOT GRADLE_USER_HOME ANDROID_HOME ' +
    'ANDROID_SDK_ROOT CUDA_HOME CUDA_PATH SDKROOT DEVELOPER_DIR EMSDK VCPKG_ROOT'
  ).split(' '),
);

/** Why a variable that names a folder cannot matter: it is the machine's own place for a tool of one version. */
export function placeReason({ key }: Entry, { needs, a, b }: RelevanceContext): string | null {
  if (!places.has(key) || judgeVariable(key, needs).mentionedIn !== undefined) return null;
  const [left, right] = [versionIn(a.envVars?.[key]), versionIn(b.envVars?.[key])];
  return left !== '' && right !== '' && left !== right ? null : 'where a tool is installed';
}

/** `17` of `/usr/lib/jvm/java-17-openjdk-amd64` and of `~/.sdkman/candidates/java/17.0.9-tem`; empty where there is none. */
function versionIn(path: string | undefined): string {
  const found = /(?:^|[/\\@-])(?:jdk-?|java-?|v)?(?:1\.)?(\d+)(?=[._-]|$|[/\\])/.exec(path ?? '');
  return found?.[1] ?? '';
}

/** Why the two values of a variable are too alike to count, or null where they are not. */
export function valueReason(entry: Entry, context: RelevanceContext): string | null {
  return (
    temporaryReason(entry, context) ??
    sameZoneReason(entry, context) ??
    withoutProxyReason(entry, context) ??
    unknownNameReason(entry, context)
  );
}

/**
 * A name that nobody documents and nothing mentions, on one side only. People export where they keep their things, and
 * programs take an empty variable and none for the same; empty values of captures without values mean nothing.
 */
function unknownNameReason({ key, status }: Entry, { needs, a, b }: RelevanceContext): string | null {
  if (status === 'changed') return null;
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  if (row !== undefined || mentionedIn !== undefined || fromDotenv) return null;
  const { envVars = {} } = status === 'removed' ? a : b;
  if (/^~(?:\/|$)/.test(envVars[key] ?? '')) return 'a folder in the home folder';
  const holdsValues = Object.values(envVars).some((value) => value !== '');
  return envVars[key] === '' && holdsValues ? 'empty' : null;
}

/** A variable that says what holds without it changes nothing. */
function sameZoneReason({ key }: Entry, { a, b }: RelevanceContext): string | null {
  const [left, right] = [a.metadata?.timezone, b.metadata?.timezone];
  return key === 'TZ' && typeof left === 'string' && typeof right === 'string' && isSameZone(left, right)
    ? 'the time zone is the same'
    : null;
}

/** What to reach without a proxy means nothing where there is no proxy. */
function withoutProxyReason({ key }: Entry, { a, b }: RelevanceContext): string | null {
  if (!/^no_proxy$/i.test(key)) return null;
  const hasProxy = [a, b].some(({ envVars = {}, metadata }) => {
    const facts = metadata?.facts as Record<string, unknown> | undefined;
    return (
      facts?.['net.proxies'] !== undefined ||
      Object.keys(envVars).some((name) => /^(?:https?|all|ftp)_proxy$/i.test(name))
    );
  });
  return hasProxy ? null : 'no proxy is set';
}

const temporaryFolders = new Set(['TMPDIR', 'TMP', 'TEMP']);

function temporaryReason({ key }: Entry, { needs, a, b }: RelevanceContext): string | null {
  if (!temporaryFolders.has(key) || needs.variables.has(key)) return null;
  const isOwn = [a.envVars?.[key], b.envVars?.[key]].some(
    (value) => value !== undefined && !isDefaultTemporary(value),
  );
  return isOwn && a.os === b.os ? null : 'the default of the operating system';
}

function isDefaultTemporary(value: string): boolean {
  return /^(?:\/tmp\/?|\/var\/folders\/.*|[A-Z]:\\.*\\Temp)$/i.test(value);
}

/** Why two search paths are too unlike for their folders to tell something, or null where they are not. */
export function listReason({ key }: Entry, { a, b }: RelevanceContext): string | null {
  if (!/^path$/i.test(key)) return null;
  const lists = { a: a.envVars?.[key], b: b.envVars?.[key], os: [a.os, b.os] };
  return isNearlySameList(lists) ? null : 'each machine has its own folders; what they hold is compared';
}
