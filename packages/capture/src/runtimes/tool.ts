// The shape of one entry of the tool table, and the usual ways to read a version from files.

import type { CapturedMachine } from '../system/machine.ts';
import type { MachineFiles } from '../system/machine-files.ts';

/** An executable that was found, behind any shim. */
interface FoundExecutable {
  readonly machine: CapturedMachine;
  /** The name that was looked for, e.g. `python3`. */
  readonly name: string;
  /** Where it stands, shims resolved, links not. */
  readonly path: string;
  /** The same with every symbolic link followed. */
  readonly realPath: string;
  /** The captured folder, whose files may select a version. */
  readonly folder: string;
}

/** Reads a version without starting anything; undefined when the files do not show it. */
export type VersionFromFiles = (found: FoundExecutable) => Promise<string | undefined>;

/** One tool: what it is called, where its version stands, and how to ask it. */
export interface Tool {
  /** Key in `runtimeVersions`. */
  readonly name: string;
  /** Names of the program, in the order of preference. Default: the tool's name. */
  readonly executables?: readonly string[];
  /** Absolute paths beside `PATH`; `~` is the home folder. */
  readonly places?: Partial<Record<NodeJS.Platform, readonly string[]>>;
  readonly files?: VersionFromFiles;
  /**
   * Name of the Debian package that has the program and its version. Only where the package's version is exactly what the
   * program prints.
   */
  readonly debianPackage?: string | ((realPath: string) => string | undefined);
  /** Never start it: it would write, reach for the network or take too long. */
  readonly filesOnly?: boolean;
  /** Default `--version`. */
  readonly args?: readonly string[];
  /** Group 1 is the version. Default: the first dotted number. Applied to standard output, then to standard error. */
  readonly pattern?: RegExp;
  /** Variables set, or removed with `undefined`, beyond those of every probe. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Start it with a home folder that takes no files, because it is known to write there. */
  readonly withoutHome?: boolean;
  /** Milliseconds. Default 3000. */
  readonly timeoutMs?: number;
  /**
   * Takes long and much memory: started before the others, and never two such at once. `large`: as much as the capture
   * itself, which reads nothing beside it; for programs that answer within some 50 ms.
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

/** From the first of several ways that answers. */
export function firstOf(...ways: readonly VersionFromFiles[]): VersionFromFiles {
  return async (found) => {
    for (const way of ways) {
      const version = await way(found);
      if (version !== undefined) return version;
    }
    return undefined;
  };
}

/** From a text file, given relative to the folder of the real executable. */
export function textFile(relative: string, pattern?: RegExp): VersionFromFiles {
  return async ({ machine, realPath }) => {
    const text = await machine.files.text(
      machine.files.paths.join(machine.files.paths.dirname(realPath), relative),
    );
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
  return async ({ machine, realPath }) => {
    const folder = machine.files.paths.join(machine.files.paths.dirname(realPath), relativeFolder);
    for (const name of await machine.files.names(folder)) {
      const version = pattern.exec(name)?.[1];
      if (version !== undefined && /\d\.\d/.test(version)) return version;
      if (version === undefined) continue;
      const target = await machine.files.realPath(machine.files.paths.join(folder, name));
      const begin = target?.search(/-\d+\.\d/) ?? -1;
      const targetVersion = begin < 0 ? undefined : /^-([\w.-]*)\.jar$/.exec(target?.slice(begin) ?? '')?.[1];
      if (targetVersion) return targetVersion;
    }
    return undefined;
  };
}

/** From the nearest `package.json` at or above the real executable that carries one of the names. */
export function packageJson(...packageNames: readonly string[]): VersionFromFiles {
  return async ({ machine, realPath }) => {
    const above = machine.files.upward(machine.files.paths.dirname(realPath)).slice(0, 5);
    for (const folder of above) {
      const version = await namedPackage(
        machine.files,
        machine.files.paths.join(folder, 'package.json'),
        packageNames,
      );
      if (version) return version;
    }
    // Windows starts npm's programs by a command file beside the folder of packages; pnpm writes scripts into `.bin` in it.
    const { basename, dirname, join } = machine.files.paths;
    const folder = dirname(realPath);
    const packages = basename(folder) === '.bin' ? dirname(folder) : join(folder, 'node_modules');
    for (const name of packageNames) {
      const beside = join(packages, ...name.split('/'), 'package.json');
      const version = await namedPackage(machine.files, beside, packageNames);
      if (version) return version;
    }
    return undefined;
  };
}

async function namedPackage(
  files: MachineFiles,
  file: string,
  names: readonly string[],
): Promise<string | undefined> {
  const manifest = await files.json(file);
  const named = typeof manifest?.name === 'string' && names.includes(manifest.name);
  return named && typeof manifest.version === 'string' ? manifest.version : undefined;
}
