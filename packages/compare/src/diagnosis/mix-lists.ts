// Mixes two ordered lists of folders: one side's, with some of the other side's differences.

export interface ListMix {
  readonly inserted: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
  readonly orderOfA: boolean;
}

export function mixLists(a: readonly string[], b: readonly string[], mix: ListMix): string[] {
  const inA = new Set(a);
  const inB = new Set(b);
  const mixed = (mix.orderOfA ? a : b).filter((entry) => inA.has(entry) && inB.has(entry));
  for (const entry of a) {
    if (!inB.has(entry) && mix.inserted.has(entry)) insertAfterNeighbour(mixed, a, entry);
  }
  for (const entry of b) {
    if (!inA.has(entry) && !mix.removed.has(entry)) insertAfterNeighbour(mixed, b, entry);
  }
  return mixed;
}

function insertAfterNeighbour(mixed: string[], own: readonly string[], entry: string): void {
  for (let place = own.indexOf(entry) - 1; place >= 0; place -= 1) {
    const found = mixed.indexOf(own[place] as string);
    if (found >= 0) {
      mixed.splice(found + 1, 0, entry);
      return;
    }
  }
  mixed.unshift(entry);
}
