// Reads the versions that a folder declares. docs/specification.md §10: `metadata.toolchain`.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { withoutCredentials } from '../dependencies/without-credentials.ts';
import { compareText } from '../sorted-record.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import type { CaptureWarning } from '../warning.ts';
import type { DeclaredVersion } from './package-json.ts';
import { miseFiles } from './tool-lists.ts';
import { fileReaders, patternReaders } from './version-files.ts';

export interface DeclaredVersions {
  readonly declared: readonly DeclaredVersion[];
  /** Files that exist but whose versions could not be determined. */
  readonly unknown: readonly UnknownEntry[];
  readonly warnings: readonly CaptureWarning[];
}

/**
 * Everything that the files of one folder declare, in the order of tools and files. `below` is the folder's path
 * relative to the captured one; sources begin with it.
 */
export async function readDeclaredVersions(
  files: MachineFiles,
  folder: string,
  below = '',
): Promise<DeclaredVersions> {
  const within = (name: string) => (below === '' ? name : `${below}/${name}`);
  const declared: DeclaredVersion[] = [];
  const unknown: UnknownEntry[] = [];
  const warnings: CaptureWarning[] = [];
  const present = new Set(await files.names(folder));
  const refuse = (file: string, why: string, reason?: string) => {
    warnings.push({
      code: 'declaration_unreadable',
      file: within(file),
      message: `${within(file)} cannot be ${why}; the versions it declares are not compared.`,
    });
    if (reason !== undefined) unknown.push({ section: 'toolchain', key: within(file), reason });
  };
  const named = [...new Set([...usualTerraformFiles, ...present])].filter((name) => present.has(name));
  const matching = patternReaders.flatMap(({ file, read }) => {
    const fitting = named.filter((name) => file.test(name)).slice(0, maxMatching);
    return fitting.map((name) => [name, read] as const);
  });
  for (const [file, reader] of [...fileReaders, ...matching]) {
    if (!present.has(file.split('/')[0] ?? file)) continue;
    const path = files.paths.join(folder, ...file.split('/'));
    const text = await files.text(path);
    if (text === undefined) {
      const isThere = (await files.names(files.paths.dirname(path))).includes(files.paths.basename(path));
      // A folder may have the same name as a file of this kind (`rust-toolchain`).
      const isOther = !file.includes('.') && (await files.isFolder(path));
      if (isThere && !isOther) refuse(file, 'read', await files.whyUnread(path));
      continue;
    }
    try {
      const found = await reader(text.replace(/^\uFEFF/, ''), file);
      const sound = found.filter(isSound);
      const accepted = sound.slice(0, maxDeclared - declared.length);
      declared.push(...accepted);
      if (sound.length < found.length) refuse(file, 'parsed as a whole');
      else if (accepted.length < sound.length)
        refuse(file, 'read completely, because it declares too many versions');
    } catch {
      refuse(file, 'parsed', 'it cannot be parsed');
    }
  }
  const stated = new Set(declared.map(({ source, tool }) => `${source} ${tool}`));
  const isOverridden = ({ source, tool }: DeclaredVersion) =>
    precedence.some((row) =>
      row.slice(0, Math.max(0, row.indexOf(source))).some((file) => stated.has(`${file} ${tool}`)),
    );
  const effective = declared.filter((each) => !isOverridden(each));
  effective.sort((a, b) => compareText(a.tool, b.tool) || compareText(a.source, b.source));
  return {
    declared: effective.map((each) => publishable({ ...each, source: within(each.source) })),
    unknown,
    warnings,
  };
}

/** Alternative files: a tool reads the first one that names a version. */
const precedence: readonly (readonly string[])[] = [
  miseFiles,
  [...miseFiles.filter((file) => file.includes('local')), 'mise.lock'],
  ['rust-toolchain', 'rust-toolchain.toml'],
  ['.fvmrc', '.fvm/fvm_config.json'],
];

/** Limit on the files that match one pattern: Terraform takes `required_version` from every file of a folder. */
const maxMatching = 100;
/** Files that have `required_version` by convention, so they are read first. */
const usualTerraformFiles = ['versions.tf', 'terraform.tf', 'main.tf'];
/** Maximum number of versions that are recorded for all files together. */
const maxDeclared = 500;
/** Longest version, and longest list of further versions, in characters. */
const maxLength = 100;

/** Maximum number of subfolders that are read, and of versions that are recorded from them. */
const [maxFoldersBelow, maxDeclaredBelow] = [200, 200];

/**
 * Versions that subfolders declare, if they are not `known`: one entry for each tool and version. Only those of
 * projects of .NET, and of the folders down to the working folder `within`, are compared with the present versions; a
 * version manager may choose others in other folders.
 */
export async function readDeclaredBelow(
  files: MachineFiles,
  folder: string,
  below: readonly string[],
  known: readonly DeclaredVersion[],
  within = '',
): Promise<DeclaredVersions> {
  const seen = new Set(known.map(versionKey));
  const repeats = new Map<string, number>();
  const declared: DeclaredVersion[] = [];
  const unknown: UnknownEntry[] = [];
  const warnings: CaptureWarning[] = [];
  for (const path of below.slice(0, maxFoldersBelow)) {
    const isOnWay = `${within}/`.startsWith(`${path}/`);
    const found = await readDeclaredVersions(files, files.paths.join(folder, ...path.split('/')), path);
    warnings.push(...found.warnings);
    unknown.push(...found.unknown);
    for (const each of found.declared) {
      const key = versionKey(each);
      if (seen.has(key)) {
        repeats.set(key, (repeats.get(key) ?? 0) + 1);
        continue;
      }
      seen.add(key);
      const isJudged = isOnWay || (each.rule === 'minimum' && each.tool === 'dotnet');
      declared.push(isJudged ? each : { ...each, rule: 'stated' });
    }
  }
  if (below.length > maxFoldersBelow || declared.length > maxDeclaredBelow)
    warnings.push({
      code: 'declaration_limit',
      message: `Only the first ${maxFoldersBelow} folders below, and ${maxDeclaredBelow} of the versions that they declare, are compared.`,
    });
  // The number changes if one of these folders declares another version.
  const named = declared.slice(0, maxDeclaredBelow).map((each) => {
    const more = repeats.get(versionKey(each));
    return more === undefined ? each : { ...each, source: `${each.source} (and ${more} more)` };
  });
  return { declared: named, unknown, warnings };
}

function versionKey({ tool, declared, alternatives = [] }: DeclaredVersion): string {
  return [tool, declared, ...alternatives].join(' ');
}

/** Ignores binary files, control sequences for terminals, and tools with very long names. */
function isSound({ tool, declared, alternatives = [] }: DeclaredVersion): boolean {
  return (
    tool.length <= maxLength &&
    ![tool, declared, ...alternatives].some((text) => /[\p{Cc}\p{Cf}\uFFFD]/u.test(text))
  );
}

/**
 * Corepack accepts addresses (`yarn@https://…`), which may contain a password. A file with the wrong content (a whole
 * text in `.nvmrc`) must not fill the metadata.
 */
function publishable(version: DeclaredVersion): DeclaredVersion {
  const clean = (text: string) => (text.includes('://') ? withoutCredentials(text) : text);
  const declared = clean(version.declared);
  let remaining = maxLength;
  const alternatives = version.alternatives?.map(clean).filter((each) => {
    remaining -= each.length;
    return remaining >= 0;
  });
  return {
    ...version,
    declared: declared.length > maxLength ? `${declared.slice(0, maxLength - 1)}…` : declared,
    ...(alternatives && { alternatives }),
  };
}
