// What a row of the catalogue of facts says about counting and weight, in words for the reference page.

import type { Condition, FactRow, FactWeight, WeightCase } from './fact.ts';

/** What the pages of reference say of a difference that each person may have as they like. */
export const personalText = 'and the project mentions it or a failure is being explained';

/** When a difference in the fact counts by default: `yes`, `no`, or the condition. */
export function countsText({ counts, ecosystems, ofArchitecture, personal }: FactRow): string {
  if (counts === 'never') return 'no';
  const conditions = [
    ...(ecosystems ? [`in projects of ${ecosystems.join(', ')}`] : []),
    ...(counts === 'always' ? [] : [conditionText(counts)]),
    ...(ofArchitecture ? ['on one architecture'] : []),
    ...(personal ? [personalText] : []),
  ];
  return conditions.length === 0 ? 'yes' : conditions.join(', ');
}

function conditionText(condition: Condition): string {
  switch (condition.when) {
    case 'asked for':
      return 'with `--fail-on facts`';
    case 'less':
      return `if B has less than A${condition.than === undefined ? '' : `, and less than ${condition.than}`}`;
    case 'lacks item':
      return `if B lacks one of ${condition.of.join(', ')}`;
    case 'lacks locale in use':
      return 'if B lacks a locale that A or B runs in';
    case 'item with':
      return `if an item with ${alternatives(condition.words)} differs`;
    case 'one distribution':
      return 'on one release of one distribution';
    case 'either is':
      return `if A or B has ${condition.value}`;
    case 'not both among':
      return `unless both are among ${condition.usual.join(', ')}`;
    case 'none on one side':
      return 'if A or B has none at all';
    case 'some on both sides':
      return 'if A and B have one';
    case 'busybox on one side':
      return 'if one is BusyBox’s, on one operating system';
    case 'other release':
      return 'on another release of one Linux distribution';
    case 'older':
      return `if B has another one, or one that is ${condition.byReleases} releases older and a failure is being explained`;
    case 'uses':
      return `if the project asks for ${alternatives(condition.tools)}`;
    case 'not sizes alone':
      return 'unless they differ in memory or jobs only';
    case 'other zone':
      return 'unless both name one zone';
    case 'other language':
      return 'unless both are one language, or English in UTF-8';
  }
}

/** How likely a difference is a cause: a class, or what its cases say. */
export function weightText(weight: FactWeight): string {
  if (typeof weight === 'string') return weight;
  return weight
    .map((each, place) => {
      const condition = caseText(each);
      return condition === '' ? `${place === 0 ? '' : 'else '}${each.weight}` : `${each.weight} ${condition}`;
    })
    .join('; ');
}

function caseText({ a, b, enough, counted, uses, distance, oneSide, utc }: WeightCase): string {
  const parts = [
    ...(a === undefined ? [] : [`A has ${a}`]),
    ...(b === undefined ? [] : [`B has ${alternatives([b].flat())}`]),
    ...(enough ? ['B has as much'] : []),
    ...(counted === undefined ? [] : [counted ? 'it counts' : 'it does not count']),
    ...(uses === undefined ? [] : [`the project uses ${alternatives(uses)}`]),
    ...(distance === undefined ? [] : [`it is a ${distance} version apart`]),
    ...(oneSide ? ['one side has none'] : []),
    ...(utc ? ['one side is in UTC'] : []),
  ];
  return parts.length === 0 ? '' : `if ${parts.join(' and ')}`;
}

function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
