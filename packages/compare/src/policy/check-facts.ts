// Checks one fact of a machine against a policy, by the fact's kind. docs/specification.md §11.

import type { FactRow, FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factRow, factText } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { fitsRequirement } from '@envsnap/versions';
import type { Environment } from '../environment/environment.ts';
import type { Unplaced } from './policy.ts';

export function checkMachineFact(key: string, wanted: readonly string[], environment: Environment): Unplaced {
  const row = factRow(key);
  const holdsAll = row?.kind === 'set' || row?.kind === 'list';
  const expected = wanted.join(holdsAll ? ', ' : ' or ');
  const reason = environment.whyUnknown({ section: 'facts', name: key });
  const value = reason === undefined ? environment.fact(key) : undefined;
  const common = { rule: 'facts', key, expected } as const;
  if (value === undefined || row === undefined) {
    const message = `${key} is unknown on this machine${reason ? ` (${reason})` : ''}, expected ${expected}`;
    return { ...common, outcome: 'unknown', actual: null, message, advice: `check ${key} by hand` };
  }
  const actual = factText(value);
  if (holdsAll) {
    const lacking = wanted.filter((item) => !holds(value, item)).join(', ');
    // Lists are long, and the other items do not matter.
    const message = lacking === '' ? `${key} has ${expected}` : `${key} lacks ${lacking}`;
    const advice = `make sure that ${key} has ${lacking || expected}`;
    return { ...common, outcome: lacking === '' ? 'met' : 'violated', actual, message, advice };
  }
  const outcome = wanted.some((item) => fits(row, actual, item.trim())) ? 'met' : 'violated';
  const message = `${key} is ${actual}, expected ${expected}`;
  return { ...common, outcome, actual, message, advice: `set ${key} to ${expected}` };
}

function holds(value: FactValue, wanted: string): boolean {
  const items = typeof value === 'object' ? value : [String(value)];
  const named = wanted.trim().toLowerCase();
  return items.some((item) => item.toLowerCase() === named);
}

function fits(row: FactRow, actual: string, wanted: string): boolean {
  if (actual.toLowerCase() === wanted.toLowerCase()) return true;
  switch (row.kind) {
    case 'flag':
      return flag(actual) !== undefined && flag(actual) === flag(wanted);
    case 'number':
    case 'limit':
      return comparisonsHold(actual, wanted, amount);
    case 'version':
      return zoneRelease(actual) === undefined
        ? fitsRequirement(actual, wanted, 'generic') === true
        : comparisonsHold(actual, wanted, zoneRelease);
    default:
      return false;
  }
}

function flag(text: string): boolean | undefined {
  if (/^(?:true|yes|on)$/i.test(text)) return true;
  return /^(?:false|no|off)$/i.test(text) ? false : undefined;
}

const comparisons: Readonly<Record<string, (found: number, bound: number) => boolean>> = {
  '>=': (found, bound) => found >= bound,
  '<=': (found, bound) => found <= bound,
  '>': (found, bound) => found > bound,
  '<': (found, bound) => found < bound,
  '=': (found, bound) => found === bound,
};

/** `>=4096`, `>=1024 <65536`, `>=2 GiB`: every part must be met. */
function comparisonsHold(
  actual: string,
  wanted: string,
  read: (text: string) => number | undefined,
): boolean {
  const found = read(actual);
  const parts = wanted
    .replace(/([<>=])\s+/g, '$1')
    .replace(/(\d)\s+(?=(?:[kmgtp]i?b?|b)\b)/gi, '$1')
    .split(/\s+/);
  if (found === undefined) return false;
  return parts.every((part) => {
    const [, sign = '=', number = ''] = /^(>=|<=|>|<|=)?(.+)$/.exec(part) ?? [];
    const bound = read(number);
    return bound !== undefined && (comparisons[sign]?.(found, bound) ?? false);
  });
}

/** Releases of the time zone database are a year and a letter (`2025b`), which no version rule orders. */
function zoneRelease(text: string): number | undefined {
  const [, year, letter = ''] = /^(\d{4})([a-z]?)$/i.exec(text.trim()) ?? [];
  return year === undefined ? undefined : Number.parseInt(`${year}${letter || '0'}`, 36);
}

function amount(text: string): number | undefined {
  if (/^unlimited$/i.test(text)) return Number.POSITIVE_INFINITY;
  const [, number, prefix = '', binary] =
    /^(\d+(?:\.\d+)?)\s*(?:([kmgtp])(i)?)?b?$/i.exec(text.replaceAll('_', '')) ?? [];
  if (number === undefined) return undefined;
  return Number(number) * (binary ? 1024 : 1000) ** ' kmgtp'.indexOf(prefix.toLowerCase() || ' ');
}
