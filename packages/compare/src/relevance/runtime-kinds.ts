// What kind of tool a runtime is, for how far apart its versions must be to matter. A view of the catalogue of tools.

import { toolRow } from '@envsnap/shared/catalogue/tools';

/** Runtimes that programs run on or are built with; cargo moves with its compiler. */
export function isLanguage(name: string): boolean {
  const kind = toolRow(name)?.kind;
  return kind === 'language' || kind === 'compiler' || name === 'cargo';
}

/** Tools that decide which packages a project gets and how it is built. */
export function isManager(name: string): boolean {
  const kind = toolRow(name)?.kind;
  return kind === 'package manager' || kind === 'build tool';
}
