// Declared versions beside present ones.

import { describe, expect, test } from 'vitest';
import { compareToolchain } from '../../../packages/capture/src/declared/collect-toolchain.ts';
import {
  readDeclaredBelow,
  readDeclaredVersions,
} from '../../../packages/capture/src/declared/declared-versions.ts';
import type { DeclaredVersion } from '../../../packages/capture/src/declared/package-json.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { fitsDeclaration } from '../../../packages/versions/src/declaration.ts';
import { createFakeSystem } from '../../support/fake-system.ts';

async function read(contents: Record<string, string>) {
  const files = Object.fromEntries(Object.entries(contents).map(([name, text]) => [`/work/${name}`, text]));
  const system = createFakeSystem({ files: { '/work/.keep': '', ...files } });
  return readDeclaredVersions(openMachine(system).files, '/work');
}

async function declared(file: string, text: string): Promise<string[]> {
  const { declared: found } = await read({ [file]: text });
  return found.map(
    ({ tool, source, declared: version, alternatives = [] }) =>
      `${tool} ${source}: ${[version, ...alternatives].join(' ')}`,
  );
}

describe('files that declare nothing sensible', () => {
  test.each([
    ['binary content', '.ruby-version', '\0'.repeat(64)],
    ['control sequences for a terminal', '.nvmrc', '\u001b]0;title\u0007'],
    ['a direction that is turned round', '.node-version', '\u202e1.02'],
    ['a name without an end', '.tool-versions', `${'x'.repeat(101)} 1`],
    ['a NUL character in JSON', 'package.json', '{"engines":{"npm":"9\\u0000"}}'],
  ])('are named in a warning: %s', async (_, file, text) => {
    const { declared: found, warnings } = await read({ [file]: text });
    expect(found).toEqual([]);
    expect(warnings.map(({ code, file: named }) => [code, named])).toEqual([
      ['declaration_unreadable', file],
    ]);
  });

  test('keep what else the same file declares', async () => {
    const { declared: found } = await read({
      'package.json': '{"engines":{"node":">=18"},"volta":{"np\\u001bm":"9"}}',
    });
    expect(found.map(({ tool }) => tool)).toEqual(['node']);
  });

  test('keep no password of an address', async () => {
    const { declared: found } = await read({
      'package.json': '{"packageManager":"pnpm@https://user:hunter2@packages.invalid/pnpm.tgz"}',
      '.nvmrc': 'https://user:hunter2@packages.invalid/node.tgz',
    });
    expect(found.map(({ declared: version }) => version)).toEqual([
      'https://packages.invalid/node.tgz',
      'https://packages.invalid/pnpm.tgz',
    ]);
  });

  test('fill no metadata with a long list', async () => {
    const tools = Array.from({ length: 501 }, (_, index) => `tool${index} 1`);
    const { declared: found, warnings } = await read({
      '.tool-versions': tools.join('\n'),
      'go.mod': 'go 1.22',
    });
    expect(found).toHaveLength(500);
    expect(warnings.map(({ file }) => file)).toEqual(['.tool-versions', 'go.mod']);
    expect((await read({ '.tool-versions': tools.slice(1).join('\n') })).warnings).toEqual([]);
  });

  test('fill no metadata with a long text', async () => {
    const { declared: found } = await read({ '.python-version': `3.12 ${'lorem ipsum '.repeat(500)}` });
    const { declared: first, alternatives = [] } = found[0] as DeclaredVersion;
    expect([first, ...alternatives].join(' ').length).toBeLessThan(250);
  });
});

