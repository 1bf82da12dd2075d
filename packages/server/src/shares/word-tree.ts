// Finds the longest of many words that begins at a place of a text, in steps of that word's length, however many there are.

import type { Spend } from '@envsnap/shared/work-budget';

/** A word to find, and the mark that replaces it. */
export type Word = readonly [word: string, mark: string];

export interface FoundWord {
  readonly mark: string;
  readonly end: number;
}

/** Creates the search; the first of equal words counts, and only those that may end where they do. */
export function createWordTree(
  words: readonly Word[],
  spend: Spend,
  mayEnd: (text: string, end: number) => boolean = () => true,
): (text: string, at: number) => FoundWord | undefined {
  // One map for all branches: thousands of words make hundreds of thousands of them.
  const branches = new Map<number, number>();
  const marks = new Map<number, string>();
  let nodes = 0;
  for (const [word, mark] of words) {
    spend(word.length * branchSteps);
    let node = 0;
    for (let at = 0; at < word.length; at += 1) {
      const branch = branchOf(node, word, at);
      const known = branches.get(branch);
      if (known === undefined) nodes += 1;
      node = known ?? nodes;
      branches.set(branch, node);
    }
    if (!marks.has(node)) marks.set(node, mark);
  }
  return (text, start) => {
    let node: number | undefined = 0;
    let found: FoundWord | undefined;
    let at = start;
    while (at < text.length) {
      node = branches.get(branchOf(node, text, at));
      at += 1;
      if (node === undefined) break;
      const mark = marks.get(node);
      if (mark !== undefined && mayEnd(text, at)) found = { mark, end: at };
    }
    spend(at - start);
    return found;
  };
}

/** Steps of adding a character to the tree. */
const branchSteps = 20;

const branchOf = (node: number, text: string, at: number) => node * 0x1_0000 + text.charCodeAt(at);
