// The shape of one entry of the tool table, and the usual ways to read a version from files.

import type { CapturedMachine } from '../system/machine.ts';

/** An executable that was found, behind any shim. */
interface FoundExecutable {
  readonly machine: CapturedMachine;
  /** Its path, shims resolved, links not. */
  readonly path: string;
  /** The same with every symbolic link followed. */
  readonly realPath: string;
  /** The captured folder, whose files may select a version. */
  readonly folder: string;
}

/** Reads a version without starting anything; undefined when the files do not show it. */
export type VersionFromFiles = (found: FoundExecutable) => Promise<string | undefined>;

/** One tool: its name, the place of its version, and how to run it. */
export interface Tool {
  /** Key in `runtimeVersions`. */
  readonly name: string;
  /** Names of the program, in the order of preference. */
  readonly executables: readonly string[];
  /** Absolute paths beside `PATH`; `~` is the home folder. */
  readonly places?: Partial<Record<NodeJS.Platform, readonly string[]>>;
  readonly files?: VersionFromFiles;
  /**
   * Name of the Debian package that has the program and its version. Only where the package's version is exactly what the
   * program prints.
   */
  readonly debianPackage?: string | ((realPath: string) => string | undefined);
  /** Never start it, because it would write, use the network or take too long. */
  readonly filesOnly?: boolean;
  /** Default `--version`. */
  readonly args?: readonly string[];
  /** Group 1 is the version. Default: the first dotted number. Applied to standard output, then to standard error. */
  readonly pattern?: RegExp;
  /** Variables set, or removed with `undefined`, beyond those of every probe. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Start it with a home folder that takes no files, because it is known to write there. */
  readonly withoutHome?: boolean;
  /** Never a script: a script for Ruby, Python or Perl is another program with that name. `tilt` is also a gem. */
  readonly compiled?: boolean | undefined;
  /**
   * Slow, and needs much memory: started before the others, and never two at once. `large`: as much memory as the capture
   * itself, which reads no files meanwhile; for programs that finish within some 50 ms.
   */
  readonly heavy?: boolean | 'large';
}

/** A version as tools print it: dotted numbers with an optional pre-release or build part. */
const versionShape = String.raw`\d+(?:\.\d+)+(?:(?:a|b|c|rc)\d+)?(?:[-+](?=[0-9A-Za-z]*[A-Za-z])[0-9A-Za-z][0-9A-Za-z.+-]*)?`;
const firstVersion = new RegExp(String.raw`(?<![\w.])v?(${versionShape})`);

/** The version in a tool's output, bare: `v1.2.3,` becomes `1.2.3`. */
export function versionIn(output: string, pattern: RegExp = firstVersion): string | undefined {
  // Some tools colour their output even where it is not a terminal.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences begin with the escape character
  return pattern.exec(output.replaceAll(/\u001b\[[0-9;]*m/g, ''))?.[1];
}

/** From the first of several ways that finds a version. */
export function firstOf(...ways: readonly VersionFromFiles[]): VersionFromFiles {
  return async (found) => {
    for (const way of ways) {
      const version = await way(found);
      if (version !== undefined) return version;
    }
    return undefined;
  };
}

/** A path relative to the folder of the real executable, absolute. */
export function beside({ machine, realPath }: FoundExecutable, relative: string): string {
  const { dirname, resolve } = machine.files.paths;
  return resolve(dirname(realPath), relative);
}

/** From a text file, its path absolute or relative to the folder of the real executable. */
export function textFile(relative: string, pattern?: RegExp): VersionFromFiles {
  return async (found) => {
    const text = await found.machine.files.text(beside(found, relative));
    return text === undefined ? undefined : versionIn(text, pattern);
  };
}

/** From the text of the executable itself, a script. */
export function ownText(pattern: RegExp): VersionFromFiles {
  return async ({ machine, realPath }) => {
    const text = await machine.files.text(realPath);
    return text?.startsWith('#!') ? versionIn(text, pattern) : undefined;
  };
}

/** From the real path of the executable. */
export function pathText(pattern: RegExp): VersionFromFiles {
  return async ({ realPath }) => pattern.exec(realPath.replaceAll('\\', '/'))?.[1];
}

/** From the name of an entry in a folder given relative to the real executable's; links are followed. */
export function entryName(relativeFolder: string, pattern: RegExp): VersionFromFiles {
  return async (found) => {
    const { files } = found.machine;
    const folder = beside(found, relativeFolder);
    for (const name of await files.names(folder)) {
      const version = pattern.exec(name)?.[1];
      if (version !== undefined && /\d\.\d/.test(version)) return version;
      if (version === undefined) continue;
      const target = (await files.realPath(files.paths.join(folder, name))) ?? '';
      const begin = target.search(/-\d+\.\d/);
      const targetVersion = begin < 0 ? undefined : /^-([\w.-]*)\.jar$/.exec(target.slice(begin))?.[1];
      if (targetVersion) return targetVersion;
    }
    return undefined;
  };
}

/**
 * From the nearest `package.json` at or above the real executable that has one of the names. Windows starts npm's programs by a
 * command file beside the folder of packages; pnpm writes scripts into `.bin` in it.
 */
export function packageJson(...names: readonly string[]): VersionFromFiles {
  return async (found) => {
    const { files } = found.machine;
    const { basename, join } = files.paths;
    const folder = beside(found, '.');
    const packages = basename(folder) === '.bin' ? beside(found, '..') : join(folder, 'node_modules');
    const besides = names.map((name) => join(packages, ...name.split('/')));
    for (const place of [...files.upward(folder).slice(0, 5), ...besides]) {
      const manifest = await files.json(join(place, 'package.json'));
      const isNamed = names.some((name) => name === manifest?.name);
      if (isNamed && typeof manifest?.version === 'string' && manifest.version !== '')
        return manifest.version;
    }
    return undefined;
  };
}
