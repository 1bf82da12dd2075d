// How much one capture reads, and how it reports the rest.

import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectDependencies } from '../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { parseJsonObject } from '../../../packages/capture/src/dependencies/text/json.ts';
import { parseToml } from '../../../packages/capture/src/dependencies/text/toml.ts';
import { createReadBudget } from '../../../packages/capture/src/dependencies/walk/snapshot-limits.ts';
import { collectInstalled } from '../../../packages/capture/src/installed/collect-installed.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { type Files, folderWith } from './collect-files.ts';

const lock = (name: string) =>
  `version = 3\n[[package]]\nname = "${name}"\nversion = "1.0.0"\nsource = "registry+x"\n`;

function counting() {
  const reads: string[] = [];
  const system = createSystem();
  const readFile = (file: string) => {
    reads.push(path.basename(path.dirname(file)));
    return system.readFile(file);
  };
  return { reads, machine: openMachine({ ...system, readFile }) };
}

async function collect(files: Files, maxBytes: number, manifests = false) {
  const { reads, machine } = counting();
  const options = { folder: folderWith(files), manifests };
  return { ...(await collectDependencies(machine, options, createReadBudget(maxBytes))), reads };
}

describe('the bytes of all dependency files', () => {
  const bytes = lock('a').length;

  it('are spent on the files nearest to the folder, and one warning counts the rest', async () => {
    const files = { 'x/y/Cargo.lock': lock('c'), 'x/Cargo.lock': lock('b'), 'Cargo.lock': lock('a') };
    const { dependencies, warnings } = await collect(files, 2 * bytes);
    expect(Object.keys(dependencies)).toEqual(['Cargo.lock', 'x/Cargo.lock']);
    expect(warnings).toEqual([
      expect.objectContaining({
        code: 'dependency_limit',
        message: expect.stringContaining('1 of 3 dependency files are not recorded (x/y/Cargo.lock)'),
      }),
    ]);
    expect((await collect(files, 3 * bytes)).warnings).toEqual([]);
  });

  it('end at a lock file, which still governs its manifests', async () => {
    const files = { 'Cargo.lock': lock('a'), 'Cargo.toml': '[dependencies]\na = "1"\n' };
    expect({ ...(await collect(files, 50)).dependencies }).toEqual({});
  });

  it('include the bytes of included files, counted once if the file is cached', async () => {
    const project = '<Project><ItemGroup><PackageReference Include="a"/></ItemGroup></Project>';
    const shared = `<Project><ItemGroup><PackageVersion Include="a" Version="2"/></ItemGroup>${' '.repeat(20_000)}</Project>`;
    const projects = Array.from({ length: 10 }, (_, index) => [`p${index}/a.csproj`, project]);
    const files = { 'Directory.Packages.props': shared, ...Object.fromEntries(projects) };
    const { dependencies } = await collect(files, 3 * shared.length);
    expect(Object.values(dependencies).map((each) => each.a)).toEqual(Array(11).fill('2'));
    const { dependencies: fewer, warnings } = await collect(files, 2 * shared.length);
    expect(Object.keys(fewer)).toEqual(['Directory.Packages.props']);
    expect(warnings[0]?.message).toContain('10 of 11 dependency files');
  });
});

it('links to one file are read once, and count once', async () => {
  const folder = folderWith({ 'Cargo.lock': lock('a'), 'p1/x': '', 'p2/x': '' });
  for (const name of ['p1', 'p2']) symlinkSync('../Cargo.lock', path.join(folder, name, 'Cargo.lock'));
  const { reads, machine } = counting();
  const budget = createReadBudget(lock('a').length);
  const { dependencies } = await collectDependencies(machine, { folder, manifests: false }, budget);
  expect(Object.values(dependencies).map((each) => ({ ...each }))).toEqual(Array(3).fill({ a: '1.0.0' }));
  expect(reads).toEqual([path.basename(folder)]);
});

it('links to one included file add nothing', async () => {
  const folder = folderWith({ 'requirements.txt': '-r a.inc\n-r b.inc\n-c b.inc\n', 'a.inc': 'x==1\ny\n' });
  symlinkSync('a.inc', path.join(folder, 'b.inc'));
  const { dependencies } = await collectDependencies(openMachine(createSystem()), {
    folder,
    manifests: false,
  });
  expect({ ...dependencies['requirements.txt'] }).toEqual({ x: '1', y: '*' });
});

it('a file with too many values is refused before a parser fills the memory', () => {
  const many = 2_000_001;
  expect(() => parseJsonObject(`{"a":[${'['.repeat(many)}`)).toThrow('more than 2000000 values');
  expect(() => parseToml(`a${'.1'.repeat(many)} = 1`)).toThrow('more than 2000000 values');
});

it('installed packages are read up to a limit, and one warning counts the rest', async () => {
  const installed = (name: string) => ({
    [`${name}/package-lock.json`]: '{"packages":{"node_modules/zod":{"version":"1.0.0"}}}',
    [`${name}/node_modules/zod/package.json`]: '{"version":"2.0.0"}',
  });
  const folder = folderWith({ ...installed('a'), ...installed('b'), ...installed('c') });
  const dependencies = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`${name}/package-lock.json`, { zod: '1.0.0' }]),
  );
  const machine = openMachine(createSystem());
  const collectWith = (mostRead?: number) =>
    collectInstalled(machine, folder, { dependencies, direct: {} }, mostRead);
  expect((await collectWith()).examined).toHaveLength(3);
  const { examined, installed: drifted, warnings } = await collectWith(600);
  expect(examined).toEqual(['a/package-lock.json']);
  expect(Object.keys(drifted)).toEqual(examined);
  expect(warnings).toEqual([
    { code: 'installed_limit', message: expect.stringMatching(/packages of 2 dependency files .* --dir\.$/) },
  ]);
});

it('texts of files are cached for another reader, but not all of them forever', async () => {
  const { machine } = counting();
  let reads = 0;
  const readFile = async () => {
    reads += 1;
    return new Uint8Array(4 * 1024 * 1024);
  };
  const { files } = openMachine({ ...machine, readFile });
  for (let index = 0; index < 20; index += 1) await files.text(`/x/${index}`);
  await files.text('/x/19');
  expect(reads).toBe(20);
  await files.text('/x/0');
  expect(reads).toBe(21);
});

it('the blocks of a Terraform file have a depth beyond which the file is not read', async () => {
  const nested = (depth: number) => `terraform {\n${'x {\n'.repeat(depth)}`;
  const codes = async (depth: number) =>
    (await collect({ 'main.tf': nested(depth) }, 1e6)).warnings.map(({ message }) => message);
  expect(await codes(400)).toEqual([]);
  expect(await codes(600)).toEqual([expect.stringContaining('blocks are nested more than 500 deep')]);
});
