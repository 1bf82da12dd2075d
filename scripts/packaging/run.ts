// Makes the files for package managers, in dist/packaging, from the executables of a release in dist/executables.

import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readVersion } from '../executables/bundle-cli.ts';
import { type ProgramName, programs } from '../executables/programs.ts';
import { buildDeb, debTargets } from './build-deb.ts';
import { fillRecipes, readChecksums } from './fill-recipes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const executables = path.join(root, 'dist/executables');
const output = path.join(root, 'dist/packaging');

try {
  rmSync(output, { recursive: true, force: true });
  const version = readVersion();
  for (const program of Object.keys(programs) as ProgramName[])
    for (const target of debTargets) {
      const folder = path.join(executables, `${program}-${target}`);
      if (existsSync(folder)) process.stdout.write(`${buildDeb(program, target, folder, version, output)}\n`);
    }
  fillRecipes(version, readChecksums(path.join(executables, 'SHA256SUMS')), output);
} catch (error) {
  process.stderr.write(`packaging: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
