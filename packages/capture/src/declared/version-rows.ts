// Files in which a regular expression finds the version: its first group. One row for each version that a file may
// declare, with the tool, the expression, and the field's name in the file, if it has one.

import type { DeclaredVersion } from './package-json.ts';

type Rows = Readonly<Record<string, RegExp>>;

const maven: Rows = {
  ...Object.fromEntries(
    ['maven.compiler.release', 'maven.compiler.source', 'java.version'].map((name) => [
      `java minimum ${name}`,
      new RegExp(String.raw`<${name.replaceAll('.', '\\.')}>\s*(?:1\.)?(\d[\d.]*)\s*<`),
    ]),
  ),
  'java minimum release': /<release>\s*(\d+)\s*<\/release>/,
  // A tool that the build finds or downloads, whatever version of it runs the build.
  'java stated toolchain': /<jdk>\s*<version>\s*([^<\s]+)/,
  'maven minimum prerequisites': /<prerequisites>\s*<maven>\s*(\d[^<\s]*)/,
};
const gradle: Rows = {
  'java stated toolchain': /(?:JavaLanguageVersion\.of|\bjvmToolchain)\s*\(\s*["']?(\d+)/,
  'java minimum sourceCompatibility':
    /\bsourceCompatibility(?: ?= ?| )(?:JavaVersion\.VERSION_)?["']?(?:1[._])?(\d+)/,
  'java minimum release': /\boptions\.release(?:\.set\s*\(|\s*=)\s*(\d+)/,
};
const dotnet: Rows = {
  'dotnet minimum TargetFramework': /<TargetFramework>\s*net(\d+\.\d+)[^<]{0,100}</,
  'dotnet stated TargetFrameworks': /<TargetFrameworks>([^<]{1,200})</,
};
const go: Rows = {
  'go minimum': /^go\s+(\d\S*)/m,
  'go minimum toolchain': /^toolchain\s+go(\d\S*)/m,
};
/** Bundler installs the version that wrote the lock file. The Ruby version in it is not binding. */
const gemfileLock: Rows = {
  'bundler minimum BUNDLED WITH': /^BUNDLED WITH\s+(\d\S*)/m,
  'ruby stated RUBY VERSION': /^RUBY VERSION\s+ruby (\d\S*)/m,
};

export const versionRows: Readonly<Record<string, Rows>> = {
  'pom.xml': maven,
  'build.gradle': gradle,
  'build.gradle.kts': gradle,
  'gradle/gradle-daemon-jvm.properties': {
    'java stated toolchainVersion': /^toolchainVersion[ \t]*=[ \t]*(\d+)/m,
  },
  'system.properties': { 'java prefix java.runtime.version': /^java\.runtime\.version[ \t]*=[ \t]*(\d\S*)/m },
  'build.sbt': { 'scala stated scalaVersion': /\bscalaVersion\s*:=\s*"([^"\n]+)"/ },
  'project/build.properties': { 'sbt stated sbt.version': /^sbt\.version[ \t]*=[ \t]*(\d\S*)/m },
  'Directory.Build.props': dotnet,
  'Gemfile.lock': gemfileLock,
  'gems.locked': gemfileLock,
  'go.mod': go,
  'go.work': go,
  'build.zig.zon': { 'zig minimum minimum_zig_version': /\.minimum_zig_version\s*=\s*"([^"\n]+)"/ },
  cpanfile: {
    'perl minimum requires': /^[ \t]*requires[ \t(]+["']perl["'][ \t]*(?:,|=>)[ \t]*["']?v?(\d[\d._]*)/m,
  },
  'rebar.config': { 'erlang minimum minimum_otp_vsn': /\{\s*minimum_otp_vsn\s*,\s*"(\d[^"\n]*)"/ },
  'shard.yml': { 'crystal stated crystal': /^crystal:[ \t]*["']?([^"'\n#]+)/m },
  'CMakeLists.txt': {
    'cmake minimum cmake_minimum_required':
      /^[ \t]*cmake_minimum_required[ \t]*\([ \t]*VERSION[ \t]+(\d+(?:\.\d+)*)/im,
  },
  // The first line of a manifest of SwiftPM: `// swift-tools-version:5.9`.
  'Package.swift': {
    'swift minimum swift-tools-version': /^\s*\/\/\s*swift-tools-version\s*(?::\s*)?(\d[\d.]*)/i,
  },
  // Heroku and similar services: `python-3.12.4`.
  'runtime.txt': { 'python prefix': /^python-(\d[\d.]*)\s*$/m },
  // Indented lines continue a value.
  'setup.cfg': Object.fromEntries(
    ['python_requires', 'python-requires'].map((name) => [
      `python python-range ${name}`,
      new RegExp(String.raw`^[ \t]*${name}[ \t]*[=:]([^\r\n#]*(?:\r?\n[ \t]+[^\s#][^\r\n#]*)*)`, 'm'),
    ]),
  ),
  'mix.exs': {
    'elixir gem-range elixir': /(?:^|[,[])[ \t]*elixir:[ \t]*"([^"\n]+)"/m,
    'elixir gem-range @elixir': /^[ \t]*@\w{0,30}elixir\w{0,30}[ \t]+"([^"\n]+)"/m,
  },
  'Project.toml': { 'julia minimum compat': /^julia[ \t]*=[ \t]*"[\^~=>≥ ]{0,5}(\d[\d.]*)/m },
  'Manifest.toml': { 'julia stated julia_version': /^julia_version[ \t]*=[ \t]*"(\d[^"\n]*)"/m },
  'Podfile.lock': { 'cocoapods stated COCOAPODS': /^COCOAPODS: (\d\S*)/m },
  'renv.lock': { 'r stated R': /"R"\s*:\s*\{\s*"Version"\s*:\s*"(\d[^"\n]*)"/ },
  'Makefile.PL': { 'perl minimum MIN_PERL_VERSION': /\bMIN_PERL_VERSION\b['"]?\s*=>\s*['"]?v?(\d[\d._]*)/ },
  DESCRIPTION: { 'r minimum Depends': /(?:^|[\s,:])R ?\(>= ?(\d[\d.]*)\)/m },
};

/** Files matched by a pattern, each with an example. */
export const versionRowPatterns: readonly (readonly [example: string, file: RegExp, rows: Rows])[] = [
  [
    'main.tf',
    /^\w\S*\.tf$/,
    {
      'terraform gem-range required_version':
        /^[ \t]*(?:terraform[ \t]*\{[ \t]*)?required_version[ \t]*=[ \t]*"([^"\n]+)"/m,
    },
  ],
  [
    'app.gemspec',
    /\.gemspec$/,
    {
      'ruby gem-range required_ruby_version':
        /\brequired_ruby_version *= *(?:Gem::Requirement\.new[ (])?\[?((?:["'][^"'\n]{1,50}["'](?:\.freeze)?(?:, ?)?){1,5})/,
    },
  ],
  ['App.csproj', /\.(?:cs|fs|vb)proj$/, dotnet],
];

/** Converts the version in a file to its usual form. */
const plainForms: Readonly<Record<string, (version: string) => string>> = {
  required_ruby_version: (version) =>
    [...version.matchAll(/["']([^"']+)["']/g)].map(([, part]) => part).join(', '),
  requires: plainPerl,
  MIN_PERL_VERSION: plainPerl,
};

/** `5.014002` is 5.14.2. */
function plainPerl(version: string): string {
  const [, major, minor = '0', patch = '0'] = /^(\d+)\.(\d{3})_?(\d{3})?$/.exec(version) ?? [];
  return major === undefined ? version : `${major}.${Number(minor)}.${Number(patch)}`;
}

/** The text of a file without the versions that its rows find: those are compared as declared ones. */
export function withoutVersions(file: string, text: string): string {
  const rows = versionRows[file.slice(file.lastIndexOf('/') + 1)] ?? {};
  return Object.values(rows).reduce(
    (rest, row) => rest.replace(row, (found, version: string) => found.replace(version, '')),
    text,
  );
}

export function readRows(rows: Rows, text: string, source: string): DeclaredVersion[] {
  return Object.entries(rows).flatMap(([row, version]): DeclaredVersion[] => {
    const [tool = '', rule, ...words] = row.split(' ');
    const name = words.join(' ');
    const found = version.exec(text)?.[1]?.trim().replace(/\s+/g, ' ');
    if (!found) return [];
    const declared = plainForms[name]?.(found) ?? found;
    return [{ tool, source: `${source} ${name}`.trim(), declared, rule: rule as DeclaredVersion['rule'] }];
  });
}
