// Rules about limits, rights and what a process may do.

import type { RuleRow } from '../rule.ts';

const rights = ['facts:process.root', 'facts:process.capabilities'] as const;
const failing = 'fail;error;not ok;assert;panicked;✗;✘;●;×';

export const limitRules: readonly RuleRow[] = [
  {
    has: `too many open files; emfile;'emfile;"emfile;(emfile;[emfile;errno 24`,
    names: ['family:open files'],
    hints: ['facts:kernel.inotifyInstances'],
    report: 'hashicorp/nomad/pull/6311',
  },
  {
    has: 'too many open files in system;enfile;errno 23',
    names: ['facts:kernel.fileMax'],
    report: 'nystudio107/craft-scripts/issues/16',
  },
  {
    has: 'io_uring;io uring;iouring;seccomp;bad system call;sigsys',
    names: ['facts:process.seccomp'],
    report: 'netty/netty-incubator-transport-io_uring/issues/41',
  },
  {
    has: 'file watchers;inotify;fsnotify',
    names: ['family:inotify'],
    report: 'paulmillr/chokidar/issues/255',
  },
  {
    has: 'enospc;no space left on device;not enough space;disk is full;disk quota exceeded',
    names: ['facts:fs.full', 'facts:fs.temporaryFull'],
    hints: ['family:temporary folder', 'family:inotify'],
    report: 'flutter/flutter/issues/84717',
  },
  {
    has: `heap out of memory;outofmemoryerror;cannot allocate memory;enomem;oomkilled;out of memory;code 137;
      code: 137;signal 9;signal: 9;sigkill;killed;memoryerror;bad_alloc;heap space;
      daemon disappeared;daemon has disappeared;metaspace;memory exhausted;allowed memory size;insufficient memory;
      not enough memory;memory limit;status 137;out_of_memory`,
    names: [
      'facts:memory.limit',
      'facts:limits.addressSpace',
      'facts:limits.data',
      'env:NODE_OPTIONS',
      'env:JAVA_TOOL_OPTIONS',
      'env:MAVEN_OPTS',
      'env:GRADLE_OPTS',
      'facts:gradle.jvmArguments',
      'facts:npm.nodeOptions',
    ],
    hints: ['facts:kernel.overcommit'],
    report: 'harlan-zw/harlan-nuxt/pull/121',
  },
  {
    has: `resource temporarily unavailable;eagain;unable to create native thread;pthread_create;
      can't start new thread;cannot fork;fork: ;os error 11;spawn thread`,
    names: ['facts:limits.processes', 'facts:limits.cgroupProcesses'],
    report: 'jax-ml/jax/issues/24631',
  },
  {
    has: 'stack overflow;stack-overflow;stack_overflow;stack level too deep;maximum call stack;segmentation fault;sigsegv;recursionerror;code 139',
    names: ['facts:limits.stack'],
    hints: ['facts:cpu.features', 'system:libc'],
    report: 'nstepien/iltorb/issues/51',
  },
  {
    has: '/dev/shm;bus error;sigbus;shared memory;page crash;tab crashed;target crashed',
    names: ['facts:memory.shared', 'facts:fs.sharedMemory'],
    report: 'groonga/groonga/issues/1660',
  },
  {
    has: `did not raise;to throw an error;exception not raised;expected an error;should have failed;
      should fail;expected error;unexpectedly succeeded`,
    names: [],
    hints: rights,
    report: 'ResearchObject/ro-crate-py/issues/57',
  },
  {
    has: `permission;unreadable;unwritable;read_only;readonly;read-only;eacces;denied;chmod;not_writable;
      nopermission`,
    and: [failing],
    names: [],
    hints: [...rights, 'facts:folder.owned', 'facts:process.umask'],
    report: 'con/duct/issues/348',
  },
  {
    has: `cannot be run as root;as root is not;as root without;be run as root;running as root;run as root;must be root;
      requires root;only root;effective uid;euid`,
    names: rights,
    report: 'patchloom/patchloom/issues/1276',
  },
  {
    has: 'bind;listen',
    and: ['permission denied;eacces'],
    names: ['facts:kernel.unprivilegedPorts', ...rights],
    report: 'caddyserver/caddy/issues/3348',
  },
  {
    has: 'cannot change ownership',
    names: rights,
    hints: ['facts:kernel.userNamespaces'],
    report: 'microsoft/vscode-remote-release/issues/28',
  },
  {
    has: '/lib/node_modules',
    and: ['permission denied;eacces'],
    names: ['facts:npm.prefix', ...rights],
    report: 'npm/cli/issues/5145',
  },
  {
    has: 'permission denied;operation not permitted;eacces;eperm',
    names: [
      'facts:fs.noexec',
      'facts:fs.temporaryNoexec',
      'facts:home.writable',
      'facts:fs.readOnly',
      'facts:process.noNewPrivileges',
      'facts:folder.owned',
    ],
    hints: [
      ...rights,
      'facts:process.umask',
      'family:temporary folder',
      'facts:kernel.unprivilegedPorts',
      'facts:kernel.selinux',
      'facts:kernel.ptraceScope',
      'facts:kernel.userNamespaces',
      'checkout:changed*',
    ],
    report: 'eradman/rset/issues/14',
  },
  {
    has: `umask;group-writable;group writable;world-readable;bad permissions;too open;file mode;st_mode;-rw-;
      drwx`,
    names: ['facts:process.umask'],
    hints: ['facts:git.core.fileMode'],
    report: 'libgit2/libgit2/pull/3529',
  },
  {
    has: 'failed to map segment',
    names: ['facts:fs.temporaryNoexec', 'facts:fs.noexec'],
    hints: ['family:temporary folder'],
    report: 'xerial/sqlite-jdbc/issues/571',
  },
  {
    has: 'running scripts is disabled;execution of scripts is disabled;about_execution_policies',
    names: ['facts:windows.executionPolicy'],
    report: 'nvm-windows/nvm/issues/1301',
  },
  {
    has: 'dubious ownership;obtaining vcs status;safe.directory',
    names: ['facts:folder.owned', 'facts:process.root'],
    report: 'dorny/test-reporter/issues/226',
  },
  {
    has: 'no usable sandbox;suid sandbox;user namespace;unshare;newuidmap;failed to move to new namespace',
    names: ['facts:kernel.userNamespaces', ...rights],
    report: 'coder/websocket/pull/511',
  },
  {
    has: 'ptrace',
    names: ['facts:kernel.ptraceScope', 'facts:process.capabilities'],
    report: 'google/sanitizers/issues/916',
  },
  { has: 'perf_event', names: ['facts:kernel.perfParanoid'], report: 'rr-debugger/rr/issues/2835' },
  {
    has: 'avc: denied;selinux',
    names: ['facts:kernel.selinux', 'facts:process.confinement'],
    report: 'podman-container-tools/podman/issues/10522',
  },
  {
    has: 'not a tty;inappropriate ioctl;tput: ;ncurses;terminal is not fully functional;term environment variable;unknown terminal;terminfo',
    names: ['facts:terminal.type', 'env:TERM'],
    hints: ['env:CI', 'env:COLUMNS'],
    report: 'Textualize/rich/pull/3226',
  },
];
