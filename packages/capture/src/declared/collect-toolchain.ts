// Compares declared versions with present ones, and warns where they disagree.

import { toolRow } from '@envsnap/shared/catalogue/tools';
import type { DeclaredFinding, ToolFinding } from '../capture-types.ts';
import { sortedRecord } from '../sorted-record.ts';
import { separateLateFiles } from '../system/late-files.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { versionsByTool } from '../versions-by-tool.ts';
import type { CaptureWarning } from '../warning.ts';
import { type DeclaredVersions, readDeclaredBelow, readDeclaredVersions } from './declared-versions.ts';
import { type DeclaredVersion, fileOf } from './package-json.ts';

export interface ToolchainEntry {
  /** Absent when the tool was not found. */
  readonly present?: string;
  readonly declared: readonly {
    readonly source: string;
    readonly version: string;
    readonly satisfied?: boolean;
  }[];
}

interface CollectedToolchain {
  readonly toolchain: Record<string, ToolchainEntry>;
  readonly declared: readonly DeclaredFinding[];
  readonly warnings: readonly CaptureWarning[];
}

/** Declared versions with the present version of each tool. Leaves out files that changed after `startedAt`. */
export async function collectToolchain(
  machine: CapturedMachine,
  folder: string,
  startedAt: number | undefined,
  tools: Promise<{ readonly tools: readonly ToolFinding[] }>,
  /** Subfolders that may declare versions, the nearest first. */
  below: Promise<readonly string[]>,
  within = '',
) {
  const own = await readDeclaredVersions(machine.files, folder);
  const others = await readDeclaredBelow(machine.files, folder, await below, own.declared, within);
  // The nearest folder decides.
  const nearer = new Set(others.declared.flatMap(({ rule, tool }) => (rule === 'stated' ? [] : tool)));
  const above = own.declared.map(
    (each): DeclaredVersion => (within !== '' && nearer.has(each.tool) ? { ...each, rule: 'stated' } : each),
  );
  const items = [...above, ...others.declared];
  const warnings = [...own.warnings, ...others.warnings];
  const late = await separateLateFiles(machine, folder, startedAt, { section: 'toolchain', items, fileOf });
  const present = versionsByTool((await tools).tools);
  const unknown = [...late.unknown, ...own.unknown, ...others.unknown];
  return { ...(await compareToolchain({ declared: late.known, warnings }, present)), unknown };
}

/** `present`: tool → version, as in `runtimeVersions`. */
export async function compareToolchain(
  { declared, warnings: readWarnings }: Omit<DeclaredVersions, 'unknown'>,
  present: Readonly<Record<string, string>>,
): Promise<CollectedToolchain> {
  const warnings = [...readWarnings];
  const findings: DeclaredFinding[] = [];
  if (declared.length === 0) return { toolchain: {}, declared: [], warnings };
  // Imported lazily: the version rules take long to load, and many folders declare nothing.
  const { fitsDeclaration } = await import('@envsnap/versions/declaration');
  const entries = new Map<string, { present?: string; declared: ToolchainEntry['declared'][number][] }>();
  for (const declaration of declared) {
    const { tool, source } = declaration;
    const isUsed = Object.hasOwn(present, tool) && toolRow(tool)?.broughtBy === undefined;
    const version = isUsed ? present[tool] : undefined;
    const satisfied = version === undefined ? undefined : fitsDeclaration(version, declaration);
    const listed = [declaration.declared, ...(declaration.alternatives ?? [])].join(' ');
    const isPresent = version !== undefined && { present: version };
    const isSatisfied = satisfied !== undefined && { satisfied };
    findings.push({ tool, source, declared: listed, ...isPresent, ...isSatisfied });
    const entry = entries.get(tool) ?? { ...isPresent, declared: [] };
    entry.declared.push({ source, version: listed, ...isSatisfied });
    entries.set(tool, entry);
    if (satisfied !== false) continue;
    const says = declaration.rule === 'minimum' ? `at least ${listed}` : listed;
    const message = `${source} says ${says}, ${tool} is ${version}.`;
    warnings.push({ code: 'version_mismatch', file: fileOf(declaration), message });
  }
  return { toolchain: sortedRecord(entries), declared: findings, warnings };
}
