// Limits that Linux control groups (versions 1 and 2) set for this process: its own group and those above it.

import type { FactReading, FactSources } from './fact-reader.ts';

interface Hierarchy {
  readonly version: 1 | 2;
  /** Folders of the process's group and those above it, as far as they are mounted here; nearest first. */
  readonly folders: readonly string[];
}

/** Version 1 writes "no limit" as a multiple of a page near the largest number. */
const noLimit = 2 ** 62;

/** The folders of a controller's groups; undefined if it is not mounted. */
async function hierarchyOf(
  { machine, mounts }: FactSources,
  controller: string,
): Promise<Hierarchy | undefined> {
  const { join } = machine.files.paths;
  const groups = ((await machine.files.text('/proc/self/cgroup')) ?? '')
    .split('\n')
    .map((line) => line.split(':'));
  const mounted = await mounts.all();
  const old = mounted.find(({ type, options }) => type === 'cgroup' && options.includes(controller));
  const unified = mounted.find(({ type }) => type === 'cgroup2');
  const mount = old ?? unified;
  if (!mount) return undefined;
  const group = groups.find(([id, names = '']) =>
    old ? names.split(',').includes(controller) : id === '0' && names === '',
  );
  const path = group?.slice(2).join(':') ?? '/';
  // In a container, the root of the mount is the container's own group.
  const below = path.startsWith(mount.root) ? path.slice(mount.root.length) : path;
  const parts = below.split('/').filter((part) => part !== '' && part !== '..');
  const folders = parts.map((_, index) => join(mount.point, ...parts.slice(0, parts.length - index)));
  return { version: old ? 1 : 2, folders: [...folders, mount.point] };
}

/** The smallest limit of the process's group and those above it: bytes, processes, or processors with two decimals. */
export async function cgroupLimit(
  sources: FactSources,
  controller: 'memory' | 'pids' | 'cpu',
): Promise<FactReading> {
  const { files } = sources.machine;
  const found = await hierarchyOf(sources, controller);
  if (!found) return undefined;
  const isOld = found.version === 1;
  const number = async (folder: string, file: string): Promise<number | undefined> => {
    const value = Number((await files.text(files.paths.join(folder, file)))?.trim() || Number.NaN);
    return Number.isFinite(value) && value >= 0 && value < noLimit ? value : undefined;
  };
  const readers = {
    memory: (folder: string) => number(folder, isOld ? 'memory.limit_in_bytes' : 'memory.max'),
    pids: (folder: string) => number(folder, 'pids.max'),
    cpu: async (folder: string) => {
      const [quota, period] = isOld
        ? [await number(folder, 'cpu.cfs_quota_us'), await number(folder, 'cpu.cfs_period_us')]
        : ((await files.text(files.paths.join(folder, 'cpu.max'))) ?? '').trim().split(' ').map(Number);
      if (!quota || !period || !Number.isFinite(quota)) return undefined;
      return Math.round((quota / period) * 100) / 100;
    },
  };
  const limits = await Promise.all(found.folders.map(readers[controller]));
  const known = limits.filter((limit) => limit !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

export async function cgroupVersion({ mounts }: FactSources): Promise<FactReading> {
  const types = new Set((await mounts.all()).map(({ type }) => type));
  if (types.has('cgroup')) return types.has('cgroup2') ? 'hybrid' : '1';
  return types.has('cgroup2') ? '2' : undefined;
}
