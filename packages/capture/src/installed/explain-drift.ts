// What a person needs to know of packages that are not as locked: who depends on them, and where they lie. Read only where
// something drifted.

import { isPlainObject } from '@envsnap/shared/plain-object';
import { type Drift, type LockPlace, readJsonObject } from './drift.ts';

/** `metadata.drift`: by lock file, of the packages in `metadata.installed`. */
export interface DriftContext {
  /** Package to those that depend on it, at most three of them. */
  readonly requiredBy: Readonly<Record<string, readonly string[]>>;
  /** Package to its folder relative to the lock file, where it has one only. */
  readonly folders: Readonly<Record<string, string>>;
}

/** Packages that are explained, and dependents that are named. */
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
  const names = [...drift.keys()].sort(
    (a, b) => Number(asked.has(b)) - Number(asked.has(a)) || (a < b ? -1 : 1),
  );
  const shown = new Set(names.slice(0, maxPackages));
  const requiredBy: Record<string, string[]> = {};
  const folders = new Map<string, string[]>();
  for (const [key, entry] of Object.entries(lock.packages)) {
    const own = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1];
    if (own !== undefined && shown.has(own)) {
      const known = folders.get(own);
      if (!known) folders.set(own, [key]);
      else if (known.length === 1) known.push(key);
    }
    if (own === undefined || !isPlainObject(entry)) continue;
    for (const kind of kinds) {
      for (const name of Object.keys(isPlainObject(entry[kind]) ? entry[kind] : {})) {
        if (!shown.has(name)) continue;
        const dependents = requiredBy[name] ?? [];
        requiredBy[name] = dependents;
        if (dependents.length < maxDependents && !dependents.includes(own)) dependents.push(own);
      }
    }
  }
  return {
    requiredBy,
    folders: Object.fromEntries(
      [...folders].flatMap(([name, keys]) => (keys.length === 1 ? [[name, keys[0] as string]] : [])),
    ),
  };
}
