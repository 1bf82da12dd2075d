// The databases of dpkg and apk: paragraphs of text, a line for each field.

import type { CapturedMachine } from '../../system/machine.ts';
import { maxTextBytes } from '../../system/machine-files.ts';

/** Packages with their versions, in the order of the database. */
export type InstalledPackages = Iterable<readonly [name: string, version: string]>;
type ReadDatabase = (machine: CapturedMachine, path: string) => Promise<InstalledPackages>;

/** Prefixes of the lines with name and version, and the mark of an installed package. */
interface Fields {
  readonly name: string;
  readonly version: string;
  readonly installed?: RegExp;
}

const paragraphs =
  ({ name, version, installed }: Fields): ReadDatabase =>
  async (machine, path) => {
    const text = await readWhole(machine, path);
    return text.split('\n\n').flatMap((paragraph): [string, string][] => {
      const packageName = fieldOf(paragraph, name);
      const packageVersion = fieldOf(paragraph, version);
      if (!packageName || !packageVersion || installed?.test(paragraph) === false) return [];
      return [[packageName, packageVersion]];
    });
  };

/** The first word after a line's prefix. Uses no regular expression, because there are thousands of paragraphs. */
function fieldOf(paragraph: string, beginning: string): string | undefined {
  const at = paragraph.startsWith(beginning) ? 0 : paragraph.indexOf(`\n${beginning}`) + 1;
  if (at === 0 && !paragraph.startsWith(beginning)) return undefined;
  const end = paragraph.indexOf('\n', at);
  return paragraph.slice(at + beginning.length, end < 0 ? undefined : end).split(/\s/, 1)[0];
}

/** Other parts of the capture read the same file; it is read only once if it is not too large. */
async function readWhole(machine: CapturedMachine, path: string): Promise<string> {
  const { sizeBytes } = await machine.status(path);
  const shared = sizeBytes < maxTextBytes ? await machine.files.text(path) : undefined;
  return shared ?? machine.readTextFile(path);
}

/** dpkg(1). A package that was removed may keep its paragraph; one that is being configured is installed. */
export const readDpkg = paragraphs({
  name: 'Package: ',
  version: 'Version: ',
  installed: /^Status: \S+ \S+ (?:installed|unpacked|half-configured|triggers-\w+)$/m,
});

/** apk(5): `P:` the name, `V:` the version. */
export const readApk = paragraphs({ name: 'P:', version: 'V:' });
