import { describe, expect, it } from 'vitest';
import type { FakeMachine } from '../../support/fake-system.ts';
import { readFacts } from './read-facts.ts';

const limits = (openFiles: string) =>
  [
    'Limit                     Soft Limit           Hard Limit           Units     ',
    `Max open files            ${openFiles}                files     `,
    'Max stack size            8388608              unlimited            bytes     ',
    'Max address space         unlimited            unlimited            bytes     ',
  ].join('\n');

const server: FakeMachine = {
  env: {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TERM: 'xterm',
    NO_COLOR: '1',
    LANG: 'de_DE.UTF-8',
    LC_TIME: 'C',
  },
  hostName: 'web-1',
  hostRuntime: { execPath: '/usr/bin/node', nodeVersion: '24.0.0' },
  files: {
    '/srv/app/Readme.md': '',
    '/proc/self/limits': limits('1048576              1048576'),
    '/proc/self/status':
      'Name:\tnode\nUmask:\t0027\nPPid:\t20\nUid:\t1000\t0\t1000\t1000\nCapEff:\t0000000000000400\nNoNewPrivs:\t1\nSeccomp:\t2\nCpus_allowed_list:\t0-3,8\n',
    '/proc/20/status': 'PPid:\t10\n',
    '/proc/20/exe': { link: '/usr/bin/node' },
    '/proc/10/exe': { link: '/bin/bash' },
    '/proc/10/limits': limits('1024                 1048576'),
    '/usr/bin/node': { executable: true, content: '\x7fELF' },
    '/bin/bash': { executable: true, content: '\x7fELF' },
    '/proc/self/personality': '00040008\n',
    '/proc/sys/kernel/randomize_va_space': '2\n',
    '/proc/sys/vm/max_map_count': '262144\n',
    '/proc/sys/vm/mmap_rnd_bits': '32\n',
    '/proc/net/route': 'Iface\tDestination\tGateway\nlo\t0000007F\t0\ntun0\t00000000\t0101A8C0\n',
    '/sys/class/net/tun0/mtu': '1400\n',
    '/proc/sys/vm/overcommit_memory': '2\n',
    '/proc/sys/fs/file-max': '9223372036854775807\n',
    '/proc/sys/user/max_user_namespaces': '1000\n',
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1\n',
    '/proc/net/if_inet6': '00000000000000000000000000000001 01 80 10 80       lo\n',
    '/proc/sys/net/ipv6/conf/all/disable_ipv6': '1\n',
    '/proc/cpuinfo': 'processor\t: 0\nflags\t\t: fpu sse2 pni ssse3 sse4_1 sse4_2 abm avx2 hypervisor\n',
    '/proc/self/mountinfo': `${[
      '22 1 0:20 / / rw,relatime - ext4 /dev/vda rw',
      '23 22 0:21 / /srv\\040x rw - xfs /dev/vdb rw',
      '24 22 0:22 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw',
      '25 22 0:23 / /tmp rw,noexec - tmpfs tmpfs rw,size=1024k',
      '26 22 0:24 / /dev/shm rw,noexec - tmpfs shm rw,size=65536k',
    ].join('\n')}\n`,
    '/tmp': { folder: true },
    '/proc/self/cgroup': '0::/docker/abc/service\n',
    '/sys/fs/cgroup/memory.max': '2147483648\n',
    '/sys/fs/cgroup/service/memory.max': 'max\n',
    '/sys/fs/cgroup/service/cpu.max': '150000 100000\n',
    '/sys/fs/cgroup/service/pids.max': '512\n',
    '/usr/share/zoneinfo/tzdata.zi': '# version 2025b\n# This zic input file is in the public domain.\n',
    '/etc/resolv.conf':
      '# by hand\nnameserver 10.0.0.2\nsearch corp.example.com lan\noptions ndots:5 rotate\n',
    '/etc/nsswitch.conf': 'hosts:   files   myhostname dns\n',
    '/etc/hosts':
      '127.0.0.1 localhost\n127.0.1.1 web-1.lan web-1\n::1 ip6-localhost\n10.1.2.3 db.internal DB # the database\n0.0.0.0 ads.example.com\n',
    '/etc/ssl/certs/ca-certificates.crt':
      '-----BEGIN CERTIFICATE-----\nQQ==\n-----END CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nQg==\n-----END CERTIFICATE-----\n',
    '/etc/ssl/openssl.cnf': '# comment\nopenssl_conf = default\nCipherString = DEFAULT@SECLEVEL=1\n',
    '/bin/sh': { link: '/bin/dash' },
    '/bin/dash': { executable: true, content: '\x7fELF' },
    '/usr/bin/sed': { executable: true, content: '\x7fELF … GNU sed, https://www.gnu.org/' },
    '/usr/local/bin/sed': { executable: true, content: '#!/bin/sh\nexec /usr/bin/sed "$@"\n' },
    '/usr/local/bin/mytool': { executable: true, content: '#!/bin/sh\n' },
    '/usr/bin/awk': { link: '/usr/bin/busybox' },
    '/usr/bin/busybox': { executable: true, content: '\x7fELF BusyBox v1.36' },
    '/usr/lib/locale/C.utf8/LC_CTYPE': '',
    '/dev/kvm': { special: true },
  },
};

