// How a run of a command starts: its variables, and settings that must be applied before the process starts (limits,
// umask, processors), by a fixed shell line or a program of the system.

import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { LimitName } from '@envsnap/shared/catalogue/facts/fact';
import { isVariableName } from '@envsnap/shared/catalogue/variables/code-variables';

/** The combined changes of one list. */
export interface Mix {
  readonly inserted: Set<string>;
  readonly removed: Set<string>;
  orderOfA: boolean;
}

export interface RunSetting {
  readonly env: Record<string, string>;
  /** Soft limits: whole numbers in the units of setrlimit (bytes, files, processes), or `unlimited`. */
  readonly limits: Map<LimitName, string>;
  /** Four octal digits. */
  umask: string | undefined;
  /** Numbers of the processors that the command may use. */
  processors: readonly number[] | undefined;
  fixedAddresses: boolean;
  /** A fresh home folder instead of the user's. */
  home: { blank: boolean; readOnly: boolean } | undefined;
  /** git settings as `GIT_CONFIG_*` gives them. */
  readonly git: Map<string, string>;
  /** Folders to put at the beginning of PATH, the last one first. */
  readonly programs: string[];
  /** By the name of the variable. */
  readonly mixes: Map<string, Mix>;
}

export function newSetting(env: NodeJS.ProcessEnv): RunSetting {
  return {
    env: variablesOf(env, process.platform === 'win32'),
    limits: new Map(),
    umask: undefined,
    processors: undefined,
    fixedAddresses: false,
    home: undefined,
    git: new Map(),
    programs: [],
    mixes: new Map(),
  };
}

/** Throws for an invalid name. On Windows each variable exists once, whatever its case. */
function variablesOf(given: NodeJS.ProcessEnv, onWindows: boolean): Record<string, string> {
  const spelled = new Map<string, string>();
  const known = (name: string | symbol) =>
    onWindows ? (spelled.get(String(name).toUpperCase()) ?? name) : name;
  const env = new Proxy<Record<string, string>>(
    {},
    {
      get: (target, name) => Reflect.get(target, known(name)),
      has: (target, name) => Reflect.has(target, known(name)),
      deleteProperty: (target, name) => Reflect.deleteProperty(target, known(name)),
      getOwnPropertyDescriptor: (target, name) => Reflect.getOwnPropertyDescriptor(target, known(name)),
      set(target, name, value) {
        if (!isVariableName(String(name))) return false;
        if (!Reflect.has(target, known(name))) spelled.set(String(name).toUpperCase(), String(name));
        return Reflect.set(target, known(name), value);
      },
    },
  );
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && isVariableName(name)) env[name] = value;
  return env;
}

export interface Invocation {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/** The letter for `ulimit`, and the number of bytes in its unit by POSIX; 1 if it is not a size. */
const ulimits: Readonly<Record<LimitName, readonly [letter: string, unit: number]>> = {
  nofile: ['n', 1],
  stack: ['s', 1024],
  nproc: ['u', 1],
  memlock: ['l', 1024],
  core: ['c', 512],
  fsize: ['f', 512],
  as: ['v', 1024],
  data: ['d', 1024],
};

/** Combines a setting and a command. `home` is the folder for a fresh home, if one is requested. */
export function invocationOf(
  setting: RunSetting,
  command: readonly string[],
  home: string | undefined,
): Invocation {
  const { env } = setting;
  if (setting.programs.length > 0)
    env.PATH = [...setting.programs]
      .reverse()
      .concat(env.PATH ?? '')
      .join(path.delimiter);
  if (home !== undefined) {
    env.HOME = home;
    if (process.platform === 'win32') env.USERPROFILE = home;
  }
  addGitSettings(env, setting.git);
  const before: string[] = [];
  if (setting.processors !== undefined) before.push('taskset', '-c', setting.processors.join());
  if (setting.fixedAddresses) before.push('setarch', '-R');
  const line = shellLine(setting);
  if (line !== undefined) before.push('/bin/sh', '-c', `${line} && exec "$@"`, 'sh');
  const [file = '', ...args] = [...before, ...command];
  return { file, args, env };
}

function addGitSettings(env: Record<string, string>, settings: ReadonlyMap<string, string>): void {
  let count = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  for (const [key, value] of settings) {
    env[`GIT_CONFIG_KEY_${count}`] = key;
    env[`GIT_CONFIG_VALUE_${count}`] = value;
    count += 1;
  }
  if (settings.size > 0) env.GIT_CONFIG_COUNT = String(count);
}

/** Contains only numbers and fixed words, so no text of a snapshot reaches a shell. */
function shellLine({ umask, limits }: RunSetting): string | undefined {
  const parts: string[] = [];
  if (umask !== undefined && /^[0-7]{3,4}$/.test(umask)) parts.push(`umask ${umask}`);
  for (const [name, value] of limits) {
    const [letter, unit] = ulimits[name];
    const number = value === 'unlimited' ? value : String(Math.floor(Number(value) / unit));
    if (!/^(?:\d+|unlimited)$/.test(number)) continue;
    // dash writes the limit of processes as -p.
    if (letter === 'u') parts.push(`{ ulimit -S -u ${number} 2>/dev/null || ulimit -S -p ${number}; }`);
    else parts.push(`ulimit -S -${letter} ${number}`);
  }
  return parts.length === 0 ? undefined : parts.join(' && ');
}

export function parseProcessorList(text: string): number[] {
  return text
    .trim()
    .split(',')
    .flatMap((range) => {
      const [first = Number.NaN, last = first] = range.split('-').map(Number);
      if (!Number.isInteger(first) || !Number.isInteger(last) || last - first > 4096) return [];
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}

/** The path of a program on PATH; undefined if it is missing. */
export async function findProgram(name: string, searchPath: string | undefined): Promise<string | undefined> {
  for (const folder of (searchPath ?? '').split(path.delimiter)) {
    if (folder === '') continue;
    const file = path.join(folder, name);
    const found = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return file;
  }
  return undefined;
}
