// Reads the versions that a folder declares. Decisions §10: `metadata.toolchain`.

import { toolNameOf } from '@envsnap/shared/catalogue/tools';
import { toolVersions } from '../shims/asdf-shims.ts';
import { rustToolchain } from '../shims/rustup-shims.ts';
import type { MachineFiles } from '../system/machine-files.ts';
import type { CaptureWarning } from '../warning.ts';
import type { DeclaredVersion } from './declared-version.ts';
import { packageJsonVersions } from './package-json-versions.ts';
import { type ReadTable, tomlVersions } from './toml-versions.ts';

export interface DeclaredVersions {
  readonly declared: readonly DeclaredVersion[];
  readonly warnings: readonly CaptureWarning[];
}

type Reader = (text: string, source: string) => readonly DeclaredVersion[];

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

const asdf: Reader = (text, source) =>
  [...toolVersions(text)].flatMap(([plugin, [first, ...rest]]) =>
    first === undefined
      ? []
      : [
          {
            tool: toolNameOf(plugin),
            source,
            declared: first,
            rule: 'prefix',
            ...(rest.length > 0 && { alternatives: rest }),
          },
        ],
  );

const sdkman: Reader = (text, source) =>
  [...text.matchAll(/^\s*(\w+)\s*=\s*(\S+)/gm)].map(([, tool = '', version = '']) => ({
    tool: toolNameOf(tool),
    source,
    declared: version,
    rule: 'prefix',
  }));

/** `global.json` may hold comments. */
const dotnet: Reader = (text, source) => {
  const parsed = JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')) as {
    sdk?: { version?: unknown; rollForward?: unknown };
  };
  const { version, rollForward } = parsed.sdk ?? {};
  if (typeof version !== 'string') return [];
  const rolls = typeof rollForward === 'string' ? { rollForward } : {};
  return [{ tool: 'dotnet', source, declared: version, rule: 'sdk', ...rolls }];
};

const gemfile: Reader = (text, source) => {
  const version = /^\s*ruby\s+["'](\d[^"']*)["']/m.exec(text)?.[1];
  return version ? [{ tool: 'ruby', source, declared: version, rule: 'prefix' }] : [];
};

const readers: readonly (readonly [file: string, read: Reader])[] = [
  ['.nvmrc', singleVersion('node')],
  ['.node-version', singleVersion('node')],
  ['.python-version', singleVersion('python')],
  ['.ruby-version', singleVersion('ruby')],
  ['.java-version', singleVersion('java')],
  ['.go-version', singleVersion('go')],
  ['.php-version', singleVersion('php')],
  ['.swift-version', singleVersion('swift')],
  ['.terraform-version', singleVersion('terraform')],
  ['.bun-version', singleVersion('bun')],
  ['.dvmrc', singleVersion('deno')],
  ['.tool-versions', asdf],
  ['.sdkmanrc', sdkman],
  ['rust-toolchain', rust],
  ['rust-toolchain.toml', rust],
  ['go.mod', goMod],
  ['global.json', dotnet],
  ['Gemfile', gemfile],
];

const tomlFiles = [
  'mise.toml',
  '.mise.toml',
  'mise/config.toml',
  '.config/mise.toml',
  'pyproject.toml',
  'Cargo.toml',
];

/** Everything that the files of one folder declare, in the order of tools and files. */
export async function readDeclaredVersions(files: MachineFiles, folder: string): Promise<DeclaredVersions> {
  const declared: DeclaredVersion[] = [];
  const warnings: CaptureWarning[] = [];
  const present = new Set(await files.names(folder));
  const read = async (
    file: string,
    reader: (text: string) => readonly DeclaredVersion[] | Promise<readonly DeclaredVersion[]>,
  ): Promise<void> => {
    const text = await files.text(files.paths.join(folder, ...file.split('/')));
    if (text === undefined) return;
    try {
      declared.push(...(await reader(text.replace(/^\uFEFF/, ''))));
    } catch {
      warnings.push({
        code: 'declaration_unreadable',
        file,
        message: `${file} cannot be parsed; the versions it declares are not compared.`,
      });
    }
  };
  for (const [file, reader] of readers) {
    if (present.has(file)) await read(file, (text) => reader(text, file));
  }
  if (present.has('package.json')) await read('package.json', packageJsonVersions);
  for (const file of tomlFiles) {
    if (!present.has(file.split('/')[0] ?? file)) continue;
    await read(file, async (text) => {
      const { parse } = await import('smol-toml');
      return tomlVersions(file, parse as ReadTable, text, toolNameOf);
    });
  }
  declared.sort((a, b) => compareText(a.tool, b.tool) || compareText(a.source, b.source));
  return { declared: declared.map(shortened), warnings };
}

/** What is declared by mistake (a whole text in `.nvmrc`) is not to fill the metadata. */
function shortened(version: DeclaredVersion): DeclaredVersion {
  return version.declared.length > 100
    ? { ...version, declared: `${version.declared.slice(0, 99)}…` }
    : version;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
