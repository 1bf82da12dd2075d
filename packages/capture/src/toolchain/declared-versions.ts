// Reads the versions that a folder declares. Decisions §10: `metadata.toolchain`.

import { toolNameOf } from '@envsnap/shared/catalogue/tools';
import type { MachineFiles } from '../system/machine-files.ts';
import type { CaptureWarning } from '../warning.ts';
import type { DeclaredVersion } from './declared-version.ts';
import { lineReaders } from './file-versions.ts';
import { packageJsonVersions } from './package-json-versions.ts';
import { type ReadTable, tomlVersions } from './toml-versions.ts';

export interface DeclaredVersions {
  readonly declared: readonly DeclaredVersion[];
  readonly warnings: readonly CaptureWarning[];
}

const tomlFiles = [
  'mise.toml',
  '.mise.toml',
  'mise/config.toml',
  '.config/mise.toml',
  '.config/mise/config.toml',
  'mise.lock',
  'Pipfile',
  'pyproject.toml',
  'Cargo.toml',
];

/** Everything that the files of one folder declare, in the order of tools and files. */
export async function readDeclaredVersions(files: MachineFiles, folder: string): Promise<DeclaredVersions> {
  const declared: DeclaredVersion[] = [];
  const warnings: CaptureWarning[] = [];
  const present = new Set(await files.names(folder));
  const read = async (
    file: string,
    reader: (text: string) => readonly DeclaredVersion[] | Promise<readonly DeclaredVersion[]>,
  ): Promise<void> => {
    const text = await files.text(files.paths.join(folder, ...file.split('/')));
    if (text === undefined) return;
    try {
      declared.push(...(await reader(text.replace(/^\uFEFF/, ''))));
    } catch {
      warnings.push({
        code: 'declaration_unreadable',
        file,
        message: `${file} cannot be parsed; the versions it declares are not compared.`,
      });
    }
  };
  for (const [file, reader] of lineReaders) {
    if (present.has(file.split('/')[0] ?? file)) await read(file, (text) => reader(text, file));
  }
  if (present.has('package.json')) await read('package.json', packageJsonVersions);
  for (const file of tomlFiles) {
    if (!present.has(file.split('/')[0] ?? file)) continue;
    await read(file, async (text) => {
      const { parse } = await import('smol-toml');
      return tomlVersions(file, parse as ReadTable, text, toolNameOf);
    });
  }
  declared.sort((a, b) => compareText(a.tool, b.tool) || compareText(a.source, b.source));
  return { declared: declared.map(shortened), warnings };
}

/** What is declared by mistake (a whole text in `.nvmrc`) is not to fill the metadata. */
function shortened(version: DeclaredVersion): DeclaredVersion {
  return version.declared.length > 100
    ? { ...version, declared: `${version.declared.slice(0, 99)}…` }
    : version;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
