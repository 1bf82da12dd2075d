// Direct dependencies. They come first in every list of packages, because the others follow from them.

import type { Environment } from '../environment/environment.ts';

export function directPackages(file: string, ...sides: readonly Environment[]): ReadonlySet<string> {
  return new Set(sides.flatMap((side) => side.directPackages(file)));
}

interface Listed {
  readonly name?: string | undefined;
  readonly direct?: boolean | undefined;
  readonly weight?: number;
}

export function directFirst(x: Listed, y: Listed): number {
  return (
    Number(y.direct ?? false) - Number(x.direct ?? false) ||
    (y.weight ?? 0) - (x.weight ?? 0) ||
    ((x.name ?? '') < (y.name ?? '') ? -1 : 1)
  );
}