describe('declared versions', () => {
  test.each<[file: string, text: string, expected: string[]]>([
    ['.nvmrc', 'v22\n', ['node .nvmrc: v22']],
    ['.nvmrc', '# comment\nlts/iron', ['node .nvmrc: lts/iron']],
    ['.nvmrc', '\n', []],
    ['.node-version', '20.11.0', ['node .node-version: 20.11.0']],
    ['.python-version', '3.12\n3.11\n', ['python .python-version: 3.12 3.11']],
    ['.ruby-version', 'ruby-3.3.0', ['ruby .ruby-version: ruby-3.3.0']],
    ['.bazelversion', '7.4.1\n', ['bazel .bazelversion: 7.4.1']],
    [
      '.tool-versions',
      'nodejs 20.11.0\ngolang 1.22.4 # x\n\nunknown 1',
      ['go .tool-versions: 1.22.4', 'node .tool-versions: 20.11.0', 'unknown .tool-versions: 1'],
    ],
    [
      'mise.toml',
      '[tools]\nnode = "22"\npython = ["3.12", "3.11"]\nrust = { version = "1.80" }\n',
      ['node mise.toml: 22', 'python mise.toml: 3.12 3.11', 'rustc mise.toml: 1.80'],
    ],
    ['rust-toolchain', '1.80.1\n', ['rustc rust-toolchain: 1.80.1']],
    [
      'rust-toolchain.toml',
      '[toolchain]\nchannel = "nightly-2024-05-01"\n',
      ['rustc rust-toolchain.toml: nightly-2024-05-01'],
    ],
    [
      'go.mod',
      'module x\n\ngo 1.22\n\ntoolchain go1.22.4\n',
      ['go go.mod: 1.22', 'go go.mod toolchain: 1.22.4'],
    ],
    [
      'go.work',
      'go 1.24.0\n\ntoolchain go1.24.6\n\nuse ./a\n',
      ['go go.work: 1.24.0', 'go go.work toolchain: 1.24.6'],
    ],
    ['global.json', '// sdk\n{"sdk":{"version":"8.0.100"}}', ['dotnet global.json: 8.0.100']],
    [
      'package.json',
      '\uFEFF{"engines":{"node":">=22"},"packageManager":"pnpm@9.1.0+sha256.x"}',
      ['node package.json engines: >=22', 'pnpm package.json packageManager: 9.1.0'],
    ],
    [
      'package.json',
      '{"devEngines":{"runtime":{"name":"node","version":"^24"}},"volta":{"node":"20.1.0","extends":"../x"}}',
      ['node package.json devEngines.runtime: ^24', 'node package.json volta: 20.1.0'],
    ],
    [
      'package.json',
      '{"engines":{"node":"20 || >=22","npm":"please-use-pnpm-9","pnpm":" v9.x","yarn":"Use pnpm 9!","bun":"*"}}',
      [
        'bun package.json engines: *',
        'node package.json engines: 20 || >=22',
        'pnpm package.json engines:  v9.x',
      ],
    ],
    [
      'package.json',
      '{"engines":{"vscode":"^1.80.0","atom":">=1.0.0 <2.0.0","cordova":{"1.0.0":">=9"},"homebridge":"^1.8.0"}}',
      [],
    ],
    [
      'package.json',
      '{"devEngines":{"packageManager":[{"name":"yarn","version":"not-allowed"},{"name":"npm","version":">=11","onFail":"ignore"}]}}',
      [],
    ],
    [
      'pyproject.toml',
      '[project]\nrequires-python = ">=3.11"\n',
      ['python pyproject.toml requires-python: >=3.11'],
    ],
    ['Cargo.toml', '[package]\nrust-version = "1.75"\n', ['rustc Cargo.toml rust-version: 1.75']],
    ['Gemfile', 'source "x"\nruby "3.2.2"\n', ['ruby Gemfile: 3.2.2']],
    [
      'Gemfile.lock',
      'GEM\n  specs:\n\nRUBY VERSION\n   ruby 3.2.2p53\n\nBUNDLED WITH\n   2.4.10\n',
      ['bundler Gemfile.lock BUNDLED WITH: 2.4.10', 'ruby Gemfile.lock RUBY VERSION: 3.2.2p53'],
    ],
    ['Gemfile', "ruby '~> 3.1'\n\ngem 'rails'\n", ['ruby Gemfile: ~> 3.1']],
    ['Gemfile', 'ruby ">= 3.1", "< 3.4"\n', ['ruby Gemfile: >= 3.1, < 3.4']],
    ['Gemfile', 'ruby ">= 3.1",\n     "< 3.4" # both\n', ['ruby Gemfile: >= 3.1, < 3.4']],
    ['Gemfile', 'ruby "3.3.0"\n\ngem "x", engine: "jruby"\n', ['ruby Gemfile: 3.3.0']],
    ['gems.rb', 'ruby(["~> 3.1", "!= 3.1.4"])\n', ['ruby gems.rb: ~> 3.1, != 3.1.4']],
    ['Gemfile', 'ruby "3.2.2", patchlevel: "53"\n', ['ruby Gemfile: 3.2.2']],
    ['Gemfile', 'ruby "3.2.2", :engine => "ruby"\n', ['ruby Gemfile: 3.2.2']],
    ['Gemfile', 'ruby "3.1.4", engine: "jruby", engine_version: "9.4.5.0"\n', []],
    ['Gemfile', 'ruby "3.1.4", :engine => "truffleruby"\n', []],
    ['Gemfile', 'ruby file: ".ruby-version"\n', []],
    ['Gemfile', 'ruby "~> #{ENV.fetch(\'A\')}"\nruby_version = "3"\n# ruby "3"\n', []],
    [
      'Package.swift',
      '// swift-tools-version: 5.9\nimport PackageDescription\n',
      ['swift Package.swift swift-tools-version: 5.9'],
    ],
    ['.fvmrc', '{"flutter": "3.19.6"}', ['flutter .fvmrc: 3.19.6']],
    ['.fvmrc', '{\n  "flutter": "3.24.5",\n  "flavors": {}\n}', ['flutter .fvmrc: 3.24.5']],
    ['.fvm/fvm_config.json', '{"flutterSdkVersion": "3.10.0"}', ['flutter .fvm/fvm_config.json: 3.10.0']],
    ['runtime.txt', 'python-3.12.4\n', ['python runtime.txt: 3.12.4']],
    [
      'Pipfile',
      '[packages]\na = "*"\n[requires]\npython_version = "3.11"\n',
      ['python Pipfile requires: 3.11'],
    ],
    [
      'mise.lock',
      '[[tools.node]]\nversion = "22.11.0"\nbackend = "core:node"\n',
      ['node mise.lock: 22.11.0'],
    ],
    ['.config/mise/config.toml', '[tools]\nnode = "22"\n', ['node .config/mise/config.toml: 22']],
    [
      'global.json',
      '{\n  /* all of it */ "sdk": { "version": "8.0.100", "rollForward": "latestMinor", },\n}',
      ['dotnet global.json: 8.0.100'],
    ],
    ['.sdkmanrc', '# sdkman\njava=21.0.2-tem\n', ['java .sdkmanrc: 21.0.2-tem']],
    ['mise.local.toml', '[tools]\nnode = "22"\n', ['node mise.local.toml: 22']],
    ['composer.json', '{"require":{"php":"^8.3","ext-intl":"*"}}', ['php composer.json require: ^8.3']],
    [
      'pubspec.yaml',
      "name: app\nenvironment:\n  sdk: '>=3.2.0 <4.0.0'\n  flutter: ^3.24.0\n",
      ['dart pubspec.yaml environment: >=3.2.0 <4.0.0', 'flutter pubspec.yaml environment: ^3.24.0'],
    ],
    [
      'mix.exs',
      'def project do\n  [\n    app: :x,\n    elixir: "~> 1.15",\n',
      ['elixir mix.exs elixir: ~> 1.15'],
    ],
    [
      'versions.tf',
      'terraform {\r\n  required_version = "~> 1.5"\r\n}',
      ['terraform versions.tf required_version: ~> 1.5'],
    ],
    [
      'mix.exs',
      'def project, do: [app: :x, version: "0.1", elixir: "~> 1.15"]\n',
      ['elixir mix.exs elixir: ~> 1.15'],
    ],
    ['mix.exs', '# elixir: "~> 1.14",\n  elixir: "~> 1.15",\n', ['elixir mix.exs elixir: ~> 1.15']],
    [
      'providers.tf',
      '# required_version = "1"\nterraform { required_version = "1.5" }\n',
      ['terraform providers.tf required_version: 1.5'],
    ],
    ['setup.cfg', '[options]\npython_requires:\n  # why\n', []],
    [
      'setup.cfg',
      '[options]\npython-requires:\r\n    >=3.9,\r\n    <4\r\ninstall_requires =\n  six\n',
      ['python setup.cfg python-requires: >=3.9, <4'],
    ],
    [
      'setup.cfg',
      '[options]\r\npython_requires = >=3.9, <4\r\n',
      ['python setup.cfg python_requires: >=3.9, <4'],
    ],
  ])('of %s %j', async (file, text, expected) => {
    expect(await declared(file, text)).toEqual(expected);
  });

  test('of files of which the tool takes the first are those that count', async () => {
    const { declared: found } = await read({
      'mise.local.toml': '[tools]\nnode = "20"\n',
      'mise.toml': '[tools]\nnode = "22"\npython = "3.12"\n',
      'mise.lock': '[[tools.node]]\nversion = "22.11.0"\n[[tools.python]]\nversion = "3.12.4"\n',
      '.nvmrc': '22',
      'rust-toolchain': '1.80',
      'rust-toolchain.toml': '[toolchain]\nchannel = "1.82"\n',
    });
    expect(found.map(({ source, declared: version }) => `${source} ${version}`)).toEqual([
      ...['.nvmrc 22', 'mise.local.toml 20', 'mise.lock 3.12.4', 'mise.toml 3.12', 'rust-toolchain 1.80'],
    ]);
  });

  test('of Terraform files are not those that Terraform leaves out, nor those with a name in several words', async () => {
    const text = 'terraform {\n  required_version = ">= 1.5"\n}\n';
    const { declared: found } = await read({ '.draft.tf': text, 'a b.tf': text, 'a-b.tf': text });
    expect(found.map(({ source }) => source)).toEqual(['a-b.tf required_version']);
  });

  test('of many Terraform files are those of the first hundred', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `m${String(index).padStart(3, '0')}.tf`);
    const { declared: found } = await read(
      Object.fromEntries(names.map((name) => [name, 'terraform {\n  required_version = ">= 1.5"\n}\n'])),
    );
    expect(found).toHaveLength(100);
  });

  test('of many Terraform files are those of the files that usually declare one', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `a${String(index).padStart(3, '0')}.tf`);
    const { declared: found } = await read({
      ...Object.fromEntries(names.map((name) => [name, ''])),
      'main.tf': 'terraform {\n  required_version = "1.5"\n}\n',
      'terraform.tf': 'terraform {\n  required_version = "1.6"\n}\n',
      'versions.tf': 'terraform {\n  required_version = "1.7"\n}\n',
    });
    expect(found.map(({ declared: version }) => version)).toEqual(['1.5', '1.6', '1.7']);
  });

  test.each([
    ['>=2.17.0 <3.0.0', '>=3.10.0 <3.17.0', [true, true]],
    ['>=2.11.0 <3.0.0', '>=3.20.0', [false, false]],
    ['^3.9.0', '>=3.10.0 <3.17.0', [false, false]],
  ])('of a pubspec.yaml are taken as pub takes them: %s, %s', async (sdk, flutter, satisfied) => {
    const found = await read({ 'pubspec.yaml': `environment: {sdk: "${sdk}", flutter: "${flutter}"}` });
    const { declared: judged } = await compareToolchain(found, { dart: '3.2.0', flutter: '3.19.0' });
    expect(judged.map((each) => each.satisfied)).toEqual(satisfied);
  });

  test('of SDKMAN! are met by any build of the version that they name', async () => {
    const found = await read({ '.sdkmanrc': 'java=21.0.2-tem\nmaven = 3.9\n' });
    const judge = async (java: string, maven: string) =>
      (await compareToolchain(found, { java, maven })).declared.map(({ satisfied }) => satisfied);
    expect(await judge('21.0.2', '3.9.6')).toEqual([true, true]);
    expect(await judge('21.0.3', '3.10.0')).toEqual([false, false]);
  });

  test.each(['package.json', 'mise.toml', 'global.json', 'pyproject.toml'])(
    'of a damaged %s are a warning',
    async (file) => {
      const { declared: found, warnings } = await read({ [file]: '{ [tools' });
      expect(found).toEqual([]);
      expect(warnings).toMatchObject([{ code: 'declaration_unreadable', file }]);
    },
  );
});

