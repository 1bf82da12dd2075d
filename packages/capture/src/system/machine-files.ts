// Reads files of the machine that may be absent, each only once.

import path, { type PlatformPath } from 'node:path';
import { isPlainObject } from '@envsnap/shared/plain-object';
import type { DirectoryEntry, FileStatus, System } from './system.ts';

/** Files of one machine. Every method returns `undefined` or an empty list if the system refuses. */
export interface MachineFiles {
  /** Path rules of the machine (in tests, not of the machine that runs them). */
  readonly paths: PlatformPath;
  /** Content of a text file of at most 4 MiB. */
  text(file: string): Promise<string | undefined>;
  json(file: string): Promise<Record<string, unknown> | undefined>;
  entries(folder: string): Promise<readonly DirectoryEntry[]>;
  /** Names of the entries, sorted. */
  names(folder: string): Promise<readonly string[]>;
  status(file: string): Promise<FileStatus | undefined>;
  /** Why something with this name is not read, as the end of a sentence. */
  whyUnread(file: string): Promise<string>;
  isFile(file: string): Promise<boolean>;
  isFolder(folder: string): Promise<boolean>;
  realPath(file: string): Promise<string | undefined>;
  /** The folder itself and each one above it, nearest first. */
  upward(folder: string): readonly string[];
  /** The nearest file of a name in the folder or above it. */
  nearest(folder: string, name: string): Promise<string | undefined>;
}

const decoder = new TextDecoder();
export const maxTextBytes = 4 * 1024 * 1024;
/** Maximum characters of texts that are kept for later reads. */
const maxKept = 64 * 1024 * 1024;

/** Creates the view of a machine's files that one capture shares. */
export function createMachineFiles(system: System): MachineFiles {
  const paths = system.platform === 'win32' ? path.win32 : path.posix;
  const texts = new Map<string, Promise<string | undefined>>();
  const listings = new Map<string, Promise<readonly DirectoryEntry[]>>();
  const statuses = new Map<string, Promise<FileStatus | undefined>>();
  const realPaths = new Map<string, Promise<string | undefined>>();
  let cachedBytes = 0;

  const readText = async (file: string): Promise<string | undefined> => {
    try {
      const text = decoder.decode(await system.readFile(file, { length: maxTextBytes }));
      cachedBytes += text.length;
      if (cachedBytes > maxKept) {
        texts.clear();
        cachedBytes = 0;
      }
      return text;
    } catch {
      return undefined;
    }
  };
  const files: MachineFiles = {
    paths,
    text: (file) => remembered(texts, file, () => readText(file)),
    json: async (file) => parseObject(await files.text(file)),
    entries: (folder) =>
      remembered(listings, folder, () => system.readDirectory(folder).catch(() => [] as DirectoryEntry[])),
    names: async (folder) => (await files.entries(folder)).map((entry) => entry.name).sort(),
    status: (file) => remembered(statuses, file, () => system.status(file).catch(() => undefined)),
    async whyUnread(file) {
      const status = await files.status(file);
      return status ? unreadKinds[status.kind] : 'it is a broken link';
    },
    isFile: async (file) => (await files.status(file))?.kind === 'file',
    isFolder: async (folder) => (await files.status(folder))?.kind === 'directory',
    realPath: (file) => remembered(realPaths, file, () => system.realPath(file).catch(() => undefined)),
    upward(folder) {
      const above = [folder];
      for (let at = folder, parent = paths.dirname(at); parent !== at; parent = paths.dirname(at)) {
        above.push(parent);
        at = parent;
      }
      return above;
    },
    async nearest(folder, name) {
      for (const above of files.upward(folder)) {
        const file = paths.join(above, name);
        if (await files.isFile(file)) return file;
      }
      return undefined;
    },
  };
  return files;
}

/** Reading a pipe waits for its writer, and a device may never end. */
export const unreadKinds = {
  file: 'it cannot be read',
  directory: 'it is a folder',
  other: 'it is a pipe, socket or device',
} as const;

function remembered<T>(memory: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  let answer = memory.get(key);
  if (!answer) {
    answer = read();
    memory.set(key, answer);
  }
  return answer;
}

/** A text parsed as a JSON object; undefined for anything else. */
export function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
