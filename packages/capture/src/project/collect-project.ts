// `metadata.project`: where the project begins, what its files mention, outputs that are not built, and files above its root that
// its tools read.

import { sortedRecord } from '../sorted-record.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { isSharedPlace } from '../system/untrusted-tree.ts';
import { findRootOf } from './find-project-root.ts';
import { readOutputs } from './outputs.ts';
import { readProject } from './read-project.ts';

/** `open`: the machine without its guard, because the root may be above the captured folder. */
export async function collectProject(open: CapturedMachine, machine: CapturedMachine, folder: string) {
  const root = await findRootOf(open, folder);
  const inside = open.files.paths.relative(root, folder).replaceAll('\\', '/');
  const outputs = await readOutputs(machine, folder).catch(() => ({}));
  const above = await readAbove(machine, root);
  return {
    ...(await readProject(machine, folder)),
    root,
    ...(inside !== '' && { folder: inside }),
    ...(Object.keys(outputs).length > 0 && { outputs }),
    ...(Object.keys(above).length > 0 && { above }),
  };
}

/** Files that tools read from a folder above if the project has none of this row's files. */
const manifestFields: readonly (readonly [manifest: string, ...names: string[]])[] = [
  ['package.json', '.npmrc'],
  ['package.json', 'pnpm-workspace.yaml'],
  ['package.json', 'tsconfig.json'],
  ['package.json', '.babelrc', 'babel.config.js', 'babel.config.json'],
  ['package.json', '.eslintrc', '.eslintrc.js', '.eslintrc.cjs', '.eslintrc.json', '.eslintrc.yml'],
  ['package.json', '.prettierrc', '.prettierrc.json', '.prettierrc.yml', 'prettier.config.js'],
  ['package.json', '.editorconfig'],
  ['yarn.lock', '.yarnrc.yml'],
  ['Cargo.toml', 'rust-toolchain.toml', 'rust-toolchain'],
  ['pyproject.toml', 'pytest.ini', 'tox.ini'],
];

/** Only files that a tool would really use: a nearer file of the same kind hides it. */
export async function readAbove(machine: CapturedMachine, root: string): Promise<Record<string, string>> {
  const { files } = machine;
  const { join } = files.paths;
  const isShared = await isSharedPlace(machine);
  const own = new Set(await files.names(root));
  const hasManifest = own.has('package.json');
  const manifests = manifestFields.filter(
    ([manifest, ...names]) => own.has(manifest) && !names.some((name) => own.has(name)),
  );
  const found = new Map<string, string>();
  const note = (name: string, value: string): void => {
    if (!found.has(name)) found.set(name, value);
  };
  for (const above of files.upward(root).slice(1)) {
    const there = new Set(await files.names(above));
    if (hasManifest && there.has('node_modules')) note('node_modules', 'present');
    for (const [, ...names] of manifests) {
      const name = names.find((each) => there.has(each));
      // npm's settings in the home folder are the user's and are compared separately.
      if (name !== undefined && (name !== '.npmrc' || !isShared(above))) note(name, 'present');
    }
    if (!hasManifest && there.has('package.json') && !isShared(above)) {
      const { type } = (await files.json(join(above, 'package.json'))) ?? {};
      note('package.json', type === 'module' ? 'type module' : 'type commonjs');
    }
  }
  return sortedRecord(found);
}
