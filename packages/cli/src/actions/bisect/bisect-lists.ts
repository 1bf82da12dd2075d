// Differences in path lists: each folder that only one side has, and the order of the common folders.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { mixLists } from '@envsnap/compare/diagnosis';
import { type Entry, searchWeight } from '@envsnap/compare/workspace';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { type Change, groupOf, type PlanDraft, type PlanInput, type Side } from './bisect-change.ts';
import type { Mix, RunSetting } from './bisect-setting.ts';
import { expandPlaces, isSearchPath, type ValueReader, valueRisk } from './bisect-values.ts';

/** Maximum number of folders of a list that are tried one by one. */
const mostEntries = 500;

export async function listChanges(
  draft: PlanDraft,
  entry: Entry,
  values: ValueReader,
  input: PlanInput,
): Promise<void> {
  const name = entry.key;
  const [a, b] = [values.variable('a', name), values.variable('b', name)];
  const id = `env:${name}`;
  const leaveOut = (reason: string) => void draft.notTried.push({ key: id, reason });
  if (a.kind === 'secret' || b.kind === 'secret') return leaveOut('its value was left out of the capture');
  const list = { a: split(a.kind === 'text' ? a.text : ''), b: split(b.kind === 'text' ? b.text : '') };
  if (Math.max(list.a.length, list.b.length) > mostEntries)
    return leaveOut(`it has more than ${mostEntries} folders`);
  // A folder that does not exist here has no program to find.
  const gone = list.a.filter(
    (entry) => !list.b.includes(entry) && path.isAbsolute(entry) && !existsSync(entry),
  );
  if (gone.length > 0 && name !== 'CLASSPATH')
    leaveOut(`${gone.length === 1 ? `${gone[0]} does` : `${gone.length} of its folders do`} not exist here`);
  const usable = list.a.filter((entry) => !gone.includes(entry));
  const onlyA = usable.filter((entry) => !list.b.includes(entry));
  // Folders that were added only to start this program are ignored.
  const recorded = input.bIsLocal
    ? split(expandPlaces(input.local.envVars?.[name] ?? '', input.checkout))
    : list.b;
  const onlyB = list.b.filter((entry) => !list.a.includes(entry) && recorded.includes(entry));
  const common = usable.filter((entry) => list.b.includes(entry));
  const orderDiffers = common.join('\n') !== list.b.filter((entry) => common.includes(entry)).join('\n');
  const lists = {
    a: usable,
    b: input.bIsLocal ? list.b : list.b.filter((entry) => existsSync(entry) || !path.isAbsolute(entry)),
  };
  const here = split(input.env[name] ?? '');
  const riskOf = (entries: readonly string[]) =>
    entries
      .filter((entry) => !here.includes(entry))
      .map((entry) => valueRisk(name, entry))
      .find((each) => each !== undefined);
  // Every change writes B's list, which may come from a stored snapshot.
  const riskOfB = riskOf(lists.b);
  const change = (
    suffix: string,
    texts: Change['texts'],
    pick: (mix: Mix) => void,
    risk = riskOfB,
  ): Change => ({
    id: suffix === '' ? id : `${id} ${suffix}`,
    section: 'paths',
    name,
    group: groupOf(name) === id ? `paths:${name}` : groupOf(name),
    weight: searchWeight(entry, draft.needs),
    texts,
    ...(risk !== undefined && { risk }),
    apply(setting, side) {
      applyMix(setting, name, side, lists, pick);
    },
  });
  for (const entry of onlyA) {
    const texts = { a: `${entry} in ${name}`, b: `no ${entry} in ${name}` };
    draft.changes.push({
      ...change(`+${entry}`, texts, (mix) => mix.inserted.add(entry), riskOf([entry])),
      folder: { path: entry, side: 'a' },
    });
  }
  // A's other folders do not exist here, so a removal may take away programs that A has.
  const doubt = gone.length > 0 ? { doubt: `A has folders in ${name} that do not exist here` } : {};
  for (const entry of onlyB) {
    const texts = { a: `no ${entry} in ${name}`, b: `${entry} in ${name}` };
    const folder = { path: entry, side: 'b' } as const;
    draft.changes.push({ ...change(`-${entry}`, texts, (mix) => mix.removed.add(entry)), ...doubt, folder });
  }
  if (orderDiffers) {
    const inB = list.b.filter((entry) => common.includes(entry));
    const texts = await orderTexts(name, common, inB);
    draft.changes.push(change('order', texts, (mix) => (mix.orderOfA = true)));
  }
}

/** Maximum number of folders of a list, and of programs of a folder, that are searched for hidden programs. */
const [mostFolders, mostPrograms] = [40, 5_000];

/** Names two folders whose order differs; for PATH, two with a program in common if possible. */
async function orderTexts(
  name: string,
  inA: readonly string[],
  inB: readonly string[],
): Promise<Readonly<Record<Side, string>>> {
  const turned = inA.flatMap((first, place) =>
    inA
      .slice(place + 1)
      .filter((second) => inB.indexOf(second) < inB.indexOf(first))
      .map((second) => [first, second] as const),
  );
  const shadowed = isSearchPath(name) ? await findShadowed(turned) : undefined;
  const [first, second] = shadowed?.pair ?? turned[0] ?? ['', ''];
  const both = shadowed === undefined ? '' : `, which both have ${shadowed.program}`;
  return {
    a: `${first} before ${second} in ${name}${both}`,
    b: `${second} before ${first} in ${name}${both}`,
  };
}

/** The first pair that has a program in common; a language or a tool before other programs. */
async function findShadowed(pairs: readonly (readonly [string, string])[]) {
  const programs = new Map<string, ReadonlySet<string>>();
  for (const folder of [...new Set(pairs.flat())].slice(0, mostFolders)) {
    const names = await readdir(folder).catch(() => []);
    programs.set(folder, new Set(names.slice(0, mostPrograms)));
  }
  const found = pairs.flatMap((pair) => {
    const [first, second] = pair.map((folder) => programs.get(folder) ?? new Set<string>());
    const common = [...(first ?? [])].filter((program) => second?.has(program)).sort();
    const known = common.find((program) => toolRow(program) !== undefined);
    const program = known ?? common[0];
    return program === undefined ? [] : [{ pair, program, isKnown: known !== undefined }];
  });
  return found.find(({ isKnown }) => isKnown) ?? found[0];
}

function applyMix(
  setting: RunSetting,
  name: string,
  side: Side,
  lists: Readonly<Record<Side, readonly string[]>>,
  pick: (mix: Mix) => void,
): void {
  const mix = setting.mixes.get(name) ?? { inserted: new Set(), removed: new Set(), orderOfA: false };
  setting.mixes.set(name, mix);
  if (side === 'a') pick(mix);
  const mixed = mixLists(lists.a, lists.b, mix);
  if (mixed.length > 0) setting.env[name] = mixed.join(path.delimiter);
  else delete setting.env[name];
}

function split(value: string): string[] {
  return value === '' ? [] : [...new Set(value.split(path.delimiter))];
}
