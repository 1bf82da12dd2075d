// What one row of the catalogue of tools holds. How a tool is found and asked stands under the same name in the capture.

import type { Ecosystem } from '../ecosystems.ts';

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

/** How a difference in a tool is judged: as that in what programs run on, in what chooses packages and builds, or in any other. */
export type ToolRole = 'language' | 'manager' | 'tool';

/** From which distance on another version counts by default, where the project asks for the tool; null: only its absence does. */
export const roleCounts = { language: 'minor', manager: 'major', tool: null } as const satisfies Readonly<
  Record<ToolRole, 'minor' | 'major' | null>
>;

const rolesOfKinds: Partial<Record<ToolKind, ToolRole>> = {
  language: 'language',
  compiler: 'language',
  'package manager': 'manager',
  'build tool': 'manager',
};

/** The role of a tool; that of its kind unless its row says otherwise. Names without a row are tools. */
export function roleOf(row: ToolRow | undefined): ToolRole {
  return row?.role ?? (row && rolesOfKinds[row.kind]) ?? 'tool';
}

export interface ToolRow {
  readonly name: string;
  readonly kind: ToolKind;
  /** What it is, as people call it. */
  readonly about: string;
  /** The ecosystem whose rules its versions follow, without being a package of it: `npm` for semver. Default: `generic`. */
  readonly versionsLike?: Ecosystem;
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
  /** Default: that of its kind. */
  readonly role?: ToolRole;
  /** The tool that brings it: they change together. */
  readonly comesWith?: string;
  /** Tools that do the same: a project that needs one is served by any of them. */
  readonly insteadOf?: readonly string[];
  /** Other names that files of projects call it by. */
  readonly aliases?: readonly string[];
}
