// What changes on a machine by itself: another boot, session or moment. None of it may show as a difference.

import type { Injection } from './injection.ts';

/** A file of the kernel, changed by a filter, in its place; left out where the machine does not have it. */
const drifted = (path: string, filter: string): string => {
  const copy = `"$WORK/drift${path.replaceAll('/', '-')}"`;
  return `if [ -e ${path} ]; then ${filter} <${path} >${copy}; mount --bind ${copy} ${path}; fi`;
};

/** What a kernel counts anew, or measures a little differently, each time it starts. */
const kernelOfAnotherBoot = [
  drifted('/proc/sys/kernel/random/boot_id', "sed 's/^......../0badcafe/'"),
  drifted('/proc/uptime', "sed 's/.*/42.17 80.03/'"),
  drifted('/proc/loadavg', "sed 's/.*/9.75 4.20 1.11 7\\/321 654/'"),
  drifted('/proc/stat', "sed 's/^btime .*/btime 1600000000/; s/^processes .*/processes 77/'"),
  drifted('/proc/meminfo', "sed 's/^MemFree: .*/MemFree: 12345 kB/; s/^Cached: .*/Cached: 54321 kB/'"),
  drifted('/proc/cpuinfo', "sed 's/^cpu MHz.*/cpu MHz : 1234.567/; s/^bogomips.*/bogomips : 4321.00/'"),
  drifted('/proc/sys/kernel/random/entropy_avail', "sed 's/.*/17/'"),
  drifted('/proc/sys/fs/file-nr', "sed 's/.*/99 0 99/'"),
  drifted('/proc/sys/fs/inode-nr', "sed 's/.*/7 7/'"),
  drifted('/proc/interrupts', "sed 's/[0-9]/1/g'"),
  drifted('/proc/vmstat', "sed 's/[0-9]/1/g'"),
].join('; ');

/** Mounts get other numbers, and stand in another order, with other inodes; what runs leaves other files in /run. */
const mountsOfAnotherBoot = [
  'size=$(sed -n "s/.* \\/dev\\/shm .*size=\\([0-9]*k\\).*/\\1/p" /proc/self/mountinfo | tail -n 1)',
  'if [ -n "$size" ]; then mount -t tmpfs -o "size=$size" tmpfs /dev/shm; fi',
  'mkdir "$WORK/run"; cp -a /run/. "$WORK/run" 2>/dev/null || true; mount -t tmpfs tmpfs /run; cp -a "$WORK/run/." /run',
  'echo 4711 >/run/daemon.pid; mkdir -p /run/log/journal/0badcafe',
  'mount --bind /usr /usr; mount --bind "$PROJECT" "$PROJECT"',
].join('; ');

const network = 'ip link set lo up; ip link add name later type dummy 2>/dev/null || true';

export const repetitions: readonly Injection[] = [
  { name: 'once more', seen: [] },
  {
    name: 'after a boot: the kernel’s counters, mounts, /run',
    setup: `${kernelOfAnotherBoot}; ${mountsOfAnotherBoot}`,
    seen: [],
  },
  {
    name: 'after a boot: clock since the boot, process ids, host’s names, devices of the network',
    namespaces: ['-n'],
    setup: network,
    run: ['unshare', '--time', '--boottime', '5000000', '--monotonic', '5000000', '--uts', '--fork', '--pid'],
    seen: [],
    // A new namespace of processes has a limit of its own.
    also: ['facts:kernel.processIds'],
  },
  {
    name: 'after a boot: all of it',
    setup: `${kernelOfAnotherBoot}; ${mountsOfAnotherBoot}; ${network}`,
    namespaces: ['-n'],
    run: ['unshare', '--time', '--boottime', '5000000', '--uts', '--fork', '--pid', 'setsid', '--wait'],
    seen: [],
    // A new namespace of processes has a limit of its own.
    also: ['facts:kernel.processIds'],
  },
  {
    name: 'with the address that a network gave this host',
    setup:
      'cp /etc/hosts "$WORK/hosts"; echo "172.17.0.5 $(hostname)" >>"$WORK/hosts"; mount --bind "$WORK/hosts" /etc/hosts',
    seen: [],
  },
  {
    name: 'over ssh, in tmux',
    env: {
      SSH_CLIENT: '192.0.2.7 50022 22',
      SSH_CONNECTION: '192.0.2.7 50022 192.0.2.9 22',
      SSH_TTY: '/dev/pts/7',
      TMUX: '/tmp/tmux-0/default,4711,0',
      TMUX_PANE: '%3',
      WINDOWID: '77',
      SHLVL: '5',
    },
    seen: [],
  },
  { name: 'at another priority', run: ['nice', '-n', '7'], seen: [] },
  { name: 'in a session of its own', run: ['setsid', '--wait'], seen: [] },
  { name: 'rather killed than others', run: ['choom', '-n', '500', '--'], seen: [] },
  {
    name: 'with every file of the project touched',
    setup: 'find "$PROJECT" -exec touch -d "2001-02-03" {} +',
    seen: [],
  },
  {
    name: 'with nothing remembered',
    env: { XDG_CACHE_HOME: '$WORK/cache' },
    seen: [],
    also: ['env:XDG_CACHE_HOME'],
  },
];