describe('facts of a Linux machine', () => {
  it('are read from files, and no program is started', async () => {
    const { facts, unknown, system } = await readFacts(server);
    expect(system.executions).toEqual([]);
    expect(unknown).toEqual([]);
    expect(facts).toMatchObject({
      'limits.openFiles': 1024,
      'limits.openFilesHard': 1048576,
      'limits.stack': 8388608,
      'limits.addressSpace': 'unlimited',
      'limits.cgroupProcesses': 512,
      'process.umask': '0027',
      'process.root': true,
      'process.capabilities': ['net_bind_service'],
      'process.noNewPrivileges': true,
      'process.seccomp': 'filter',
      'process.aslr': 'off',
      'process.personality': 'i686',
      'terminal.type': 'xterm',
      'terminal.color': ['NO_COLOR=1'],
      'cpu.features': ['avx2', 'lzcnt', 'sse3', 'sse4_1', 'sse4_2', 'ssse3'],
      'cpu.allowed': 5,
      'cpu.quota': 1.5,
      'memory.limit': 2147483648,
      'memory.shared': 67108864,
      'kernel.maxMapCount': 262144,
      'kernel.mmapRandomBits': 32,
      'net.mtu': 1400,
      'kernel.overcommit': 'never',
      'kernel.fileMax': 'unlimited',
      'kernel.userNamespaces': false,
      'kernel.cgroupVersion': '2',
      'net.ipv6': false,
      'devices.present': ['kvm'],
      'locale.installed': ['C.utf8'],
      'locale.categories': ['LC_TIME=C'],
      'time.tzdata': '2025b',
      'fs.type': 'ext4',
      'fs.temporaryType': 'tmpfs',
      'fs.temporaryNoexec': true,
      'fs.noexec': false,
      'fs.caseSensitive': true,
      'net.resolvers': ['10.0.0.2'],
      'net.searchDomains': ['corp.example.com', 'lan'],
      'net.resolverOptions': ['ndots:5', 'rotate'],
      'net.nameSources': 'files myhostname dns',
      'net.hosts': ['ads.example.com (blocked)', 'db (private)', 'db.internal (private)'],
      'openssl.securityLevel': 1,
      'program.sh': 'dash',
      'program.sed': 'a script',
      'program.awk': 'BusyBox',
      'path.shadowed': ['sed (/usr/local/bin)'],
    });
    expect(facts['tls.certificates']).toMatch(/^2 sha256:[0-9a-f]{16}$/);
  });

  it('tell a changed security level apart from the rest of the configuration', async () => {
    const { facts } = await readFacts(server);
    const stricter = {
      ...server,
      files: {
        ...server.files,
        '/etc/ssl/openssl.cnf': 'openssl_conf = default\nCipherString = DEFAULT@SECLEVEL=2\n',
      },
    };
    const { facts: changed } = await readFacts(stricter);
    expect(changed['openssl.securityLevel']).toBe(2);
    expect(changed['openssl.config']).toBe(facts['openssl.config']);
  });

  it('that need rights the capture lacks are absent, and the capture goes on', async () => {
    const { facts } = await readFacts({ files: { '/proc/self/status': { error: 'EACCES' } } });
    expect(facts['process.capabilities']).toBeUndefined();
    expect(facts['process.umask']).toBe('0022');
  });

  it('find a file system without cases by an existing name', async () => {
    const files = {
      ...server.files,
      // As a mount without cases answers: the other spelling is there too, though the folder does not list it.
      '/srv/app': { folder: true as const },
      '/srv/app/only/Makefile': '',
    };
    const { facts } = await readFacts({ ...server, files }, '/srv/app/only');
    expect(facts['fs.caseSensitive']).toBe(true);
  });

  it('know the limits of control groups of version 1', async () => {
    const { facts } = await readFacts({
      files: {
        '/proc/self/mountinfo':
          '31 1 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n32 1 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n',
        '/proc/self/cgroup': '4:memory:/box\n1:cpu,cpuacct:/box\n',
        '/sys/fs/cgroup/memory/box/memory.limit_in_bytes': '536870912\n',
        '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
        '/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us': '50000\n',
        '/sys/fs/cgroup/cpu/box/cpu.cfs_period_us': '100000\n',
      },
    });
    expect(facts).toMatchObject({ 'memory.limit': 536870912, 'cpu.quota': 0.5, 'kernel.cgroupVersion': '1' });
  });

  it('list the locales of the archive', async () => {
    const archive = Buffer.alloc(200);
    const head = [0xde020109, 0, 56, 2, 2, 80, 40, 40, 0, 0];
    for (const [index, word] of head.entries()) archive.writeUInt32LE(word, index * 4);
    archive.writeUInt32LE(80, 56 + 4);
    archive.writeUInt32LE(150, 56 + 8);
    archive.write('de_DE.utf8\0', 80, 'latin1');
    const { facts } = await readFacts({ files: { '/usr/lib/locale/locale-archive': archive } });
    expect(facts['locale.installed']).toEqual(['de_DE.utf8']);
  });
});

