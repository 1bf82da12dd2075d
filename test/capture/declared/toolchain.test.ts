// Declared versions compared with present ones.

import { readFileSync } from 'node:fs';
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
import { readTestData } from '../../support/test-data.ts';

const { declarations, manyDeclarations, disagreement } = readTestData<{
  declarations: [string, string, string[]][];
  manyDeclarations: Record<string, string>;
  disagreement: object;
}>(import.meta);

const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

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

  test('store no password from an address', async () => {
    const { declared: found } = await read({
      'package.json': '{"packageManager":"pnpm@https://user:hunter2@packages.invalid/pnpm.tgz"}',
      '.nvmrc': 'https://user:hunter2@packages.invalid/node.tgz',
    });
    expect(found.map(({ declared: version }) => version)).toEqual([
      'https://packages.invalid/node.tgz',
      'https://packages.invalid/pnpm.tgz',
    ]);
  });

  test('cannot fill the metadata with a long list', async () => {
    const tools = Array.from({ length: 501 }, (_, index) => `tool${index} 1`);
    const { declared: found, warnings } = await read({
      '.tool-versions': tools.join('\n'),
      'go.mod': 'go 1.22',
    });
    expect(found).toHaveLength(500);
    expect(warnings.map(({ file }) => file)).toEqual(['.tool-versions', 'go.mod']);
    expect((await read({ '.tool-versions': tools.slice(1).join('\n') })).warnings).toEqual([]);
  });

  test('cannot fill the metadata with a long text', async () => {
    const { declared: found } = await read({ '.python-version': `3.12 ${'lorem ipsum '.repeat(500)}` });
    const { declared: first, alternatives = [] } = found[0] as DeclaredVersion;
    expect([first, ...alternatives].join(' ').length).toBeLessThan(250);
  });
});

/** Each has the name of a file, its text, and what it declares. */
const examples = readFileSync(new URL('declared.fixture', import.meta.url), 'utf8')
  .split(/^#### /m)
  .slice(1);

describe('declared versions', () => {
  test.each(examples)('are read from an example: %s', async (example) => {
    const [head = '', expected = ''] = example.split('==>\n');
    const file = head.split('\n', 1)[0] ?? '';
    const text = head.slice(file.length + 1);
    const lines = expected.split('\n').filter(Boolean);
    expect(await declared(file, text)).toEqual(lines);
    expect(await declared(file, text.trimEnd())).toEqual(lines);
  });

  test.each(declarations)('of %s %j', async (file, text, expected) => {
    expect(await declared(file, text)).toEqual(expected);
  });

  test('come from the file that the tool would read first', async () => {
    const { declared: found } = await read(manyDeclarations);
    expect(found.map(({ source, declared: version }) => `${source} ${version}`)).toEqual([
      '.nvmrc 22',
      'mise.local.toml 20',
      'mise.lock 3.12.4',
      'mise.toml 3.12',
      'rust-toolchain 1.80',
    ]);
  });

  test('ignore Terraform files that Terraform ignores, and names of several words', async () => {
    const text = 'terraform {\n  required_version = ">= 1.5"\n}\n';
    const { declared: found } = await read({ '.draft.tf': text, 'a b.tf': text, 'a-b.tf': text });
    expect(found.map(({ source }) => source)).toEqual(['a-b.tf required_version']);
  });

  test('come from the first hundred of many Terraform files', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `m${String(index).padStart(3, '0')}.tf`);
    const { declared: found } = await read(
      Object.fromEntries(names.map((name) => [name, 'terraform {\n  required_version = ">= 1.5"\n}\n'])),
    );
    expect(found).toHaveLength(100);
  });

  test('come from the Terraform files that usually declare one, if there are many', async () => {
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
  ])('in a pubspec.yaml are read as pub reads them: %s, %s', async (sdk, flutter, satisfied) => {
    const found = await read({ 'pubspec.yaml': `environment: {sdk: "${sdk}", flutter: "${flutter}"}` });
    const { declared: judged } = await compareToolchain(found, { dart: '3.2.0', flutter: '3.19.0' });
    expect(judged.map((each) => each.satisfied)).toEqual(satisfied);
  });

  test('for SDKMAN! are met by any build of the named version', async () => {
    const found = await read({ '.sdkmanrc': 'java=21.0.2-tem\nmaven = 3.9\n' });
    const judge = async (java: string, maven: string) =>
      (await compareToolchain(found, { java, maven })).declared.map(({ satisfied }) => satisfied);
    expect(await judge('21.0.2', '3.9.6')).toEqual([true, true]);
    expect(await judge('21.0.3', '3.10.0')).toEqual([false, false]);
  });

  test.each(['package.json', 'mise.toml', 'global.json', 'pyproject.toml'])(
    'cause a warning if %s is damaged',
    async (file) => {
      const { declared: found, warnings } = await read({ [file]: '{ [tools' });
      expect(found).toEqual([]);
      expect(warnings).toMatchObject([{ code: 'declaration_unreadable', file }]);
    },
  );
});

describe('whether a version meets a declaration', () => {
  const rule = (
    declaredVersion: string,
    kind: DeclaredVersion['rule'],
    more: Partial<DeclaredVersion> = {},
  ): DeclaredVersion => ({ tool: 'x', source: 'y', declared: declaredVersion, rule: kind, ...more });
  const answers: Readonly<Record<string, boolean>> = { yes: true, no: false };
  test.each(
    textOf('fits.tsv')
      .trimEnd()
      .split('\n')
      .map((row) => row.split('\t')),
  )('%s (%s) and %s: %s', (version = '', kind, present = '', answer = '') => {
    expect(fitsDeclaration(present, rule(version, kind as DeclaredVersion['rule']))).toBe(answers[answer]);
  });

  test('accepts any of several declared versions, and follows .NET’s rules for rolling forward', async () => {
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
  expect(toolchain).toEqual(disagreement);
});

test('versions that no tool enforces are neither met nor unmet', () => {
  expect(fitsDeclaration('17.0.1', { declared: '21', rule: 'stated' })).toBeUndefined();
});

describe('folders below', () => {
  test('declare what the folder above does not, once, and are checked only there', async () => {
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
      ['api/.nvmrc (and 1 more)', '22', 'stated'],
      ['web/package.json engines', '>=22', 'stated'],
    ]);
    const within = await readDeclaredBelow(machine, '/work', ['api', 'jobs', 'web'], own, 'web/src');
    expect(within.declared.map(({ rule }) => rule)).toEqual(['stated', 'npm-range']);
  });
});
