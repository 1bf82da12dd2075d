// Finds the direct dependencies in a file: those in the manifest that it governs or, without a manifest, those that
// the file itself marks (`// indirect` in go.mod).

import { plainPythonName } from './fields.ts';
import type { FoundFile } from './walk/walk.ts';

/** A file that was read; `direct` holds the names that it marks. */
interface ReadFile extends FoundFile {
  readonly packages: Readonly<Record<string, string>>;
  readonly direct: readonly string[] | undefined;
}

/** File → direct dependencies, sorted; files with direct dependencies only are left out. */
export function findDirect(
  files: readonly ReadFile[],
  governed: readonly ReadFile[],
  governorsOf: (manifest: FoundFile) => Iterable<ReadFile>,
): Map<string, readonly string[]> {
  /** By lock file; lock files of one manifest share a set. */
  const directNames = new Map(
    files.map(({ path, direct }): [string, Set<string>[]] => [path, [new Set(direct)]]),
  );
  for (const manifest of governed) {
    // A package with an alias is locked under its real name.
    const names = Object.entries(manifest.packages).map(
      ([name, range]) => /^npm:(@?[^@]+)/.exec(range)?.[1] ?? name,
    );
    const spellings = new Map<string, Set<string>>();
    for (const lock of governorsOf(manifest)) {
      const { ecosystem } = lock.format;
      const own = spellings.get(ecosystem) ?? new Set(names.map((name) => spelled(name, lock)));
      spellings.set(ecosystem, own);
      directNames.get(lock.path)?.push(own);
    }
  }
  return new Map(
    files.flatMap((file): [string, string[]][] => {
      const names = Object.keys(file.packages);
      const direct = names.filter((name) => {
        const own = spelled(name, file);
        return directNames.get(file.path)?.some((each) => each.has(own));
      });
      return direct.length > 0 && direct.length < names.length ? [[file.path, direct]] : [];
    }),
  );
}

/** Python tools spell the same name in different ways. */
function spelled(name: string, { format }: FoundFile): string {
  return format.ecosystem === 'pypi' ? plainPythonName(name) : name;
}
