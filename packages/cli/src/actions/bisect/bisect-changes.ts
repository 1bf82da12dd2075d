// Splits two environments into single differences that can be applied to a command, and lists those that cannot.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type Entry, findDifferences, kindOf, searchWeight, withNamesOf } from '@envsnap/compare/workspace';
import { printAddress } from '@envsnap/shared/address';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { isVariableName } from '@envsnap/shared/catalogue/variables/code-variables';
import { managedRuntimes } from '@envsnap/shared/catalogue/version-managers';
import { homeFolder } from '../../../plain/cache-folder.js';
import { groupOf, type Plan, type PlanDraft, type PlanInput, type Side } from './bisect-change.ts';
import { factChanges, variablesOf } from './bisect-facts.ts';
import { listChanges } from './bisect-lists.ts';
import { createValueReader, type ValueReader, valueRisk } from './bisect-values.ts';
import untriable from './untriable.json' with { type: 'json' };
import { markStrangerValues } from './value-trust.ts';

/** Finds the differences that can be tried. Looks for folders and programs here; changes nothing. */
export async function planChanges(given: PlanInput): Promise<Plan> {
  const input = { ...given, a: withNamesOf(given.a, given.b) };
  const values = createValueReader(input);
  const comparison = findDifferences(input.a, input.b, { showValues: true });
  const draft: PlanDraft = { changes: [], notTried: [], needs: comparison.needs };
  const differing = (entries: readonly Entry[] = []) =>
    entries.filter((entry) => entry.status !== 'same' && entry.unverified === undefined);
  const sections: Readonly<Record<string, readonly Entry[]>> = comparison.sections;
  for (const entry of differing(sections.env)) addVariable(draft, entry, values, input);
  for (const entry of differing(sections.paths)) await listChanges(draft, entry, values, input);
  const comesWith = ({ key }: Entry) => toolRow(key)?.comesWith;
  const runtimes = differing(sections.runtimes);
  for (const entry of runtimes.filter((each) => !comesWith(each)))
    await addRuntime(draft, entry, values, input);
  for (const entry of runtimes) {
    const name = comesWith(entry);
    // npm changes together with node.
    const isTaken = (section: string) =>
      draft.changes.some((each) => each.section === section && each.name === name);
    if (name !== undefined && !isTaken('runtimes')) await addRuntime(draft, entry, values, input);
  }
  await factChanges(draft, input);
  const handled = new Set([...draft.changes.map(({ id }) => id), ...draft.notTried.map(({ key }) => key)]);
  const unknown = [...(sections.env ?? []), ...(sections.paths ?? [])];
  const isSecret = 'its value is secret, so bisect does not know whether it differs';
  for (const { key, unverified } of unknown)
    if (unverified !== undefined && unverified !== 'names-only')
      draft.notTried.push({ key: keyOfVariable(key), reason: isSecret });
  // One entry for all of them, because the list would be long.
  const hasNoValues = 'one side was captured without values, so it is unknown which variables differ';
  if (unknown.some(({ unverified }) => unverified === 'names-only'))
    draft.notTried.push({ key: 'env', reason: hasNoValues });
  for (const [section, entries] of Object.entries(sections)) {
    const reason = (untriable as Readonly<Record<string, string>>)[section];
    if (reason === undefined) continue;
    for (const entry of differing(entries))
      if (!isHandled(handled, entry))
        draft.notTried.push({ key: printAddress({ section: entry.section, name: entry.key }), reason });
  }
  return markStrangerValues(draft, input);
}

/** Whether another change already includes it: TZ includes the time zone; LC_ALL or LANG the locale. */
function isHandled(handled: ReadonlySet<string>, { section, key }: Entry): boolean {
  const address = { section, name: key };
  const { apply } = kindOf(address);
  const keys = [printAddress(address), ...(section === 'env' ? [] : variablesOf(apply)).map(keyOfVariable)];
  return keys.some((each) => handled.has(each));
}

const keyOfVariable = (name: string): string => printAddress({ section: 'env', name });

function addVariable(draft: PlanDraft, entry: Entry, values: ValueReader, input: PlanInput): void {
  const name = entry.key;
  const id = keyOfVariable(name);
  // `.env:NAME`: programs that load such files keep variables that are already set.
  const variable = name.includes(':') ? name.slice(name.indexOf(':') + 1) : name;
  const [a, b] = [values.variable('a', name), values.variable('b', name)];
  const secret = a.kind === 'secret' ? a : b.kind === 'secret' ? b : undefined;
  const isInFile =
    variable !== name && (a.kind === 'absent' || b.kind === 'absent' || values.isSetHere(variable));
  const reason = !isVariableName(variable)
    ? 'this is not a valid name for a variable'
    : (secret?.reason ?? (isInFile ? 'a project file sets it' : undefined));
  if (reason !== undefined) {
    draft.notTried.push({ key: id, reason });
    return;
  }
  const isGone = a.kind === 'text' && path.isAbsolute(a.text) && !/[\s:]/.test(a.text) && !existsSync(a.text);
  const given = [a, ...(input.bIsLocal ? [] : [b])].filter((value) => value.kind === 'text');
  const risk = given
    .filter(({ text }) => text !== input.env[variable])
    .map(({ text }) => valueRisk(variable, text))
    .find((each) => each !== undefined);
  draft.changes.push({
    id,
    section: 'env',
    name,
    group: groupOf(variable),
    weight: searchWeight(entry, draft.needs, isGone),
    ...(isGone && { doubt: 'it names a path that does not exist here' }),
    ...(risk !== undefined && { risk }),
    texts: { a: values.text(name, a), b: values.text(name, b) },
    apply({ env }, side) {
      const value = side === 'a' ? a : b;
      if (value.kind === 'text') env[variable] = value.text;
      else delete env[variable];
    },
  });
}

