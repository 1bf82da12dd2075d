// What a dependency file format is: its names, its ecosystem, its role, and the parser that is loaded when one is found.

import type { VersionScheme } from '@envsnap/versions';
import type { PackageList } from './package-list.ts';

/**
 * Ecosystems: a manifest is left out where a lock file of the same ecosystem governs it. All JavaScript package
 * managers are one, and so are all of Python's.
 */
export type Ecosystem =
  | 'javascript'
  | 'python'
  | 'conda'
  | 'cargo'
  | 'go'
  | 'ruby'
  | 'php'
  | 'maven'
  | 'gradle'
  | 'scala'
  | 'bazel'
  | 'dotnet'
  | 'dart'
  | 'cocoapods'
  | 'swift'
  | 'elixir'
  | 'haskell'
  | 'julia'
  | 'r'
  | 'conan'
  | 'ocaml'
  | 'helm'
  | 'terraform'
  | 'nix'
  | 'compose'
  | 'tools';

/**
 * - `lock`: says what is installed; always recorded, and governs manifests of its ecosystem.
 * - `manifest`: says what is asked for; recorded where no lock file governs it.
 * - `list`: always recorded, governs nothing (`requirements.txt`, `pom.xml`: the format has no lock file of its own,
 *   or need not pin).
 */
export type FormatKind = 'lock' | 'manifest' | 'list';

/** How far a lock file's rule reaches: into its own folder alone, or also into folders below it (workspaces). */
type Reach = 'folder' | 'tree';

/** What a parser may ask for besides the text. */
export interface ParseContext {
  /** The file, relative to the captured folder with `/`. */
  readonly path: string;
  /** Reports one entry that is left out while the rest of the file counts. */
  warn(message: string, line?: number): void;
  /**
   * The text of another file of the captured folder, by a path relative to this file's folder; undefined when there is
   * none, or when it lies outside the captured folder.
   */
  readText(relativePath: string): Promise<string | undefined>;
}

/** Reads one file. Throws `ParseProblem` and nothing else. */
export type Parser = (text: string, context: ParseContext) => PackageList | Promise<PackageList>;

/** One row of the registry. */
export interface FileFormat {
  /** Exact file names (`Cargo.lock`), or a test on a file's name and its folder's name. */
  readonly names: readonly string[] | ((name: string, folderName: string) => boolean);
  readonly ecosystem: Ecosystem;
  readonly kind: FormatKind;
  /** Default `folder`. */
  readonly reach?: Reach;
  readonly scheme: VersionScheme;
  /** File of the same folder that makes this one void, by the rule of the tool that reads them. */
  readonly voidBeside?: string;
  /** `xml`: decoded as its XML declaration says; `binary`: not read at all. Default: UTF-8 or UTF-16. */
  readonly encoding?: 'xml' | 'binary';
  load(): Promise<Parser>;
}
