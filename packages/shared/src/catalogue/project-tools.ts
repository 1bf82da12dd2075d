// What tells that a project uses an ecosystem, and which runtimes and tools that means. Plain data.

/** An ecosystem as a project shows it. Names go beyond those of dependency files: `docker` and `c` have no lock file. */
export interface ProjectEcosystem {
  readonly name: string;
  /** Names of files that show it (`*` for any characters), separated by blanks. */
  readonly shownBy: string;
  /** Runtimes without which nothing of it runs, as captures name them. */
  readonly runtimes: readonly string[];
}

/** In the order in which a reader would name them. */
export const projectEcosystems: readonly ProjectEcosystem[] = [
  {
    name: 'npm',
    shownBy:
      'package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb .nvmrc',
    runtimes: ['node'],
  },
  { name: 'jsr', shownBy: 'deno.json deno.jsonc deno.lock', runtimes: ['deno'] },
  {
    name: 'pypi',
    shownBy:
      'pyproject.toml setup.py setup.cfg Pipfile Pipfile.lock poetry.lock uv.lock pdm.lock requirements*.txt requirements*.in tox.ini .python-version',
    runtimes: ['python'],
  },
  {
    name: 'conda',
    shownBy: 'environment.yml environment.yaml conda-lock.yml pixi.toml',
    runtimes: ['python', 'conda'],
  },
  { name: 'go', shownBy: 'go.mod go.work', runtimes: ['go'] },
  {
    name: 'cargo',
    shownBy: 'Cargo.toml Cargo.lock rust-toolchain rust-toolchain.toml',
    runtimes: ['rustc', 'cargo'],
  },
  {
    name: 'rubygems',
    shownBy: 'Gemfile gems.rb Gemfile.lock gems.locked *.gemspec .ruby-version',
    runtimes: ['ruby', 'bundler'],
  },
  {
    name: 'maven',
    shownBy:
      'pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.lockfile build.sbt .sdkmanrc',
    runtimes: ['java', 'javac'],
  },
  { name: 'android', shownBy: 'AndroidManifest.xml', runtimes: ['java'] },
  {
    name: 'nuget',
    shownBy: '*.csproj *.fsproj *.vbproj *.sln *.slnx global.json packages.lock.json',
    runtimes: ['dotnet'],
  },
  { name: 'composer', shownBy: 'composer.json composer.lock', runtimes: ['php', 'composer'] },
  { name: 'pub', shownBy: 'pubspec.yaml pubspec.lock', runtimes: ['dart', 'flutter'] },
  { name: 'hex', shownBy: 'mix.exs mix.lock rebar.config', runtimes: ['elixir', 'erlang'] },
  { name: 'swift', shownBy: 'Package.swift Package.resolved', runtimes: ['swift', 'xcodebuild'] },
  { name: 'cocoapods', shownBy: 'Podfile Podfile.lock', runtimes: ['cocoapods', 'ruby', 'xcodebuild'] },
  { name: 'hackage', shownBy: '*.cabal stack.yaml cabal.project', runtimes: ['ghc', 'cabal', 'stack'] },
  { name: 'julia', shownBy: 'Project.toml Manifest.toml', runtimes: ['julia'] },
  { name: 'cran', shownBy: 'renv.lock DESCRIPTION', runtimes: ['r'] },
  {
    name: 'conan',
    shownBy: 'conanfile.txt conanfile.py conan.lock',
    runtimes: ['conan', 'cmake', 'gcc', 'clang'],
  },
  {
    name: 'c',
    shownBy: 'CMakeLists.txt meson.build configure.ac configure.in binding.gyp',
    runtimes: ['gcc', 'g++', 'clang', 'cmake', 'make', 'ld', 'pkg-config'],
  },
  { name: 'opam', shownBy: '*.opam dune-project', runtimes: ['ocaml', 'opam', 'dune'] },
  { name: 'perl', shownBy: 'cpanfile Makefile.PL', runtimes: ['perl'] },
  { name: 'lua', shownBy: '*.rockspec', runtimes: ['lua', 'luajit', 'luarocks'] },
  { name: 'helm', shownBy: 'Chart.yaml Chart.lock', runtimes: ['helm', 'kubectl'] },
  {
    name: 'kubernetes',
    shownBy: 'kustomization.yaml skaffold.yaml',
    runtimes: ['kubectl', 'kustomize', 'skaffold'],
  },
  { name: 'terraform', shownBy: '*.tf .terraform.lock.hcl', runtimes: ['terraform', 'tofu'] },
  { name: 'nix', shownBy: 'flake.nix shell.nix default.nix', runtimes: ['nix'] },
  { name: 'bazel', shownBy: 'MODULE.bazel WORKSPACE WORKSPACE.bazel', runtimes: ['bazel'] },
  {
    name: 'docker',
    shownBy:
      'Dockerfile Dockerfile.* *.dockerfile Containerfile compose.yaml compose.yml compose.*.yml compose.*.yaml docker-compose.yml docker-compose.yaml docker-compose.*.yml docker-compose.*.yaml',
    runtimes: ['docker', 'docker-compose', 'docker-buildx', 'podman'],
  },
];

