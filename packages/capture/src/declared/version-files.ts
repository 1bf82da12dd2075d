// What each file of a folder declares: `.nvmrc`, `go.mod`, `mise.toml`, `global.json`, ….

import { toolNameOf } from '@envsnap/shared/catalogue/tools';
import { field, recordOf, textField } from '@envsnap/shared/plain-object';
import { parseJsoncObject, parseJsonObject } from '../dependencies/text/json.ts';
import type { DeclaredVersion } from './declared-version.ts';
import { packageJsonVersions } from './package-json.ts';
import { rustToolchain } from './rust-toolchain.ts';
import { miseFiles, miseTools, type ToolList, toolVersions } from './tool-lists.ts';
import { readRows, versionRowPatterns, versionRows } from './version-rows.ts';

/** Reads what one file declares; throws where the text is damaged. */
type Reader = (
  text: string,
  source: string,
) => readonly DeclaredVersion[] | Promise<readonly DeclaredVersion[]>;

/** A file whose first line is the version of one tool. */
function singleVersion(tool: string): Reader {
  return (text, source) => {
    const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
    const versions = lines.flatMap((line) => line.split(/\s+/)).filter(Boolean);
    const [first, ...rest] = versions;
    if (first === undefined) return [];
    return [
      { tool, source, declared: first, rule: 'prefix', ...(rest.length > 0 && { alternatives: rest }) },
    ];
  };
}

const goMod: Reader = (text, source) => {
  const versions: DeclaredVersion[] = [];
  const minimum = /^go\s+(\d\S*)/m.exec(text)?.[1];
  if (minimum) versions.push({ tool: 'go', source, declared: minimum, rule: 'minimum' });
  const toolchain = /^toolchain\s+go(\d\S*)/m.exec(text)?.[1];
  if (toolchain)
    versions.push({ tool: 'go', source: `${source} toolchain`, declared: toolchain, rule: 'minimum' });
  return versions;
};

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

/** `global.json` may hold comments. */
const dotnet: Reader = (text, source) => {
  const sdk = field(parseJsoncObject(text), 'sdk');
  const version = textField(sdk, 'version');
  const rollForward = textField(sdk, 'rollForward');
  if (version === undefined) return [];
  return [{ tool: 'dotnet', source, declared: version, rule: 'sdk', ...(rollForward && { rollForward }) }];
};

