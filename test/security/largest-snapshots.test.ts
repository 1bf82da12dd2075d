// The largest snapshots that are allowed: whatever is made of them ends with a text, since no list of a stranger's becomes the
// arguments of one call. As processes: threads, in which tests run, have a stack four times as large.

import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { comparisonFormats } from '../../packages/cli/src/render/comparison/comparison-formats.ts';
import { limits } from '../../packages/shared/src/catalogue/limits.ts';
import { createSandbox } from '../support/programs.ts';

const map = (count: number, name: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`${name}${place}`, '1.0.0']));
const snapshotOf = (name: string, packages: string) => ({
  machineName: name,
  runtimeVersions: map(limits.runtimesPerSnapshot, name),
  envVars: map(limits.variablesPerSnapshot, name),
  dependencies: { 'package-lock.json': map(limits.packagesPerSnapshot, packages) },
});

it('two of the largest snapshots are compared in every format, with what differs and what is equal', {
  timeout: 300_000,
}, async () => {
  const sandbox = createSandbox();
  const write = (file: string, snapshot: object) =>
    writeFileSync(path.join(sandbox.cwd, file), JSON.stringify(snapshot));
  write('a.json', snapshotOf('a', 'x'));
  write('b.json', snapshotOf('b', 'y'));
  write('c.json', snapshotOf('a', 'x'));
  const formats = comparisonFormats.filter((format) => format !== 'table');
  const reports = formats.flatMap((format) => ['--report', `${format}=${format}.txt`]);
  const different = await sandbox.run(['compare', 'a.json', 'b.json', '--all', ...reports]);
  expect([different.exitCode, different.stderr]).toEqual([1, '']);
  expect(different.stdout.length).toBeGreaterThan(limits.packagesPerSnapshot);
  for (const format of formats)
    expect([format, statSync(path.join(sandbox.cwd, `${format}.txt`)).size > 100]).toEqual([format, true]);
  const equal = await sandbox.run(['compare', 'a.json', 'c.json', '--all']);
  expect([equal.exitCode, equal.stderr]).toEqual([0, '']);
});
