// What one row of the catalogue of tools holds. How a tool is found and asked stands under the same name in the capture.

import type { Ecosystem } from '../ecosystems.ts';

/** What a tool is for. */
export type ToolKind =
  | 'language'
  | 'package manager'
  | 'version manager'
  | 'compiler'
  | 'build tool'
  | 'version control'
  | 'container'
  | 'cloud'
  | 'database'
  | 'browser'
  | 'server'
  | 'utility';

/** One tool. */
export interface ToolRow {
  /** Key in `runtimeVersions`. */
  readonly name: string;
  readonly kind: ToolKind;
  /** What it is, as people call it. */
  readonly about: string;
  /** By whose rules its versions are read. Default: `generic`. */
  readonly ecosystem?: Ecosystem;
  /** Its name in mise; true when it is the same. Absent where mise has none. */
  readonly mise?: string | true;
  /** Its plugin in asdf; true when it is the same. Absent where there is no usual one. */
  readonly asdf?: string | true;
  /**
   * Its official image with `{version}`; `{base}` stands for the distribution in the tag (`-bookworm`, `-alpine3.20`),
   * `{debian}` and `{alpine}` for it where only that one has a tag of its own.
   */
  readonly image?: string;
  /** The package manager that puts a stated version of it into an image: npm (`name@version`) or pip (`name==version`). */
  readonly installedBy?: 'npm' | 'pip';
  /** Other names that files of projects call it by. */
  readonly aliases?: readonly string[];
}

type About = string | readonly [about: string, more: Omit<ToolRow, 'name' | 'kind' | 'about'>];

/** Rows of one kind, from a table of names. */
export function ofKind(kind: ToolKind, rows: Readonly<Record<string, About>>): ToolRow[] {
  return Object.entries(rows).map(([name, about]) =>
    typeof about === 'string' ? { name, kind, about } : { name, kind, about: about[0], ...about[1] },
  );
}
