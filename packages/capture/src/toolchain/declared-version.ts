// The shape of a version that a folder declares.

import type { Declaration } from '@envsnap/versions';

export interface DeclaredVersion extends Declaration {
  /** Name as in `runtimeVersions`. */
  readonly tool: string;
  /** File, and the field where a file has several, e.g. `package.json engines`. */
  readonly source: string;
}
