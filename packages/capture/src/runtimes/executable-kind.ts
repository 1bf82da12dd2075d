// The kind of an executable file: a program, or a script with the interpreter to start for it.

import type { CapturedMachine } from '../system/machine.ts';
import { untrustedReason } from '../system/untrusted-tree.ts';

export type ExecutableKind =
  | {
      readonly kind: 'startable';
      /** The file depends on nothing but itself and the system's packages. */
      readonly cacheable: boolean;
      /** A script for Ruby, Python or Perl. */
      readonly isScript?: true;
      /** Interpreter and script, if the script uses `env` to find its interpreter. */
      readonly command?: readonly string[];
    }
  | { readonly kind: 'unstartable'; readonly reason: string };

/** Programs that choose another program to start: their output may change although they stay the same. */
const dispatchers =
  /\/(?:snapd?|aqua-proxy|proto-shim)$|\/\.proto\/shims\/|\/scoop\/shims\/|\/chocolatey\/bin\/|\/devbox\/|\/py\.exe$/i;
/** Folders that only the system's package manager writes to. */
const systemFolders = /^\/(?:usr\/)?(?:bin|sbin|lib|lib32|lib64|libexec)\/|^\/usr\/share\//;

/**
 * Looks at the first bytes of a file. `interpreterOf` finds what `#!/usr/bin/env NAME` would start: starting that directly
 * avoids the failing attempts of `env` in each folder of `PATH`.
 */
export async function executableKind(
  machine: CapturedMachine,
  realPath: string,
  interpreterOf: (name: string) => Promise<string | undefined>,
  isForbidden: (realPath: string) => boolean,
): Promise<ExecutableKind> {
  if (machine.platform === 'win32' && !/\.(?:exe|com)$/i.test(realPath)) {
    return { kind: 'unstartable', reason: 'it is a command file, which only a shell can start' };
  }
  const isDispatcher = dispatchers.test(realPath.replaceAll('\\', '/'));
  let start: string;
  try {
    start = Buffer.from(await machine.readFile(realPath, { length: 256 })).toString('latin1');
  } catch {
    // Executable but not readable: it can be started, but its content is unknown.
    return { kind: 'startable', cacheable: false };
  }
  if (!start.startsWith('#!')) return { kind: 'startable', cacheable: !isDispatcher };
  // The system would start the program named in the first line. If that is `env` with options, `env` would search for one.
  const named = /^#!\s*(\S+)/.exec(start)?.[1];
  if (named !== undefined && (await leadsInto(machine, named, isForbidden)))
    return { kind: 'unstartable', reason: `its interpreter ${named} is not started: ${untrustedReason}` };
  // A script may start anything; only the system's own scripts change together with what they start.
  const cacheable = !isDispatcher && machine.platform === 'linux' && systemFolders.test(realPath);
  const isScript = /^#![^\n]*\b(?:ruby|python|perl)/.test(start) && { isScript: true as const };
  const [, options = '', interpreter = ''] =
    /^#!\s*\/usr\/bin\/env(?:\s+-S)?((?:\s+-\S+)*)\s+(\S+)/.exec(start) ?? [];
  if (!interpreter || options || interpreter.includes('='))
    return { kind: 'startable', cacheable, ...isScript };
  const found = interpreter.startsWith('/') ? interpreter : await interpreterOf(interpreter);
  if (found === undefined)
    return { kind: 'unstartable', reason: `its interpreter ${interpreter} is not on PATH` };
  const rest = /^#![^\n]*?\s-S\s/.test(start) ? interpreterArguments(start, interpreter) : [];
  return { kind: 'startable', cacheable, ...isScript, command: [found, ...rest, realPath] };
}

async function leadsInto(
  machine: CapturedMachine,
  path: string,
  isForbidden: (realPath: string) => boolean,
): Promise<boolean> {
  if (!path.startsWith('/') || isForbidden(path)) return true;
  const real = await machine.realPath(path).catch(() => path);
  return isForbidden(real);
}

function interpreterArguments(start: string, interpreter: string): string[] {
  const line = start.split('\n', 1)[0] ?? '';
  const after = line.slice(line.indexOf(interpreter) + interpreter.length).trim();
  return after === '' ? [] : after.split(/\s+/);
}
