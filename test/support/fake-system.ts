// A machine in memory for collector tests: files, links, programs with canned output, environment, clock.

import path from 'node:path';
import type {
  ExecuteOptions,
  ExecuteResult,
  FileStatus,
  System,
} from '../../packages/capture/src/system/system.ts';

/** A file of the fake machine. A plain string or bytes is a file that cannot be executed. */
export interface FakeFile {
  readonly content?: string | Uint8Array;
  readonly executable?: boolean;
  /** Target of a symbolic link, absolute or relative to the link's folder. */
  readonly link?: string;
  readonly modifiedMs?: number;
  /** User id of the owner; default 1000. */
  readonly ownerId?: number;
  /** Reading it fails with this code, e.g. `EACCES`. */
  readonly error?: string;
  /** A folder without entries. */
  readonly folder?: true;
  /** A pipe, socket or device: seen in listings, never readable. */
  readonly special?: true;
}

/** The result of a fake program: its standard output, parts of a result, or a function of its arguments. */
type FakeProgram =
  | string
  | Partial<ExecuteResult>
  | ((args: readonly string[], options: ExecuteOptions) => string | Partial<ExecuteResult>);

/** Describes a fake machine; everything defaults to a bare Linux machine. */
export interface FakeMachine {
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly env?: Record<string, string | undefined>;
  readonly homeDir?: string;
  readonly hostName?: string;
  readonly nowMs?: number;
  readonly hostRuntime?: System['hostRuntime'];
  readonly operatingSystem?: ReturnType<System['operatingSystem']>;
  readonly regionalSettings?: ReturnType<System['regionalSettings']>;
  /** The process's data about itself; default: an ordinary user with the fake home folder. */
  readonly processState?: Partial<ReturnType<System['processState']>>;
  /** Paths that cannot be written to, with all below them. */
  readonly readOnly?: readonly string[];
  /** Paths whose file systems have no room. */
  readonly full?: readonly string[];
  /** Without it, reading the hardware fails. */
  readonly hardware?: Awaited<ReturnType<System['hardware']>>;
  readonly files?: Record<string, string | Uint8Array | FakeFile>;
  /** Programs by absolute path; each is also an executable file unless `files` says otherwise. */
  readonly programs?: Record<string, FakeProgram>;
}

/** One call of {@link System.execute} on a fake machine. */
interface RecordedExecution {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: ExecuteOptions;
}

export interface FakeSystem extends System {
  readonly executions: RecordedExecution[];
  readonly reads: string[];
  /** Files written through the system, by path. */
  readonly written: Map<string, string>;
}

