// The largest snapshots that are allowed: every result is a text, because no list from a stranger is passed as the arguments of
// one call. Measured at a quarter of their size, with a quarter of the stack that a process has.
//
// @module-tag release

import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { comparisonFormats } from '../../packages/cli/src/render/comparison/comparison-formats.ts';
import { limits } from '../../packages/shared/src/catalogue/limits.ts';
import { createSandbox } from '../support/programs.ts';

const part = 4;
/** The default stack of Node.js, in KiB: calls with that many arguments are refused. */
const stackSize = 984;

const map = (count: number, name: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`${name}${place}`, '1.0.0']));
const snapshotOf = (name: string, packages: string) => ({
  machineName: name,
  runtimeVersions: map(limits.runtimesPerSnapshot / part, name),
  envVars: map(limits.variablesPerSnapshot / part, name),
  dependencies: { 'package-lock.json': map(limits.packagesPerSnapshot / part, packages) },
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
  const compare = (...args: string[]) =>
    sandbox.run(['compare', ...args], { nodeArgs: [`--stack-size=${stackSize / part}`] });
  const different = await compare('a.json', 'b.json', '--all', ...reports);
  expect([different.exitCode, different.stderr]).toEqual([1, '']);
  expect(different.stdout.length).toBeGreaterThan(limits.packagesPerSnapshot / part);
  for (const format of formats)
    expect([format, statSync(path.join(sandbox.cwd, `${format}.txt`)).size > 100]).toEqual([format, true]);
  const equal = await compare('a.json', 'c.json', '--all');
  expect([equal.exitCode, equal.stderr]).toEqual([0, '']);
});
