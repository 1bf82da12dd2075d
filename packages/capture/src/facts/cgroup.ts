// What the control groups of Linux allow this process: version 1 and 2, each group and those above it.

import type { FactReading, FactSources } from './fact-reader.ts';

interface Hierarchy {
  readonly version: 1 | 2;
  /** Folders of the process's group and those above it, as far as they are mounted here; nearest first. */
  readonly folders: readonly string[];
}

/** Numbers of version 1 that stand for no limit: multiples of a page near the largest number. */
const noLimit = 2 ** 62;

/** Readers of limits; the least of all groups above the process is what holds. */
export function createCgroup({ machine, mounts }: FactSources) {
  const { join } = machine.files.paths;

  const hierarchy = async (controller: string): Promise<Hierarchy | undefined> => {
    if (machine.platform !== 'linux') return undefined;
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
    // In a container the mount shows the container's own group as its root.
    const below = path.startsWith(mount.root) ? path.slice(mount.root.length) : path;
    const parts = below.split('/').filter((part) => part !== '' && part !== '..');
    const folders = parts.map((_, index) => join(mount.point, ...parts.slice(0, parts.length - index)));
    return { version: old ? 1 : 2, folders: [...folders, mount.point] };
  };

  const least = async (
    controller: string,
    read: (folder: string, version: 1 | 2) => Promise<number | undefined>,
  ): Promise<number | undefined> => {
    const found = await hierarchy(controller);
    if (!found) return undefined;
    const limits = await Promise.all(found.folders.map((folder) => read(folder, found.version)));
    const known = limits.filter((limit) => limit !== undefined);
    return known.length > 0 ? Math.min(...known) : undefined;
  };
  const number = async (file: string): Promise<number | undefined> => {
    const value = Number((await machine.files.text(file))?.trim() || Number.NaN);
    return Number.isFinite(value) && value >= 0 && value < noLimit ? value : undefined;
  };

  return {
    memory: (): Promise<FactReading> =>
      least('memory', (folder, version) =>
        number(join(folder, version === 1 ? 'memory.limit_in_bytes' : 'memory.max')),
      ),
    processes: (): Promise<FactReading> => least('pids', (folder) => number(join(folder, 'pids.max'))),
    /** Time in processors, with two decimals. */
    processors: (): Promise<FactReading> =>
      least('cpu', async (folder, version) => {
        const [quota, period] =
          version === 1
            ? [
                await number(join(folder, 'cpu.cfs_quota_us')),
                await number(join(folder, 'cpu.cfs_period_us')),
              ]
            : ((await machine.files.text(join(folder, 'cpu.max'))) ?? '').trim().split(' ').map(Number);
        if (!quota || !period || !Number.isFinite(quota)) return undefined;
        return Math.round((quota / period) * 100) / 100;
      }),
    version: async (): Promise<FactReading> => {
      if (machine.platform !== 'linux') return undefined;
      const types = new Set((await mounts.all()).map(({ type }) => type));
      if (types.has('cgroup')) return types.has('cgroup2') ? 'hybrid' : '1';
      return types.has('cgroup2') ? '2' : undefined;
    },
  };
}
