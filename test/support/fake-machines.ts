// Whole machines for golden tests, from fake-machines.yaml: macOS, Windows, Alpine, Debian in a container, and WSL.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import type { FakeFile, FakeMachine } from './fake-system.ts';

const program: FakeFile = { executable: true, content: '\x7fELF' };

/** A 64-bit little-endian ELF file that names its loader, as `/bin/sh` does. */
function elf(loader: string): FakeFile {
  const bytes = Buffer.alloc(256);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(3, 64);
  bytes.writeBigUInt64LE(128n, 64 + 8);
  bytes.writeBigUInt64LE(BigInt(loader.length + 1), 64 + 32);
  bytes.write(`${loader}\0`, 128, 'latin1');
  return { executable: true, content: bytes };
}

const project: Record<string, string> = {
  '.nvmrc': '22\n',
  'package.json': '{"name":"app","packageManager":"pnpm@9.1.0","dependencies":{"left-pad":"^1.3.0"}}',
};

type Name = 'debianContainer' | 'alpine' | 'wsl' | 'mac' | 'windows';
type File = string | FakeFile | { readonly program: true } | { readonly elf: string };
interface Row extends Omit<FakeMachine, 'files'> {
  readonly project: string;
  readonly files: Readonly<Record<string, File>>;
}

const rows = load(readFileSync(new URL('fake-machines.yaml', import.meta.url), 'utf8')) as Record<Name, Row>;

function fileOf(file: File): string | FakeFile {
  if (typeof file === 'string') return file;
  if ('program' in file) return program;
  return 'elf' in file ? elf(file.elf) : file;
}

function machineOf(name: Name, programs: FakeMachine['programs'] = {}): FakeMachine {
  const { project: folder, files, ...machine } = rows[name];
  const separator = machine.platform === 'win32' ? '\\' : '/';
  const all = [
    ...Object.entries(project).map(([file, text]) => [`${folder}${separator}${file}`, text]),
    ...Object.entries(files).map(([file, content]) => [file, fileOf(content)]),
  ];
  return { ...machine, files: Object.fromEntries(all), programs: { ...machine.programs, ...programs } };
}

export const debianContainer = machineOf('debianContainer', {
  '/usr/bin/git': (args) => (args.includes('status') ? ' M a\n' : 'git version 2.39.2\n'),
});
export const alpine = machineOf('alpine');
export const wsl = machineOf('wsl');
export const mac = machineOf('mac', {
  '/usr/bin/git': () => {
    throw new Error('a stub was started');
  },
  '/usr/sbin/sysctl': (args) => (args.includes('sysctl.proc_translated') ? '1\n' : '0\n'),
});
export const windows = machineOf('windows');
