// Differences that are one cause are told as one: a Mac against Linux, a runtime and its package manager, a language.

import { companionsOf } from '@envsnap/shared/catalogue/companions';
import type { EnvironmentComparison, SectionName } from '../model/model.ts';
import type { Cause } from './causes.ts';
import type { SideNames } from './side-names.ts';

/** Merges causes that stand for one thing; the result is in no particular order. */
export function mergeCauses(
  causes: readonly Cause[],
  comparison: EnvironmentComparison,
  names: SideNames,
): Cause[] {
  const left = new Set(causes);
  const take = (section: SectionName, test: (key: string) => boolean): Cause[] => {
    const taken = [...left].filter((cause) => cause.section === section && cause.keys.every(test));
    for (const cause of taken) left.delete(cause);
    return taken;
  };
  const merged = [
    platform(
      take('os', () => true),
      take('arch', () => true),
      comparison,
      names,
    ),
    ...runtimes(left),
    together(
      take('env', isLanguageVariable),
      take('system', (key) => key === 'locale'),
      take('facts', isLanguageFact),
    ),
    together(
      take('env', (key) => key === 'TZ'),
      take('system', (key) => key === 'timezone'),
      take('facts', (key) => key === 'time.localtime'),
    ),
    together(
      take('env', isProxyVariable),
      take('facts', (key) => key === 'net.proxies'),
    ),
    basicTools(
      take('facts', (key) => key.startsWith('program.')),
      comparison,
      names,
    ),
  ];
  return [...merged.filter((cause) => cause !== undefined), ...left];
}

/** A Mac against Linux differs in both, and is one thing to a reader. */
function platform(
  [os]: Cause[],
  [arch]: Cause[],
  { a, b }: EnvironmentComparison,
  names: SideNames,
): Cause | undefined {
  if (!os || !arch) return os ?? arch;
  return {
    weight: Math.max(os.weight, arch.weight * 0.8),
    section: 'os',
    keys: [...os.keys, ...arch.keys],
    what: `the platform is ${a.os} ${a.arch} ${names.a.at}, ${b.os} ${b.arch} ${names.b.at}`,
    advice: `install packages built for ${b.os} ${b.arch} ${names.b.at}, or run both on ${a.os} ${a.arch}`,
  };
}

/** A tool that comes with a runtime moves with it, and a declaration that is not met is told by the declaration. */
function runtimes(left: Set<Cause>): Cause[] {
  const byKey = new Map(
    [...left]
      .filter(({ section }) => section === 'runtimes')
      .map((cause) => [cause.keys[0] as string, cause]),
  );
  const merged: Cause[] = [];
  for (const [key, cause] of byKey) {
    const companions = companionsOf(key).flatMap((name) => byKey.get(name) ?? []);
    if (!left.has(cause)) continue;
    const followers = companions.filter((other) => left.has(other) && other.weight <= cause.weight);
    const declared = [...left].filter(
      (other) =>
        other.section === 'toolchain' && other.keys.every((each) => each.replace(/ \(.*$/, '') === key),
    );
    if (followers.length + declared.length === 0) continue;
    for (const each of [cause, ...followers, ...declared]) left.delete(each);
    const lead = [...declared].sort((x, y) => y.weight - x.weight)[0];
    const first = lead && lead.weight >= cause.weight ? lead : cause;
    const also = followers.flatMap(({ keys }) => keys);
    merged.push({
      ...first,
      keys:
        first.section === 'runtimes'
          ? [...cause.keys, ...also]
          : [...new Set(declared.flatMap(({ keys }) => keys))],
      what: also.length > 0 ? `${first.what}, and ${also.join(' and ')} with it` : first.what,
    });
  }
  return merged;
}

function isLanguageVariable(key: string): boolean {
  return /^(?:LANG|LANGUAGE|LC_(?:ALL|CTYPE|COLLATE|NUMERIC|TIME|MESSAGES|MONETARY))$/.test(key);
}

function isLanguageFact(key: string): boolean {
  return key === 'locale.categories';
}

function isProxyVariable(key: string): boolean {
  return /^(?:https?|all|no|ftp)_proxy$/i.test(key);
}

/** The likeliest speaks for all; the keys are those of its section. */
function together(...groups: readonly (readonly Cause[])[]): Cause | undefined {
  const all = groups.flat().sort((x, y) => y.weight - x.weight);
  const [first] = all;
  if (!first) return undefined;
  // A variable is what a person can set: it speaks before what follows from it.
  const lead = all.find(({ section, weight }) => section === 'env' && weight >= first.weight * 0.5) ?? first;
  const others = all.filter((cause) => cause !== lead && cause.section === lead.section);
  // Values of variables are hidden; what follows from them is not.
  const shown = all.find(({ section }) => section === 'system');
  if (shown && lead.section === 'env' && lead.what.includes(' has another value '))
    return {
      ...lead,
      weight: first.weight,
      what: `${lead.keys.join(', ')}: ${shown.what}`,
      advice: shown.advice,
      keys: [...lead.keys, ...others.flatMap(({ keys }) => keys)],
    };
  const also = others.flatMap(({ keys }) => keys);
  return {
    ...lead,
    weight: first.weight,
    keys: [...lead.keys, ...also],
    what:
      also.length > 0
        ? `${lead.what}; ${also.join(', ')} ${also.length > 1 ? 'differ' : 'differs'} too`
        : lead.what,
  };
}

/** `sed, find and date are GNU on ci-runner, BSD on anna-mbp` */
function basicTools(
  causes: readonly Cause[],
  comparison: EnvironmentComparison,
  names: SideNames,
): Cause | undefined {
  const sorted = [...causes].sort((x, y) => y.weight - x.weight);
  const [first] = sorted;
  if (!first || sorted.length === 1) return first;
  const keys = sorted.flatMap((cause) => cause.keys);
  const entries = comparison.sections.facts.filter((entry) => keys.includes(entry.key));
  const flavours = (side: 'a' | 'b') =>
    [...new Set(entries.map((entry) => entry[side] ?? 'unknown'))].join(' or ');
  const tools = entries.map((entry) => entry.key.slice('program.'.length));
  return {
    ...first,
    keys,
    what: `${listed(tools)} are ${flavours('a')} ${names.a.at}, ${flavours('b')} ${names.b.at}`,
    advice: `write scripts that both understand, or install the tools of ${names.a.name} ${names.b.at}`,
  };
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
