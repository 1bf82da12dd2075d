// The machine as another process sees it: its variables, folder, limits, user and root, from /proc alone.

import * as fs from 'node:fs';
import path from 'node:path';
import { notStarted } from './machine.ts';
import { createSystem } from './node-system.ts';
import type { ProcessState, System } from './system.ts';

/** Why a process cannot be read. */
type ProcessViewErrorCode = 'no_proc' | 'process_not_found' | 'process_unreadable';

/** The process does not exist, or we may not read it. */
export class ProcessViewError extends Error {
  override readonly name = 'ProcessViewError';
  readonly code: ProcessViewErrorCode;

  constructor(code: ProcessViewErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A process: how a capture sees the machine as it does, and its folder. */
interface ProcessView {
  readonly system: System;
  /** Its working folder, absolute, as the process names it. */
  readonly folder: string;
  /** False if that folder was deleted. */
  readonly isFolderThere: boolean;
}

/** Opens the view of a process. Rejects with a {@link ProcessViewError}. */
export function viewProcess(pid: number): ProcessView {
  const proc = `/proc/${pid}`;
  if (process.platform !== 'linux')
    throw new ProcessViewError('no_proc', 'processes can be read only on Linux, where /proc shows them');
  const read = <T>(get: () => T): T => {
    try {
      return get();
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ESRCH')
        throw new ProcessViewError('process_not_found', missingProcessText(pid), { cause });
      const reason = `process ${pid} belongs to another user, or is protected`;
      throw new ProcessViewError('process_unreadable', reason, { cause });
    }
  };
  const environ = read(() => fs.readFileSync(`${proc}/environ`, 'utf8'));
  const env = parseVariables(environ);
  // Servers that change their title write it over their variables.
  if (environ !== '' && !(environ.split('\0', 1)[0] as string).includes('='))
    throw new ProcessViewError('process_unreadable', `process ${pid} has overwritten its variables`);
  const link = read(() => fs.readlinkSync(`${proc}/cwd`));
  const cwd = link.replace(/ \(deleted\)$/, '');
  // For a process in a chroot, the kernel shows us the whole path.
  const rootName = read(() => fs.readlinkSync(`${proc}/root`));
  const folder = rootName !== '/' && cwd.startsWith(`${rootName}/`) ? cwd.slice(rootName.length) : cwd;
  const status = read(() => fs.readFileSync(`${proc}/status`, 'utf8'));
  const own = createSystem({ env, homeDir: env.HOME ?? '' });
  const [root, ourRoot] = [read(() => fs.statSync(`${proc}/root`)), fs.statSync('/')];
  const isElsewhere = root.dev !== ourRoot.dev || root.ino !== ourRoot.ino;
  const place = (file: string, last?: 'keep') =>
    isElsewhere ? placeInRoot(`${proc}/root`, file, proc, last) : file.replace(/^\/proc\/self(?=\/|$)/, proc);
  const hostName = isElsewhere ? hostNameIn(`${proc}/root`) : undefined;
  const system: System = {
    ...own,
    ...(hostName !== undefined && { hostName }),
    processState: () => stateOf(own.processState(), status),
    readFile: (file, part) => own.readFile(place(file), part),
    readTextFile: (file) => own.readTextFile(place(file)),
    readDirectory: (file) => own.readDirectory(place(file)),
    status: (file) => own.status(place(file)),
    isWritable: (file) => own.isWritable(place(file)),
    linkStatus: (file) => own.linkStatus(place(file, 'keep')),
    readLink: (file) => own.readLink(place(file, 'keep')),
    realPath: async (file) =>
      isElsewhere ? place(file).slice(`${proc}/root`.length) || '/' : own.realPath(place(file)),
    // We do not start programs of another root, and ours show nothing about it. Programs that another user's variables name would
    // run that user's code with our rights.
    execute: isElsewhere || isOfOthers(status) ? async () => notStarted : own.execute,
  };
  return { system, folder, isFolderThere: link === cwd };
}

/** Why a process cannot be read: ended processes and the kernel's threads have a state and nothing else. */
function missingProcessText(pid: number): string {
  const status = attempt(() => fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (status === undefined) return `there is no process ${pid}`;
  const hasEnded = /^State:\s*[XZ]/m.test(status);
  return `process ${pid} ${hasEnded ? 'has ended' : 'is a thread of the kernel, which has no environment'}`;
}

/** Whether any user id of a process is not ours: a program that `sudo` runs has the variables of the calling account. */
function isOfOthers(status: string): boolean {
  const users = /^Uid:\s*(.+)/m.exec(status)?.[1]?.split('\t');
  return users?.every((user) => Number(user) === process.getuid?.()) !== true;
}

/** `NAME=value` texts, each ended by a NUL character. Entries without a name are left out. */
export function parseVariables(text: string): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const entry of text.split('\0')) {
    const equals = entry.indexOf('=');
    if (equals > 0) variables[entry.slice(0, equals)] = entry.slice(equals + 1);
  }
  return variables;
}

/** Longest chain of symbolic links, as the kernel has it. */
const mostLinks = 40;

/**
 * The path at which we find a path of the process. Links are followed here, because an absolute link of another root would lead
 * into ours. `keep` does not follow a link at the end. Never leads out of the root.
 */
function placeInRoot(root: string, file: string, proc: string, last?: 'keep'): string {
  let rest = file.split('/').filter(Boolean);
  let done: string[] = [];
  let links = 0;
  if (rest[0] === 'proc' && rest[1] === 'self') return path.join(proc, ...rest.slice(2));
  while (rest.length > 0) {
    const [part = '', ...more] = rest;
    rest = more;
    if (part === '.') continue;
    if (part === '..') {
      done = done.slice(0, -1);
      continue;
    }
    done = [...done, part];
    if (rest.length === 0 && last === 'keep') break;
    const target = attempt(() => fs.readlinkSync([root, ...done].join('/')));
    if (target === undefined) continue;
    links += 1;
    if (links > mostLinks) throw Object.assign(new Error('ELOOP'), { code: 'ELOOP', path: file });
    done = target.startsWith('/') ? [] : done.slice(0, -1);
    rest = [...target.split('/').filter(Boolean), ...rest];
  }
  return [root, ...done].join('/');
}

function hostNameIn(root: string): string | undefined {
  const text = attempt(() => fs.readFileSync(placeInRoot(root, '/etc/hostname', '/proc/self'), 'utf8'));
  return text?.trim().slice(0, 255) || undefined;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function stateOf(own: ProcessState, status: string): ProcessState {
  // Real, effective, saved, file system.
  const effective = /^Uid:\s*\d+\s+(\d+)/m.exec(status)?.[1];
  const umask = /^Umask:\s*([0-7]+)/m.exec(status)?.[1];
  const { accountHome: _, ...state } = own;
  return {
    ...(Number(effective) === own.userId ? own : state),
    ...(effective !== undefined && { userId: Number(effective) }),
    ...(umask !== undefined && { umask: Number.parseInt(umask, 8) }),
  };
}
