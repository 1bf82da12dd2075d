// Compares the facts of two machines (`metadata.facts`), each by the kind that its row of the catalogue names. docs/specification.md §11.

import { type Ecosystem, ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import type { FactRow, FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factRow, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { type Distance, versionDistance } from '@envsnap/versions';
import { factsOf, factValue } from './metadata-facts.ts';
import type { ComparableEnvironment, ComparisonNote, Entry, ListChange } from './model.ts';
import { compareLists } from './ordered-list.ts';

/** The facts of two machines side by side. What only one side can know (another system, an older capture) is left out. */
export function compareFacts(a: ComparableEnvironment, b: ComparableEnvironment): Entry[] {
  const left = factsOf(a);
  const right = factsOf(b);
  if (left === undefined || right === undefined) return [];
  const ecosystems = usedEcosystems(a, b);
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(left), sortedKeys(right), (key) => {
    const valueA = factValue(left, key, a.os);
    const valueB = factValue(right, key, b.os);
    if (valueA === undefined || valueB === undefined) return;
    const row = factRow(key);
    const textA = factText(valueA);
    const textB = factText(valueB);
    const list = row && listChange(row, valueA, valueB);
    const equal = row?.kind === 'set' || row?.kind === 'list' ? list === undefined : textA === textB;
    entries.push({
      section: 'facts',
      key,
      status: statusOf(true, true, equal),
      a: textA,
      b: textB,
      distance: equal ? null : factDistance(row, textA, textB),
      ...(list && { list }),
      ...(row && canCount(row, ecosystems) && isNoticed(row, valueA, valueB)
        ? {}
        : { context: true as const }),
    });
  });
  return entries;
}

/** Reported where one side was captured without facts: then none of them is compared. */
export function factNotes(a: ComparableEnvironment, b: ComparableEnvironment): ComparisonNote[] {
  const missing = [factsOf(a) === undefined ? 'A' : '', factsOf(b) === undefined ? 'B' : ''].filter(Boolean);
  if (missing.length !== 1) return [];
  return [
    {
      code: 'facts_one_side',
      message: `${missing[0]} was captured without facts (limits, tool configuration, kernel settings), so they are not compared.`,
    },
  ];
}

/** A missing list is an empty one: its text (`none`) is for the reader only. */
function listChange(row: FactRow, a: FactValue, b: FactValue): ListChange | undefined {
  if (row.kind !== 'set' && row.kind !== 'list') return undefined;
  const items = (value: FactValue): readonly string[] => {
    if (typeof value !== 'object') return [];
    return row.kind === 'set' ? [...new Set(value)] : value;
  };
  const change = compareLists(items(a), items(b));
  if (change === undefined || row.kind === 'list') return change;
  return change.added.length + change.removed.length === 0 ? undefined : { ...change, moved: [] };
}

/** The kernel computes some limits from the memory: machines of one kind differ slightly in them. */
const limitTolerance = 0.1;

/** Unknown facts never count, nor do those of ecosystems that the project does not use. */
function canCount({ counts, ecosystems }: FactRow, used: ReadonlySet<Ecosystem>): boolean {
  return counts !== 'never' && (ecosystems?.some((ecosystem) => used.has(ecosystem)) ?? true);
}

/** False for differences in a limit that no program notices. */
function isNoticed({ kind }: FactRow, a: FactValue, b: FactValue): boolean {
  if (kind !== 'limit' || typeof a !== 'number' || typeof b !== 'number') return true;
  return Math.abs(a - b) > limitTolerance * Math.max(a, b);
}

function factDistance(row: FactRow | undefined, a: string, b: string): Distance {
  return (row?.kind === 'version' && versionDistance(a, b, 'generic')) || 'other';
}

function usedEcosystems(a: ComparableEnvironment, b: ComparableEnvironment): ReadonlySet<Ecosystem> {
  const files = [a, b].flatMap((side) => Object.keys(side.dependencies ?? {}));
  return new Set(files.map(ecosystemOfFile));
}
