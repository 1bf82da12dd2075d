// Variables that hold ordered lists of folders, such as PATH: how two lists differ.

import type { ListChange } from './model.ts';

/** The entries of a list, without repetitions, and without doubled slashes or slashes at the end. An empty entry is
 * kept, because it means the current folder. */
export function splitList(value: string, os: string | null | undefined): string[] {
  if (value === '') return [];
  const entries =
    os === 'win32'
      ? value
          .replaceAll('/', '\\')
          .split(';')
          .map((entry) => entry.replace(/(?<=.\\)\\+|(?<=[^:\\])\\+$/g, ''))
      : value.split(':').map((entry) => entry.replace(/(?<=\/)\/+|(?<=[^/])\/+$/g, ''));
  const names = new Set(entries.map((entry) => nameOf(entry, os)));
  return entries.filter((entry) => names.delete(nameOf(entry, os)));
}

function nameOf(entry: string, os: string | null | undefined): string {
  return os === 'win32' ? entry.toLowerCase() : entry;
}

/** How list B differs from list A; undefined if it does not. Repeated entries (`-C` in flags) are kept. `os` is given
 * for lists of folders. */
export function compareLists(
  a: readonly string[],
  b: readonly string[],
  os?: string | null,
): ListChange | undefined {
  const [entriesA, entriesB] = [a, b].map((list) =>
    numberRepetitions(list.map((entry) => nameOf(entry, os))),
  ) as [string[], string[]];
  const places = new Map(entriesA.map((entry, index) => [entry, index]));
  const inB = new Set(entriesB);
  const isCommon = entriesB.map((entry) => places.has(entry));
  const added = b.filter((_, index) => !isCommon[index]);
  const removed = a.filter((_, index) => !inB.has(entriesA[index] as string));
  const stays = longestRising(entriesB.flatMap((entry) => places.get(entry) ?? []));
  const moved = b.filter((_, index) => isCommon[index]).filter((_, index) => !stays.has(index));
  return added.length + removed.length + moved.length === 0 ? undefined : { added, removed, moved };
}

function numberRepetitions(list: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return list.map((entry) => {
    const earlier = seen.get(entry) ?? 0;
    seen.set(entry, earlier + 1);
    return `${earlier} ${entry}`;
  });
}

/** The positions of a longest increasing subsequence of distinct numbers: the entries that did not move. */
function longestRising(numbers: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [index, number] of numbers.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((numbers[tails[middle] as number] as number) < number) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = index;
  }
  const rising = new Set<number>();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] as number) rising.add(index);
  return rising;
}

const namesShown = 4;

export function nameList(names: readonly string[]): string {
  const omitted = names.length - namesShown;
  return omitted > 1 ? `${names.slice(0, namesShown).join(', ')} and ${omitted} more` : names.join(', ');
}
