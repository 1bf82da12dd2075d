// The catalogue of dependency files: every format once, and views of it by a file's path.

import { shellWord } from '../text/visible.ts';
import { ecosystems } from './ecosystems.ts';
import type { Format } from './formats/format.ts';
import groups from './formats/formats.json' with { type: 'json' };

export type { Format, FormatKind } from './formats/format.ts';

/** Formats of one family. A format has the ecosystem of its group unless it names another, and a pattern unless it has names. */
interface FormatGroup extends Pick<Format, 'family' | 'ecosystem'> {
  readonly formats: readonly (Omit<Format, 'family' | 'ecosystem' | 'pattern'> &
    Partial<Pick<Format, 'ecosystem'>> & { readonly fits?: string; readonly ignoreCase?: true })[];
}

/**
 * All formats. If several rows match a file, exact names win over patterns, and earlier rows over later ones. Notes on the rows:
 * - go.mod lists the selected versions; go.sum only contents that were ever checked.
 * - Yarn 1 silently accepts `--immutable` and rewrites the lock file; later versions accept `--frozen-lockfile` too.
 * - Poetry 1 has no `poetry sync`. Helm 2 named its lock file `requirements.lock`.
 * - A template of a Dockerfile is not a Dockerfile; the parser leaves out source files whose names look like one.
 * - Programs other than MSBuild also use `.props`. Prisma's migration_lock.toml only names a database.
 * - The last row is for all other files that are called lock files.
 */
export const formats: readonly Format[] = (groups as readonly FormatGroup[]).flatMap(
  ({ formats: rows, ...group }) =>
    rows.map(({ fits, ignoreCase, ...row }) => ({
      ...group,
      ...(fits !== undefined && { pattern: new RegExp(fits, ignoreCase && 'i') }),
      ...row,
    })),
);

const anyEnding = '*';

/** The ending of a file's name from its last dot; empty without one. */
function endingOf(file: string): string {
  const name = file.slice(lastSlash(file) + 1);
  const dot = name.lastIndexOf('.');
  return dot === -1 ? '' : name.slice(dot).toLowerCase();
}

const byName = new Map<string, Format>();
/** Rows with a pattern, by the endings that it matches. Most files of a project have none of these endings. */
const byEnding = new Map<string, Format[]>();
for (const format of formats) {
  for (const name of format.names ?? []) byName.set(name, format);
  const endings = format.anyEnding ? [anyEnding] : (format.examples ?? []).map(endingOf);
  for (const ending of new Set(endings)) byEnding.set(ending, [...(byEnding.get(ending) ?? []), format]);
}

/** Longest file name that patterns are tried on, in characters; no file system allows longer ones. */
const maxNameLength = 1024;

/** The format of a file by its name and the name of its folder; undefined for all other files. */
export function formatOf(name: string, folderName: string): Format | undefined {
  const known = byName.get(name);
  if (known) return known;
  if (name.length > maxNameLength) return undefined;
  const path = `${folderName}/${name}`;
  const fits = ({ pattern }: Format) => pattern?.test(path);
  return byEnding.get(endingOf(name))?.find(fits) ?? byEnding.get(anyEnding)?.find(fits);
}

/** The format of a file by its path, with `/` or `\` between folders. */
export function formatOfFile(file: string): Format | undefined {
  const slash = lastSlash(file);
  const folderName = slash === -1 ? '' : file.slice(lastSlash(file, slash - 1) + 1, slash);
  return formatOf(file.slice(slash + 1), folderName);
}

function lastSlash(file: string, before = file.length): number {
  return Math.max(file.lastIndexOf('/', before), file.lastIndexOf('\\', before));
}

/** The command that installs the packages of a dependency file, to be run in its folder; undefined if none is known. */
export function installCommandOf(file: string): string | undefined {
  const format = formatOfFile(file);
  const name = file.slice(lastSlash(file) + 1);
  const script = name.slice(0, Math.max(name.lastIndexOf('.'), 0));
  const command = format && (format.install ?? ecosystems[format.ecosystem].install);
  return (
    command?.replace('{file}', () => shellWord(name)).replace('{script}', () => shellWord(script)) ||
    undefined
  );
}

/** The same for packages that a capture found installed; some ecosystems vendor them. */
export function reinstallCommandOf(file: string): string | undefined {
  const format = formatOfFile(file);
  return (format && (ecosystems[format.ecosystem].vendor ?? format.reinstall)) ?? installCommandOf(file);
}

/** The state of an optional package for this machine that npm left out of its lock file. */
export const lockLacksPlatform = 'not in the lock file, which was made on another platform';

/** Tools (as in `runtimeVersions`) that a project with this dependency file needs. */
export function toolsOfFile(file: string): readonly string[] {
  const format = formatOfFile(file);
  return format ? [...(ecosystems[format.ecosystem].runtimes ?? []), ...(format.tools ?? [])] : [];
}