/** Builds the machine; its files are fixed, but for what is written through it. */
export function createFakeSystem(machine: FakeMachine = {}): FakeSystem {
  const platform = machine.platform ?? 'linux';
  const onWindows = platform === 'win32';
  const paths = onWindows ? path.win32 : path.posix;
  const key = (location: string): string => {
    const normal = paths.resolve(onWindows ? 'C:\\' : '/', location);
    return onWindows ? normal.toLowerCase() : normal;
  };

  const nodes = new Map<string, FakeFile>();
  /** Owners of folders that are not the ordinary user’s. */
  const owners = new Map<string, number>();
  /** Children by folder key: entry key -> name as written. */
  const folders = new Map<string, Map<string, string>>();
  const written = new Map<string, string>();
  const executions: RecordedExecution[] = [];
  const reads: string[] = [];
  let clockMs = 0;

  const addFolder = (location: string): void => {
    const normal = paths.resolve(location);
    if (folders.has(key(normal))) return;
    folders.set(key(normal), new Map());
    const parent = paths.dirname(normal);
    if (parent === normal) return;
    addFolder(parent);
    folders.get(key(parent))?.set(key(normal), paths.basename(normal));
  };
  const addNode = (location: string, node: FakeFile): void => {
    if (node.folder) {
      addFolder(location);
      if (node.ownerId !== undefined) owners.set(key(location), node.ownerId);
      return;
    }
    const parent = paths.dirname(paths.resolve(location));
    addFolder(parent);
    folders.get(key(parent))?.set(key(location), paths.basename(location));
    nodes.set(key(location), node);
  };
  addFolder(onWindows ? 'C:\\' : '/');
  for (const location of Object.keys(machine.programs ?? {}))
    addNode(location, { executable: true, content: 'a program' });
  for (const [location, file] of Object.entries(machine.files ?? {}))
    addNode(location, typeof file === 'string' || file instanceof Uint8Array ? { content: file } : file);

  const fail = (code: string, location: string): never => {
    throw Object.assign(new Error(`${code}: fake machine, '${location}'`), { code, path: location });
  };
  /** Real key of a path, every link followed. */
  const resolveLinks = (location: string, depth = 0): string => {
    if (depth > 40) fail('ELOOP', location);
    const normal = paths.resolve(location);
    const parent = paths.dirname(normal);
    const here =
      parent === normal ? normal : paths.join(resolveLinks(parent, depth + 1), paths.basename(normal));
    const link = nodes.get(key(here))?.link;
    if (link !== undefined) return resolveLinks(paths.resolve(paths.dirname(here), link), depth + 1);
    if (!nodes.has(key(here)) && !folders.has(key(here))) fail('ENOENT', location);
    return here;
  };
  const bytesOf = (location: string): Uint8Array => {
    const real = key(resolveLinks(location));
    reads.push(location);
    const node = nodes.get(real);
    if (!node) return fail('EISDIR', location);
    if (node.error) return fail(node.error, location);
    if (node.special) return fail('EINVAL', location);
    const content = node.content ?? '';
    return typeof content === 'string' ? new TextEncoder().encode(content) : content;
  };

  const statusOf = async (location: string): Promise<FileStatus> => {
    const real = key(resolveLinks(location));
    const node = nodes.get(real);
    if (!node)
      return {
        kind: 'directory',
        sizeBytes: 0,
        modifiedMs: 0,
        changedMs: 0,
        executable: false,
        ownerId: owners.get(real) ?? 1000,
      };
    const extension = paths.extname(real);
    const executable = onWindows
      ? ['.exe', '.com', '.cmd', '.bat', '.ps1'].includes(extension)
      : node.executable === true;
    return {
      kind: node.special ? 'other' : 'file',
      sizeBytes: node.content?.length ?? 0,
      modifiedMs: node.modifiedMs ?? 1_700_000_000_000,
      changedMs: node.modifiedMs ?? 1_700_000_000_000,
      executable,
      ownerId: node.ownerId ?? 1000,
    };
  };

  return {
    platform,
    arch: machine.arch ?? 'x64',
    env: machine.env ?? {},
    homeDir: machine.homeDir ?? (onWindows ? 'C:\\Users\\dev' : '/home/dev'),
    hostName: machine.hostName ?? 'fake-machine',
    hostRuntime: machine.hostRuntime ?? { execPath: '/nowhere/node', nodeVersion: '24.0.0' },
    executions,
    reads,
    written,
    now: () => machine.nowMs ?? 1_770_000_000_000,
    monotonicMs: () => ++clockMs,
    operatingSystem: () => machine.operatingSystem ?? {},
    hardware: async () => {
      if (!machine.hardware) throw new Error('no response within 5 s');
      return machine.hardware;
    },
    processState: () => ({
      userId: 1000,
      accountHome: machine.homeDir ?? (onWindows ? 'C:\\Users\\dev' : '/home/dev'),
      umask: 0o022,
      versions: { node: '24.0.0' },
      limits: () => ({}),
      ...machine.processState,
    }),
    regionalSettings: () => machine.regionalSettings ?? { timeZone: 'UTC', locale: 'en-US' },
    readFile: async (location, { offset = 0, length = Number.POSITIVE_INFINITY } = {}) =>
      bytesOf(location).subarray(offset, offset + length),
    readTextFile: async (location) => new TextDecoder().decode(bytesOf(location)),
    readDirectory: async (location) => {
      const real = resolveLinks(location);
      const children = folders.get(key(real)) ?? fail('ENOTDIR', location);
      return [...children].map(([child, name]) => {
        const node = nodes.get(child);
        if (!node) return { name, kind: 'directory' };
        return { name, kind: node.link !== undefined ? 'symlink' : node.special ? 'other' : 'file' };
      });
    },
    status: (location) => statusOf(location),
    realPath: async (location) => resolveLinks(location),
    linkStatus: async (location) => {
      const parent = resolveLinks(paths.dirname(location));
      const node = nodes.get(key(paths.join(parent, paths.basename(location))));
      const status = node?.link === undefined ? await statusOf(location) : undefined;
      return status ?? { kind: 'symlink', sizeBytes: 0, modifiedMs: 0, changedMs: 0, executable: false };
    },
    readLink: async (location) => {
      const parent = resolveLinks(paths.dirname(location));
      return nodes.get(key(paths.join(parent, paths.basename(location))))?.link ?? fail('EINVAL', location);
    },
    isFull: async (location) => (machine.full ?? []).includes(location),
    isWritable: async (location) => {
      try {
        const real = key(resolveLinks(location));
        return !(machine.readOnly ?? []).some(
          (path) => real === key(path) || real.startsWith(`${key(path)}/`),
        );
      } catch {
        return false;
      }
    },
    writeFileAtomically: async (location, content) => {
      written.set(location, content);
      addNode(location, { content });
    },
    execute: async (file, args, options = {}) => {
      executions.push({ file, args, options });
      const program = Object.entries(machine.programs ?? {}).find(
        ([location]) => key(location) === key(file),
      )?.[1];
      if (program === undefined) return executed({ outcome: 'failed-to-start', exitCode: null });
      return executed(typeof program === 'function' ? program(args, options) : program);
    },
  };
}

function executed(answer: string | Partial<ExecuteResult>): ExecuteResult {
  const result = typeof answer === 'string' ? { stdout: answer } : answer;
  return { outcome: 'exited', exitCode: 0, stdout: '', stderr: '', durationMs: 1, ...result };
}
