// What one row of the catalogue of dependency files holds.

import type { Ecosystem } from '../ecosystems.ts';

/**
 * - `lock`: says what is installed; always recorded, and governs manifests of its family.
 * - `manifest`: says what is asked for; recorded where no lock file governs it.
 * - `list`: always recorded, governs nothing (`requirements.txt`, `pom.xml`: it has no lock file of its own, or need
 *   not pin).
 * - `unread`: a program, a binary file or the like: named in the capture where no lock file governs it, never read.
 */
export type FormatKind = 'lock' | 'manifest' | 'list' | 'unread';

/** One format of dependency files. Plain data: what reads it is named by `parser`. */
export interface Format {
  /** Unique; also the name of its folder of fixtures. */
  readonly id: string;
  /** Exact file names. */
  readonly names?: readonly string[];
  /** Tested on `folder/name`, the last two segments of the path; `/name` at the top. Linear in the path's length. */
  readonly pattern?: RegExp;
  /** Names that the pattern fits, the usual one first; one at least of every ending that it fits. */
  readonly examples?: readonly string[];
  /** The pattern fits names of any ending. */
  readonly anyEnding?: true;
  readonly ecosystem: Ecosystem;
  readonly kind: FormatKind;
  /** Whose lock files govern it. All JavaScript package managers are one family, and so are all of Python's. */
  readonly family: string;
  /** Families that a lock file governs. Default: its own. */
  readonly governs?: readonly string[];
  /** How far a lock file governs: its own folder alone (the default), or also the folders below it (workspaces). */
  readonly reach?: 'folder' | 'tree';
  /** Files beside which a lock file that git ignores is read nevertheless; `*.ext` stands for any name. */
  readonly manifests?: readonly string[];
  /** Files of the same folder that make this one void; `*` stands for this file's name without its ending. */
  readonly voidBeside?: readonly string[];
  /** `xml`: decoded as its XML declaration says. Default: UTF-8 or UTF-16. */
  readonly encoding?: 'xml';
  /** A plain `1.2` asks for a range of versions, as in Cargo.toml. Default: it is that version. */
  readonly plainMeansRange?: true;
  /** `module/function` in the capture's folder of dependencies; absent for what is not read. */
  readonly parser?: string;
  /** Installs what the file says. Default: the ecosystem's command. */
  readonly install?: string;
  /** Brings back what was damaged by hand, where `install` trusts its own record. Default: as `install`. */
  readonly reinstall?: string;
  /** Tools that it implies beside those of its ecosystem. */
  readonly tools?: readonly string[];
  /** What it is, as part of a sentence: `npm's lock file`. */
  readonly about: string;
  /** Of what is not read: it declares versions of tools, which are read. */
  readonly isDeclaration?: true;
  /** Of what is not read: it says what is installed, so that a change of it counts. */
  readonly isLock?: true;
  /** Of what is not read: why, and what to do. Completes “is found and not read: …”, of one file or several. */
  readonly unread?: string;
}