describe('what is not there at all', () => {
  it('is a fact of its own: shared memory, room on a disk, an account, certificates, zones, an IPv4 localhost', async () => {
    const { facts } = await readFacts({
      env: { PATH: '/usr/bin' },
      full: ['/srv/app'],
      processState: { accountHome: undefined as never },
      files: {
        '/srv/app/.env': 'A=1\r\n',
        '/srv/app/.env.local': 'A=1\n',
        '/etc/hosts': '::1 localhost ip6-localhost\n',
        '/etc/ssl/certs/ca-certificates.crt': '',
        '/etc/ld.so.preload': '/opt/agent/libhook.so\n',
        '/etc/ld.so.conf': 'include /etc/ld.so.conf.d/*.conf\n',
        '/etc/ld.so.conf.d/local.conf': '/usr/local/lib/x86_64-linux-gnu\n/opt/lib\n',
        '/proc/self/status': 'PPid:\t20\n',
        '/proc/20/exe': { link: '/bin/bash' },
        '/proc/20/status': 'PPid:\t1\nSigIgn:\t0000000000001000\n',
        '/bin/bash': { executable: true, content: '\x7fELF' },
        '/proc/self/limits':
          'Max cpu time              60                   unlimited            seconds   \n',
        '/home/dev/.config/git/attributes': '# mine\n*.sh   text eol=lf\n',
        '/home/dev/.docker/config.json': '{"credsStore":"desktop"}',
        '/usr/bin/ls': '',
      },
    });
    expect(facts).toMatchObject({
      'docker.credentialHelper': false,
      'dotenv.lineEnds': ['.env'],
      'fs.full': true,
      'fs.sharedMemory': false,
      'fs.temporaryFull': false,
      'git.attributes': ['*.sh text eol=lf'],
      'git.identity': false,
      'limits.cpuTime': 60,
      'loader.folders': ['/opt/lib'],
      'loader.preload': ['/opt/agent/libhook.so'],
      'net.localhost': ['IPv6'],
      'process.account': false,
      'process.ignoresBrokenPipe': true,
      'tls.certificates': expect.stringMatching(/^0 /),
      'time.tzdata': 'none',
    });
  });

  it('is damaged where a bundle of certificates was cut off', async () => {
    const { facts } = await readFacts({
      files: { '/etc/ssl/certs/ca-certificates.crt': '-----BEGIN CERTIFICATE-----\nMIIB\n' },
    });
    expect(facts['tls.certificates']).toBe('damaged');
  });

  it('says what Java trusts, and what a virtual environment adds', async () => {
    const store = Buffer.alloc(300);
    store.writeUInt32BE(0xfeedfeed, 0);
    const { facts } = await readFacts({
      env: { PATH: '/usr/bin' },
      files: {
        '/usr/bin/java': { link: '/opt/java/bin/java' },
        '/opt/java/bin/java': { executable: true, content: '\x7fELF' },
        '/opt/java/lib/security/cacerts': store,
        '/opt/java/conf/security/java.security': '# rules\njdk.tls.disabledAlgorithms=SSLv3\n',
        '/srv/app/.venv/pyvenv.cfg':
          'home = /usr/bin\ninclude-system-site-packages = true\nversion = 3.11.2\n',
        '/srv/app/.venv/lib/python3.11/site-packages/own.pth': '/work/own\nimport hook\n',
        '/srv/app/.venv/lib/python3.11/site-packages/distutils-precedence.pth': '/never\n',
        '/home/dev/.local/lib/python3.11/site-packages/usercustomize.py': '',
        '/home/dev/.local/lib/python3.11/site-packages/Requests-2.0.0.dist-info/METADATA': '',
      },
    });
    expect(facts).toMatchObject({
      'java.security': expect.stringMatching(/^sha256:/),
      'java.trustStore': '0',
      'python.addedFolders': ['/work/own', 'code'],
      'python.customize': ['usercustomize (/home/dev/.local/lib/python3.11/site-packages)'],
      'python.environment': '3.11.2',
      'python.systemPackages': true,
      'python.userPackages': ['requests 2.0.0'],
    });
  });

  it('is unknown where only the search path is missing, or the program is not a known one', async () => {
    const { facts, unknown } = await readFacts({
      files: { '/bin/sh': { executable: true, content: '\x7fELF' } },
    });
    expect(Object.keys(facts).filter((name) => name.startsWith('program.'))).toEqual([]);
    expect(unknown.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['program.sh', 'program.sed', 'program.ld']),
    );
  });
});
