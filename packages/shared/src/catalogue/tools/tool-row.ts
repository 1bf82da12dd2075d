// A row of the catalogue of tools. The capture's own rows, under the same names, say how to find and run them.

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

/** The role of a tool, for judging differences: a language, a manager that chooses packages and builds, or any other tool. */
export type ToolRole = 'language' | 'manager' | 'tool';

/** The distance from which another version counts by default if the project asks for the tool; null: only its absence counts. */
export const roleCounts = { language: 'minor', manager: 'major', tool: null } as const satisfies Readonly<
  Record<ToolRole, 'minor' | 'major' | null>
>;

const rolesOfKinds: Partial<Record<ToolKind, ToolRole>> = {
  language: 'language',
  compiler: 'language',
  'package manager': 'manager',
  'build tool': 'manager',
};

/** The role of a tool, by its row or its kind. Names without a row are tools. */
export function roleOf(row: ToolRow | undefined): ToolRole {
  return row?.role ?? (row && rolesOfKinds[row.kind]) ?? 'tool';
}

export interface ToolRow {
  readonly name: string;
  readonly kind: ToolKind;
  /** Its usual name. */
  readonly about: string;
  /** The ecosystem whose rules its versions follow, without being a package of it: `npm` for semver. Default: `generic`. */
  readonly versionsLike?: Ecosystem;
  /** Its name in mise; true if it is the same. Absent if mise has none. */
  readonly mise?: string | true;
  /** Its plugin in asdf; true if it is the same. Absent if there is no usual one. */
  readonly asdf?: string | true;
  /**
   * Its official image with `{version}`. `{base}` is the distribution in the tag (`-bookworm`, `-alpine3.20`); `{debian}` and
   * `{alpine}` are used if only that distribution has its own tag.
   */
  readonly image?: string;
  /** The package manager that installs a given version of it in an image. */
  readonly installedBy?: 'npm' | 'pip' | 'gem';
  /** Default: that of its kind. */
  readonly role?: ToolRole;
  /** The smallest version difference that counts, instead of its role's: minor versions of Erlang are maintenance releases. */
  readonly counts?: 'major';
  /** Its minor versions only add, so programs of one also run on a later one. */
  readonly addsOnly?: true;
  /** Its version begins with a year, so another one is no other kind of release. */
  readonly byYear?: true;
  /** The only operating system that it is made for. */
  readonly onlyOn?: 'darwin';
  /** It provides other tools, which are compared. */
  readonly provides?: true;
  /** The build tool that downloads the version that a project declares. It need not be installed, and another version may be. */
  readonly broughtBy?: string;
  /** The tool that includes it, so that they change together. */
  readonly comesWith?: string;
  /** Equivalent tools: a project that needs one can use any of them. */
  readonly insteadOf?: readonly string[];
  /** Other names of it in files of projects. */
  readonly aliases?: readonly string[];
}
