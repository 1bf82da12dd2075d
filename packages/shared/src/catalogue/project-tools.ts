// Signs, besides dependency files, that a project uses an ecosystem or a tool.

import { compileGlob, type GlobTest } from '../text/glob.ts';
import { tableRows } from '../text/table-rows.ts';
import { ecosystems } from './ecosystems.ts';
import { formatOfFile, toolsOfFile } from './formats.ts';
import { toolNameOf, toolRow } from './tools.ts';

/** An ecosystem of a project. Includes ones without dependency files, such as `docker` and `c`. */
export interface ProjectEcosystem {
  readonly name: string;
  /** Names of files that show it and are not dependency files (`*` for any characters), separated by spaces. */
  readonly shownBy: string;
  /** Runtimes that it needs besides those of its dependency files, as captures name them. */
  readonly runtimes: readonly string[];
}

export const projectEcosystems: readonly ProjectEcosystem[] = tableRows(`
  npm | .nvmrc .node-version tsconfig.json |
  jsr | deno.jsonc |
  pypi | setup.py setup.cfg tox.ini noxfile.py .python-version manage.py |
  conda | | python conda
  go | go.work .go-version |
  cargo | rust-toolchain rust-toolchain.toml |
  rubygems | *.gemspec .ruby-version Rakefile |
  maven | build.gradle build.gradle.kts settings.gradle settings.gradle.kts build.sbt .sdkmanrc
    .java-version | javac
  android | AndroidManifest.xml | java
  nuget | *.sln *.slnx global.json |
  composer | |
  pub | |
  hex | mix.exs rebar.config |
  swift | Package.swift | xcodebuild
  cocoapods | Podfile | cocoapods ruby xcodebuild
  hackage | *.cabal stack.yaml cabal.project |
  julia | Project.toml |
  cran | .Rprofile |
  conan | conanfile.py | conan cmake gcc clang
  c | CMakeLists.txt meson.build configure.ac configure.in | gcc g++ clang make
  gyp | binding.gyp | python gcc g++ clang make
  opam | dune-project | ocaml dune
  perl | cpanfile Makefile.PL | perl
  lua | *.rockspec | lua luajit luarocks
  helm | Chart.yaml | kubectl
  kubernetes | kustomization.yaml skaffold.yaml | kubectl kustomize skaffold
  terraform | *.tf | tofu
  nix | flake.nix shell.nix default.nix | nix
  bazel | MODULE.bazel WORKSPACE WORKSPACE.bazel | bazel
  docker | Dockerfile Dockerfile.* *.dockerfile Containerfile compose.yaml compose.yml compose.*.yml
    compose.*.yaml docker-compose.yml docker-compose.yaml docker-compose.*.yml docker-compose.*.yaml |
    docker docker-compose docker-buildx podman
`).map(([name = '', shownBy = '', runtimes = '']) => ({ name, shownBy, runtimes: words(runtimes) }));

const rows = new Map(projectEcosystems.map((row) => [row.name, row]));

/** Runtimes that everything in an ecosystem needs. */
export function runtimesOfEcosystem(name: string): readonly string[] {
  const known = Object.hasOwn(ecosystems, name)
    ? ((ecosystems as Record<string, { runtimes?: readonly string[] }>)[name]?.runtimes ?? [])
    : [];
  return [...known, ...(rows.get(name)?.runtimes ?? [])];
}

/** Tools that a file shows by its name, if it is not a dependency file. */
const toolsByName = new Map<string, readonly string[]>([
  ['build.gradle', ['gradle']],
  ['build.gradle.kts', ['gradle']],
  ['build.sbt', ['sbt', 'scala']],
  ['CMakeLists.txt', ['cmake']],
  ['meson.build', ['meson', 'ninja']],
  ['Makefile', ['make']],
  ['GNUmakefile', ['make']],
  ['justfile', ['just']],
  ['Taskfile.yml', ['task']],
]);

/** Tools that a project with this file needs, as captures name them. */
export function toolsShownBy(file: string): readonly string[] {
  return [...toolsOfFile(file), ...(toolsByName.get(file.slice(file.lastIndexOf('/') + 1)) ?? [])];
}

/** Commands that belong to a tool with another name. */
const commandTools = new Map(
  words(
    `npx=npm pnpx=pnpm bunx=bun pip3=pip uvx=uv pytest=python bundle=bundler rake=ruby rails=ruby mvn=maven
      mvnw=maven gradlew=gradle mix=elixir tsc=typescript cc=gcc c++=g++ clang++=clang docker-compose=docker
      sqlite3=sqlite convert=imagemagick magick=imagemagick dot=graphviz Rscript=r tox=python`,
  ).map((pair) => pair.split('=') as [command: string, tool: string]),
);

/** The commands of a tool whose names differ from its own. */
export function commandsOf(tool: string): readonly string[] {
  return [
    tool,
    ...(toolRow(tool)?.aliases ?? []),
    ...[...commandTools].filter(([, name]) => name === tool).map(([command]) => command),
  ];
}

/** Commands that every machine, most people or CI services have. A script that uses them says nothing about the project. */
const everywhere = new Set(
  'bash zsh fish nu powershell git curl wget gpg openssh openssl brew apt dpkg rpm gh glab qemu'.split(' '),
);
const ownKinds = new Set(['version manager', 'version control', 'browser']);

/** The tool of a script's command; undefined if it says nothing about the project. */
export function toolOfCommand(command: string): string | undefined {
  const name = command.replace(/^.*\//, '');
  const tool = commandTools.get(name) ?? toolNameOf(name);
  const row = toolRow(tool);
  return row && !ownKinds.has(row.kind) && !everywhere.has(tool) ? tool : undefined;
}

function words(cell: string): string[] {
  return cell.split(/\s+/).filter((each) => each !== '');
}

const exactNames = new Map<string, string>();
const namePatterns: (readonly [matches: GlobTest, ecosystem: string])[] = [];
for (const { name, shownBy } of projectEcosystems) {
  for (const pattern of words(shownBy)) {
    if (pattern.includes('*')) namePatterns.push([compileGlob(pattern, { syntax: 'paths' }), name]);
    else exactNames.set(pattern, name);
  }
}

/** The ecosystems that a file shows by its name and the name of its folder. */
export function ecosystemsShownBy(file: string): string[] {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const format = formatOfFile(file);
  const exact = exactNames.get(name);
  return [
    ...(format && rows.has(format.ecosystem) ? [format.ecosystem] : []),
    ...(exact === undefined ? [] : [exact]),
    ...namePatterns.filter(([matches]) => matches(name)).map(([, ecosystem]) => ecosystem),
  ];
}