/** A runtime and the folders of PATH that contain it on either side are one change. */
async function addRuntime(
  draft: PlanDraft,
  entry: Entry,
  values: ValueReader,
  input: PlanInput,
): Promise<void> {
  const { key, a, b } = entry;
  const id = printAddress({ section: 'runtimes', name: key });
  const versions = { a, b };
  // A stranger's PATH may name any programs, so only runtimes of this machine's version managers are used.
  const ownPath = (input.strangers?.size ?? 0) === 0;
  const inPath = draft.changes.filter(({ folder }) => {
    const version = folder && versions[folder.side];
    return version && ownPath ? isRuntimeFolder(folder.path, key, version) : false;
  });
  const folderOf = (side: Side) => {
    const version = versions[side];
    const isInPath = inPath.some(({ folder }) => folder?.side === side);
    return version === null || isInPath ? undefined : findInstalledRuntime(key, version, input.env);
  };
  const folders = { a: await folderOf('a'), b: input.bIsLocal ? undefined : await folderOf('b') };
  const isHere = (side: Side) =>
    folders[side] !== undefined || inPath.some(({ folder }) => folder?.side === side);
  const firstFolder = (side: Side) => {
    const list = values.variable(side, 'PATH');
    const entries = list.kind === 'text' ? list.text.split(path.delimiter) : [];
    return entries.find((folder) => existsSync(path.join(folder, key)));
  };
  // Without the folder of B's version, the program in the next folder runs.
  const next = !isHere('a') && inPath.length > 0 ? firstFolder('a') : undefined;
  const missing = a === null ? b : isHere('a') ? b : a;
  if (a === null || !(isHere('a') || next) || (!input.bIsLocal && !isHere('b'))) {
    const holder = draft.changes.find(({ folder }) => folder && folder.path === firstFolder(folder.side));
    if (holder?.folder) {
      const { side } = holder.folder;
      const texts = { ...holder.texts, [side]: `${holder.texts[side]}, which has ${key}` };
      if (holder.brings === undefined)
        draft.changes.splice(draft.changes.indexOf(holder), 1, { ...holder, texts, brings: key });
      return;
    }
    const reason =
      a === null ? `${key} cannot be hidden from a command` : `${key} ${missing} is not installed here`;
    draft.notTried.push({ key: id, reason });
    return;
  }
  const risk = inPath.find((change) => change.risk !== undefined)?.risk;
  for (const change of inPath) draft.changes.splice(draft.changes.indexOf(change), 1);
  draft.changes.push({
    id,
    section: 'runtimes',
    name: key,
    group: key === 'python3' ? 'python' : key,
    weight: searchWeight(entry, draft.needs),
    texts: {
      a: next === undefined ? `${key} ${a}` : `${key} of ${next}`,
      b: b === null ? `no ${key}` : `${key} ${b}`,
    },
    ...(risk !== undefined && { risk }),
    apply(setting, side) {
      for (const change of inPath) change.apply(setting, side);
      const folder = folders[side];
      if (folder !== undefined) setting.programs.push(folder);
    },
  });
}

/** The folder with the programs of an installed version; undefined if no manager has it here. */
async function findInstalledRuntime(
  runtime: string,
  version: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const manager of managedRuntimes) {
    if (!manager.runtimes.includes(runtime)) continue;
    const root = env[manager.rootVariable] || path.join(homeFolder(), manager.root);
    const folder = path.join(root, manager.versions);
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => isVersion(each, version));
    if (name !== undefined) return path.join(folder, name, manager.programs);
  }
  return undefined;
}

/** Whether a folder of programs belongs to this version of a runtime, by a part of its path and its program. */
function isRuntimeFolder(folder: string, runtime: string, version: string): boolean {
  return (
    folder.split(/[\\/]/).some((part) => isVersion(part, version)) && existsSync(path.join(folder, runtime))
  );
}

/** `v22.11.0`, `22.11.0`, `ruby-3.3.0`, `cpython-3.12.1-linux-x86_64-gnu`, `1.80.0-x86_64-unknown-linux-gnu`, `21.0.2-tem`. */
function isVersion(name: string, version: string): boolean {
  const bare = name.replace(/^(?:v|cpython-|ruby-|node-v?)/, '');
  return bare === version || bare.startsWith(`${version}-`);
}
