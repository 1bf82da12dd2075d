// Compares the versions that the projects declare (`.nvmrc`, `engines`, `go.mod`, …), each beside the one present.

import { ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import { unknownTest } from '@envsnap/shared/catalogue/unknown';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { field, isPlainObject, itemsOf } from '@envsnap/shared/plain-object';
import { versionDistance } from '@envsnap/versions';
import type { ComparableEnvironment, DeclaredRequirement, Entry } from './model.ts';

/**
 * Compares declarations by tool and file. An entry also differs when the declarations agree, but only one side's tool
 * fits: that is what a declaration is for. Where a side does not know its tool, only the declarations are compared.
 */
export function compareToolchains(a: ComparableEnvironment, b: ComparableEnvironment): Entry[] {
  const unknownInA = unknownTest(a.metadata);
  const unknownInB = unknownTest(b.metadata);
  const left = declaredVersions(a, b);
  const right = declaredVersions(b, a);
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(left), sortedKeys(right), (key, inA, inB) => {
    const declaredA = inA ? (left[key] as NamedDeclaration) : null;
    const declaredB = inB ? (right[key] as NamedDeclaration) : null;
    const tool = (declaredA ?? declaredB)?.tool ?? key;
    const unknown = unknownInA('runtimes', tool) || unknownInB('runtimes', tool);
    const equal =
      declaredA?.requirement === declaredB?.requirement && (unknown || fits(declaredA) === fits(declaredB));
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

/** A version that the project declares and that one machine alone does not meet. */
export interface UnmetDeclaration {
  /** The tool, or `tool (file)` where several files declare one tool. */
  readonly key: string;
  readonly tool: string;
  /** `.nvmrc`, `package.json engines`. */
  readonly file: string;
  readonly requirement: string;
  /** Null where the machine has no such tool. */
  readonly present: string | null;
  /** A sentence without its full stop: `node is 20.20.2, .nvmrc asks for 22.11.0`. */
  readonly message: string;
  readonly advice: string;
}

/** By key: tools of another version than the project declares, and those that are missing. What is unknown is neither. */
export function unmetDeclarations(environment: ComparableEnvironment): UnmetDeclaration[] {
  const isUnknown = unknownTest(environment.metadata);
  return Object.entries(declaredVersions(environment)).flatMap(([key, declared]) => {
    const { tool, file, requirement, present, satisfied } = declared;
    if (present === null ? isUnknown('runtimes', tool) : satisfied !== false) return [];
    const is = present === null ? 'was not found' : `is ${present}`;
    const message = `${tool} ${is}, ${file || 'the project'} asks for ${requirement}`;
    return { key, tool, file, requirement, present, message, advice: `install ${tool} ${requirement}` };
  });
}

interface NamedDeclaration extends DeclaredRequirement {
  readonly tool: string;
}

function fits(declaration: DeclaredRequirement | null): boolean {
  return declaration?.satisfied !== false;
}

/**
 * Reads `metadata.toolchain` as a capture writes it: tool to `{ present, declared: [{ source, version, satisfied }] }`.
 * Keys of the answer: the tool, or `tool (source)` where several sources declare one tool, here or in what it is compared with.
 */
export function declaredVersions(
  environment: ComparableEnvironment,
  beside: ComparableEnvironment = environment,
): Record<string, NamedDeclaration> {
  const byKey: Record<string, NamedDeclaration> = Object.create(null) as Record<string, NamedDeclaration>;
  const toolchain = environment.metadata?.toolchain;
  if (!isPlainObject(toolchain)) return byKey;
  for (const [tool, entry] of Object.entries(toolchain)) {
    if (!isPlainObject(entry) || !Array.isArray(entry.declared)) continue;
    const present = typeof entry.present === 'string' ? entry.present : null;
    const isOne = [entry, field(beside.metadata?.toolchain, tool)].every(
      (each) => itemsOf(each, 'declared').length < 2,
    );
    for (const declared of entry.declared) {
      if (!isPlainObject(declared) || typeof declared.version !== 'string') continue;
      const file = typeof declared.source === 'string' ? declared.source : '';
      const satisfied = typeof declared.satisfied === 'boolean' ? declared.satisfied : null;
      const key = isOne || file === '' ? tool : `${tool} (${file})`;
      byKey[key] = { tool, file, requirement: declared.version, present, satisfied };
    }
  }
  return byKey;
}
