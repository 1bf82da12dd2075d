// Files of which one line declares a version: one row each, an expression whose group is the version.

import type { DeclaredVersion } from './declared-version.ts';

/** One version that a file may declare. */
interface VersionRow {
  readonly tool: string;
  readonly rule: DeclaredVersion['rule'];
  /** What the version is called in the file. */
  readonly name: string;
  readonly version: RegExp;
  /** Makes the version that people write of what the file has. */
  readonly plain?: (version: string) => string;
}

const java = { tool: 'java', rule: 'minimum' } as const;
/** A tool that the build finds or fetches by itself, whatever runs the build. */
const javaOfBuild = { tool: 'java', rule: 'stated' } as const;

const maven: readonly VersionRow[] = [
  ...['maven.compiler.release', 'maven.compiler.source', 'java.version'].map((name) => ({
    ...java,
    name,
    version: new RegExp(String.raw`<${name.replaceAll('.', '\\.')}>\s*(?:1\.)?(\d[\d.]*)\s*<`),
  })),
  { ...java, name: 'release', version: /<release>\s*(\d+)\s*<\/release>/ },
  { ...javaOfBuild, name: 'toolchain', version: /<jdk>\s*<version>\s*([^<\s]+)/ },
  {
    tool: 'maven',
    rule: 'minimum',
    name: 'prerequisites',
    version: /<prerequisites>\s*<maven>\s*(\d[^<\s]*)/,
  },
];

const gradle: readonly VersionRow[] = [
  {
    ...javaOfBuild,
    name: 'toolchain',
    version: /(?:JavaLanguageVersion\.of|\bjvmToolchain)\s*\(\s*["']?(\d+)/,
  },
  {
    ...java,
    name: 'sourceCompatibility',
    version: /\bsourceCompatibility(?: ?= ?| )(?:JavaVersion\.VERSION_)?["']?(?:1[._])?(\d+)/,
  },
  { ...java, name: 'release', version: /\boptions\.release(?:\.set\s*\(|\s*=)\s*(\d+)/ },
];

const dotnet: readonly VersionRow[] = [
  {
    tool: 'dotnet',
    rule: 'minimum',
    name: 'TargetFramework',
    version: /<TargetFramework>\s*net(\d+\.\d+)[^<]{0,100}</,
  },
  {
    tool: 'dotnet',
    rule: 'stated',
    name: 'TargetFrameworks',
    version: /<TargetFrameworks>([^<]{1,200})</,
    plain: (version) => version.trim(),
  },
];

const gemspec: readonly VersionRow[] = [
  {
    tool: 'ruby',
    rule: 'gem-range',
    name: 'required_ruby_version',
    version:
      /\brequired_ruby_version *= *(?:Gem::Requirement\.new[ (])?\[?((?:["'][^"'\n]{1,50}["'](?:\.freeze)?(?:, ?)?){1,5})/,
    plain: (version) => [...version.matchAll(/["']([^"']+)["']/g)].map(([, part]) => part).join(', '),
  },
];

/** `5.014002` is 5.14.2. */
function perlVersion(version: string): string {
  const [, major, minor = '0', patch = '0'] = /^(\d+)\.(\d{3})_?(\d{3})?$/.exec(version) ?? [];
  return major === undefined ? version : `${major}.${Number(minor)}.${Number(patch)}`;
}

/** By the file's name, or its path below the folder. */
export const versionRows: Readonly<Record<string, readonly VersionRow[]>> = {
  'pom.xml': maven,
  'build.gradle': gradle,
  'build.gradle.kts': gradle,
  'gradle/gradle-daemon-jvm.properties': [
    { ...javaOfBuild, name: 'toolchainVersion', version: /^toolchainVersion[ \t]*=[ \t]*(\d+)/m },
  ],
  'system.properties': [
    {
      tool: 'java',
      rule: 'prefix',
      name: 'java.runtime.version',
      version: /^java\.runtime\.version[ \t]*=[ \t]*(\d\S*)/m,
    },
  ],
  'build.sbt': [
    { tool: 'scala', rule: 'stated', name: 'scalaVersion', version: /\bscalaVersion\s*:=\s*"([^"\n]+)"/ },
  ],
  'project/build.properties': [
    { tool: 'sbt', rule: 'stated', name: 'sbt.version', version: /^sbt\.version[ \t]*=[ \t]*(\d\S*)/m },
  ],
  'Directory.Build.props': dotnet,
  'Gemfile.lock': [
    { tool: 'ruby', rule: 'stated', name: 'RUBY VERSION', version: /^RUBY VERSION\s+ruby (\d\S*)/m },
  ],
  'build.zig.zon': [
    {
      tool: 'zig',
      rule: 'minimum',
      name: 'minimum_zig_version',
      version: /\.minimum_zig_version\s*=\s*"([^"\n]+)"/,
    },
  ],
  cpanfile: [
    {
      tool: 'perl',
      rule: 'minimum',
      name: 'requires',
      version: /^[ \t]*requires[ \t(]+["']perl["'][ \t]*(?:,|=>)[ \t]*["']?v?(\d[\d._]*)/m,
      plain: perlVersion,
    },
  ],
  'rebar.config': [
    {
      tool: 'erlang',
      rule: 'minimum',
      name: 'minimum_otp_vsn',
      version: /\{\s*minimum_otp_vsn\s*,\s*"(\d[^"\n]*)"/,
    },
  ],
  'shard.yml': [
    { tool: 'crystal', rule: 'stated', name: 'crystal', version: /^crystal:[ \t]*["']?([^"'\n#]+)/m },
  ],
  'CMakeLists.txt': [
    {
      tool: 'cmake',
      rule: 'minimum',
      name: 'cmake_minimum_required',
      version: /^[ \t]*cmake_minimum_required[ \t]*\([ \t]*VERSION[ \t]+(\d+(?:\.\d+)*)/im,
    },
  ],
};

/** Files that are named after the project, with an example. */
export const versionRowPatterns: readonly {
  readonly example: string;
  readonly file: RegExp;
  readonly rows: readonly VersionRow[];
}[] = [
  { example: 'app.gemspec', file: /\.gemspec$/, rows: gemspec },
  { example: 'App.csproj', file: /\.(?:cs|fs|vb)proj$/, rows: dotnet },
];

/** What the rows of a file find in it. */
export function readRows(rows: readonly VersionRow[], text: string, source: string): DeclaredVersion[] {
  return rows.flatMap(({ tool, rule, name, version, plain = (found) => found }) => {
    const found = version.exec(text)?.[1]?.trim();
    return found ? [{ tool, source: `${source} ${name}`, declared: plain(found), rule }] : [];
  });
}
