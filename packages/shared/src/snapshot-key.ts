// Keys that name one value of a snapshot: `os`, `runtimes.node`, `dependencies:package-lock.json/zod`, `env:TZ`,
// `system.libc`, `facts.limits.openFiles`, `metadata.git.branch`. Pure: the server and clients read them alike.

import { factsBesideSystem } from './address.ts';
import type { StringMap } from './plain-object.ts';
import { isPlainObject } from './plain-object.ts';

/** A key taken apart. */
export type SnapshotKey =
  | { readonly kind: 'os' | 'arch' }
  | { readonly kind: 'runtimes' | 'env'; readonly name: string }
  /** File and package, joined with `/`. */
  | { readonly kind: 'dependencies'; readonly name: string }
  | { readonly kind: 'metadata'; readonly path: readonly string[] };

/** How keys are written, for messages. */
export const snapshotKeyForms =
  'os, arch, runtimes.NAME, dependencies:FILE/PACKAGE, env:NAME, system.FACT, facts.FACT or metadata.PATH';

/** Takes a key apart; undefined when it is none. After the section stands `.` or `:`. */
export function parseSnapshotKey(text: string): SnapshotKey | undefined {
  if (text === 'os' || text === 'arch') return { kind: text };
  const match = /^([A-Za-z]+)[.:](.+)$/s.exec(text);
  if (!match) return undefined;
  const [, section, name = ''] = match;
  switch (section) {
    case 'runtimes':
    case 'runtimeVersions':
      return { kind: 'runtimes', name };
    case 'env':
    case 'envVars':
      return { kind: 'env', name };
    case 'dependencies':
      return name.includes('/') ? { kind: 'dependencies', name } : undefined;
    case 'system':
    case 'toolchain':
    case 'git':
      return { kind: 'metadata', path: [section, ...name.split('.')] };
    case 'facts':
      // Names of facts hold dots: `facts.limits.openFiles` is one name in a flat object.
      return { kind: 'metadata', path: [section, name] };
    case 'metadata':
      return { kind: 'metadata', path: name.split('.') };
    default:
      return undefined;
  }
}

/** The version of `FILE/PACKAGE` among the dependencies; null when there is none. Both parts may hold slashes. */
export function dependencyVersion(dependencies: Record<string, StringMap>, joined: string): string | null {
  // By file and not by slash: a key of nothing but slashes would cost its length squared.
  let found: { file: string; version: string } | undefined;
  for (const file of Object.keys(dependencies)) {
    if (joined[file.length] !== '/' || !joined.startsWith(file)) continue;
    const version = own(dependencies[file] as StringMap, joined.slice(file.length + 1));
    if (version !== undefined && (!found || file.length < found.file.length)) found = { file, version };
  }
  return found?.version ?? null;
}

/** The value at a path within metadata, as text; null when there is none. Objects and lists are given as JSON. */
export function metadataValue(metadata: Record<string, unknown>, path: readonly string[]): string | null {
  const [section, name = ''] = path;
  const isBeside = section === 'system' && path.length === 2 && factsBesideSystem.has(name);
  const value = valueAt(metadata, path) ?? (isBeside ? own(metadata, name) : undefined);
  if (value === undefined || value === null) return null;
  if (path[0] === 'facts' && Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function valueAt(metadata: Record<string, unknown>, path: readonly string[]): unknown {
  let value: unknown = metadata;
  for (const part of path) {
    if (!isPlainObject(value)) return undefined;
    value = own(value, part);
  }
  return value;
}

function own<T>(map: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
