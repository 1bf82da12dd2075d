// Why another version of a tool, or its lack, does not count between healthy machines. docs/specification.md §12.

import { runtimesOfEcosystem } from '@envsnap/shared/catalogue/project-tools';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { reaches } from '@envsnap/versions';
import type { Entry } from '../model/model.ts';
import type { RelevanceContext } from './project-needs.ts';

export function toolReason(entry: Entry, context: RelevanceContext): string | null {
  if (entry.section !== 'runtimes') return null;
  if (isOwnPackage(entry.key, context)) return 'the project installs its own';
  return entry.status === 'changed' ? versionReason(entry, context) : unneededReason(entry, context);
}

/** Whether the project's dependency files contain a package of the tool: `turbo`, `ruff`. */
function isOwnPackage(key: string, { a, b }: RelevanceContext): boolean {
  return [a, b].every(({ dependencies }) =>
    Object.entries(dependencies).some(([file, names]) => !file.startsWith('/') && Object.hasOwn(names, key)),
  );
}

function versionReason({ key, distance }: Entry, { a, b }: RelevanceContext): string | null {
  const row = toolRow(key);
  const declared = [a, b].map(({ declarations }) =>
    declarations.filter(({ tool }) => tool === key || tool === row?.comesWith),
  );
  const isMajor = distance === null || reaches(distance, 'major');
  if (declared.every((each) => each.length === 0)) {
    if (row?.byYear) return 'its version begins with a year, and the project declares none';
    if (row?.addsOnly && !isMajor) return 'its minor versions only add, and the project declares none';
    const isOfSystem =
      row?.kind === 'compiler' || (row?.kind === 'build tool' && row.versionsLike === undefined);
    return isOfSystem ? 'the operating system’s own version, and the project declares none' : null;
  }
  const isMet = declared.every(
    (each) => each.length > 0 && each.every(({ satisfied }) => satisfied === true),
  );
  return isMet && !isMajor ? 'both fit the version that the project declares' : null;
}

/** Why one side can do without a tool. */
function unneededReason({ key, status }: Entry, { needs, a, b }: RelevanceContext): string | null {
  const lacking = status === 'removed' ? b : a;
  const { os, system, runtimes, dependencies, ciProvider } = lacking;
  const row = toolRow(key);
  if (row?.onlyOn !== undefined && row.onlyOn !== os) return 'not made for this operating system';
  if (row?.kind === 'container' && (system.container !== undefined || ciProvider !== undefined))
    return 'containers and CI jobs seldom have one';
  if (Object.keys(dependencies).some((file) => file.endsWith(`/${key}-wrapper.properties`)))
    return 'the wrapper of the project downloads it';
  const others = [...needs.ecosystems].flatMap(runtimesOfEcosystem).filter((tool) => tool !== key);
  const isCovered = row?.provides && others.some((tool) => Object.hasOwn(runtimes, tool));
  return isCovered ? 'the tools that it provides are there' : null;
}
