// Finds the project that a folder belongs to, as git, cargo and npm find theirs: the checkout, else the root of its workspace,
// else the nearest folder with a manifest.

import path from 'node:path';
import { ecosystemsShownBy } from '@envsnap/shared/catalogue/project-tools';
import { type CapturedMachine, openMachine } from '../system/machine.ts';
import { createSystem } from '../system/node-system.ts';
import type { System } from '../system/system.ts';
import { isSharedPlace } from '../system/untrusted-tree.ts';

/** The root as an absolute path; the folder itself if there is no project above it. */
export async function findRootOf(machine: CapturedMachine, folder: string): Promise<string> {
  const { files } = machine;
  const isShared = await isSharedPlace(machine);
  const upward = files.upward(folder);
  // A folder that contains other projects, such as the home folder, is not a project.
  const end = upward.findIndex((above) => isShared(above));
  const candidates = end < 0 ? upward : upward.slice(0, end);
  for (const test of [isCheckout, isWorkspace, hasManifest])
    for (const candidate of candidates) if (await test(machine, candidate)) return candidate;
  return folder;
}

/** Like {@link findRootOf}, for a folder of this machine, relative to the working folder. Default `.`. */
export async function findProjectRoot(dir = '.', system: System = createSystem()): Promise<string> {
  return findRootOf(openMachine(system), path.resolve(dir));
}

type Test = (machine: CapturedMachine, folder: string) => Promise<boolean>;

const isCheckout: Test = async ({ files }, folder) =>
  (await files.status(files.paths.join(folder, '.git'))) !== undefined;

/** Files that make a folder the root of a workspace, each with a test for its text. */
const workspaceFiles: readonly (readonly [name: string, text: RegExp])[] = [
  ['pnpm-workspace.yaml', /^packages:/m],
  ['package.json', /"workspaces"\s*:/],
  ['Cargo.toml', /^[ \t]*\[workspace\]/m],
  ['go.work', /^use\b/m],
  ['pyproject.toml', /^[ \t]*\[tool\.uv\.workspace\]/m],
  ['settings.gradle', /\binclude\b/],
  ['settings.gradle.kts', /\binclude\b/],
];

const isWorkspace: Test = async ({ files }, folder) => {
  for (const [name, text] of workspaceFiles)
    if (text.test((await files.text(files.paths.join(folder, name))) ?? '')) return true;
  return false;
};

const hasManifest: Test = async ({ files }, folder) =>
  (await files.entries(folder)).some(
    ({ name, kind }) => kind === 'file' && !name.startsWith('.') && ecosystemsShownBy(name).length > 0,
  );
