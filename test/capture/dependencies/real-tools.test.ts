// The lists of the tools themselves compared with those of a capture. Offline; a tool that is not installed skips its test.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { collectDependencies } from '../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../packages/capture/src/system/node-system.ts';
import { readTestData } from '../../support/test-data.ts';
import { type Files, folderWith } from './collect-files.ts';

const { pipProgram, goModule } = readTestData<{ pipProgram: string; goModule: Record<string, string> }>(
  import.meta,
);

function run(command: string, args: string[], cwd: string, env: Record<string, string> = {}): string {
  const result = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${result.stderr}${result.error ?? ''}`);
  return result.stdout;
}

function isInstalled(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** `name version` of everything a capture lists in one file. */
async function captured(folder: string, file: string): Promise<string[]> {
  const { dependencies, warnings } = await collectDependencies(openMachine(createSystem()), {
    folder,
    manifests: false,
  });
  expect(warnings).toEqual([]);
  return packagesIn(dependencies[file]);
}

function packagesIn(packages: Record<string, string> = {}): string[] {
  return Object.entries(packages)
    .flatMap(([name, versions]) => versions.split(', ').map((version) => `${name} ${version}`))
    .sort();
}

/** Crates as `cargo vendor` lays them out, so that Cargo uses them instead of its registry. */
function vendoredCrates(...crates: { name: string; version: string; dependencies?: string }[]): Files {
  return Object.fromEntries(
    crates.flatMap(({ name, version, dependencies = '' }) => {
      const manifest = `[package]\nname = "${name}"\nversion = "${version}"\n[dependencies]\n${dependencies}\n`;
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
      const folder = `crates/${name}-${version}`;
      const checksum = {
        files: { 'Cargo.toml': sha256(manifest), 'src/lib.rs': sha256('') },
        package: sha256(folder),
      };
      return [
        [`${folder}/Cargo.toml`, manifest],
        [`${folder}/src/lib.rs`, ''],
        [`${folder}/.cargo-checksum.json`, JSON.stringify(checksum)],
      ];
    }),
  );
}

describe.skipIf(!isInstalled('cargo', ['--version']))('Cargo', () => {
  it('lists the same crates of a workspace as `cargo metadata`', async () => {
    const folder = folderWith({
      'Cargo.toml': '[workspace]\nmembers = ["app", "lib"]\nresolver = "2"\n',
      'app/Cargo.toml':
        '[package]\nname = "app"\nversion = "0.1.0"\n[dependencies]\nlib = { path = "../lib" }\none = "2"\n',
      'app/src/main.rs': 'fn main() {}\n',
      'lib/Cargo.toml':
        '[package]\nname = "lib"\nversion = "0.2.0"\n[dependencies]\none = "1"\ntwo = "0.5"\n',
      'lib/src/lib.rs': '',
      '.gitignore': 'crates\n',
      '.cargo/config.toml':
        '[source.crates-io]\nreplace-with = "local"\n[source.local]\ndirectory = "crates"\n[net]\noffline = true\n',
      ...vendoredCrates(
        { name: 'one', version: '1.4.0' },
        { name: 'one', version: '2.0.1+meta.5', dependencies: 'three = "0.0.3"' },
        { name: 'two', version: '0.5.9' },
        { name: 'three', version: '0.0.3' },
      ),
    });
    run('cargo', ['generate-lockfile', '--offline'], folder);
    const metadata = JSON.parse(run('cargo', ['metadata', '--offline', '--format-version', '1'], folder)) as {
      packages: { name: string; version: string; source: string | null }[];
    };
    const listed = metadata.packages
      .filter(({ source }) => source !== null)
      .map(({ name, version }) => `${name} ${version}`)
      .sort();
    expect(listed).toHaveLength(4);
    expect(await captured(folder, 'Cargo.lock')).toEqual(listed);
  });
});

describe.skipIf(!isInstalled('python3', ['-c', 'import pip._vendor.packaging.requirements']))('pip', () => {
  it('reads the same requirements out of a requirements file', { tags: 'release' }, async () => {
    const folder = folderWith({
      'requirements.txt': `requests==2.31.0
Flask[async] >= 2.0, <3  # why
six ; python_version < "3"
pinned===1.0.0
django==4.2.* ; python_version >= "3.8"
hashed==41.0.0 \\
    --hash=sha256:${'a'.repeat(64)} \\
    --hash=sha256:${'b'.repeat(64)}
parenthesised (>=1.0)
zope.interface~=5.0
a_b.c-d != 1.0 , != 2.0
local==1.0+local.1
epoch == 1!2.0
direct @ https://host.invalid/direct-1.0.zip ; python_version > "3"
extra [x,y] ==1
`,
    });
    const listed = JSON.parse(run('python3', ['-c', pipProgram], folder)) as [string, string][];
    const sorted = (text: string) => text.split(',').sort().join(',');
    const { dependencies } = await collectDependencies(openMachine(createSystem()), {
      folder,
      manifests: false,
    });
    const own = Object.entries(dependencies['requirements.txt'] ?? {});
    expect(own.map(([name, version]) => [name, sorted(version)]).sort()).toEqual(
      listed.map(([name, version]) => [name, sorted(version)]).sort(),
    );
  });
});

describe.skipIf(!isInstalled('go', ['version']))('Go', () => {
  it('reads the same requirements and replacements out of go.mod', async () => {
    const folder = folderWith(goModule);
    const module = JSON.parse(
      run('go', ['mod', 'edit', '-json'], folder, { GOTOOLCHAIN: 'local', GOFLAGS: '' }),
    ) as {
      Require: { Path: string; Version: string }[];
      Replace: { Old: { Path: string }; New: { Path: string; Version?: string } }[];
    };
    const listed = module.Require.map(({ Path, Version }) => {
      const target = module.Replace.find(({ Old }) => Old.Path === Path)?.New;
      return `${Path} ${target ? target.Path + (target.Version ? `@${target.Version}` : '') : Version}`;
    });
    expect(await captured(folder, 'go.mod')).toEqual(listed.sort());
  });
});

describe('this repository', () => {
  const root = path.resolve(import.meta.dirname, '../../..');

  it('has every package that pnpm installed in its capture', async () => {
    const { dependencies } = await collectDependencies(openMachine(createSystem()), {
      folder: root,
      manifests: false,
    });
    const store = path.join(root, 'node_modules/.pnpm');
    // Packages that an earlier install left in the store are not in the lock that pnpm keeps beside it.
    const current = await createSystem().readTextFile(path.join(store, 'lock.yaml'));
    const installed = (await createSystem().readDirectory(store))
      // `@scope+name@1.0.0_peer@2.0.0`
      .map(({ name }) => /^((?:@[^+@]+\+)?[^@+]+)@(\d[^_(]*)/.exec(name))
      .filter((match) => match !== null)
      .map((match) => ({ name: match[1]?.replace('+', '/'), version: match[2] }))
      .filter(({ name, version }) => current.includes(`${name}@${version}`))
      .map(({ name, version }) => `${name} ${version}`);
    const listed = packagesIn(dependencies['pnpm-lock.yaml']);
    expect(installed.length).toBeGreaterThan(50);
    expect(installed.filter((one) => !listed.includes(one))).toEqual([]);
  });
});