/** `ruby ">= 3.1", "< 3.4"`. A file that it names instead is read itself; another engine is another tool. */
const gemfile: Reader = (text, source) => {
  const [, listed = '', options = ''] =
    /^[ \t]*ruby[ \t([]+((?:["'][^"'#\n]+["'][ \t\])]*(?:,\s*)?)+)(.*)/m.exec(text) ?? [];
  const declared = [...listed.matchAll(/["']([^"']+)["']/g)].map(([, range = '']) => range.trim()).join(', ');
  if (declared === '' || /\bengine(?::|"?\s*=>)\s*["':](?!ruby\b)/.test(options)) return [];
  return [{ tool: 'ruby', source, declared, rule: 'gem-range' }];
};

/** Bundler installs the version that wrote the lock file, and refuses to be older. Its version of Ruby binds nobody. */
const gemfileLock: Reader = (text, source) => {
  const bundler = /^BUNDLED WITH\s+(\d\S*)/m.exec(text)?.[1];
  return bundler
    ? [{ tool: 'bundler', source: `${source} BUNDLED WITH`, declared: bundler, rule: 'minimum' }]
    : [];
};

/** The first line of a manifest of SwiftPM: `// swift-tools-version:5.9`. */
const swiftTools: Reader = (text, source) => {
  const version = /^\s*\/\/\s*swift-tools-version\s*(?::\s*)?(\d[\d.]*)/i.exec(text)?.[1];
  if (version === undefined) return [];
  return [{ tool: 'swift', source: `${source} swift-tools-version`, declared: version, rule: 'minimum' }];
};

/** Flutter Version Management: `.fvmrc`, and the settings file of its earlier versions. */
const flutter: Reader = (text, source) => {
  const settings = parseJsonObject(text);
  const version = textField(settings, 'flutter') ?? textField(settings, 'flutterSdkVersion');
  return version ? [{ tool: 'flutter', source, declared: version, rule: 'prefix' }] : [];
};

/** Heroku and its like: `python-3.12.4`. */
const pythonRuntime: Reader = (text, source) => {
  const version = /^python-(\d[\d.]*)\s*$/m.exec(text)?.[1];
  return version ? [{ tool: 'python', source, declared: version, rule: 'prefix' }] : [];
};

/** A range that stands in quotes behind a name, or to the end of the line. */
function rangeBehind(tool: string, rule: DeclaredVersion['rule'], expression: RegExp): Reader {
  return (text, source) => {
    const [, name, range = ''] = expression.exec(text) ?? [];
    const declared = range.trim().replace(/\s+/g, ' ');
    return name && declared ? [{ tool, source: `${source} ${name}`, declared, rule }] : [];
  };
}

const terraform = rangeBehind(
  'terraform',
  'gem-range',
  /^[ \t]*(?:terraform[ \t]*\{[ \t]*)?(required_version)[ \t]*=[ \t]*"([^"\n]+)"/m,
);
/** A value goes on in lines that are indented. */
const setupConfig = rangeBehind(
  'python',
  'python-range',
  /^[ \t]*(python[_-]requires)[ \t]*[=:]([^\r\n#]*(?:\r?\n[ \t]+[^\s#][^\r\n#]*)*)/m,
);
const mix = rangeBehind('elixir', 'gem-range', /(?:^|[,[])[ \t]*(elixir):[ \t]*"([^"\n]+)"/m);

/** PHP itself is a requirement like the packages; `config.platform` only pretends to have it. */
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
  // Below version 3.9 of the language, pub leaves the upper bound of Flutter out of account.
  const isBounded = /^[^<\d]*(?:3\.(?:9|\d\d)|[4-9])/.test(dart ?? '');
  const versions = [
    { tool: 'dart', declared: dart, rule: 'dart-range' },
    { tool: 'flutter', declared: flutter, rule: isBounded ? 'npm-range' : 'lower-bound' },
  ] as const;
  return versions.flatMap(({ declared, ...each }) =>
    declared ? [{ ...each, declared, source: `${source} environment` }] : [],
  );
};

/** Texts of a TOML file, each below a path of names. */
function tomlTexts(
  tool: string,
  fields: readonly (readonly [source: string, rule: DeclaredVersion['rule'], ...path: readonly string[]])[],
): Reader {
  return async (text, source) => {
    const { parse } = await import('smol-toml');
    const table = parse(text);
    return fields.flatMap(([name, rule, ...path]) => {
      const declared = path.reduce<unknown>((value, key) => recordOf(value)[key], table);
      return typeof declared === 'string' ? [{ tool, source: `${source} ${name}`, declared, rule }] : [];
    });
  };
}

/** The first that says something counts: the exact version of Pipenv, a crate's own version of Rust. */
const firstOf =
  (reader: Reader): Reader =>
  async (text, source) =>
    (await reader(text, source)).slice(0, 1);

const pyproject = tomlTexts('python', [
  ['requires-python', 'python-range', 'project', 'requires-python'],
  ['poetry', 'python-range', 'tool', 'poetry', 'dependencies', 'python'],
]);
const pipfile = firstOf(
  tomlTexts('python', [
    ['requires', 'prefix', 'requires', 'python_full_version'],
    ['requires', 'prefix', 'requires', 'python_version'],
  ]),
);
const cargo = firstOf(
  tomlTexts('rustc', [
    ['rust-version', 'minimum', 'package', 'rust-version'],
    ['rust-version', 'minimum', 'workspace', 'package', 'rust-version'],
  ]),
);

/** Tools whose version is the first line of a file. */
const versionFiles: Readonly<Record<string, string>> = {
  '.nvmrc': 'node',
  '.node-version': 'node',
  '.python-version': 'python',
  '.ruby-version': 'ruby',
  '.java-version': 'java',
  '.go-version': 'go',
  '.php-version': 'php',
  '.swift-version': 'swift',
  '.terraform-version': 'terraform',
  '.bun-version': 'bun',
  '.dvmrc': 'deno',
  '.bazelversion': 'bazel',
  '.perl-version': 'perl',
  '.zigversion': 'zig',
  '.zig-version': 'zig',
  '.exenv-version': 'elixir',
  '.elixir-version': 'elixir',
  '.erlang-version': 'erlang',
  '.crystal-version': 'crystal',
  '.julia-version': 'julia',
};

/** Files of the folder itself, or below it with `/`. */
export const fileReaders: readonly (readonly [file: string, read: Reader])[] = [
  ...Object.entries(versionFiles).map(([file, tool]) => [file, singleVersion(tool)] as const),
  ...Object.entries(versionRows).map(
    ([file, rows]) => [file, (text: string, source: string) => readRows(rows, text, source)] as const,
  ),
  ['.tool-versions', asdf],
  ['.sdkmanrc', sdkman],
  ['rust-toolchain', rust],
  ['rust-toolchain.toml', rust],
  ['go.mod', goMod],
  ['go.work', goMod],
  ['global.json', dotnet],
  ['Gemfile', gemfile],
  ['gems.rb', gemfile],
  ['Gemfile.lock', gemfileLock],
  ['gems.locked', gemfileLock],
  ['Package.swift', swiftTools],
  ['.fvmrc', flutter],
  ['.fvm/fvm_config.json', flutter],
  ['runtime.txt', pythonRuntime],
  ['setup.cfg', setupConfig],
  ['composer.json', composer],
  ['pubspec.yaml', pubspec],
  ['mix.exs', mix],
  ['package.json', packageJsonVersions],
  ...[...miseFiles, 'mise.lock'].map((file) => [file, mise] as const),
  ['Pipfile', pipfile],
  ['pyproject.toml', pyproject],
  ['Cargo.toml', cargo],
];

/** Files that are found by a pattern, with an example each. */
export const patternReaders: readonly {
  readonly example: string;
  readonly file: RegExp;
  readonly read: Reader;
}[] = [
  { example: 'main.tf', file: /^\w\S*\.tf$/, read: terraform },
  ...versionRowPatterns.map(({ example, file, rows }) => ({
    example,
    file,
    read: (text: string, source: string) => readRows(rows, text, source),
  })),
];
