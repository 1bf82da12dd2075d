// Differences that are one cause are shown as one: a Mac against Linux, a runtime and its package manager, a language.

import type { SectionName } from '@envsnap/shared/address';
import { nameList } from '../model/list-text.ts';
import { type EnvironmentComparison, toolOfKey } from '../model/model.ts';
import { isUtc } from '../relevance/time-zone.ts';
import { type DraftCause, type Place, placesOfDraft } from './cause.ts';
import { dotenvPlace } from './cause-of-entry.ts';
import { familyOf, runtimeOf, variableOfFact } from './families.ts';
import type { SideNames } from './side-names.ts';

/** Merges causes that stand for one thing; the result is in no particular order. */
export function mergeCauses(
  causes: readonly DraftCause[],
  comparison: EnvironmentComparison,
  names: SideNames,
): DraftCause[] {
  const left = new Set(causes);
  const merged = [
    ...dotenvFiles(left, comparison, names),
    platform(left, comparison, names),
    ...runtimes(left),
    ...families(left, comparison, names),
  ];
  return withRunner(
    [...merged.filter((cause) => cause !== undefined), ...withSetters(left)],
    comparison,
    names,
  );
}

/** Removes the causes whose entries all pass a test. Causes of one entry each are what is merged. */
function take(left: Set<DraftCause>, test: (place: Place) => boolean): DraftCause[] {
  const taken = [...left].filter((cause) => placesOfDraft(cause).every(test));
  for (const cause of taken) left.delete(cause);
  return taken;
}

/** One cause for each family of which something differs. */
function families(
  left: Set<DraftCause>,
  comparison: EnvironmentComparison,
  names: SideNames,
): (DraftCause | undefined)[] {
  const byFamily = Map.groupBy(left, (cause) => familyOf(placesOfDraft(cause)[0] as Place));
  return [...byFamily].map(([family, members]) => {
    if (family === undefined) return undefined;
    for (const cause of members) left.delete(cause);
    return family === 'basic tools' ? basicTools(members, comparison, names) : together(members);
  });
}

/** A dotenv file that one side lacks altogether is missing, not each of its variables. */
function dotenvFiles(
  left: Set<DraftCause>,
  { sections }: EnvironmentComparison,
  names: SideNames,
): DraftCause[] {
  const fileOf = (key = '') => dotenvPlace(key)?.file;
  const kinds = Map.groupBy(sections.env, ({ key }) => fileOf(key));
  const byFile = Map.groupBy(left, ({ section, keys }) => (section === 'env' ? fileOf(keys[0]) : undefined));
  return [...byFile].flatMap(([file, causes]): DraftCause[] => {
    const [first, ...others] = [...causes].sort((x, y) => y.weight - x.weight);
    const isWhole = kinds.get(file)?.every(({ status }) => status === first?.kind);
    if (file === undefined || !first || others.length === 0 || first.kind === 'changed' || !isWhole)
      return [];
    for (const cause of causes) left.delete(cause);
    const keys = [first, ...others].flatMap((cause) => cause.keys);
    const variables = nameList(keys.map((key) => dotenvPlace(key)?.name ?? key));
    const [having, lacking] = first.kind === 'removed' ? [names.a, names.b] : [names.b, names.a];
    return [
      {
        ...first,
        keys,
        what: `${file} is ${having.at}, not ${lacking.at} (${variables})`,
        advice:
          first.kind === 'removed'
            ? `write ${file} ${lacking.at}, with what ${having.name} has in it`
            : `find out whether it runs without ${file} ${having.at}`,
      },
    ];
  });
}

/** A Mac against Linux differs in both, which a reader takes for one thing. */
function platform(
  left: Set<DraftCause>,
  { a, b }: EnvironmentComparison,
  names: SideNames,
): DraftCause | undefined {
  const [os] = take(left, ({ section }) => section === 'os');
  const [arch] = take(left, ({ section }) => section === 'arch');
  if (!os || !arch) return os ?? arch;
  return {
    weight: Math.max(os.weight, arch.weight * 0.8),
    section: 'os',
    kind: 'changed',
    keys: [...os.keys, ...arch.keys],
    also: [{ section: 'arch', key: 'arch' }],
    what: `the platform is ${a.os} ${a.arch} ${names.a.at}, ${b.os} ${b.arch} ${names.b.at}`,
    advice: `install packages built for ${b.os} ${b.arch} ${names.b.at}, or run both on ${a.os} ${a.arch}`,
  };
}

