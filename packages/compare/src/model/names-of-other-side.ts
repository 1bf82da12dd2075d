// Writes names of one side as the other side writes them, where both mean the same: variables on Windows, and packages of
// ecosystems whose names have several spellings.

import { ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import { nameFolds } from '@envsnap/shared/catalogue/ecosystems';
import { packMarks, unpackMarks } from '@envsnap/shared/content-marks';
import { isPlainObject, recordOf } from '@envsnap/shared/plain-object';
import type { ComparableEnvironment } from './model.ts';

/** A with the names that B uses. */
export function withNamesOf<T extends ComparableEnvironment>(a: T, b: ComparableEnvironment): T {
  const onWindows = a.os === 'win32' && b.os === 'win32';
  return {
    ...withPackageNamesOf(a, b),
    ...(onWindows && {
      envVars: renamed(
        a.envVars ?? {},
        spellingsOf(a.envVars, b.envVars, (name) => name.toLowerCase()),
      ),
    }),
  };
}

function withPackageNamesOf<T extends ComparableEnvironment>(a: T, b: ComparableEnvironment): T {
  const spellings = new Map<string, ReadonlyMap<string, string>>();
  for (const [file, packages] of Object.entries(a.dependencies ?? {})) {
    const fold = nameFolds[ecosystemOfFile(file)];
    const other = b.dependencies?.[file];
    const found = fold && other && spellingsOf(packages, other, fold);
    if (found && found.size > 0) spellings.set(file, found);
  }
  if (spellings.size === 0) return a;
  const inFiles = <V>(files: Readonly<Record<string, V>>): Record<string, V> =>
    Object.fromEntries(
      Object.entries(files).map(([file, value]) => [file, renamed(value, spellings.get(file))]),
    );
  const metadata = { ...a.metadata };
  for (const name of ['installed', 'sources', 'direct'] as const)
    if (metadata[name] !== undefined) metadata[name] = inFiles(recordOf(metadata[name]));
  const contents = recordOf(metadata.contents);
  for (const [file, names] of spellings) {
    const marks = contents[file];
    if (typeof marks !== 'string') continue;
    metadata.contents = {
      ...recordOf(metadata.contents),
      [file]: reordered(marks, a.dependencies?.[file] ?? {}, names),
    };
  }
  return { ...a, dependencies: inFiles(a.dependencies ?? {}), metadata };
}

/** The marks of the packages' contents, which are in the order of their names. */
function reordered(packed: string, packages: object, spelled: ReadonlyMap<string, string>): string {
  const names = Object.keys(packages).sort();
  const marks = [...unpackMarks(names, packed)].map(
    ([name, mark]) => [spelled.get(name) ?? name, mark] as const,
  );
  return packMarks(names.map((name) => spelled.get(name) ?? name).sort(), new Map(marks));
}

/** The names of A that B spells differently. If A has several spellings of one name, only the last becomes B's. */
function spellingsOf(
  a: object = {},
  b: object = {},
  fold: (name: string) => string,
): ReadonlyMap<string, string> {
  const missing = Object.keys(a).filter((name) => !Object.hasOwn(b, name));
  if (missing.length === 0) return new Map();
  const inB = new Map(Object.keys(b).map((name) => [fold(name), name]));
  const inA = new Map(missing.map((name) => [fold(name), name]));
  return new Map(
    [...inA].flatMap(([folded, name]) => {
      const there = inB.get(folded);
      return there === undefined || Object.hasOwn(a, there) ? [] : [[name, there]];
    }),
  );
}

function renamed<V>(value: V, names: ReadonlyMap<string, string> = new Map()): V {
  const spelled = (name: string) => names.get(name) ?? name;
  if (Array.isArray(value)) return value.map((name) => spelled(String(name))) as V;
  if (!isPlainObject(value) || names.size === 0) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [spelled(name), each])) as V;
}
