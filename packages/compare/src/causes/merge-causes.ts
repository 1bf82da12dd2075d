// Differences that are one cause are told as one: a Mac against Linux, a runtime and its package manager, a language.

import { companionsOf } from '@envsnap/shared/catalogue/companions';
import type { EnvironmentComparison, SectionName } from '../model/model.ts';
import { isUtc } from '../relevance/time-zone.ts';
import type { Cause } from './causes.ts';
import {
  basicToolKeys,
  causeFamilies,
  followersOfRuntimes,
  isOfFamily,
  placesOf,
  variableOfFact,
} from './one-cause.ts';
import type { SideNames } from './side-names.ts';

/** Merges causes that stand for one thing; the result is in no particular order. */
export function mergeCauses(
  causes: readonly Cause[],
  comparison: EnvironmentComparison,
  names: SideNames,
): Cause[] {
  const left = new Set(causes);
  const take = (test: (section: SectionName, key: string) => boolean): Cause[] => {
    const taken = [...left].filter(({ section, keys }) => keys.every((key) => test(section, key)));
    for (const cause of taken) left.delete(cause);
    return taken;
  };
  const [os, arch] = (['os', 'arch'] as const).map((name) => take((section) => section === name));
  const merged = [
    platform(os?.[0], arch?.[0], comparison, names),
    ...runtimes(left, take),
    ...causeFamilies.map((family) => together(take((section, key) => isOfFamily(family, section, key)))),
    basicTools(
      take((section, key) => section === 'facts' && basicToolKeys.test(key)),
      comparison,
      names,
    ),
  ].filter((cause) => cause !== undefined);
  return withRunner([...merged, ...withSetters(left)], comparison, names);
}

/** A Mac against Linux differs in both, and is one thing to a reader. */
function platform(
  os: Cause | undefined,
  arch: Cause | undefined,
  { a, b }: EnvironmentComparison,
  names: SideNames,
): Cause | undefined {
  if (!os || !arch) return os ?? arch;
  return {
    weight: Math.max(os.weight, arch.weight * 0.8),
    section: 'os',
    keys: [...os.keys, ...arch.keys],
    also: [{ section: 'arch', key: 'arch' }],
    what: `the platform is ${a.os} ${a.arch} ${names.a.at}, ${b.os} ${b.arch} ${names.b.at}`,
    advice: `install packages built for ${b.os} ${b.arch} ${names.b.at}, or run both on ${a.os} ${a.arch}`,
  };
}

/** A tool that comes with a runtime moves with it, and a declaration that is not met is told by the declaration. */
function runtimes(
  left: Set<Cause>,
  take: (test: (section: SectionName, key: string) => boolean) => Cause[],
): Cause[] {
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
    const family = Object.hasOwn(followersOfRuntimes, key) ? followersOfRuntimes[key] : undefined;
    const brought = family ? take((section, each) => isOfFamily(family, section, each)) : [];
    const all = [cause, ...followers, ...declared, ...brought];
    if (all.length === 1) continue;
    for (const each of all) left.delete(each);
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
      also: alsoOf(all, first.section),
    });
  }
  return merged;
}

/** The entries that a line tells beside those of its own section. */
function alsoOf(causes: readonly Cause[], own: SectionName): Cause['also'] {
  return causes.flatMap(placesOf).filter(({ section }) => section !== own);
}

/** The likeliest speaks for all; the keys are those of its section. */
function together(causes: readonly Cause[]): Cause | undefined {
  const all = [...causes].sort((x, y) => y.weight - x.weight);
  const [first] = all;
  if (!first || all.length === 1) return first;
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
      also: alsoOf(all, lead.section),
    };
  const also = others.flatMap(({ keys }) => keys);
  // Which language or zone follows says more than that a variable is set.
  if (shown && lead.section === 'env' && also.length === 0)
    return {
      ...lead,
      weight: first.weight,
      what: `${lead.what}: ${shown.what}`,
      advice: lead.advice.startsWith('set ') ? shown.advice : lead.advice,
      also: alsoOf(all, lead.section),
    };
  return {
    ...lead,
    weight: first.weight,
    keys: [...lead.keys, ...also],
    also: alsoOf(all, lead.section),
    what:
      also.length > 0
        ? `${lead.what}; ${also.join(', ')} ${also.length > 1 ? 'differ' : 'differs'} too`
        : lead.what,
  };
}

/** A fact that a variable sets is told with the variable, where that differs too. */
function withSetters(causes: ReadonlySet<Cause>): Cause[] {
  const variables = new Map<string, Cause>();
  for (const cause of causes) if (cause.section === 'env') variables.set(cause.keys[0] ?? '', cause);
  const groups = new Map<Cause, Cause[]>();
  for (const cause of causes) {
    const setter = cause.section === 'facts' ? variableOfFact(cause.keys[0] ?? '') : undefined;
    const lead = (setter === undefined ? undefined : variables.get(setter)) ?? cause;
    groups.set(lead, [...(groups.get(lead) ?? []), cause]);
  }
  return [...groups.values()].flatMap((group) => together(group) ?? []);
}

/** A runner of CI lives in UTC: both are what it is, and one run on the other machine tells whether either matters. */
function withRunner(
  causes: readonly Cause[],
  { sections }: EnvironmentComparison,
  names: SideNames,
): Cause[] {
  const find = (section: SectionName, key: string) =>
    causes.find((cause) => cause.section === section && cause.keys.length === 1 && cause.keys[0] === key);
  const [ci, zone] = [find('env', 'CI'), find('system', 'timezone')];
  const status = sections.env.find(({ key }) => key === 'CI')?.status;
  const zones = sections.system.find(({ key }) => key === 'timezone');
  if (!ci || !zone || !zones || (status !== 'added' && status !== 'removed')) return [...causes];
  const [runner, other, here, there] =
    status === 'added' ? [names.b, names.a, zones.b, zones.a] : [names.a, names.b, zones.a, zones.b];
  if (here === null || there === null || !isUtc(here) || isUtc(there)) return [...causes];
  return [
    ...causes.filter((cause) => cause !== ci && cause !== zone),
    {
      ...ci,
      weight: Math.max(ci.weight, zone.weight),
      what: `CI is set ${runner.at}, not ${other.at}, and the time zone is ${here}, not ${there}`,
      advice: `run it with CI=true and TZ=UTC ${other.at}, and see whether it ${status === 'added' ? 'fails' : 'works'} there too`,
      also: alsoOf([ci, zone], 'env'),
    },
  ];
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
