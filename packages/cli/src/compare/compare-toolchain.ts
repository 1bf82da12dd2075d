// Compares the versions that the projects declare (`.nvmrc`, `engines`, `go.mod`, …), each beside the one present.

import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { ecosystemOfRuntime } from './ecosystem.ts';
import type { ComparableEnvironment, DeclaredVersion, Entry } from './model.ts';
import { versionDistance } from './version-distance.ts';
import { fitsRequirement } from './version-requirement.ts';

/**
 * Compares declarations by tool and file. An entry also differs when the declarations agree, but only one side's tool
 * fits: that is what a declaration is for.
 */
export function compareToolchains(a: ComparableEnvironment, b: ComparableEnvironment): Entry[] {
  const left = declaredVersions(a);
  const right = declaredVersions(b);
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(left), sortedKeys(right), (key, inA, inB) => {
    const declaredA = inA ? (left[key] as NamedDeclaration) : null;
    const declaredB = inB ? (right[key] as NamedDeclaration) : null;
    const equal = declaredA?.requirement === declaredB?.requirement && fits(declaredA) === fits(declaredB);
    const tool = (declaredA ?? declaredB)?.tool ?? key;
    entries.push({
      section: 'toolchain',
      key,
      status: statusOf(inA, inB, equal),
      a: declaredA?.requirement ?? null,
      b: declaredB?.requirement ?? null,
      distance:
        declaredA && declaredB
          ? versionDistance(declaredA.requirement, declaredB.requirement, ecosystemOfRuntime(tool))
          : null,
      declared: { a: declaredA, b: declaredB },
    });
  });
  return entries;
}

interface NamedDeclaration extends DeclaredVersion {
  readonly tool: string;
}

function fits(declaration: DeclaredVersion | null): boolean {
  return declaration?.satisfied !== false;
}

/**
 * Reads `metadata.toolchain`: a list of `{tool, source, declared, satisfied?}`, or a map of tools to such, or to plain text.
 * Keys of the answer: the tool, or `tool (file)` where several files declare one tool.
 */
export function declaredVersions(environment: ComparableEnvironment): Record<string, NamedDeclaration> {
  const found = readToolchain(environment.metadata?.toolchain);
  const runtimes = environment.runtimeVersions ?? {};
  const byKey: Record<string, NamedDeclaration> = Object.create(null) as Record<string, NamedDeclaration>;
  for (const { tool, file, requirement, judged } of found) {
    const present = Object.hasOwn(runtimes, tool) ? (runtimes[tool] as string) : null;
    // Where the capture has judged already, its answer stands: it knows more than the version.
    const satisfied =
      judged ??
      (present === null
        ? null
        : (fitsRequirement(present, asMinimum(requirement, file, tool), ecosystemOfRuntime(tool)) ?? null));
    const single = found.filter((other) => other.tool === tool).length === 1;
    byKey[single || !file ? tool : `${tool} (${file})`] = { tool, file, requirement, present, satisfied };
  }
  return byKey;
}

/** A go.mod line and a Rust minimum state the oldest version that works, not the only one. */
function asMinimum(requirement: string, file: string, tool: string): string {
  const isMinimum = /(^|\/)(go\.(mod|work)|Cargo\.toml)$/.test(file) && /^(go|rust|rustc|cargo)$/.test(tool);
  return isMinimum && /^(go)?\d/.test(requirement) ? `>=${requirement.replace(/^go/, '')}` : requirement;
}

interface Declaration {
  readonly tool: string;
  readonly file: string;
  readonly requirement: string;
  readonly judged: boolean | undefined;
}

function readToolchain(toolchain: unknown): Declaration[] {
  if (Array.isArray(toolchain)) return toolchain.flatMap((item) => readDeclaration(undefined, item));
  if (!isObject(toolchain)) return [];
  const declared = isObject(toolchain.declared) ? toolchain.declared : toolchain;
  return Object.entries(declared).flatMap(([tool, value]) =>
    Array.isArray(value)
      ? value.flatMap((item) => readDeclaration(tool, item))
      : readDeclaration(tool, value),
  );
}

function readDeclaration(key: string | undefined, value: unknown): Declaration[] {
  if (typeof value === 'string')
    return key ? [{ tool: key, file: '', requirement: value, judged: undefined }] : [];
  if (!isObject(value)) return [];
  const tool = text(value.tool) ?? text(value.name) ?? key;
  const requirement = text(value.requirement) ?? text(value.declared) ?? text(value.version);
  const file = text(value.file) ?? text(value.source) ?? '';
  const judged = typeof value.satisfied === 'boolean' ? value.satisfied : undefined;
  return tool && requirement ? [{ tool, file, requirement, judged }] : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
