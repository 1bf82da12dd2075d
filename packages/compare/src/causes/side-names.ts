// Names the two sides in sentences: as the caller named them, or by their machines if these differ, or A and B.

import type { EnvironmentComparison } from '../model/model.ts';

export interface SideName {
  readonly name: string;
  readonly at: string;
}

export interface SideNames {
  readonly a: SideName;
  readonly b: SideName;
}

/** With longer machine names, sentences become unreadable. */
const longestName = 40;

export function sideNames({ a, b }: Pick<EnvironmentComparison, 'a' | 'b'>): SideNames {
  if (a.at !== undefined && b.at !== undefined)
    return { a: { name: a.label, at: a.at }, b: { name: b.label, at: b.at } };
  const usable = (name: string) =>
    name.length > 0 && name.length <= longestName && !/[\s\p{Cc}\p{Cf}$`;|&()'"!<>]/u.test(name);
  if (a.machineName === b.machineName || !usable(a.machineName) || !usable(b.machineName)) {
    return { a: { name: 'A', at: 'in A' }, b: { name: 'B', at: 'in B' } };
  }
  return {
    a: { name: a.machineName, at: `on ${a.machineName}` },
    b: { name: b.machineName, at: `on ${b.machineName}` },
  };
}

export function otherOf(side: 'a' | 'b'): 'a' | 'b' {
  return side === 'a' ? 'b' : 'a';
}