describe('whether a version is one that is declared', () => {
  const rule = (
    declaredVersion: string,
    kind: DeclaredVersion['rule'],
    more: Partial<DeclaredVersion> = {},
  ): DeclaredVersion => ({
    tool: 'x',
    source: 'y',
    declared: declaredVersion,
    rule: kind,
    ...more,
  });
  test.each<[declared: string, kind: DeclaredVersion['rule'], present: string, answer: boolean | undefined]>([
    ['22', 'prefix', '22.3.1', true],
    ['v22', 'prefix', '24.1.0', false],
    ['2', 'prefix', '22.3.1', false],
    ['3.12', 'prefix', '3.12.0', true],
    ['3.1', 'prefix', '3.12.0', false],
    ['3.12.0', 'prefix', '3.12.0', true],
    ['lts/iron', 'prefix', '20.11.0', true],
    ['lts/jod', 'prefix', '20.11.0', false],
    ['lts/*', 'prefix', '20.11.0', undefined],
    ['stable', 'prefix', '1.80.0', undefined],
    ['latest', 'prefix', '1.80.0', undefined],
    ['nightly', 'prefix', '1.82.0-nightly', true],
    ['nightly-2024-05-01', 'prefix', '1.80.0', false],
    ['nightly-2024-05-01', 'prefix', '1.80.0-nightly', undefined],
    ['beta-2024-05-01', 'prefix', '1.79.0-beta.4', undefined],
    ['stable-2024-05-02', 'prefix', '1.78.0', undefined],
    ['nightly', 'prefix', '0.14.0-dev.2851', undefined],
    ['1.80.1-x86_64-unknown-linux-gnu', 'prefix', '1.80.1', true],
    ['temurin-17.0.2+8', 'prefix', '17.0.2', true],
    ['21.0.2-tem', 'prefix', '17.0.15', false],
    ['1.8', 'prefix', '1.8.0_402', true],
    ['8', 'prefix', '1.8.0_402', true],
    ['21.0.2-amzn', 'prefix', '21.0.2', true],
    ['17.0.10-albba', 'prefix', '17.0.10', true],
    ['17.0.10.fx-zulu', 'prefix', '17.0.11', false],
    ['22.ea.36-open', 'prefix', '22', undefined],
    ['22.3.1.r17-grl', 'prefix', '17.0.6', true],
    ['22.3.1.r17-grl', 'prefix', '22.0.1', false],
    ['graalvm-22.3.1+java17', 'prefix', '17.0.6', true],
    ['graalvm-community-21.0.2', 'prefix', '21.0.2', true],
    ['mandrel-24.0.1.0-Final', 'prefix', '22.0.1', undefined],
    ['corretto-21.0.2.13.1', 'prefix', '21.0.2', true],
    ['corretto-21.0.2.13.1', 'prefix', '21.0.3', false],
    ['corretto-8.402.08.1', 'prefix', '1.8.0_402', undefined],
    ['zulu-17.48.15', 'prefix', '17.0.10', undefined],
    ['zulu-17', 'prefix', '21.0.2', false],
    ['jetbrains-17.0.10-b829.27', 'prefix', '17.0.10', true],
    ['semeru-jre-openj9-17.0.10+7_openj9-0.43.0', 'prefix', '17.0.10', true],
    ['8.0.402-tem', 'prefix', '1.8.0_402', true],
    ['8.0.402-tem', 'prefix', '1.8.0_392', false],
    ['temurin-8.0.402+6', 'prefix', '1.8.0_402', true],
    ['oracle64-1.8.0.202', 'prefix', '1.8.0_202', true],
    ['8u05', 'prefix', '1.8.0_05-b13', true],
    ['1.8', 'prefix', '8.0.392', true],
    ['1.8', 'prefix', '11.0.22', false],
    ['1.8', 'prefix', '8.15.0', false],
    ['ruby-3.2', 'prefix', '3.2.4', true],
    ['jruby-9.4.5.0', 'prefix', '3.1.4', undefined],
    ['3.3.0@shop', 'prefix', '3.3.0', true],
    ['pypy3.10-7.3.16', 'prefix', '3.10.14', true],
    ['pypy3.10-7.3.16', 'prefix', '3.12.1', false],
    ['miniconda3-4.7.12', 'prefix', '3.7.4', undefined],
    ['anaconda3-2024.02-1', 'prefix', '3.11.7', undefined],
    ['graalpy-24.0.1', 'prefix', '3.11.7', undefined],
    ['shop-1.2', 'prefix', '3.12.1', undefined],
    ['cpython-3.12.3-linux-x86_64-gnu', 'prefix', '3.12.3', true],
    ['3.13t', 'prefix', '3.13.0', true],
    ['go1.22.4', 'prefix', '1.22.4', true],
    ['7f3e2a91c04d', 'prefix', '7.4.1', undefined],
    ['1.16.2-otp-26', 'prefix', '1.16.2', true],
    ['3.13.0rc1', 'prefix', '3.13.0rc1', true],
    ['3.13.0-rc.1', 'prefix', '3.13.0rc1', true],
    ['3.13.0rc1', 'prefix', '3.13.0rc12', false],
    ['3.13.0a1', 'prefix', '3.13.0', false],
    ['1.22', 'minimum', '1.22.4', true],
    ['1.22', 'minimum', '1.9.7', false],
    ['1.23', 'minimum', '1.23rc1', true],
    ['1.23.0', 'minimum', '1.23rc1', false],
    ['1.22.5', 'minimum', '1.23rc1', true],
    ['1.75.0', 'minimum', '1.75.0-nightly', true],
    ['5.9.0', 'minimum', '5.9', true],
    ['1.75', 'minimum', '1.75.0', true],
    ['>=22 <25', 'npm-range', '24.1.0', true],
    ['^20.1', 'npm-range', '24.1.0', false],
    ['>=18', 'npm-range', '22.0.0-nightly', true],
    ['nonsense', 'npm-range', '24.1.0', undefined],
    ['>=3.11,<3.13', 'python-range', '3.12.4', true],
    ['>=3.11,<3.13', 'python-range', '3.13.0', false],
    ['~=3.11', 'python-range', '3.12.1', true],
    ['~=3.11.2', 'python-range', '3.12.1', false],
    ['==3.12.*', 'python-range', '3.12.1', true],
    ['!=3.12.*', 'python-range', '3.12.1', false],
    ['^3.11', 'python-range', '3.12.1', true],
    ['^3.11', 'python-range', '4.0.0', false],
    ['^3.9 || ^4', 'python-range', '4.0.0', true],
    ['>=3.9 <4', 'python-range', '3.12.1', true],
    ['~3.11', 'python-range', '3.12.0', false],
    ['lots', 'python-range', '3.12.0', undefined],
    ['20 or 22', 'npm-range', '22.1.0', undefined],
    ['^2.17.0', 'dart-range', '3.2.0', true],
    ['<3.0.0 >=2.12.0', 'dart-range', '3.2.0', true],
    ['>=2.17.0 <3.0.0', 'dart-range', '4.0.0', false],
    ['>=2.17.0 <3.0.0', 'dart-range', '2.16.0', false],
    ['^2.11.0', 'dart-range', '3.2.0', false],
    ['>=3.2.0 <4.0.0', 'dart-range', '3.2.0', true],
    ['<3.17.0 >=3.10.0', 'lower-bound', '3.19.0', true],
    ['^3.10.0', 'lower-bound', '4.0.0', true],
    ['3.10.0', 'lower-bound', '3.19.0', true],
    ['>=3.20.0 <4.0.0', 'lower-bound', '3.19.0', false],
    ['<3.17.0', 'lower-bound', '3.19.0', true],
    ['1.5', 'gem-range', '1.5.7', false],
    ['= 1.5', 'gem-range', '1.5.0', true],
    ['8', 'gem-range', '8.3.6', false],
    ['8.3', 'gem-range', '8.3.0', true],
    ['8.2 || 8.3', 'gem-range', '8.3.6', false],
    ['8.1 - 8.3', 'gem-range', '8.3.6', true],
    ['8.3.6', 'gem-range', '8.3.6', true],
    ['~> 1.15', 'gem-range', '1.18.4', true],
    ['~> 1.15', 'gem-range', '2.0.0', false],
    ['~> 1.15.3', 'gem-range', '1.16.0', false],
    ['~> 1.14.0 or ~> 1.18', 'gem-range', '1.18.4', true],
    ['>= 1.5.7 and < 2.0.0', 'gem-range', '1.11.4', true],
    ['~> 1.15', 'gem-range', '1.19.0-dev', true],
    ['> 1.5', 'gem-range', '1.5.7', true],
    ['<= 1.5', 'gem-range', '1.5.7', false],
    ['<= 1.5', 'gem-range', '1.5.0', true],
    ['>8.1,<=8.3', 'gem-range', '8.1.5', true],
    ['>= 1.6', 'gem-range', '1.6.0-alpha20230719', false],
    ['^8.1 !=8.2.4', 'gem-range', '8.2.4', false],
    ['~> 3.1', 'gem-range', '3.1.7', true],
    ['~> 3.2.0', 'gem-range', '3.3.0', false],
    ['>= 3.1, < 3.4', 'gem-range', '3.3.6', true],
    ['3.2', 'gem-range', '3.2.7', false],
    ['3.2', 'gem-range', '3.2', true],
    ['3, > 2.7', 'gem-range', '3.2.0', false],
    ['= 7.1.3', 'gem-range', '7.1.3.2', false],
    ['3.2.7', 'gem-range', '3.2.7', true],
    ['~8.1', 'gem-range', '8.3.1', true],
    ['~8.1.0', 'gem-range', '8.3.1', false],
    ['^7.4|^8.2', 'gem-range', '8.2.36', true],
    ['8.1.* || 8.2.*', 'gem-range', '8.3.1', false],
    ['8.0.100', 'sdk', '8.0.105', true],
    ['8.0.100', 'sdk', '8.0.204', false],
    ['8.0.105', 'sdk', '8.0.101', false],
    ['9.0.100', 'sdk', '9.0.100-rc.1.24452.12', false],
    ['9.0.100-rc.2', 'sdk', '9.0.100-rc.10', true],
    ['9.0.100-rc.1', 'sdk', '9.0.100', true],
    ['latest', 'sdk', '9.0.100', undefined],
  ])('%s (%s) and %s: %s', async (version, kind, present, answer) => {
    expect(fitsDeclaration(present, rule(version, kind))).toBe(answer);
  });

  test('takes any of several declared ones, and .NET’s own rules of rolling forward', async () => {
    expect(fitsDeclaration('3.11.2', rule('3.12', 'prefix', { alternatives: ['3.11'] }))).toBe(true);
    expect(fitsDeclaration('9.0.100', rule('8.0.100', 'sdk', { rollForward: 'latestMajor' }))).toBe(true);
    expect(fitsDeclaration('9.0.100', rule('8.0.100', 'sdk', { rollForward: 'LatestMajor' }))).toBe(true);
    expect(fitsDeclaration('9.0.100', rule('8.0.100', 'sdk', { rollForward: 'latestminor' }))).toBe(false);
    expect(fitsDeclaration('8.1.100', rule('8.0.100', 'sdk', { rollForward: 'minor' }))).toBe(true);
    expect(fitsDeclaration('8.0.100', rule('8.0.100', 'sdk', { rollForward: 'sideways' }))).toBe(undefined);
    expect(fitsDeclaration('8.0.101', rule('8.0.100', 'sdk', { rollForward: 'disable' }))).toBe(false);
    expect(fitsDeclaration('8.0.300', rule('8.0.100', 'sdk', { rollForward: 'latestFeature' }))).toBe(true);
  });
});

