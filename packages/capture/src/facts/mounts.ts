// Mounted file systems: which one holds a path, its type and its options.

import type { CapturedMachine } from '../system/machine.ts';

export interface Mount {
  readonly point: string;
  /** The folder of the file system that is mounted. */
  readonly root: string;
  readonly type: string;
  /** Options of the mount and of the file system, such as `noexec`, `ro`, `size=65536k`. */
  readonly options: readonly string[];
}

export interface Mounts {
  all(): Promise<readonly Mount[]>;
  /** The mount that holds a path: the one with the longest mount point above it; of several, the last. */
  holding(path: string): Promise<Mount | undefined>;
}

/** The mounts of this machine. Linux lists them in a file, macOS prints them with a program. */
export function createMounts(machine: CapturedMachine): Mounts {
  const list = async (): Promise<Mount[]> => {
    if (machine.platform === 'linux')
      return parseMountInfo((await machine.files.text('/proc/self/mountinfo')) ?? '');
    if (machine.platform !== 'darwin') return [];
    const { outcome, stdout } = await machine.execute('/sbin/mount', []);
    return outcome === 'exited' ? parseMacMounts(stdout) : [];
  };
  let listed: Promise<Mount[]> | undefined;
  const all = (): Promise<Mount[]> => {
    listed ??= list();
    return listed;
  };
  return {
    all,
    holding: async (path: string): Promise<Mount | undefined> => {
      const real = (await machine.files.realPath(path)) ?? path;
      let best: Mount | undefined;
      for (const mount of await all()) {
        const above = mount.point === '/' || real === mount.point || real.startsWith(`${mount.point}/`);
        if (above && (!best || mount.point.length >= best.point.length)) best = mount;
      }
      return best;
    },
  };
}

/** https://docs.kernel.org/filesystems/proc.html#proc-pid-mountinfo-information-about-mounts */
function parseMountInfo(text: string): Mount[] {
  return text.split('\n').flatMap((line): Mount[] => {
    const [front = '', back = ''] = line.split(' - ');
    const [, , , root = '', point = '', options = ''] = front.split(' ');
    const [type = '', , superOptions = ''] = back.split(' ');
    if (type === '') return [];
    return [
      {
        point: unescapeOctal(point),
        root: unescapeOctal(root),
        type,
        options: [...new Set([...options.split(','), ...superOptions.split(',')])],
      },
    ];
  });
}

function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** `/dev/disk3s1 on /System/Volumes/Data (apfs, local, journaled, nobrowse)`. */
function parseMacMounts(text: string): Mount[] {
  return text.split('\n').flatMap((line) => {
    const on = line.indexOf(' on /');
    const open = line.lastIndexOf(' (');
    if (on < 0 || open < on || !line.endsWith(')')) return [];
    const [type = '', ...options] = line.slice(open + 2, -1).split(', ');
    const short = options.map((option) => (option === 'read-only' ? 'ro' : option));
    return [{ point: line.slice(on + 4, open), root: '/', type, options: short }];
  });
}
