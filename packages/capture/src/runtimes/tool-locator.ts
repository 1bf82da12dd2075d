// Finds programs on the search path, each once, with shims resolved for the captured folder.

import { type LocatedTool, locateTool } from '../shims/resolve-shim.ts';
import type { UntrustedTree } from '../system/guarded-reads.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { findExecutables, type SearchPath } from './search-path.ts';
import { toolTable } from './tool-table.ts';

export interface ToolLocator {
  /** Every place of a program on the search path, including shims; empty for names of no tool. */
  places(name: string): readonly string[];
  /** The program that would run under a name; `paths` replaces the search path. */
  locate(name: string, paths?: readonly string[]): Promise<LocatedTool>;
}

/** Interpreters that scripts of tools name. */
const interpreters = 'node python python3 python2 ruby perl bash sh php bun deno zsh'.split(' ');

/** Scans the folders of the search path for every program of the table. */
export async function createToolLocator(
  machine: CapturedMachine,
  searchPath: SearchPath,
  folder: string,
  tree: UntrustedTree,
): Promise<ToolLocator> {
  const programNames = new Set([...interpreters, ...toolTable.flatMap(({ executables }) => executables)]);
  const found = await findExecutables(machine, searchPath.allFolders, programNames);
  const located = new Map<string, Promise<LocatedTool>>();
  const places = (name: string): readonly string[] => found.get(name) ?? [];
  return {
    places,
    locate(name, paths = places(name)) {
      const key = `${name}\0${paths[0] ?? ''}`;
      const context = { machine, folder, tree, isForbidden: searchPath.isForbidden };
      const known = located.get(key) ?? locateTool(context, name, paths);
      located.set(key, known);
      return known;
    },
  };
}
