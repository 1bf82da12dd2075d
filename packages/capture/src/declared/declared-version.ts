// The shape of a version that a folder declares.

import type { Declaration } from '@envsnap/versions';

export interface DeclaredVersion extends Declaration {
  /** Name as in `runtimeVersions`. */
  readonly tool: string;
  /** File, and the field where a file has several, e.g. `package.json engines`. */
  readonly source: string;
}

/** The file of a source. */
export function fileOf({ source }: Pick<DeclaredVersion, 'source'>): string {
  return source.replace(/ .*/s, '');
}