test('a disagreement is a warning in the words of the file', async () => {
  const found = await read({
    '.nvmrc': '22',
    'go.mod': 'go 1.23',
    'package.json': '{"engines":{"node":">=20"}}',
  });
  const { toolchain, warnings } = await compareToolchain(found, { node: '24.1.0', go: '1.22.4' });
  expect(warnings.map(({ message }) => message)).toEqual([
    'go.mod says at least 1.23, go is 1.22.4.',
    '.nvmrc says 22, node is 24.1.0.',
  ]);
  expect(toolchain).toEqual({
    go: { present: '1.22.4', declared: [{ source: 'go.mod', version: '1.23', satisfied: false }] },
    node: {
      present: '24.1.0',
      declared: [
        { source: '.nvmrc', version: '22', satisfied: false },
        { source: 'package.json engines', version: '>=20', satisfied: true },
      ],
    },
  });
});

describe('builds declare', () => {
  test.each([
    ['pom.xml', '<java.version>17</java.version>', 'java pom.xml java.version: 17'],
    [
      'pom.xml',
      '<maven.compiler.release>1.8</maven.compiler.release>',
      'java pom.xml maven.compiler.release: 8',
    ],
    ['pom.xml', '<prerequisites><maven>3.9</maven>', 'maven pom.xml prerequisites: 3.9'],
    [
      'build.gradle.kts',
      'java { toolchain { languageVersion = JavaLanguageVersion.of(21) } }',
      'java build.gradle.kts toolchain: 21',
    ],
    ['build.gradle', "sourceCompatibility = '1.8'", 'java build.gradle sourceCompatibility: 8'],
    [
      'gradle/gradle-daemon-jvm.properties',
      'toolchainVersion=21',
      'java gradle/gradle-daemon-jvm.properties toolchainVersion: 21',
    ],
    ['system.properties', 'java.runtime.version=17', 'java system.properties java.runtime.version: 17'],
    [
      'App.csproj',
      '<TargetFramework>net8.0-windows</TargetFramework>',
      'dotnet App.csproj TargetFramework: 8.0',
    ],
    [
      'App.csproj',
      '<TargetFrameworks>net8.0;net472</TargetFrameworks>',
      'dotnet App.csproj TargetFrameworks: net8.0;net472',
    ],
    [
      'app.gemspec',
      'spec.required_ruby_version = [">= 3.1", "< 4"]',
      'ruby app.gemspec required_ruby_version: >= 3.1, < 4',
    ],
    ['Gemfile.lock', 'RUBY VERSION\n   ruby 3.3.1p55\n', 'ruby Gemfile.lock RUBY VERSION: 3.3.1p55'],
    ['build.zig.zon', '.minimum_zig_version = "0.14.0",', 'zig build.zig.zon minimum_zig_version: 0.14.0'],
    ['cpanfile', "requires 'perl', '5.014002';", 'perl cpanfile requires: 5.14.2'],
    ['rebar.config', '{minimum_otp_vsn, "26"}.', 'erlang rebar.config minimum_otp_vsn: 26'],
    [
      'composer.json',
      '{"config": {"platform": {"php": "8.1.0"}}}',
      'php composer.json config.platform: 8.1.0',
    ],
    ['project/build.properties', 'sbt.version=1.10.0', 'sbt project/build.properties sbt.version: 1.10.0'],
    [
      'CMakeLists.txt',
      'cmake_minimum_required(VERSION 3.20...3.28)',
      'cmake CMakeLists.txt cmake_minimum_required: 3.20',
    ],
  ])('%s: %s', async (file, text, expected) => {
    expect(await declared(file, text)).toEqual([expected]);
  });

  test('versions that nothing holds a tool to, which are neither met nor unmet', () => {
    expect(fitsDeclaration('17.0.1', { declared: '21', rule: 'stated' })).toBeUndefined();
  });
});

describe('folders below', () => {
  test('say what the folder above does not, once, and nothing judges it', async () => {
    const files = {
      '/work/.nvmrc': '20',
      '/work/api/.nvmrc': '22',
      '/work/web/.nvmrc': '20',
      '/work/web/package.json': '{"engines": {"node": ">=22"}}',
      '/work/jobs/.nvmrc': '22',
    };
    const { files: machine } = openMachine(createFakeSystem({ files }));
    const { declared: own } = await readDeclaredVersions(machine, '/work');
    const below = await readDeclaredBelow(machine, '/work', ['api', 'jobs', 'web'], own);
    expect(below.declared.map(({ source, declared: version, rule }) => [source, version, rule])).toEqual([
      ['api/.nvmrc', '22', 'stated'],
      ['web/package.json engines', '>=22', 'stated'],
    ]);
  });
});
