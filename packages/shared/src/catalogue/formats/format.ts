// A row of the catalogue of dependency files.

import type { Ecosystem } from '../ecosystems.ts';

/**
 * - `lock`: lists the installed versions; always recorded, and governs manifests of its family.
 * - `manifest`: lists requirements; recorded if no lock file governs it.
 * - `list`: always recorded, governs nothing (`requirements.txt`, `pom.xml`: it has no lock file, or need not pin).
 * - `unread`: a program, a binary file or the like: the capture names it if no lock file governs it, and never reads it.
 */
export type FormatKind = 'lock' | 'manifest' | 'list' | 'unread';

/** One format of dependency files. Plain data: `parser` names the code that reads it. */
export interface Format {
  /** Unique; also the name of its folder of fixtures. */
  readonly id: string;
  /** Exact file names. */
  readonly names?: readonly string[];
  /** Tested on `folder/name`, the last two segments of the path; `/name` at the top. Linear in the path's length. */
  readonly pattern?: RegExp;
  /** Examples of names that match the pattern, the usual one first; at least one for every ending. */
  readonly examples?: readonly string[];
  /** The pattern matches names with any ending. */
  readonly anyEnding?: true;
  readonly ecosystem: Ecosystem;
  readonly kind: FormatKind;
  /** Whose lock files govern it. All JavaScript package managers are one family, and so are all of Python's. */
  readonly family: string;
  /** Families that a lock file governs. Default: its own. */
  readonly governs?: readonly string[];
  /** How far a lock file governs: only its own folder (the default), or also the folders below it (workspaces). */
  readonly reach?: 'folder' | 'tree';
  /** A lock file that git ignores is read only beside one of these files; `*.ext` means any name. */
  readonly manifests?: readonly string[];
  /** Files in the same folder that replace this one; `*` means this file's name without its ending. */
  readonly voidBeside?: readonly string[];
  /** `xml`: decoded as its XML declaration says. Default: UTF-8 or UTF-16. */
  readonly encoding?: 'xml';
  /** A plain `1.2` means a range of versions, as in Cargo.toml. Default: exactly that version. */
  readonly plainMeansRange?: true;
  /** `module/function` in the capture's folder of dependencies; absent if the file is not read. */
  readonly parser?: string;
  /**
   * Installs the packages of the file, when run in its folder; {file} is its name, and {script} its name without its ending.
   * Empty if no command does. Default: the ecosystem's command.
   */
  readonly install?: string;
  /** Reinstalls packages that were edited by hand ({name} is one), if `install` trusts its own record. Default: like `install`. */
  readonly reinstall?: string;
  /** Installs the packages for another platform: {node} are npm's options, {gem} and {providers} names of the platform. */
  readonly forPlatform?: string;
  /** Tools that it needs in addition to those of its ecosystem. */
  readonly tools?: readonly string[];
  /** Its name in a sentence: `npm's lock file`. */
  readonly about: string;
  /** For an unread file: it declares versions of tools. They are recorded. */
  readonly isDeclaration?: true;
  /** For an unread file: it decides what is installed, so a change to it counts. */
  readonly isLock?: true;
  /** For an unread file: no message names it, because nobody expects that it is read. */
  readonly isQuiet?: true;
  /** For an unread file: the reason and the advice. Completes “was found but not read: …”, for one file or several. */
  readonly unread?: string;
}
