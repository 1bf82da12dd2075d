// Whole machines for golden tests: macOS, Windows, Alpine, Debian in a container, and WSL.

import type { FakeFile, FakeMachine } from './fake-system.ts';

const program: FakeFile = { executable: true, content: '\x7fELF' };

/** A 64-bit little-endian ELF file that names its loader, as `/bin/sh` does. */
function elf(loader: string): FakeFile {
  const bytes = Buffer.alloc(256);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(3, 64);
  bytes.writeBigUInt64LE(128n, 64 + 8);
  bytes.writeBigUInt64LE(BigInt(loader.length + 1), 64 + 32);
  bytes.write(`${loader}\0`, 128, 'latin1');
  return { executable: true, content: bytes };
}

const project: Record<string, string> = {
  '.nvmrc': '22\n',
  'package.json': '{"name":"app","packageManager":"pnpm@9.1.0","dependencies":{"left-pad":"^1.3.0"}}',
};

function inFolder(folder: string, separator: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(project).map(([name, text]) => [`${folder}${separator}${name}`, text]),
  );
}

const debianFiles: NonNullable<FakeMachine['files']> = {
  ...inFolder('/home/dev/app', '/'),
  '/home/dev/app/.git/HEAD': 'ref: refs/heads/main\n',
  '/home/dev/app/.git/refs/heads/main': '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12\n',
  '/etc/os-release':
    'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nID=debian\n',
  '/etc/localtime': { link: '/usr/share/zoneinfo/Europe/Berlin' },
  '/usr/share/zoneinfo/Europe/Berlin': 'TZif2',
  '/bin/sh': elf('/lib64/ld-linux-x86-64.so.2'),
  '/lib64/ld-linux-x86-64.so.2': { link: '/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2' },
  '/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2': program,
  '/lib/x86_64-linux-gnu/libc.so.6':
    'x\0GNU C Library (Debian GLIBC 2.36-9+deb12u7) stable release version 2.36.\n',
  '/proc/cpuinfo': 'processor\t: 0\nflags\t\t: fpu vme hypervisor lahf_lm\n',
};

const linuxFacts = {
  release: '6.1.0-21-amd64',
  machine: 'x86_64',
  cpuModel: 'AMD EPYC 7B13',
  cpuCount: 4,
  memoryTotalBytes: 16_000_000_000,
};

/** Debian in a Docker container, with nvm's Node.js and pyenv. */
export const debianContainer: FakeMachine = {
  hostName: 'debian-box',
  env: {
    HOME: '/home/dev',
    PATH: '/home/dev/.pyenv/shims:/home/dev/.nvm/versions/node/v24.1.0/bin:/usr/bin:/bin',
    SHELL: '/bin/bash',
    LANG: 'en_US.UTF-8',
    USER: 'dev',
    PWD: '/home/dev/app',
    DATABASE_URL: 'postgres://u:p@h/d',
    GOPATH: '/home/dev/go',
    PYENV_VERSION: '3.11.7',
  },
  operatingSystem: linuxFacts,
  files: {
    ...debianFiles,
    '/.dockerenv': '',
    '/home/dev/.nvm/versions/node/v24.1.0/bin/node': program,
    '/home/dev/.nvm/versions/node/v24.1.0/bin/npm': { link: '../lib/node_modules/npm/bin/npm-cli.js' },
    '/home/dev/.nvm/versions/node/v24.1.0/lib/node_modules/npm/bin/npm-cli.js': {
      executable: true,
      content: '#!/usr/bin/env node',
    },
    '/home/dev/.nvm/versions/node/v24.1.0/lib/node_modules/npm/package.json':
      '{"name":"npm","version":"11.3.0"}',
    '/home/dev/.pyenv/shims/python3': { executable: true, content: '#!/usr/bin/env bash' },
    '/home/dev/.pyenv/versions/3.11.7/bin/python3': program,
  },
  programs: {
    '/home/dev/.nvm/versions/node/v24.1.0/bin/node': 'v24.1.0\n',
    '/usr/bin/git': (args: readonly string[]) =>
      args.includes('status') ? ' M a\n' : 'git version 2.39.2\n',
    '/usr/bin/gcc': 'gcc (Debian 12.2.0-14) 12.2.0\n',
    '/bin/bash': 'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\n',
  },
};

/** Alpine on real hardware. */
export const alpine: FakeMachine = {
  hostName: 'alpine',
  arch: 'arm64',
  homeDir: '/root',
  env: { HOME: '/root', PATH: '/usr/local/bin:/usr/bin:/bin', CHARSET: 'UTF-8' },
  operatingSystem: {
    release: '6.6.31-0-virt',
    machine: 'aarch64',
    cpuCount: 2,
    memoryTotalBytes: 2_000_000_000,
  },
  files: {
    ...inFolder('/srv/app', '/'),
    '/etc/os-release':
      'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.20.0\nPRETTY_NAME="Alpine Linux v3.20"\n',
    '/bin/sh': { link: '/bin/busybox' },
    '/bin/busybox': elf('/lib/ld-musl-aarch64.so.1'),
    '/proc/cpuinfo': 'processor\t: 0\nFeatures\t: fp asimd\n',
    '/sys/class/dmi/id/sys_vendor': 'Raspberry Pi Foundation\n',
  },
  programs: {
    '/lib/ld-musl-aarch64.so.1': {
      exitCode: 1,
      stderr: 'musl libc (aarch64)\nVersion 1.2.5\nDynamic Program Loader\n',
    },
    '/usr/bin/node': 'v22.3.0\n',
    '/usr/bin/git': 'git version 2.45.2\n',
    '/sbin/apk': 'apk-tools 2.14.4, compiled for aarch64.\n',
  },
};

