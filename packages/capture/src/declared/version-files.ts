// Reads the declared versions in each file of a folder: `.nvmrc`, `go.mod`, `mise.toml`, `global.json`, ….

import { versionFiles } from '@envsnap/shared/catalogue/declared-versions';
import { toolNameOf } from '@envsnap/shared/catalogue/tools';
import { field, recordOf, textField } from '@envsnap/shared/plain-object';
import { parseJsoncObject, parseJsonObject } from '../dependencies/text/json.ts';
import { type DeclaredVersion, packageJsonVersions } from './package-json.ts';
import { miseFiles, miseTools, rustToolchain, type ToolList, toolVersions } from './tool-lists.ts';
import { readRows, rowGroups } from './version-rows.ts';

/** Reads what one file declares; throws if the file is damaged. */
type Reader = (
  text: string,
  source: string,
) => readonly DeclaredVersion[] | Promise<readonly DeclaredVersion[]>;

/** A file whose first line is the version of one tool. */
function singleVersion(tool: string): Reader {
  return (text, source) => {
    const versions = text.replace(/#.*/g, '').split(/\s+/).filter(Boolean);
    return versions.length === 0 ? [] : listed(new Map([[tool, versions]]), source);
  };
}

const rust: Reader = (text, source) => {
  const { channel } = rustToolchain(text);
  return channel ? [{ tool: 'rustc', source, declared: channel, rule: 'prefix' }] : [];
};

function listed(tools: ToolList, source: string): DeclaredVersion[] {
  return [...tools].map(([name, [declared = '', ...rest]]) => ({
    tool: toolNameOf(name),
    source,
    declared,
    rule: 'prefix',
    ...(rest.length > 0 && { alternatives: rest }),
  }));
}

const asdf: Reader = (text, source) => listed(toolVersions(text), source);
const mise: Reader = async (text, source) => listed(await miseTools(text), source);

const sdkman: Reader = (text, source) =>
  [...text.matchAll(/^[ \t]*(\w+)[ \t]*=[ \t]*(\S+)/gm)].map(([, tool = '', version = '']) => ({
    tool: toolNameOf(tool),
    source,
    declared: version,
    rule: 'prefix',
  }));

/** `global.json` may contain comments. */
const dotnet: Reader = (text, source) => {
  const sdk = field(parseJsoncObject(text), 'sdk');
  const version = textField(sdk, 'version');
  const rollForward = textField(sdk, 'rollForward');
  if (version === undefined) return [];
  return [{ tool: 'dotnet', source, declared: version, rule: 'sdk', ...(rollForward && { rollForward }) }];
};

/** `ruby ">= 3.1", "< 3.4"`. A file named here is read separately; another engine is another tool. */
const gemfile: Reader = (text, source) => {
  const [, listed = '', options = ''] =
    /^[ \t]*ruby[ \t([]+((?:["'][^"'#\n]+["'][ \t\])]*(?:,\s*)?)+)(.*)/m.exec(text) ?? [];
  const declared = [...listed.matchAll(/["']([^"']+)["']/g)].map(([, range = '']) => range.trim()).join(', ');
  if (declared === '' || /\bengine(?::|"?\s*=>)\s*["':](?!ruby\b)/.test(options)) return [];
  return [{ tool: 'ruby', source, declared, rule: 'gem-range' }];
};

/** PHP is listed with the packages. `config.platform` is ignored, because it only sets what Composer assumes. */
const composer: Reader = (text, source) => {
  const manifest = parseJsonObject(text);
  const required = textField(field(manifest, 'require'), 'php');
  const pretended = textField(field(field(manifest, 'config'), 'platform'), 'php');
  const php = (name: string, rule: DeclaredVersion['rule'], declared: string | undefined) =>
    declared ? [{ tool: 'php', source: `${source} ${name}`, declared, rule }] : [];
  return [...php('require', 'gem-range', required), ...php('config.platform', 'stated', pretended)];
};

const pubspec: Reader = async (text, source) => {
  const { parseYamlMap } = await import('../dependencies/text/yaml.ts');
  const environment = field(parseYamlMap(text), 'environment');
  const [dart, flutter] = [textField(environment, 'sdk'), textField(environment, 'flutter')];
  // Before version 3.9 of the language, pub ignores Flutter's upper bound.
  const isBounded = /^[^<\d]*(?:3\.(?:9|\d\d)|[4-9])/.test(dart ?? '');
  const versions = [
    { tool: 'dart', declared: dart, rule: 'dart-range' },
    { tool: 'flutter', declared: flutter, rule: isBounded ? 'npm-range' : 'lower-bound' },
  ] as const;
  return versions.flatMap(({ declared, ...each }) =>
    declared ? [{ ...each, declared, source: `${source} environment` }] : [],
  );
};

/** Texts in a TOML file, each at a path of names. */
function tomlTexts(
  fields: readonly (readonly [
    tool: string,
    source: string,
    rule: DeclaredVersion['rule'],
    ...path: readonly string[],
  ])[],
): Reader {
  return async (text, source) => {
    const { parse } = await import('smol-toml');
    const table = parse(text);
    return fields.flatMap(([tool, name, rule, ...path]) => {
      const declared = path.reduce<unknown>((value, key) => recordOf(value)[key], table);
      return typeof declared === 'string' ? [{ tool, source: `${source} ${name}`, declared, rule }] : [];
    });
  };
}

/** The first one with a value wins: the exact version of Pipenv. */
const firstOf =
  (reader: Reader): Reader =>
  async (text, source) =>
    (await reader(text, source)).slice(0, 1);

const pyproject = tomlTexts([
  ['python', 'requires-python', 'python-range', 'project', 'requires-python'],
  ['python', 'poetry', 'python-range', 'tool', 'poetry', 'dependencies', 'python'],
  ['uv', 'required-version', 'python-range', 'tool', 'uv', 'required-version'],
  ['poetry', 'requires-poetry', 'python-range', 'tool', 'poetry', 'requires-poetry'],
]);
const pipfile = firstOf(
  tomlTexts([
    ['python', 'requires', 'prefix', 'requires', 'python_full_version'],
    ['python', 'requires', 'prefix', 'requires', 'python_version'],
  ]),
);
/** Files in the folder, or in a subfolder with `/`. */
export const fileReaders: readonly (readonly [file: string, read: Reader])[] = [
  ...Object.entries(versionFiles).map(([file, tool]) => [file, singleVersion(tool)] as const),
  ['.tool-versions', asdf],
  ['.sdkmanrc', sdkman],
  ['rust-toolchain', rust],
  ['rust-toolchain.toml', rust],
  ['global.json', dotnet],
  ['Gemfile', gemfile],
  ['gems.rb', gemfile],
  ['composer.json', composer],
  ['pubspec.yaml', pubspec],
  ['package.json', packageJsonVersions],
  ...[...miseFiles, 'mise.lock'].map((file) => [file, mise] as const),
  ['Pipfile', pipfile],
  ['pyproject.toml', pyproject],
  ...rowGroups.flatMap(({ files, rows }) =>
    files.map((file) => [file, (text: string, source: string) => readRows(rows, text, source)] as const),
  ),
];

/** Files matched by a pattern, each with an example. */
export const patternReaders = rowGroups.flatMap(({ example, pattern: file, rows }) =>
  example === undefined || file === undefined
    ? []
    : [{ example, file, read: (text: string, source: string) => readRows(rows, text, source) }],
);
