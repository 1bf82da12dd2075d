// Version managers: where each keeps the versions of runtimes that it has installed.

import rows from './version-managers.json' with { type: 'json' };

/** A manager, and a runtime that it installs. */
export interface VersionManagerRow {
  readonly name: string;
  /** Names in `runtimeVersions`. */
  readonly runtimes: readonly string[];
  /** The variable that names its root, and the default below the home folder. */
  readonly rootVariable: string;
  readonly root: string;
  /** The folder of the versions below the root, and that of the programs below a version. */
  readonly versions: string;
  readonly programs: string;
  /** Commands that install a version if it is missing and use it in this shell, with `{version}`. */
  readonly use?: readonly string[];
  /** Commands that create a virtual environment again with a version, with `{version}` and `{environment}`. */
  readonly environment?: readonly string[];
}

export const managedRuntimes: readonly VersionManagerRow[] = rows;
