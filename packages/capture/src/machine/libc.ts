// Which C library the machine's programs use, and its version.

import type { CapturedMachine } from '../system/machine.ts';

interface LibC {
  readonly kind: 'glibc' | 'musl';
  readonly version?: string;
}

/** Read from the loader of the system's shell, so that a second C library does not mislead. */
export async function readLibC(machine: CapturedMachine): Promise<LibC | undefined> {
  const loader = await systemLoader(machine);
  const kind = loader === undefined ? undefined : kindOf(loader);
  if (loader === undefined || kind === undefined) return undefined;
  const version = await (kind === 'musl' ? muslVersion(machine, loader) : glibcVersion(machine, loader));
  return { kind, ...(version && { version }) };
}

/** Only the kind, without starting a program; undefined except on Linux. */
export async function libcKindOf(machine: CapturedMachine): Promise<LibC['kind'] | undefined> {
  const loader = await systemLoader(machine);
  return loader === undefined ? undefined : kindOf(loader);
}

async function systemLoader(machine: CapturedMachine): Promise<string | undefined> {
  if (machine.platform !== 'linux') return undefined;
  return (await loaderOf(machine, '/bin/sh')) ?? (await loaderOf(machine, '/usr/bin/env'));
}

function kindOf(loader: string): LibC['kind'] | undefined {
  if (/\/ld-musl-/.test(loader)) return 'musl';
  return /\/ld(?:-linux[^/]*|64)?\.so\.\d$/.test(loader) ? 'glibc' : undefined;
}

/** musl's loader, started without a program, prints its version and refuses. */
async function muslVersion(machine: CapturedMachine, loader: string): Promise<string | undefined> {
  const { stdout, stderr } = await machine.execute(loader, []);
  return /^Version (\d\S*)/m.exec(stderr + stdout)?.[1];
}

/** The library's own banner: `GNU C Library (…) stable release version 2.36.` */
async function glibcVersion(machine: CapturedMachine, loader: string): Promise<string | undefined> {
  const realLoader = (await machine.files.realPath(loader)) ?? loader;
  const folders = [machine.files.paths.dirname(realLoader), machine.files.paths.dirname(loader)];
  for (const folder of new Set(folders)) {
    const file = machine.files.paths.join(folder, 'libc.so.6');
    const versionInName = /\/libc-(\d+\.\d+)\.so$/.exec((await machine.files.realPath(file)) ?? '')?.[1];
    if (versionInName) return versionInName;
    const version = await machine.fileCache.of('glibc', file, () => bannerVersion(machine, file));
    if (version) return version;
  }
  return undefined;
}

async function bannerVersion(machine: CapturedMachine, file: string): Promise<string | undefined> {
  try {
    const library = await machine.readFile(file, { length: 16 * 1024 * 1024 });
    const bytes = Buffer.from(library.buffer, library.byteOffset, library.byteLength);
    const at = bytes.indexOf('GNU C Library');
    if (at < 0) return undefined;
    return /release version (\d+\.\d+(?:\.\d+)?)/.exec(bytes.toString('latin1', at, at + 200))?.[1];
  } catch {
    // The library is not in this folder.
    return undefined;
  }
}

const programHeaderInterpreter = 3;

/** The interpreter that an ELF program names; undefined for statically linked programs and other files. */
async function loaderOf(machine: CapturedMachine, program: string): Promise<string | undefined> {
  const real = await machine.files.realPath(program);
  if (real === undefined) return undefined;
  try {
    const start = await machine.readFile(real, { length: 4096 });
    const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
    if (bytes.readUInt32BE(0) !== 0x7f454c46) return undefined;
    const is64 = bytes[4] === 2;
    const little = bytes[5] === 1;
    const u16 = (at: number): number => (little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
    const word = (at: number): number => {
      if (!is64) return little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
      return Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
    };
    const u32 = (at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
    const table = word(is64 ? 32 : 28);
    const size = u16(is64 ? 54 : 42);
    const count = u16(is64 ? 56 : 44);
    for (let index = 0; index < count; index += 1) {
      const at = table + index * size;
      if (u32(at) !== programHeaderInterpreter) continue;
      const offset = word(at + (is64 ? 8 : 4));
      const length = word(at + (is64 ? 32 : 16));
      return bytes.toString('latin1', offset, offset + length).replace(/\0.*$/s, '') || undefined;
    }
  } catch {
    // The file is unreadable, or its headers are beyond the part that was read.
  }
  return undefined;
}
