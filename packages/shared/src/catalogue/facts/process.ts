// Facts about the process that runs programs: limits, rights, terminal.

import { by, type FactRow, factTable, type LimitName } from './fact.ts';
import { cgroup, onLinux, onUnix, status, variable } from './origin.ts';

const limit = (name: LimitName, line: string, unit?: FactRow['unit'], bound: 'soft' | 'hard' = 'soft') => ({
  read: onUnix({ from: 'limit', line, bound } as const),
  kind: 'limit' as const,
  ...(unit && { unit }),
  apply: { by: 'limit', limit: name } as const,
  inert: true as const,
});
const settable = (name: string) => ({ read: variable(name), apply: { by: 'variable', name } as const });

const colourVariables = ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'COLORTERM'];

export const processFacts = factTable({
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
    repair: by('raise the limit on open files', 'ulimit -n {value}'),
  },
  'limits.openFilesHard': {
    ...limit('nofile', 'Max open files', 'files', 'hard'),
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
    read: cgroup('pids'),
    kind: 'limit',
    unit: 'processes',
    unset: 'unlimited',
    counts: 'never',
    weight: 'possible',
  },
  'limits.cpuTime': {
    what: 'How many seconds of processor time a program may use before it is ended.',
    read: onUnix({ from: 'limit', line: 'Max cpu time', bound: 'soft' } as const),
    kind: 'limit',
    counts: { when: 'less' },
    weight: [{ counted: false, weight: 'slight' }, { weight: 'likely' }],
    repair: by('raise the limit on processor time', 'ulimit -t {value}'),
  },
  'process.account': {
    what: 'Whether the user of the process has an entry in the list of accounts.',
    read: onUnix('getpwuid(3)'),
    kind: 'flag',
    weight: 'likely',
    repair: { true: by('give the user an entry in /etc/passwd, or run it as a user that has one') },
  },
  'process.ignoresBrokenPipe': {
    what: 'Whether programs are started with SIGPIPE ignored: then writing to a closed pipe is an error and not their end.',
    read: onLinux(
      '/proc/PID/status, line “SigIgn”, of the nearest parent process that is not Node.js, if it is a shell',
    ),
    kind: 'flag',
    unset: 'false',
    // A CI service whose runner ignores the signal starts every job so.
    counts: { when: 'asked for' },
    weight: 'now and then',
    repair: { false: by('start it from a shell or a service that does not ignore SIGPIPE') },
  },
  'process.umask': {
    what: 'Which permissions new files do not get.',
    read: { linux: '/proc/self/status, line “Umask”', macos: 'umask(2)', windows: null },
    counts: { when: 'not both among', usual: ['0002', '0022'] },
    weight: [{ counted: false, weight: 40 }, { weight: 'likely' }],
    apply: { by: 'umask' },
    inert: true,
  },
  'process.root': {
    what: 'Whether programs run as the superuser, who may open every file.',
    read: { linux: '/proc/self/status, line “Uid”', macos: 'geteuid(2)', windows: null },
    kind: 'flag',
    weight: [{ b: 'true', weight: 'possible' }, { weight: 'now and then' }],
    reveals: 'That the capture ran as the superuser.',
    family: 'root',
    repair: { true: by('run it as root'), false: by('run it as a user other than root') },
  },
  'process.capabilities': {
    what: 'Which rights of the superuser programs hold.',
    read: onLinux('/proc/self/status, line “CapEff”'),
    kind: 'set',
    weight: [{ weight: 'now and then' }],
    reveals: 'Which rights the account or container has.',
    family: 'root',
  },
  'process.noNewPrivileges': {
    what: 'Whether programs are kept from gaining rights, so that sudo and setuid programs fail.',
    read: status('NoNewPrivs'),
    kind: 'flag',
    weight: 'possible',
    repair: {
      false: by('start it without no_new_privs (NoNewPrivileges= of systemd, --security-opt of Docker)'),
    },
  },
  'process.seccomp': {
    what: 'Whether system calls are filtered: off, strict or filter.',
    read: status('Seccomp', ['off', 'strict', 'filter']),
    counts: 'never',
    weight: 'possible',
  },
  'process.personality': {
    what: 'The processor that “uname -m” names where a personality (setarch) hides the real one: installers and builds go by it.',
    read: onLinux('/proc/self/personality, PER_LINUX32; then uname -m'),
    unset: 'none',
    weight: 'possible',
  },
  'process.aslr': {
    what: 'How addresses of programs are randomised: off, partial or full.',
    read: onLinux('/proc/sys/kernel/randomize_va_space; off where /proc/self/personality says so'),
    counts: { when: 'asked for' },
    weight: 'rare',
    apply: { by: 'aslr' },
  },
  'process.confinement': {
    what: 'The AppArmor profile or SELinux domain that confines programs.',
    read: onLinux('/proc/self/attr/current'),
    unset: 'none',
    counts: 'never',
    weight: 'possible',
    reveals: 'The name of the profile.',
  },
  'process.sshAgent': {
    ...settable('SSH_AUTH_SOCK'),
    what: 'Whether programs are offered an SSH agent, as git and ssh use one for keys.',
    kind: 'flag',
    unset: 'false',
    counts: 'never',
    weight: 'rare',
    repair: {
      true: by('start it from a session with an SSH agent, or hand SSH_AUTH_SOCK on'),
      false: by('unset SSH_AUTH_SOCK', 'unset SSH_AUTH_SOCK'),
    },
  },
  'terminal.type': {
    ...settable('TERM'),
    what: 'What kind of terminal programs believe to write to.',
    unset: 'not set',
    counts: 'never',
    weight: 'rare',
    reveals: 'Which terminal program is in use.',
  },
  'terminal.columns': {
    ...settable('COLUMNS'),
    inert: true,
    what: 'The width that programs fit their output to, where the variable COLUMNS fixes it.',
    kind: 'number',
    unset: 'not set',
    counts: 'never',
    weight: 'rare',
  },
  'terminal.color': {
    what: 'Which variables switch colour on or off, such as NO_COLOR and FORCE_COLOR.',
    read: variable(...colourVariables),
    kind: 'set',
    unset: 'none',
    counts: 'never',
    weight: [{ weight: 'possible' }],
    apply: { by: 'variables', names: colourVariables },
    inert: true,
    family: 'colour',
  },
  'make.flags': {
    ...settable('MAKEFLAGS'),
    what: 'Options that every run of make takes.',
    counts: { when: 'not sizes alone' },
    freeText: true,
    unset: 'none',
    weight: 'possible',
    reveals: 'The options as they are written.',
  },
});