/** The tool that a certain file needs beside the runtimes of its ecosystem. */
export const toolsOfFile: Readonly<Record<string, readonly string[]>> = {
  'package-lock.json': ['npm'],
  'npm-shrinkwrap.json': ['npm'],
  'pnpm-lock.yaml': ['pnpm'],
  'yarn.lock': ['yarn'],
  'bun.lock': ['bun'],
  'bun.lockb': ['bun'],
  'deno.lock': ['deno'],
  'uv.lock': ['uv'],
  'poetry.lock': ['poetry'],
  'pdm.lock': ['pdm'],
  'Pipfile.lock': ['pipenv'],
  'requirements.txt': ['pip'],
  'pom.xml': ['maven'],
  'gradle.lockfile': ['gradle'],
  'build.gradle': ['gradle'],
  'build.gradle.kts': ['gradle'],
  'build.sbt': ['sbt', 'scala'],
  'CMakeLists.txt': ['cmake'],
  'meson.build': ['meson', 'ninja'],
  Makefile: ['make'],
  justfile: ['just'],
  'Taskfile.yml': ['task'],
};

/** Tools that come with another and change with it: told together. */
export const companions: Readonly<Record<string, readonly string[]>> = {
  node: ['npm', 'corepack', 'npx'],
  python: ['pip'],
  ruby: ['gem', 'bundler'],
  rustc: ['cargo', 'rustup'],
  java: ['javac'],
  erlang: ['elixir'],
  gcc: ['g++', 'gfortran'],
  docker: ['docker-buildx', 'docker-compose'],
};

/** Commands whose tool a capture calls by another name. */
const commandTools: Readonly<Record<string, string>> = {
  npx: 'npm',
  pnpx: 'pnpm',
  bunx: 'bun',
  python3: 'python',
  pip3: 'pip',
  uvx: 'uv',
  pytest: 'python',
  bundle: 'bundler',
  rake: 'ruby',
  rails: 'ruby',
  mvn: 'maven',
  mvnw: 'maven',
  gradlew: 'gradle',
  mix: 'elixir',
  rebar3: 'rebar3',
  tsc: 'typescript',
  cc: 'gcc',
  'c++': 'g++',
  'clang++': 'clang',
  'docker-compose': 'docker',
  sqlite3: 'sqlite',
  convert: 'imagemagick',
  magick: 'imagemagick',
  dot: 'graphviz',
  Rscript: 'r',
  R: 'r',
};

const ownNames = new Set(
  (
    'node npm pnpm yarn bun deno python pip uv poetry pipenv pdm hatch tox conda mamba ruby gem bundler go cargo rustc rustup java javac maven gradle sbt scala ' +
    'kotlin dotnet php composer elixir erlang ghc cabal stack julia ocaml opam dune perl cpanm lua luarocks swift xcodebuild cocoapods fastlane dart flutter ' +
    'cmake make ninja meson gcc g++ clang bazel just task docker podman buildah skopeo kubectl helm kustomize skaffold terraform tofu terragrunt pulumi packer ' +
    'ansible aws az gcloud sam cdk serverless psql mysql sqlite redis-cli redis-server mongosh protoc buf ffmpeg imagemagick pandoc graphviz ' +
    'shellcheck jq yq wrangler vercel netlify firebase turbo nx lerna hugo nix wasm-pack emcc conan vcpkg zig crystal nim clojure leiningen groovy ant rsync'
  ).split(' '),
);

/** The tool that a command of a script means, or undefined for what no capture looks at. */
export function toolOfCommand(command: string): string | undefined {
  const name = command.replace(/^.*\//, '');
  if (Object.hasOwn(commandTools, name)) return commandTools[name];
  return ownNames.has(name) ? name : undefined;
}

const exactNames = new Map<string, string[]>();
const namePatterns: (readonly [test: RegExp, ecosystem: string])[] = [];
for (const { name, shownBy } of projectEcosystems) {
  for (const pattern of shownBy.split(' ')) {
    if (pattern.includes('*')) {
      const source = pattern.replace(/[.+]/g, '\\$&').replaceAll('*', '[^/]*');
      namePatterns.push([new RegExp(`^${source}$`), name]);
    } else exactNames.set(pattern, [...(exactNames.get(pattern) ?? []), name]);
  }
}

/** The ecosystems that a file shows by its name; folders before it do not matter. */
export function ecosystemsShownBy(file: string): string[] {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const exact = exactNames.get(name) ?? [];
  return [...exact, ...namePatterns.filter(([test]) => test.test(name)).map(([, ecosystem]) => ecosystem)];
}
