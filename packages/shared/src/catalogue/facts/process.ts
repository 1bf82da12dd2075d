// Facts about the process that runs programs: limits, rights, terminal.

import type { FactRow, FactTable, LimitName } from './fact.ts';

const limit = (
  name: LimitName,
  line: string,
  unit?: FactRow['unit'],
): Pick<FactRow, 'read' | 'kind' | 'unit' | 'apply' | 'reveals'> => ({
  read: {
    linux: `/proc/self/limits, line “${line}”`,
    macos: 'getrlimit(2), as the process report of Node.js gives it',
    windows: null,
  },
  kind: 'limit',
  ...(unit && { unit }),
  apply: { by: 'limit', limit: name },
  reveals: 'Nothing about a person.',
});

const variable = (name: string): Pick<FactRow, 'read' | 'apply'> => ({
  read: { linux: `variable ${name}`, macos: `variable ${name}`, windows: `variable ${name}` },
  apply: { by: 'variable', name },
});

export const processFacts = {
  'limits.openFiles': {
    ...limit('nofile', 'Max open files', 'files'),
    what: 'How many files and sockets a program may have open at once (the soft limit).',
    read: {
      linux:
        '/proc/self/limits, line “Max open files”; Node.js raises its own soft limit, so the nearest parent process that is not Node.js is asked',
      macos:
        'getrlimit(2), as the process report of Node.js gives it: the hard limit, to which Node.js raises',
      windows: null,
    },
    counts: { when: 'less', than: 1024 },
    weight: [{ enough: true, weight: 'context' }, { counted: false, weight: 'slight' }, { weight: 'likely' }],
    family: 'open files',
    // macOS has no prlimit; ulimit is there on every system.
    advice: 'run “ulimit -n {a}” {at}',
  },
  'limits.openFilesHard': {
    ...limit('nofile', 'Max open files', 'files'),
    what: 'How far a program may raise its own limit of open files.',
    counts: 'never',
    weight: [{ weight: 'context' }],
    family: 'open files',
  },
  'limits.stack': {
    ...limit('stack', 'Max stack size', 'bytes'),
    what: 'How large the stack of a program may grow.',
    counts: { when: 'less', than: 8 * 1024 * 1024 },
    weight: [
      { enough: true, weight: 'context' },
      { counted: false, weight: 'slight' },
      { weight: 'possible' },
    ],
  },
  'limits.processes': {
    ...limit('nproc', 'Max processes', 'processes'),
    what: 'How many processes and threads the user may run.',
    counts: 'never',
    weight: [{ enough: true, weight: 'context' }, { weight: 'slight' }],
  },
  'limits.lockedMemory': {
    ...limit('memlock', 'Max locked memory', 'bytes'),
    what: 'How much memory a program may keep from being swapped out.',
    counts: 'never',
    weight: 'rare',
  },
  'limits.core': {
    ...limit('core', 'Max core file size', 'bytes'),
    what: 'How large the memory image of a crashed program may be.',
    counts: 'never',
    weight: 'rare',
  },
  'limits.fileSize': {
    ...limit('fsize', 'Max file size', 'bytes'),
    what: 'How large a file may be that a program writes.',
    counts: { when: 'less' },
    weight: 'possible',
  },
  'limits.addressSpace': {
    ...limit('as', 'Max address space', 'bytes'),
    what: 'How much memory a program may map.',
    counts: { when: 'less' },
    weight: 'likely',
  },
  'limits.data': {
    ...limit('data', 'Max data size', 'bytes'),
    what: 'How large the data of a program may grow.',
    counts: { when: 'less' },
    weight: 'possible',
  },
  'limits.cgroupProcesses': {
    what: 'How many processes and threads the container or service may run.',
    read: { linux: 'pids.max of the cgroup and those above it', macos: null, windows: null },
    kind: 'limit',
    unit: 'processes',
    unset: 'unlimited',
    counts: 'never',
    weight: 'possible',
    reveals: 'Nothing about a person.',
  },
  'process.umask': {
    what: 'Which permissions new files do not get.',
    read: { linux: '/proc/self/status, line “Umask”', macos: 'umask(2)', windows: null },
    kind: 'text',
    counts: { when: 'not both among', usual: ['0002', '0022'] },
    weight: [{ counted: false, weight: 40 }, { weight: 'likely' }],
    apply: { by: 'umask' },
    reveals: 'Nothing about a person.',
  },
  'process.root': {
    what: 'Whether programs run as the superuser, for whom permissions of files do not count.',
    read: { linux: '/proc/self/status, line “Uid”', macos: 'geteuid(2)', windows: null },
    kind: 'flag',
    counts: 'always',
    weight: [{ b: 'true', weight: 'possible' }, { weight: 'now and then' }],
    reveals: 'That the capture ran as the superuser.',
    family: 'root',
    advice: { true: 'run it as root {at}', false: 'run it as a user other than root {at}' },
  },
  'process.capabilities': {
    what: 'Which rights of the superuser programs hold.',
    read: { linux: '/proc/self/status, line “CapEff”', macos: null, windows: null },
    kind: 'set',
    counts: 'always',
    weight: [{ weight: 'now and then' }],
    reveals: 'Which rights the account or container has.',
    family: 'root',
  },
  'process.noNewPrivileges': {
    what: 'Whether programs are kept from gaining rights, so that sudo and setuid programs fail.',
    read: { linux: '/proc/self/status, line “NoNewPrivs”', macos: null, windows: null },
    kind: 'flag',
    counts: 'always',
    weight: 'possible',
    reveals: 'Nothing about a person.',
  },
  'process.seccomp': {
    what: 'Whether system calls are filtered: off, strict or filter.',
    read: { linux: '/proc/self/status, line “Seccomp”', macos: null, windows: null },
    kind: 'text',
    counts: 'never',
    weight: 'possible',
    reveals: 'Nothing about a person.',
  },
  'process.aslr': {
    what: 'How addresses of programs are randomised: off, partial or full.',
    read: {
      linux: '/proc/sys/kernel/randomize_va_space; off where /proc/self/personality says so',
      macos: null,
      windows: null,
    },
    kind: 'text',
    counts: { when: 'asked for' },
    weight: 'rare',
    apply: { by: 'aslr' },
    reveals: 'Nothing about a person.',
  },
  'process.confinement': {
    what: 'The AppArmor profile or SELinux domain that confines programs.',
    read: { linux: '/proc/self/attr/current', macos: null, windows: null },
    kind: 'text',
    unset: 'none',
    counts: 'never',
    weight: 'possible',
    reveals: 'The name of the profile.',
  },
  'terminal.type': {
    ...variable('TERM'),
    what: 'What kind of terminal programs believe to write to.',
    kind: 'text',
    unset: 'not set',
    counts: 'never',
    weight: 'rare',
    reveals: 'Which terminal program is in use.',
  },
  'terminal.columns': {
    ...variable('COLUMNS'),
    what: 'The width that programs fit their output to, where the variable COLUMNS fixes it.',
    kind: 'number',
    unset: 'not set',
    counts: 'never',
    weight: 'rare',
    reveals: 'Nothing about a person.',
  },
  'terminal.color': {
    what: 'Which variables switch colour on or off, such as NO_COLOR and FORCE_COLOR.',
    read: {
      linux: 'variables NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, COLORTERM',
      macos: 'variables NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, COLORTERM',
      windows: 'variables NO_COLOR, FORCE_COLOR, CLICOLOR, CLICOLOR_FORCE, COLORTERM',
    },
    kind: 'set',
    unset: 'none',
    counts: 'never',
    weight: [{ weight: 'possible' }],
    apply: {
      by: 'variables',
      names: ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'COLORTERM'],
    },
    reveals: 'Nothing about a person.',
    family: 'colour',
  },
  'make.flags': {
    ...variable('MAKEFLAGS'),
    what: 'Options that every run of make takes.',
    freeText: true,
    kind: 'text',
    unset: 'none',
    counts: 'always',
    weight: 'possible',
    reveals: 'The options as they are written.',
  },
} as const satisfies FactTable;