/** Ubuntu in version 2 of the Windows Subsystem for Linux. */
export const wsl: FakeMachine = {
  hostName: 'WORKSTATION',
  env: {
    HOME: '/home/dev',
    PATH: '/usr/bin:/bin:/mnt/c/Windows/System32',
    SHELL: '/usr/bin/zsh',
    LANG: 'C.UTF-8',
    TZ: ':America/New_York',
    WSL_DISTRO_NAME: 'Ubuntu',
    WSL_INTEROP: '/run/WSL/12_interop',
  },
  operatingSystem: { ...linuxFacts, release: '5.15.153.1-microsoft-standard-WSL2' },
  files: {
    ...inFolder('/home/dev/app', '/'),
    '/etc/os-release': 'NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nVERSION_CODENAME=noble\n',
    '/bin/sh': elf('/lib64/ld-linux-x86-64.so.2'),
    '/lib64/ld-linux-x86-64.so.2': program,
    '/lib64/libc.so.6': 'GNU C Library (Ubuntu GLIBC 2.39-0ubuntu8.1) stable release version 2.39.\n',
    '/proc/cpuinfo': 'flags\t\t: fpu hypervisor\n',
  },
  programs: { '/usr/bin/node': 'v22.3.0\n', '/usr/bin/zsh': 'zsh 5.9 (x86_64-ubuntu-linux-gnu)\n' },
};

/** An Apple silicon machine that runs this program under Rosetta, with Homebrew and Chrome. */
export const mac: FakeMachine = {
  platform: 'darwin',
  arch: 'x64',
  hostName: 'mac.local',
  homeDir: '/Users/dev',
  env: {
    HOME: '/Users/dev',
    PATH: '/opt/homebrew/bin:/usr/bin:/bin',
    SHELL: '/bin/zsh',
    LANG: 'de_DE.UTF-8',
    __CFBundleIdentifier: 'com.apple.Terminal',
    TERM_SESSION_ID: 'w0t0p0',
  },
  operatingSystem: {
    release: '24.1.0',
    machine: 'arm64',
    cpuModel: 'Apple M3 Pro',
    cpuCount: 12,
    memoryTotalBytes: 38_654_705_664,
  },
  files: {
    ...inFolder('/Users/dev/app', '/'),
    '/System/Library/CoreServices/SystemVersion.plist':
      '<plist><dict><key>ProductName</key><string>macOS</string><key>ProductVersion</key><string>15.1</string></dict></plist>',
    '/etc/localtime': { link: '/var/db/timezone/zoneinfo/Europe/Berlin' },
    '/var/db/timezone/zoneinfo/Europe/Berlin': 'TZif2',
    '/opt/homebrew/bin/node': { link: '../Cellar/node/24.1.0/bin/node' },
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome': program,
    '/Applications/Google Chrome.app/Contents/Info.plist':
      '<dict><key>CFBundleShortVersionString</key>\n\t<string>125.0.6422.113</string></dict>',
  },
  programs: {
    '/opt/homebrew/Cellar/node/24.1.0/bin/node': 'v24.1.0\n',
    '/opt/homebrew/bin/node': 'v24.1.0\n',
    '/usr/bin/git': () => {
      throw new Error('a stub was started');
    },
    '/usr/sbin/sysctl': (args: readonly string[]) =>
      args.includes('sysctl.proc_translated') ? '1\n' : '0\n',
    '/bin/zsh': 'zsh 5.9 (arm-apple-darwin23.0)\n',
  },
};

/** Windows on ARM that emulates an x64 Node.js. */
export const windows: FakeMachine = {
  platform: 'win32',
  arch: 'x64',
  hostName: 'DESKTOP-1',
  env: {
    USERPROFILE: 'C:\\Users\\dev',
    Path: 'C:\\Windows\\system32;C:\\Program Files\\nodejs\\;C:\\Program Files\\Git\\cmd;C:\\Users\\dev\\AppData\\Local\\Microsoft\\WindowsApps',
    PATHEXT: '.COM;.EXE;.BAT;.CMD',
    ComSpec: 'C:\\Windows\\system32\\cmd.exe',
    PROCESSOR_IDENTIFIER: 'ARMv8 (64-bit) Family 8 Model 1 Revision 201, Qualcomm',
    SystemRoot: 'C:\\Windows',
    USERNAME: 'dev',
    npm_token: 'abc',
  },
  operatingSystem: {
    release: '10.0.22631',
    version: 'Windows 11 Pro',
    cpuModel: 'Snapdragon',
    cpuCount: 8,
    memoryTotalBytes: 16_000_000_000,
  },
  regionalSettings: { timeZone: 'Europe/Berlin', locale: 'de-DE' },
  files: {
    ...inFolder('C:\\Users\\dev\\app', '\\'),
    'C:\\Program Files\\nodejs\\npm.cmd': '@ECHO OFF',
    'C:\\Program Files\\nodejs\\node_modules\\npm\\package.json': '{"name":"npm","version":"10.7.0"}',
    'C:\\Users\\dev\\AppData\\Local\\Microsoft\\WindowsApps\\python.exe': '',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe': 'MZ',
    'C:\\Program Files\\Google\\Chrome\\Application\\125.0.6422.113\\chrome.dll': 'MZ',
  },
  programs: {
    'C:\\Program Files\\nodejs\\node.exe': 'v22.3.0\r\n',
    'C:\\Program Files\\Git\\cmd\\git.exe': 'git version 2.45.1.windows.1\r\n',
    'C:\\Windows\\System32\\reg.exe':
      '    SystemManufacturer    REG_SZ    LENOVO\r\n    SystemProductName    REG_SZ    21BX\r\n',
  },
};
