// Reading dependency files: one large package-lock.json of growing size, and a thousand small ones.

import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureMemory } from '../process.ts';
import { type Figure, median, type SuiteResult } from '../result.ts';

const rounds = 3;
/** Packages in a lock file of about 1 MB; 50 MB then stay below the 100,000 packages of a snapshot. */
const packagesPerMegabyte = 1900;
const reader = path.join(import.meta.dirname, 'read-folder.ts');

function lockFile(packages: number): string {
  const entries = Array.from({ length: packages }, (_, index) => [
    `node_modules/@scope-${index % 50}/package-${index}`,
    {
      version: `${index % 30}.${index % 7}.${index % 11}`,
      integrity: `sha512-${String(index).padStart(86, 'A')}==`,
      license: 'MIT',
      funding: { url: `https://example.org/${'x'.repeat(150)}` },
      dependencies: { [`package-${index + 1}`]: '^1.0.0', [`package-${index + 2}`]: '^2.0.0' },
      engines: { node: '>=18' },
    },
  ]);
  const packagesByPath = { '': { name: 'bench', version: '1.0.0' }, ...Object.fromEntries(entries) };
  return JSON.stringify(
    { name: 'bench', version: '1.0.0', lockfileVersion: 3, packages: packagesByPath },
    null,
    2,
  );
}

async function measure(folder: string): Promise<{ wallMs: number; peakMiB: number }> {
  const runs = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await measureMemory([reader, folder]));
  return { wallMs: median(runs.map((run) => run.wallMs)), peakMiB: median(runs.map((run) => run.peakMiB)) };
}

/** Measures wall time and peak memory of a process that reads the folder, each compared with the smallest file's. */
export async function run(): Promise<SuiteResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-bench-'));
  const figures: Figure[] = [];
  try {
    for (const megabytes of [5, 20, 50]) {
      const project = path.join(folder, `large-${megabytes}`);
      mkdirSync(project);
      const file = path.join(project, 'package-lock.json');
      writeFileSync(file, lockFile(megabytes * packagesPerMegabyte));
      const sizeMiB = statSync(file).size / 2 ** 20;
      const { wallMs, peakMiB } = await measure(project);
      const name = `package-lock.json of ${Math.round(sizeMiB)} MiB`;
      figures.push({ name: `${name}, time for each MiB`, value: wallMs / sizeMiB, unit: 'ms' });
      const baseline = { name: 'size of the file', value: sizeMiB };
      figures.push({ name: `${name}, peak memory`, value: peakMiB, unit: 'MiB', baseline, aim: '< 10' });
    }
    const many = path.join(folder, 'many');
    for (let index = 0; index < 1000; index += 1) {
      const project = path.join(many, `group-${index % 20}`, `project-${index}`);
      mkdirSync(project, { recursive: true });
      writeFileSync(path.join(project, 'package-lock.json'), lockFile(100));
    }
    const { wallMs, peakMiB } = await measure(many);
    figures.push({ name: '1,000 lock files of 100 packages', value: wallMs, unit: 'ms' });
    figures.push({ name: '1,000 lock files of 100 packages, peak memory', value: peakMiB, unit: 'MiB' });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { suite: 'lockfiles', rounds, figures };
}
