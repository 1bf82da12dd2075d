// Packages that the project itself asks for, as captures record them (`metadata.direct`): they come first wherever packages are
// listed, since the others follow from them.

import { itemsOf } from '@envsnap/shared/plain-object';
import type { ComparableEnvironment } from './model.ts';

/** The names of a file's packages that either side's project itself asks for. */
export function directPackages(
  file: string,
  ...sides: readonly ComparableEnvironment[]
): ReadonlySet<unknown> {
  return new Set(sides.flatMap(({ metadata }) => itemsOf(metadata?.direct, file)));
}

interface Listed {
  readonly name?: string | undefined;
  readonly direct?: boolean | undefined;
  readonly weight?: number;
}

/** Such packages first, then those of a greater weight, then by name. */
export function directFirst(x: Listed, y: Listed): number {
  return (
    Number(y.direct ?? false) - Number(x.direct ?? false) ||
    (y.weight ?? 0) - (x.weight ?? 0) ||
    ((x.name ?? '') < (y.name ?? '') ? -1 : 1)
  );
}
