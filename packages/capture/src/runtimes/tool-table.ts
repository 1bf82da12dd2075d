// How to find and run every tool that a capture looks for. The catalogue describes the tools; `shims/` follows version managers.

import { onlyPostgresqlClient } from './debian-record.ts';
import * as layouts from './installed-versions.ts';
import { mavenCoreJar } from './jar-version.ts';
import { pythonDistribution } from './python-distribution.ts';
import {
  entryName,
  firstOf,
  ownText,
  packageJson,
  pathText,
  type Tool,
  textFile,
  type VersionFromFiles,
} from './tool.ts';
import probes from './tool-probes.json' with { type: 'json' };
import rows from './tool-table.json' with { type: 'json' };

/** Notes on the rows: with a writable home folder, rustup would write its settings, and start rustc to print a note. */
export const ownProbes: Readonly<Record<string, ProbeRow>> = probes;

/** Tools that are found and run in the same way. */
interface ToolRow {
  /** Names: `name=program,program` where the programs have other names. */
  readonly tools: readonly string[];
  readonly args?: readonly string[];
  /**
   * How they are started: `heavy`, `large`, `homeless` (without a home folder), `compiled` (never a script) and `files` (never
   * started) as in {@link Tool}; `deb` where the Debian package of its name has its version, `deb:NAME` for another one. Debian's
   * `chromium` starts ten other programs; `bazel` may be Bazelisk, which downloads the Bazel that is asked for.
   */
  readonly how?: readonly string[];
  /**
   * Where the version is: `npm` and `pip` for the package of the tool's name, `npm:NAME,NAME` for others, `text:` a
   * file beside the program.
   */
  readonly files?: string;
  /** Finds the version in the output. */
  readonly pattern?: string;
}

/** How a tool is found and read, if its row in the table does not say enough. */
interface ProbeRow {
  readonly places?: Tool['places'];
  /** Ways to read the version without starting the tool, in order: a reader and its arguments; `/…/m` is an expression. */
  readonly files?: readonly (readonly string[])[];
  /** Null removes a variable. */
  readonly env?: Readonly<Record<string, string | null>>;
}

const readers: Readonly<Record<string, (...args: never[]) => VersionFromFiles>> = {
  text: textFile,
  entry: entryName,
  path: pathText,
  own: ownText,
  npm: packageJson,
  pip: pythonDistribution,
};

/** Layouts of installations, by name. */
const ofLayout = {
  nodeHeader: layouts.nodeHeader,
  rustManifest: layouts.rustManifest,
  dotnetSdk: layouts.dotnetSdk,
  beamRelease: layouts.beamRelease,
  rubygemsLibrary: layouts.rubygemsLibrary,
  macApplication: layouts.macApplication,
  versionedSibling: layouts.versionedSibling,
};

/** The expression in a cell such as `/^go(\d+)/m`; undefined for plain text. */
export function expressionIn(cell: string): RegExp | undefined {
  const [, source, flags] = /^\/(.*)\/(m?)$/s.exec(cell) ?? [];
  return source === undefined || source === '' ? undefined : new RegExp(source, flags);
}

function readerOf([kind = '', ...cells]: readonly string[]): VersionFromFiles {
  if (kind === 'layout') return ofLayout[cells[0] as keyof typeof ofLayout];
  return readers[kind]?.(...(cells.map((cell) => expressionIn(cell) ?? cell) as never[])) as VersionFromFiles;
}

function probeOf({ places, files, env }: ProbeRow): Partial<Tool> {
  return {
    ...(places && { places }),
    ...(files && { files: firstOf(...files.map(readerOf)) }),
    ...(env && {
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? undefined])),
    }),
  };
}

/** `/usr/bin/x86_64-linux-gnu-gcc-12` is the binary of `gcc-12`. */
const gnuCompiler = {
  debianPackage: (realPath: string) => /-((?:gcc|g\+\+|gfortran)-\d+)$/.exec(realPath)?.[1],
};

/** Probes that a row cannot describe. */
const more: Readonly<Record<string, Partial<Tool>>> = {
  bundler: { files: layouts.gemVersion('bundler') },
  cocoapods: { files: layouts.gemVersion('cocoapods') },
  gcc: gnuCompiler,
  'g++': gnuCompiler,
  gfortran: gnuCompiler,
  ld: {
    debianPackage: (realPath) =>
      `binutils-${/(?<![^/])([^/]+)-ld\.bfd$/.exec(realPath)?.[1]?.replaceAll('_', '-')}`,
  },
  maven: { files: firstOf(entryName('../lib', /^maven-core-(.+)\.jar$/), mavenCoreJar) },
  kubectl: {
    files: layouts.googleComponent('kubectl'),
    // Google's dispatcher asks the server even for the client's version: so it gets a port on which nothing listens.
    env: { KUBECONFIG: undefined, KUBERNETES_MASTER: 'http://127.0.0.1:9' },
  },
  psql: { files: onlyPostgresqlClient },
  postgres: {
    debianPackage: (realPath) => {
      const major = /^\/usr\/lib\/postgresql\/(\d+)\/bin\/postgres$/.exec(realPath)?.[1];
      return major && `postgresql-${major}`;
    },
  },
};

/** Names are unique, and each has its row in the catalogue. */
export const toolTable: readonly Tool[] = (rows as readonly ToolRow[]).flatMap(
  ({ tools, args, how = [], files, pattern }) =>
    tools.map((named): Tool => {
      const [name = '', programs = name] = named.split('=');
      const deb = how.find((word) => /^deb\b/.test(word));
      return {
        name,
        executables: programs.split(',').filter(Boolean),
        ...(args && { args }),
        ...(files && { files: readerOf(cellsOf(files, name)) }),
        ...(pattern && { pattern: new RegExp(pattern, 'm') }),
        ...(deb && { debianPackage: deb.split(':')[1] ?? name }),
        filesOnly: how.includes('files'),
        withoutHome: how.includes('homeless'),
        compiled: how.includes('compiled'),
        heavy: how.includes('large') ? 'large' : how.includes('heavy'),
        ...probeOf(ownProbes[name] ?? {}),
        ...more[name],
      };
    }),
);

/** `npm:NAME,NAME` as a reader and its arguments. */
function cellsOf(cell: string, name: string): string[] {
  const [kind = '', what = name] = cell.split(':');
  return [kind, ...(kind === 'text' ? [what] : what.split(','))];
}
