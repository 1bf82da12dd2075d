// A package in a lock file: its version, where it comes from and what patches it.

import type { StringMap } from '@envsnap/shared/plain-object';

export interface LockedPackage {
  readonly file: string;
  readonly name: string;
  readonly version: string;
}

export function splitPatch(source: string): { readonly place: string; readonly patch: string | undefined } {
  const at = source.lastIndexOf('patch:');
  return at < 0
    ? { place: source, patch: undefined }
    : { place: source.slice(0, at).trimEnd(), patch: source.slice(at + 'patch:'.length) };
}

/** The text after a package's version; `source` is empty for the format's registry. */
export function describeSource(source: string): string {
  if (source === '') return 'from the usual registry';
  const { place, patch } = splitPatch(source);
  const from = place === '' ? '' : `from ${place.replace(/^registry\+/, 'the registry ')}`;
  return [from, patch === undefined ? '' : `patched (${patch})`].filter((part) => part !== '').join(', ');
}

/** In `FILE/PACKAGE`, both parts may contain slashes; the shortest file wins. */
export function packageIn(
  files: Readonly<Record<string, StringMap>>,
  joined: string,
): LockedPackage | undefined {
  // Searches by file, not by slash: a name of many slashes would need quadratic time.
  let found: LockedPackage | undefined;
  for (const file of Object.keys(files)) {
    if (joined[file.length] !== '/' || !joined.startsWith(file)) continue;
    const name = joined.slice(file.length + 1);
    const version = own(files[file] as StringMap, name);
    if (version !== undefined && (!found || file.length < found.file.length)) found = { file, name, version };
  }
  return found;
}

export function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
