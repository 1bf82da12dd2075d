// What a person needs to know of packages that are not as locked: who depends on them, and where they lie. Read only where
// something drifted.

import { isPlainObject, recordOf } from '@envsnap/shared/plain-object';
import { type Drift, type LockPlace, readJsonObject } from './drift.ts';

/** `metadata.drift`: by lock file, of the packages in `metadata.installed`. */
export interface DriftContext {
  /** Package to those that depend on it, at most three of them. */
  readonly requiredBy: Readonly<Record<string, readonly string[]>>;
  /** Package to its folder relative to the lock file, where it has one only. */
  readonly folders: Readonly<Record<string, string>>;
}

const maxPackages = 50;
const maxDependents = 3;
const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/** Explains packages that npm locked, whose lock file says who depends on whom; elsewhere at most where they lie. */
export async function explainDrift(
  place: LockPlace,
  drift: Drift,
  direct: readonly string[],
  folderOf?: (place: LockPlace) => Promise<string | undefined>,
): Promise<DriftContext | undefined> {
  const { machine, path } = place;
  const folder = await folderOf?.(place);
  if (folder !== undefined)
    return {
      requiredBy: {},
      folders: Object.fromEntries([...drift.keys()].slice(0, maxPackages).map((name) => [name, folder])),
    };
  const lock = path.endsWith('.json') ? await readJsonObject(machine, path) : undefined;
  if (!isPlainObject(lock?.packages)) return undefined;
  const asked = new Set(direct);
  const isDirect = (name: string) => Number(asked.has(name));
  const names = [...drift.keys()].sort((a, b) => isDirect(b) - isDirect(a) || (a < b ? -1 : 1));
  const shown = new Set(names.slice(0, maxPackages));
  // Without a prototype: packages are called `constructor` too.
  const requiredBy: Record<string, string[]> = Object.create(null);
  const folders = new Map<string, string[]>();
  for (const [key, entry] of Object.entries(lock.packages)) {
    const own = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1];
    if (own === undefined) continue;
    if (shown.has(own)) folders.set(own, [...(folders.get(own) ?? []).slice(0, 1), key]);
    for (const name of kinds.flatMap((kind) => Object.keys(recordOf(recordOf(entry)[kind])))) {
      if (!shown.has(name)) continue;
      requiredBy[name] ??= [];
      const dependents = requiredBy[name];
      if (dependents.length < maxDependents && !dependents.includes(own)) dependents.push(own);
    }
  }
  const single = [...folders].flatMap(([name, [key = '', other]]) =>
    other === undefined ? [[name, key]] : [],
  );
  return { requiredBy, folders: Object.fromEntries(single) };
}
