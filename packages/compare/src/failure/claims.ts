// Claims in a line of output that can be verified on this machine: a port in use, a full disk. Pure.

import type { UnsetVariable } from './unset-variables.ts';

export type Claim =
  | UnsetVariable
  | { readonly kind: 'port in use'; readonly port: number }
  /** `port` is null if the line does not name an address of this machine. */
  | { readonly kind: 'connection refused'; readonly host: string; readonly port: number | null }
  | { readonly kind: 'missing command'; readonly name: string }
  | { readonly kind: 'missing file'; readonly path: string }
  | { readonly kind: 'missing library'; readonly name: string }
  /** `path` is null if the line names none. */
  | { readonly kind: 'no space'; readonly path: string | null }
  | { readonly kind: 'not writable'; readonly path: string };

export function claimOf(line: string): Claim | undefined {
  return (
    portInUse(line) ??
    connectionRefused(line) ??
    noSpace(line) ??
    notWritable(line) ??
    missingName(line, 'missing command') ??
    missingName(line, 'missing library') ??
    missingFile(line)
  );
}

const inUse =
  /eaddrinuse|address (?:is )?already in use|port is already allocated|only one usage of each socket address|\bport \d{1,5} (?:is|was) (?:already )?(?:in use|used|taken|occupied)|already running on port/i;
const portNumber = /\bport[ :=]{1,2}(\d{2,5})\b|(?:[\w\])*:\s]|^):(\d{2,5})(?!\d|:\d)|', (\d{2,5})\)/i;

function portInUse(line: string): Claim | undefined {
  const port = inUse.test(line) ? portOf(portNumber.exec(line)) : undefined;
  return port === undefined ? undefined : { kind: 'port in use', port };
}

const refused =
  /econnrefused|connection[ _]refused|actively refused|can't connect to|failed to connect|connect error/i;
const isRefusal = /econnrefused|connection[ _]refused|actively refused/i;
/** A port of another machine. */
const elsewhere = /[\w-]\.[\w-]{1,24}(?::| port )\d/;
const ownAddress =
  /(localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0)['"]?\)?(?:,? port[ =]|:)(\d{1,5})(?!\d)/i;

function connectionRefused(line: string): Claim | undefined {
  if (!refused.test(line)) return undefined;
  const found = ownAddress.exec(line);
  const port = portOf(found && ['', found[2]]) ?? null;
  if (port === null && !(isRefusal.test(line) && !elsewhere.test(line))) return undefined;
  return { kind: 'connection refused', host: found?.[1]?.replace(/[[\]]/g, '') ?? '', port };
}

function portOf(found: readonly (string | undefined)[] | null): number | undefined {
  const port = Number(found?.slice(1).find((text) => text !== undefined) ?? 0);
  return port > 0 && port < 65_536 ? port : undefined;
}

const full = /enospc|no space left on device|not enough (?:disk )?space|disk is full|disk quota exceeded/i;
const absolutePath = /(?:^|[\s'"`(=:])((?:\/[\w.@+-]{1,80}){1,20}\/?)(?=$|[\s'"`):,])/;

function noSpace(line: string): Claim | undefined {
  // File watchers report the same error number.
  if (!full.test(line) || /watch|inotify/i.test(line)) return undefined;
  return { kind: 'no space', path: absolutePath.exec(line)?.[1] ?? null };
}

const refusedPath = /erofs|read-only file ?system|eacces|permission denied/i;

function notWritable(line: string): Claim | undefined {
  const path = refusedPath.test(line) ? pathIn(line) : undefined;
  return path === undefined ? undefined : { kind: 'not writable', path };
}

/** What a line names as missing, by the words before and after the name. */
const missingNames = {
  'missing command': [
    /^\S{1,200}: (?:line )?\d{1,6}: ([\w.+@/-]{1,100}): (?:command )?not found\s*$/,
    /^(?:\S{0,80}\/)?(?:sh|bash|zsh|dash|ash|ksh)(?:\.exe)?: .{0,80}?([\w.+@/-]{1,100}): (?:command )?not found\s*$/,
    /(?:^|\s)([\w.+@/-]{1,100}): command not found(?!:)/i,
    /(?:command not found|Unknown command): '?([\w.+@/-]{1,100})/,
    /\bspawn ([\w.+@/-]{1,100}) ENOENT/,
    /\bexec: "([\w.+@/-]{1,100})": executable file not found/,
    /\benv: [‘'"]?([\w.+@/-]{1,100})[’'"]?: No such file/,
    /^make(?:\[\d{1,3}\])?: ([\w.+@/-]{1,100}): No such file/,
    /['‘]([\w.+@/-]{1,100})['’] is not recognized as (?:an internal|the name)/,
    /Cannot run program "([\w.+@/-]{1,100})"/,
    /\b(?:program|executable|linker|command) ['"`‘]([\w.+@/-]{1,100})['"`’] (?:was |is )?not found/i,
    /\b(?:find|locate)(?: the)? (?:executable|program|utility)(?: file)?:? ['"`‘]?([\w.+@/-]{0,99}[\w+])/i,
    /\b(?:error: command|unable to execute) '([\w.+@/-]{1,100})'(?: failed)?: No such file/,
    /\bThe ([\w.+-]{1,100}) command could not be found|\bis [`'"]([\w.+-]{1,100})[`'"] not installed\?/,
    /^which: no ([\w.+-]{1,100}) in /,
  ],
  'missing library': [
    /([\w+-]{1,100}\.so(?:\.\d{1,6}){0,4}): cannot open shared object file/,
    /Error loading shared library ([\w+-]{1,100}\.so(?:\.\d{1,6}){0,4}):/,
  ],
} as const;

function missingName(line: string, kind: keyof typeof missingNames): Claim | undefined {
  for (const form of missingNames[kind]) {
    const name = form
      .exec(line)
      ?.slice(1)
      .find((text) => text !== undefined);
    if (name !== undefined) return { kind, name };
  }
  return undefined;
}

const fileIsMissing =
  /enoent|no such file|cannot find (?:the )?(?:file|path|module '\/)|(?:file|path) (?:does not exist|not found|was not found)|filenotfound|can't open file/i;
const missingModule = /cannot find module '(\/[^']{1,400})'/i;
const quotedPath = /['"`‘“]([^'"`‘’“”\s]{1,200})['"`’”]/g;
const barePath =
  /(?:^|[\s:=(])((?:\.{0,2}\/)?(?:[\w.@-]{1,80}\/){0,20}[\w@-]{0,80}\.[\w.-]{1,40})(?=$|[\s:,)])/g;

function missingFile(line: string): Claim | undefined {
  const path = fileIsMissing.test(line) ? (missingModule.exec(line)?.[1] ?? pathIn(line)) : undefined;
  return path === undefined ? undefined : { kind: 'missing file', path };
}

function pathIn(line: string): string | undefined {
  const named = [...line.matchAll(quotedPath), ...line.matchAll(barePath)].map(([, path = '']) => path);
  return named.findLast((each) => /[/.]/.test(each) && !/:\/\//.test(each) && !/^[\d.]+$/.test(each));
}
