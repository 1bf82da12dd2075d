// Reads the versions that a folder declares. docs/specification.md §10: `metadata.toolchain`.

import { withoutCredentials } from '../dependencies/package-list.ts';
import { compareText } from '../sorted-record.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import type { CaptureWarning } from '../warning.ts';
import type { DeclaredVersion } from './declared-version.ts';
import { miseFiles } from './tool-lists.ts';
import { fileReaders, terraform } from './version-files.ts';

export interface DeclaredVersions {
  readonly declared: readonly DeclaredVersion[];
  readonly warnings: readonly CaptureWarning[];
}

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
    const refuse = (why: string) =>
      warnings.push({
        code: 'declaration_unreadable',
        file,
        message: `${file} cannot be ${why}; the versions it declares are not compared.`,
      });
    if (text === undefined) {
      if (present.has(file) && !(await files.isFolder(files.paths.join(folder, file)))) refuse('read');
      return;
    }
    try {
      const found = await reader(text.replace(/^\uFEFF/, ''));
      const sound = found.filter(isSound);
      const taken = sound.slice(0, maxDeclared - declared.length);
      declared.push(...taken);
      if (sound.length < found.length) refuse('parsed as a whole');
      else if (taken.length < sound.length) refuse('taken as a whole, as too many versions are declared');
    } catch {
      refuse('parsed');
    }
  };
  const terraformFiles = new Set(
    [...usualTerraformFiles, ...present].filter((name) => present.has(name) && /^\w\S*\.tf$/.test(name)),
  );
  for (const [file, reader] of [
    ...fileReaders,
    ...[...terraformFiles].slice(0, maxTerraformFiles).map((name) => [name, terraform] as const),
  ]) {
    if (present.has(file.split('/')[0] ?? file)) await read(file, (text) => reader(text, file));
  }
  const stated = new Set(declared.map(({ source, tool }) => `${source} ${tool}`));
  const isOverridden = ({ source, tool }: DeclaredVersion) =>
    precedence.some((row) =>
      row.slice(0, Math.max(0, row.indexOf(source))).some((file) => stated.has(`${file} ${tool}`)),
    );
  const effective = declared.filter((each) => !isOverridden(each));
  effective.sort((a, b) => compareText(a.tool, b.tool) || compareText(a.source, b.source));
  return { declared: effective.map(publishable).map(shortened), warnings };
}

/** Files of which the tool that reads them takes the first that says something about a tool. */
const precedence: readonly (readonly string[])[] = [
  miseFiles,
  [...miseFiles.filter((file) => file.includes('local')), 'mise.lock'],
  ['rust-toolchain', 'rust-toolchain.toml'],
  ['.fvmrc', '.fvm/fvm_config.json'],
];

/** Terraform takes `required_version` from every file of a folder, and nothing limits how many there are. */
const maxTerraformFiles = 100;
/** Where `required_version` stands by convention: these are read first. */
const usualTerraformFiles = ['versions.tf', 'terraform.tf', 'main.tf'];
/** Versions that are taken of all files. */
const maxDeclared = 500;
/** Longest version, and longest list of further ones, in characters. */
const maxLength = 100;

/** Binary files, control sequences for terminals and tools with endless names declare nothing. */
function isSound({ tool, declared, alternatives = [] }: DeclaredVersion): boolean {
  return (
    tool.length <= maxLength &&
    ![tool, declared, ...alternatives].some((text) => /[\p{Cc}\p{Cf}\uFFFD]/u.test(text))
  );
}

/** Corepack takes addresses (`yarn@https://…`), which may hold a password. */
function publishable(version: DeclaredVersion): DeclaredVersion {
  const clean = (text: string) => (text.includes('://') ? withoutCredentials(text) : text);
  const { declared, alternatives } = version;
  return {
    ...version,
    declared: clean(declared),
    ...(alternatives && { alternatives: alternatives.map(clean) }),
  };
}

/** What is declared by mistake (a whole text in `.nvmrc`) is not to fill the metadata. */
function shortened(version: DeclaredVersion): DeclaredVersion {
  const { declared, alternatives } = version;
  let left = maxLength;
  const kept = alternatives?.filter((each) => {
    left -= each.length;
    return left >= 0;
  });
  return {
    ...version,
    ...(declared.length > maxLength && { declared: `${declared.slice(0, maxLength - 1)}…` }),
    ...(kept && { alternatives: kept }),
  };
}
