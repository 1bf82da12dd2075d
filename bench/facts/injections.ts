// Differences that are made on one machine, one at a time: how each is made, and under which keys it must be seen.

import { changedFile, type Injection, kernelFile, limit, overlay } from './injection.ts';
import { toolInjections } from './tool-injections.ts';

const shadow = '#!/bin/sh\\nexec /usr/bin/sed "$@"\\n';

export const injections: readonly Injection[] = [
  limit('nofile', '256:256', 'openFiles', 'openFilesHard'),
  limit('stack', '1048576', 'stack'),
  limit('nproc', '5000:5000', 'processes'),
  limit('memlock', '65536:65536', 'lockedMemory'),
  limit('core', '1000000', 'core'),
  limit('fsize', '500000000', 'fileSize'),
  limit('as', '300000000000', 'addressSpace'),
  limit('data', '40000000000', 'data'),
  { name: 'umask 077', setup: 'umask 077', seen: ['facts:process.umask'] },
  {
    name: 'not root',
    run: ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'],
    seen: ['facts:process.root'],
    also: [
      'facts:process.capabilities',
      'facts:python.externallyManaged',
      'facts:folder.owned',
      'facts:home.*',
      'system:*',
      'runtimes:*',
      'facts:path.shadowed',
      // What root keeps in its home folder is not there for others.
      'installed:requirements.txt/python',
    ],
  },
  {
    name: 'without a capability',
    run: ['setpriv', '--bounding-set=-net_raw,-sys_ptrace'],
    seen: ['facts:process.capabilities'],
  },
  { name: 'no new privileges', run: ['setpriv', '--no-new-privs'], seen: ['facts:process.noNewPrivileges'] },
  { name: 'no address randomisation', run: ['setarch', '-R'], seen: ['facts:process.aslr'] },
  {
    name: 'one processor',
    run: ['taskset', '-c', '0'],
    seen: ['facts:cpu.allowed'],
    also: ['system:cpu.count'],
  },

  { name: 'an SSH agent', env: { SSH_AUTH_SOCK: '/run/agent.sock' }, seen: ['facts:process.sshAgent'] },
  { name: 'TERM=dumb', env: { TERM: 'dumb' }, seen: ['facts:terminal.type'] },
  { name: 'COLUMNS=40', env: { COLUMNS: '40' }, seen: ['facts:terminal.columns'] },
  { name: 'FORCE_COLOR=1', env: { FORCE_COLOR: '1' }, seen: ['facts:terminal.color'] },
  { name: 'NO_COLOR=1', env: { NO_COLOR: '1' }, seen: ['facts:terminal.color'] },
  { name: 'MAKEFLAGS=-j8', env: { MAKEFLAGS: '-j8' }, seen: ['facts:make.flags'] },
  {
    name: 'LC_TIME',
    env: { LC_TIME: 'de_DE.UTF-8' },
    seen: ['facts:locale.categories'],
    also: ['env:LC_TIME'],
  },
  { name: 'TZ', env: { TZ: 'Asia/Tokyo' }, seen: ['env:TZ'], also: ['system:timezone'] },
  { name: 'NODE_OPTIONS', env: { NODE_OPTIONS: '--max-old-space-size=512' }, seen: ['env:NODE_OPTIONS'] },
  { name: 'HTTPS_PROXY', env: { HTTPS_PROXY: 'http://proxy:3128' }, seen: ['env:HTTPS_PROXY'] },

  changedFile('/proc/cpuinfo', "sed 's/ avx[^ ]*//g; s/ fma / /'", 'facts:cpu.features'),
  kernelFile('/proc/sys/fs/inotify/max_user_watches', '8192', 'kernel.inotifyWatches'),
  kernelFile('/proc/sys/fs/inotify/max_user_instances', '8', 'kernel.inotifyInstances'),
  kernelFile('/proc/sys/vm/max_map_count', '1000', 'kernel.maxMapCount'),
  kernelFile('/proc/sys/vm/overcommit_memory', '2', 'kernel.overcommit'),
  kernelFile('/proc/sys/fs/file-max', '1000', 'kernel.fileMax'),
  kernelFile('/proc/sys/kernel/pid_max', '4096', 'kernel.processIds'),
  kernelFile('/proc/sys/net/core/somaxconn', '128', 'kernel.listenBacklog'),
  kernelFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', '80', 'kernel.unprivilegedPorts'),
  kernelFile('/proc/sys/user/max_user_namespaces', '0', 'kernel.userNamespaces'),
  kernelFile('/proc/sys/net/ipv6/conf/all/disable_ipv6', '1', 'net.ipv6'),
  kernelFile('/proc/sys/kernel/perf_event_paranoid', '4', 'kernel.perfParanoid'),
  kernelFile('/proc/sys/kernel/randomize_va_space', '1', 'process.aslr'),
  {
    name: '/dev/shm of 64 MiB',
    setup: 'mount -t tmpfs -o size=64m tmpfs /dev/shm',
    seen: ['facts:memory.shared'],
  },
  { name: 'no IPv6 (unshare -n)', run: ['unshare', '-n'], seen: ['facts:net.ipv6'] },

  {
    name: 'another locale',
    setup: overlay('/usr/lib/locale', 'mkdir /usr/lib/locale/de_DE.utf8'),
    seen: ['facts:locale.installed'],
  },
  changedFile('/usr/share/zoneinfo/tzdata.zi', "sed '1s/version .*/version 2020a/'", 'facts:time.tzdata'),
  changedFile(
    '/var/lib/dpkg/status',
    "sed '/^Package: libssl3$/,/^$/s/^Version: .*/Version: 3.0.1-1/'",
    'dependencies:/var/lib/dpkg/status/libssl3',
  ),
  changedFile(
    '/var/lib/dpkg/status',
    "sed '/^Package: bash$/,/^$/s/^Version: .*/Version: 4.0-1/'",
    'dependencies:/var/lib/dpkg/status/bash',
  ),
  {
    name: 'a folder of fonts',
    setup: overlay('/usr/share/fonts', 'touch /usr/share/fonts/New.ttf'),
    seen: ['facts:fonts.installed'],
  },

  {
    name: 'project on tmpfs',
    setup:
      'cp -a "$PROJECT/." "$WORK/copy"; mount -t tmpfs tmpfs "$PROJECT"; cp -a "$WORK/copy/." "$PROJECT"',
    seen: ['facts:fs.type'],
  },
  {
    name: 'project noexec',
    setup: 'mount --bind "$PROJECT" "$PROJECT"; mount -o remount,bind,noexec "$PROJECT"',
    seen: ['facts:fs.noexec'],
  },
  {
    name: 'project read-only',
    setup: 'mount --bind "$PROJECT" "$PROJECT"; mount -o remount,bind,ro "$PROJECT"',
    seen: ['facts:fs.readOnly'],
  },
  { name: 'project of another user', setup: 'chown 65534 "$PROJECT"', seen: ['facts:folder.owned'] },
  {
    name: '/tmp on another file system',
    setup: 'mkdir "$WORK/t"; mount -t tmpfs tmpfs "$WORK/t"',
    env: { TMPDIR: '$WORK/t' },
    seen: ['facts:fs.temporaryType'],
    also: ['env:TMPDIR'],
  },
  {
    name: 'temporary folder noexec',
    setup: 'mkdir "$WORK/t"; mount --bind "$WORK/t" "$WORK/t"; mount -o remount,bind,noexec "$WORK/t"',
    env: { TMPDIR: '$WORK/t' },
    seen: ['facts:fs.temporaryNoexec'],
    also: ['env:TMPDIR'],
  },
  {
    name: 'home read-only',
    setup: 'mount --bind "$HOME" "$HOME"; mount -o remount,bind,ro "$HOME"',
    seen: ['facts:home.writable'],
  },
  {
    name: 'home with a blank',
    setup: 'mkdir "$WORK/my home"',
    env: { HOME: '$WORK/my home' },
    seen: ['facts:home.plainPath'],
  },

  {
    name: 'half a processor',
    setup:
      'printf 50000 >"$WORK/quota"; printf 100000 >"$WORK/period"; for each in quota period; do mount --bind "$WORK/$each" "/sys/fs/cgroup/cpu/cpu.cfs_$each"_us; done',
    seen: ['facts:cpu.quota'],
  },
  {
    name: 'a memory limit of 512 MiB',
    setup:
      'printf 536870912 >"$WORK/file"; mount --bind "$WORK/file" /sys/fs/cgroup/memory/memory.limit_in_bytes',
    seen: ['facts:memory.limit'],
    also: ['system:memory.total'],
  },
  {
    name: 'a limit of processes of the control group',
    setup: 'mount -t tmpfs tmpfs /sys/fs/cgroup/pids; printf 64 >/sys/fs/cgroup/pids/pids.max',
    seen: ['facts:limits.cgroupProcesses'],
  },
  {
    name: 'control groups of version 2 alone',
    setup: 'umount -R /sys/fs/cgroup; mount -t cgroup2 cgroup2 /sys/fs/cgroup',
    seen: ['facts:kernel.cgroupVersion'],
    also: ['facts:memory.limit', 'facts:cpu.quota', 'system:memory.total'],
  },
  {
    ...changedFile(
      '/proc/cpuinfo',
      "sed 's/^model name.*/model name : QEMU TCG CPU/'",
      'facts:cpu.emulation',
    ),
    also: ['system:cpu.model'],
  },
  {
    name: 'SELinux enforces',
    setup:
      'mkdir "$WORK/groups"; mount --rbind /sys/fs/cgroup "$WORK/groups"; mount -t tmpfs tmpfs /sys/fs; mkdir /sys/fs/cgroup /sys/fs/selinux; mount --rbind "$WORK/groups" /sys/fs/cgroup; echo 1 >/sys/fs/selinux/enforce',
    seen: ['facts:kernel.selinux'],
  },
  {
    name: 'a graphics driver',
    setup: 'mount -t tmpfs tmpfs /sys/module; mkdir /sys/module/nouveau',
    seen: ['facts:gpu.driver'],
  },
  { name: 'without /dev/net/tun', setup: 'mount -t tmpfs tmpfs /dev/net', seen: ['facts:devices.present'] },
  {
    name: 'a filter of system calls',
    // prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER) with a filter of one instruction that allows everything.
    run: [
      'perl',
      '-e',
      'my $code = pack("SCCL", 6, 0, 0, 0x7fff0000); syscall(157, 22, 2, pack("S x6 P", 1, $code)) == 0 or die $!; exec @ARGV',
    ],
    seen: ['facts:process.seccomp'],
  },
  {
    name: 'another ICU',
    setup: overlay('/usr/lib/x86_64-linux-gnu', 'touch /usr/lib/x86_64-linux-gnu/libicuuc.so.99.1'),
    seen: ['facts:icu.system'],
  },
  {
    name: 'the time zone as a file',
    setup: overlay('/etc', 'rm -f /etc/localtime; cp /usr/share/zoneinfo/Asia/Tokyo /etc/localtime'),
    seen: ['facts:time.localtime'],
    also: ['system:timezone'],
  },
  {
    name: 'the policy of cryptography',
    setup: overlay(
      '/etc',
      'mkdir -p /etc/crypto-policies/state; echo LEGACY >/etc/crypto-policies/state/current',
    ),
    seen: ['facts:openssl.cryptoPolicy'],
  },
  {
    name: 'the temporary folder read-only',
    setup: 'mkdir "$WORK/t"; mount --bind "$WORK/t" "$WORK/t"; mount -o remount,bind,ro "$WORK/t"',
    env: { TMPDIR: '$WORK/t' },
    seen: ['facts:fs.temporaryWritable'],
    also: ['env:TMPDIR'],
  },
  changedFile(
    '/etc/passwd',
    `awk -F: -v OFS=: -v home="$HOME" '$1 == "root" { $6 = home } 1'`,
    'facts:home.default',
  ),

  changedFile('/etc/resolv.conf', "sed 's/^nameserver .*/nameserver 192.0.2.53/'", 'facts:net.resolvers'),
  changedFile('/etc/resolv.conf', "sed '$ a search corp.example'", 'facts:net.searchDomains'),
  changedFile('/etc/resolv.conf', "sed '$ a options ndots:5'", 'facts:net.resolverOptions'),
  changedFile('/etc/hosts', "sed '$ a 10.0.0.5 db.example'", 'facts:net.hosts'),
  changedFile('/etc/nsswitch.conf', "sed 's/^hosts:.*/hosts: dns files/'", 'facts:net.nameSources'),
  changedFile('/etc/gai.conf', "sed '$ a precedence ::ffff:0:0/96 100'", 'facts:net.addressPreference'),
  {
    name: 'a certificate more',
    setup:
      'awk "/BEGIN/{n++} n==1" /etc/ssl/certs/ca-certificates.crt | sed "2s/^...../AAAAA/" >"$WORK/extra"; cat /etc/ssl/certs/ca-certificates.crt "$WORK/extra" >"$WORK/file"; mount --bind "$WORK/file" /etc/ssl/certs/ca-certificates.crt',
    seen: ['facts:tls.certificates'],
  },
  changedFile('/etc/ssl/openssl.cnf', "sed '$ a [legacy_sect]\\nactivate = 1'", 'facts:openssl.config'),
  changedFile(
    '/etc/ssl/openssl.cnf',
    "sed '$ a CipherString = DEFAULT@SECLEVEL=0'",
    'facts:openssl.securityLevel',
  ),

  ...toolInjections,

  { name: 'sh is bash', setup: overlay('/usr/bin', 'ln -sf bash /usr/bin/sh'), seen: ['facts:program.sh'] },
  {
    name: 'awk is original-awk',
    setup: overlay(
      '/etc',
      'cp /bin/true "$WORK/original-awk"; ln -sf "$WORK/original-awk" /etc/alternatives/awk',
    ),
    seen: ['facts:program.awk'],
  },
  ...(['date', 'find', 'grep', 'make', 'tar'] as const).map(
    (name): Injection => ({
      name: `${name} is BusyBox’s`,
      setup: overlay(
        '/usr/bin',
        `printf 'BusyBox v1.36.1' >"$WORK/${name}"; chmod +x "$WORK/${name}"; cp "$WORK/${name}" /usr/bin/${name}`,
      ),
      seen: [`facts:program.${name}`],
      also: [`runtimes:${name}`],
    }),
  ),
  {
    name: 'a sed that hides the system’s',
    setup: `mkdir "$WORK/bin"; printf '${shadow}' >"$WORK/bin/sed"; chmod +x "$WORK/bin/sed"`,
    env: { PATH: '$WORK/bin:$PATH' },
    seen: ['facts:path.shadowed'],
    also: ['facts:program.sed', 'paths:PATH'],
  },
  {
    name: 'CUDA',
    setup: overlay(
      '/usr/local',
      'rm -rf /usr/local/cuda; mkdir /usr/local/cuda; echo \'{"cuda":{"version":"12.4.1"}}\' >/usr/local/cuda/version.json',
    ),
    seen: ['facts:gpu.cuda'],
  },

  {
    name: 'another zod in node_modules',
    setup: `printf '{"version":"4.0.1"}' >"$PROJECT/node_modules/zod/package.json"`,
    seen: ['installed:package-lock.json/zod'],
  },
  {
    name: 'a package missing from node_modules',
    setup: 'rm -r "$PROJECT/node_modules/left-pad"',
    seen: ['installed:package-lock.json/left-pad'],
  },
  {
    name: 'another requests in the virtual environment',
    setup:
      'cd "$PROJECT"/.venv/lib/python3*/site-packages; mv requests-2.32.0.dist-info requests-2.30.0.dist-info',
    seen: ['installed:requirements.txt/requests'],
  },
  {
    name: 'another value in .env',
    setup: `printf 'PORT=4000\\n' >"$PROJECT/.env"`,
    seen: ['env:.env:PORT'],
    also: ['checkout:changed/.env'],
  },
  {
    name: 'a new .env.local',
    setup: `printf 'DEBUG=1\\n' >"$PROJECT/.env.local"`,
    seen: ['env:.env.local:DEBUG'],
    also: ['checkout:untracked'],
  },
];
