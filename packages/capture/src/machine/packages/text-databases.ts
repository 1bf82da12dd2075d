// The databases of dpkg and apk: paragraphs of text, a line for each field.

import type { CapturedMachine } from '../../system/machine.ts';
import type { InstalledPackages } from './read-machine-packages.ts';

type ReadDatabase = (machine: CapturedMachine, path: string) => Promise<InstalledPackages>;

const paragraphs =
  (name: RegExp, version: RegExp, installed?: RegExp): ReadDatabase =>
  async (machine, path) => {
    const text = await machine.readTextFile(path);
    return text.split('\n\n').flatMap((paragraph): [string, string][] => {
      const [, packageName] = name.exec(paragraph) ?? [];
      const [, packageVersion] = version.exec(paragraph) ?? [];
      if (!packageName || !packageVersion || installed?.test(paragraph) === false) return [];
      return [[packageName, packageVersion]];
    });
  };

/** dpkg(1). A package that was removed may keep its configuration and its paragraph. */
export const readDpkg = paragraphs(/^Package: (\S+)/m, /^Version: (\S+)/m, /^Status: \S+ \S+ installed$/m);

/** apk(5): `P:` the name, `V:` the version. */
export const readApk = paragraphs(/^P:(\S+)/m, /^V:(\S+)/m);