/** A tool that comes with a runtime moves with it, and a declaration that is not met is shown by the declaration. */
function runtimes(left: Set<DraftCause>): DraftCause[] {
  const merged: DraftCause[] = [];
  const byRuntime = Map.groupBy(left, (cause) => runtimeOf(placesOfDraft(cause)[0] as Place));
  for (const cause of [...left].filter(({ section }) => section === 'runtimes')) {
    if (!left.has(cause)) continue;
    const key = cause.keys[0] as string;
    const comesWith = (byRuntime.get(key) ?? []).filter((other) => left.has(other));
    const followers = comesWith.filter(
      ({ section, weight }) => section === 'runtimes' && weight <= cause.weight,
    );
    const declared = [...left].filter(
      (other) => other.section === 'toolchain' && other.keys.every((each) => toolOfKey(each) === key),
    );
    const brought = comesWith.filter(({ section }) => section !== 'runtimes');
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

/** The entries that a line shows beside those of its own section. */
function alsoOf(causes: readonly DraftCause[], own: SectionName): DraftCause['also'] {
  return causes.flatMap(placesOfDraft).filter(({ section }) => section !== own);
}

/** The likeliest stands for all; the keys are those of its section. */
function together(causes: readonly DraftCause[]): DraftCause | undefined {
  const all = [...causes].sort((x, y) => y.weight - x.weight);
  const [first] = all;
  if (!first || all.length === 1) return first;
  // A variable is what a person can set: it comes before what follows from it.
  const lead = all.find(({ section, weight }) => section === 'env' && weight >= first.weight * 0.5) ?? first;
  const others = all.filter((cause) => cause !== lead && cause.section === lead.section);
  const shown = all.find(({ section }) => section === 'system');
  const also = others.flatMap(({ keys }) => keys);
  const merged = {
    ...lead,
    weight: first.weight,
    keys: [...lead.keys, ...also],
    also: alsoOf(all, lead.section),
  };
  if (shown && lead.section === 'env') {
    // Values of variables are hidden; what follows from them is not.
    if (lead.hidesValues)
      return { ...merged, what: `${lead.keys.join(', ')}: ${shown.what}`, advice: shown.advice };
    // The language or zone that follows says more than the mere fact that a variable is set.
    if (also.length === 0 && lead.kind !== 'changed')
      return {
        ...merged,
        what: `${lead.what}: ${shown.what}`,
        advice: lead.kind === 'removed' ? shown.advice : lead.advice,
      };
  }
  const verb = also.length > 1 ? 'differ' : 'differs';
  return { ...merged, what: also.length > 0 ? `${lead.what}; ${also.join(', ')} ${verb} too` : lead.what };
}

/** A fact that a variable sets is shown with the variable, where that differs too. */
function withSetters(causes: ReadonlySet<DraftCause>): DraftCause[] {
  const variables = new Map<string, DraftCause>();
  for (const cause of causes) if (cause.section === 'env') variables.set(cause.keys[0] ?? '', cause);
  const groups = new Map<DraftCause, DraftCause[]>();
  for (const cause of causes) {
    const setter = cause.section === 'facts' ? variableOfFact(cause.keys[0] ?? '') : undefined;
    const lead = (setter === undefined ? undefined : variables.get(setter)) ?? cause;
    groups.set(lead, [...(groups.get(lead) ?? []), cause]);
  }
  return [...groups.values()].flatMap((group) => together(group) ?? []);
}

/** A CI runner is in UTC: both come with being one, and one run on the other machine shows whether either matters. */
function withRunner(
  causes: readonly DraftCause[],
  { sections }: EnvironmentComparison,
  names: SideNames,
): DraftCause[] {
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
  causes: readonly DraftCause[],
  comparison: EnvironmentComparison,
  names: SideNames,
): DraftCause | undefined {
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
