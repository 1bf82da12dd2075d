// Every format of dependency files, one row each.

import { cellFields, tableRows } from '../../text/table-rows.ts';
import type { Ecosystem } from '../ecosystems.ts';
import type { Format, FormatKind } from './format.ts';
import { formatPatterns } from './patterns.ts';

/**
 * A line that begins with `#` names a family and its ecosystem. The lines below have id, kind, names (none: a pattern), parser or
 * the reason for not reading it, and its name in a sentence; then further fields of {@link Format}, by name. Notes on the order:
 * - go.mod lists the selected versions; go.sum only contents that were ever checked.
 * - Yarn 1 silently accepts `--immutable` and rewrites the lock file; later versions accept `--frozen-lockfile` too.
 * - Poetry 1 has no `poetry sync`. Helm 2 named its lock file `requirements.lock`.
 * - The last row is for files that call themselves lock files and are none of the others.
 */
const table = tableRows(`
  # javascript npm
  npm-shrinkwrap | lock | npm-shrinkwrap.json | npm/parseNpmLock | the lock file of a published npm package
    | reach: tree | manifests: package.json | tools: npm
    | forPlatform: npm install {node}
  npm-lock | lock | package-lock.json | npm/parseNpmLock | the lock file of npm, versions 1 to 3 | reach: tree
    | manifests: package.json | voidBeside: npm-shrinkwrap.json | tools: npm
    | forPlatform: npm install {node}
  yarn-lock | lock | yarn.lock | yarn/parseYarnLock | the lock file of Yarn, classic and Berry | reach: tree
    | manifests: package.json | install: yarn install --frozen-lockfile
    | reinstall: rm -rf node_modules && yarn install --frozen-lockfile | tools: yarn
  pnpm-lock | lock | pnpm-lock.yaml | pnpm/parsePnpmLock | the lock file of pnpm, versions 5 to 9 | reach: tree
    | manifests: package.json | install: pnpm install --frozen-lockfile
    | reinstall: rm -rf node_modules && pnpm install --frozen-lockfile | tools: pnpm
    | forPlatform: pnpm install {node}
  bun-lock | lock | bun.lock | npm/parseBunLock | the lock file of Bun | reach: tree | manifests: package.json
    | install: bun install --frozen-lockfile | tools: bun
  bun-binary-lock | unread | bun.lockb
    | only Bun reads its binary format; \`bun install --save-text-lockfile\` writes bun.lock, which is read
    | the binary lock file of Bun before 1.2 | voidBeside: bun.lock | isLock | tools: bun
  npm-patch | list | | npm/parsePatch | a patch of patch-package | examples: patches/left-pad+1.3.0.patch
    | install: npx patch-package
  import-map | unread | | only running it would show what it needs
    | the modules that Rails or Symfony pins for browsers | examples: config/importmap.rb app/importmap.php | isLock
  pnpm-workspace | manifest | pnpm-workspace.yaml | pnpm/parsePnpmWorkspace | the workspace file of pnpm | tools: pnpm
  yarnrc | manifest | .yarnrc.yml | pnpm/parsePnpmWorkspace | the settings of Yarn Berry | install: yarn install
    | tools: yarn
  package-json | manifest | package.json | npm/parsePackageJson | the manifest of npm, Yarn, pnpm and Bun
  bower | list | bower.json | npm/parsePackageJson | the manifest of Bower | install: bower install
  # deno npm
  deno-lock | lock | deno.lock | npm/parseDenoLock | the lock file of Deno, versions 2 to 5 | governs: javascript deno
    | reach: tree | manifests: deno.json deno.jsonc package.json | install: deno install --frozen | tools: deno
  deno-json | manifest | deno.json deno.jsonc | npm/parseDenoJson | the manifest of Deno | ecosystem: jsr
    | tools: deno
  # python pypi
  poetry-lock | lock | poetry.lock | python-locks/parsePoetryLock | the lock file of Poetry
    | manifests: pyproject.toml setup.py setup.cfg | install: poetry install | tools: poetry
  uv-script-lock | list | | python-locks/parseUvLock | the lock file of a script for uv | examples: tool.py.lock
    | install: uv sync --script | tools: uv
  uv-lock | lock | uv.lock | python-locks/parseUvLock | the lock file of uv | reach: tree
    | manifests: pyproject.toml setup.py setup.cfg | install: uv sync --locked
    | reinstall: uv sync --locked --reinstall | tools: uv
  pdm-lock | lock | pdm.lock | python-locks/parsePdmLock | the lock file of PDM
    | manifests: pyproject.toml setup.py setup.cfg | install: pdm sync --clean | tools: pdm
  pipfile-lock | lock | Pipfile.lock | python-locks/parsePipfileLock | the lock file of Pipenv | manifests: Pipfile
    | install: pipenv sync | tools: pipenv
  pylock | lock | | python-locks/parsePylock | the lock file of PEP 751 | manifests: pyproject.toml setup.py setup.cfg
    | examples: pylock.toml pylock.dev.toml
  requirements-lock | lock | | python-requirements/parseRequirements
    | the lock file of Rye, in the form of a requirements file | manifests: pyproject.toml setup.py setup.cfg
    | examples: requirements.lock requirements-dev.lock | voidBeside: Chart.yaml requirements.yaml
  pyproject | manifest | pyproject.toml | python-locks/parsePyproject | the manifest of Python projects
    | plainMeansRange
  pipfile | manifest | Pipfile | python-locks/parsePipfile | the manifest of Pipenv
  setup-cfg | manifest | setup.cfg | python-requirements/parseSetupCfg | the declarative manifest of setuptools
  setup-py | unread | setup.py | only running it would show what it needs | the build program of setuptools
    | voidBeside: setup.cfg pyproject.toml
  requirements | list | | python-requirements/parseRequirements | requirements and constraints files of pip
    | examples: requirements.txt requirements-dev.txt dev-requirements.txt requirements/dev.txt constraints.txt
    | install: pip install -r
  requirements-in | list | | python-requirements/parseRequirements
    | the input of pip-tools and \`uv pip compile\` | examples: requirements.in requirements/dev.in
    | voidBeside: *.txt
  # conda conda
  pixi-lock | lock | pixi.lock | conda/parsePixiLock | the lock file of Pixi, versions 1 to 6
    | governs: conda python | manifests: pixi.toml pyproject.toml | install: pixi install --locked | tools: pixi
  conda-lock | lock | | conda/parseCondaLock | the lock file of conda-lock for several platforms
    | manifests: environment.yml environment.yaml | examples: conda-lock.yml linux.conda-lock.yaml
    | install: conda-lock install | tools: conda
  pixi | manifest | pixi.toml | conda/parsePixi | the manifest of Pixi | tools: pixi
  conda-environment | list | | conda/parseCondaEnvironment | an environment of conda
    | examples: environment.yml environment-dev.yaml | tools: conda
  # cargo cargo
  cargo-lock | lock | Cargo.lock | cargo/parseCargoLock | the lock file of Cargo, versions 1 to 4 | reach: tree
    | manifests: Cargo.toml
  cargo-toml | manifest | Cargo.toml | cargo/parseCargoToml | the manifest of Cargo | plainMeansRange
  # go go
  go-mod | list | go.mod | go/parseGoMod | the module file of Go
  go-sum | lock | go.sum | go/parseGoSum | the checksums of Go, read only if go.mod does not list all versions
    | manifests: go.mod
  go-vendor | lock | | go/parseModulesTxt | the vendored modules of Go, where they are not those of go.mod
    | examples: vendor/modules.txt
  bingo | list | | go/parseGoMod | a tool of a Go project, pinned by bingo | examples: .bingo/kind.mod
  go-work-sum | unread | go.work.sum | the go.mod files of its modules say what is selected
    | the checksums of a Go workspace | voidBeside: go.work
  # conan conan
  conan-lock | lock | conan.lock | native/parseConanLock | the lock file of Conan 1 and 2
    | manifests: conanfile.txt conanfile.py | tools: conan
  conanfile | manifest | conanfile.txt | native/parseConanfile | the manifest of Conan | tools: conan
  conanfile-py | unread | conanfile.py | only running it would show what it needs | a recipe of Conan
  # vcpkg vcpkg
  vcpkg | list | vcpkg.json | native/parseVcpkg | the manifest of vcpkg | tools: vcpkg
  # swift swift
  package-resolved | lock | Package.resolved | mobile/parsePackageResolved | the lock file of SwiftPM, versions 1 to 3
    | manifests: Package.swift
  package-swift | unread | Package.swift | only running it would show what it needs
    | the manifest of SwiftPM
  # cocoapods cocoapods
  podfile-lock | lock | Podfile.lock | mobile/parsePodfileLock | the lock file of CocoaPods | manifests: Podfile
  podfile | unread | Podfile | only running it would show what it needs | the manifest of CocoaPods
  # carthage carthage
  cartfile-resolved | lock | Cartfile.resolved | mobile/parseCartfileResolved | the lock file of Carthage
    | manifests: Cartfile
  cartfile | manifest | Cartfile Cartfile.private | mobile/parseCartfile | the manifest of Carthage
  # dart pub
  pubspec-lock | lock | pubspec.lock | mobile/parsePubspecLock | the lock file of Dart and Flutter | reach: tree
    | manifests: pubspec.yaml
  pubspec | manifest | pubspec.yaml pubspec_overrides.yaml | mobile/parsePubspec
    | the manifest of Dart and Flutter, and what overrides it
  # haskell hackage
  stack-lock | lock | stack.yaml.lock | functional/parseStackLock | the lock file of Stack | manifests: stack.yaml
  cabal-freeze | lock | cabal.project.freeze | functional/parseCabalFreeze | the lock file of Cabal
    | manifests: cabal.project *.cabal
  stack | unread | stack.yaml
    | its resolver stands for packages that no file of the project names; \`stack.yaml.lock\` is read
    | the manifest of Stack
  cabal-project | unread | cabal.project
    | its conditions would have to be evaluated; \`cabal freeze\` writes cabal.project.freeze, which is read
    | the project file of Cabal
  cabal | unread | | its conditions would have to be evaluated | the manifest of Cabal | examples: app.cabal
  # ocaml opam
  opam-locked | lock | | functional/parseOpam | the lock file of opam | manifests: opam *.opam dune-project
    | examples: opam.locked app.opam.locked
  opam | manifest | | functional/parseOpam | the manifest of opam | examples: opam app.opam
  # crystal crystal
  shard-lock | lock | shard.lock | ruby/parseShardLock | the lock file of Shards | manifests: shard.yml
  shard | manifest | shard.yml | ruby/parseShard | the manifest of Shards
  # zig generic
  zig-zon | unread | build.zig.zon | packages are pinned by hash and address only | the manifest of Zig | isLock
    | tools: zig
  # maven maven
  pom | list | pom.xml | maven/parsePom | the project file of Maven | encoding: xml | tools: maven
  maven-extensions | list | | maven/parseMavenExtensions | the extensions of a Maven build
    | examples: .mvn/extensions.xml | encoding: xml
  maven-wrapper | list | maven-wrapper.properties | jvm/parseMavenWrapper
    | the version of Maven that its wrapper fetches | ecosystem: tool
  # gradle maven
  gradle-lock | lock | | jvm/parseGradleLock | the lock files of Gradle | reach: tree
    | manifests: build.gradle build.gradle.kts
    | examples: gradle.lockfile buildscript-gradle.lockfile settings-gradle.lockfile dependency-locks/compile.lockfile
    | tools: gradle
  gradle-catalog | manifest | | jvm/parseVersionCatalog | a version catalog of Gradle | examples: libs.versions.toml
    | tools: gradle
  gradle-verification | list | verification-metadata.xml | jvm/parseVerificationMetadata
    | the verified components of a Gradle build | encoding: xml | tools: gradle
  gradle-wrapper | list | gradle-wrapper.properties | jvm/parseGradleWrapper
    | the version of Gradle that its wrapper fetches | ecosystem: tool
  gradle-build | unread |
    | only running it would show what it needs; \`gradle dependencies --write-locks\` writes gradle.lockfile,
      which is read | a build of Gradle | examples: build.gradle build.gradle.kts settings.gradle settings.gradle.kts
    | tools: gradle
  # scala maven
  sbt-lock | lock | build.sbt.lock | jvm/parseSbtLock | the lock file of sbt-dependency-lock | manifests: build.sbt
    | tools: sbt
  sbt-plugins | unread | | only running it would show what it needs | the plugins of an sbt build
    | examples: project/plugins.sbt | isLock | tools: sbt
  sbt | unread | build.sbt | only running it would show what it needs | a build of sbt | tools: sbt
  # clojure maven
  leiningen | unread | project.clj | only running it would show what it needs | a project of Leiningen
    | tools: leiningen
  deps-edn | unread | deps.edn | its notation, EDN, is not supported | the manifest of Clojure | tools: clojure
  # bazel bazel
  maven-install | lock | | native/parseMavenInstall | the lock file of rules_jvm_external for Bazel | ecosystem: maven
    | examples: maven_install.json rules_maven_install.json | tools: bazel
  bazel-module-lock | lock | MODULE.bazel.lock | native/parseModuleLock | the lock file of Bazel modules
    | manifests: MODULE.bazel
  bazel-module | unread | MODULE.bazel WORKSPACE WORKSPACE.bazel | only running it would show what it needs
    | the manifest of a Bazel module or workspace
  # dotnet nuget
  nuget-lock | lock | packages.lock.json | dotnet/parseNugetLock | the lock file of NuGet
    | manifests: *.csproj *.fsproj *.vbproj
  paket-lock | lock | paket.lock | dotnet/parsePaketLock | the lock file of Paket | reach: tree
    | manifests: paket.dependencies | install: dotnet paket restore
  packages-config | list | packages.config | dotnet/parsePackagesConfig | the packages of an older .NET project
    | encoding: xml
  central-packages | list | Directory.Packages.props | dotnet/parseCentralPackages
    | the package versions that .NET projects share | encoding: xml
  nuget-config | list | nuget.config NuGet.config NuGet.Config | dotnet/parseNugetConfig
    | the sources of packages of a .NET project | encoding: xml
  dotnet-global | list | global.json | dotnet/parseGlobalJson | the SDKs that a .NET repository names
  dotnet-solution | list | | dotnet/parseSolution | the projects of a .NET solution | examples: App.sln App.slnx
  dotnet-tools | list | dotnet-tools.json | dotnet/parseDotnetTools | the local tools of a .NET repository
    | install: dotnet tool restore
  dotnet-project | manifest | | dotnet/parseProjectFile | a .NET project
    | examples: App.csproj App.fsproj App.vbproj | encoding: xml
  dotnet-import | manifest | | dotnet/parseImport | packages that .NET projects share
    | examples: Directory.Build.targets eng/Common.props | encoding: xml
  # elixir hex
  mix-lock | lock | mix.lock | beam/parseMixLock | the lock file of Mix | manifests: mix.exs
  mix | unread | mix.exs | only running it would show what it needs | the project file of Mix
  # erlang hex
  rebar-lock | lock | rebar.lock | beam/parseRebarLock | the lock file of Rebar3 | manifests: rebar.config
    | install: rebar3 get-deps | tools: rebar3
  rebar | unread | rebar.config | Erlang terms would have to be evaluated | the project file of Rebar3 | tools: rebar3
  # gleam hex
  gleam-manifest | lock | manifest.toml | beam/parseGleamManifest | the lock file of Gleam | manifests: gleam.toml
    | install: gleam deps download | tools: gleam
  gleam | manifest | gleam.toml | beam/parseGleam | the manifest of Gleam | tools: gleam
  # ruby rubygems
  gemfile-lock | lock | Gemfile.lock gems.locked | ruby/parseGemfileLock | the lock file of Bundler | reach: tree
    | manifests: Gemfile gems.rb
    | forPlatform: bundle lock --add-platform {gem}
  appraisal-lock | lock | | ruby/parseGemfileLock | a lock file of Bundler for another Gemfile | manifests: *.gemfile
    | examples: rails-7.gemfile.lock
  gemfile | manifest | Gemfile gems.rb | ruby/parseGemfile | the manifest of Bundler
  gemspec | manifest | | ruby/parseGemspec | the manifest of a gem | examples: app.gemspec
  # php composer
  composer-lock | lock | composer.lock | php/parseComposerLock | the lock file of Composer | manifests: composer.json
  symfony-lock | unread | symfony.lock | it names the recipes that were applied; composer.lock says what is installed
    | the recipes of Symfony Flex
  composer | manifest | composer.json | php/parseComposerJson | the manifest of Composer
  # julia julia
  julia-manifest | lock | | data/parseJuliaManifest | the lock file of Julia
    | manifests: Project.toml JuliaProject.toml | examples: Manifest.toml JuliaManifest.toml Manifest-v1.11.toml
  julia-project | manifest | Project.toml JuliaProject.toml | data/parseJuliaProject | the project file of Julia
    | plainMeansRange
  # r cran
  renv-lock | lock | renv.lock | data/parseRenvLock | the lock file of renv | manifests: DESCRIPTION *.Rproj
  r-description | manifest | DESCRIPTION | data/parseDescription | the manifest of a package for R
  # elm elm
  elm | list | elm.json | functional/parseElm | the manifest of Elm
  # perl generic
  cpanfile-snapshot | unread | cpanfile.snapshot | the format of Carton is not supported | the lock file of Carton
    | isLock | tools: perl
  cpanfile | unread | cpanfile | only running it would show what it needs | the manifest of Perl
    | voidBeside: cpanfile.snapshot | tools: perl
  # containers image
  dockerfile | list | | containers/parseDockerfile | the base images of a Dockerfile
    | examples: Dockerfile Dockerfile.dev Dockerfile-prod api.Dockerfile Containerfile | anyEnding | tools: docker
  compose | list | | containers/parseCompose | the images of a compose file
    | examples: compose.yaml docker-compose.yml compose.override.yaml | install: docker compose pull | tools: docker
  # devcontainer feature
  devcontainer-lock | lock | devcontainer-lock.json .devcontainer-lock.json | containers/parseDevcontainerLock
    | the features that a development container locks | manifests: devcontainer.json .devcontainer.json
  devcontainer | list | devcontainer.json .devcontainer.json | containers/parseDevcontainer
    | the image and the features of a development container | ecosystem: image
  # helm helm
  chart-lock | lock | Chart.lock requirements.lock.yaml | containers/parseChartLock | the lock file of Helm
    | manifests: Chart.yaml
  chart | manifest | Chart.yaml requirements.yaml | containers/parseChart
    | the dependencies of a Helm chart; Helm 2 has them in a file of their own
  # terraform terraform
  terraform-lock | lock | .terraform.lock.hcl | pins/parseTerraformLock
    | the providers that Terraform or OpenTofu locks | manifests: *.tf *.tofu
    | forPlatform: terraform providers lock {providers}
  terraform | list | | pins/parseTerraform
    | the providers and modules that a Terraform or OpenTofu configuration asks for
    | examples: versions.tf main.tofu
  # github-actions generic
  workflow | list | | pins/parseWorkflow | the actions of a GitHub workflow, with their tag or commit
    | examples: workflows/ci.yml workflows/release.yaml
  composite-action | list | action.yml action.yaml | pins/parseWorkflow
    | the actions that a composite GitHub action uses
  pipeline | list | | pins/parseWorkflow
    | images, orbs and components of a pipeline of GitLab, CircleCI or another CI service
    | examples: app/.gitlab-ci.yml .circleci/config.yml app/azure-pipelines.yml app/bitbucket-pipelines.yml app/.drone.yaml
      app/.woodpecker.yml app/.cirrus.yml
  # ansible generic
  ansible | list | requirements.yml | pins/parseAnsible | the collections and roles that Ansible installs
    | install: ansible-galaxy install -r
  # git generic
  gitmodules | list | .gitmodules | pins/parseGitmodules | the submodules of git, with their commit
    | install: git submodule update --init --recursive
  # homebrew homebrew
  brewfile | list | Brewfile | pins/parseBrewfile | the programs that \`brew bundle\` installs | install: brew bundle
  # devbox nix
  devbox-lock | lock | devbox.lock | pins/parseDevboxLock | the lock file of Devbox | manifests: devbox.json
    | install: devbox install
  devbox | manifest | devbox.json | pins/parseDevbox | the manifest of Devbox
  # nix nix
  niv | list | | pins/parseNiv | the sources of niv | examples: nix/sources.json
  npins | list | | pins/parseNpins | the pins of npins | examples: npins/sources.json
  flake-lock | lock | flake.lock | pins/parseFlakeLock | the locked inputs of a Nix flake | manifests: flake.nix
  flake | unread | flake.nix
    | only evaluating it would show what it needs; \`nix flake lock\` writes flake.lock, which is read
    | the inputs of a Nix flake
  nix-shell | unread | shell.nix | only evaluating it would show what it needs | a shell of Nix
  # jsonnet generic
  jsonnet-lock | lock | jsonnetfile.lock.json | pins/parseJsonnet | the lock file of jsonnet-bundler
    | manifests: jsonnetfile.json | install: jb install
  jsonnet | manifest | jsonnetfile.json | pins/parseJsonnet | the manifest of jsonnet-bundler
  # pre-commit pre-commit
  pre-commit | list | .pre-commit-config.yaml .pre-commit-config.yml | pins/parsePreCommit
    | the hooks of pre-commit and their revisions
  # settings generic
  settings | list | | pins/parseSettings | settings of a build that say what it installs and where from
    | examples: .mvn/maven.config .mvn/settings.xml app/vcpkg-configuration.json app/.pnpmfile.cjs app/.pnpmfile.mjs
      app/uv.toml app/.bazelrc app/Aptfile app/apt.txt
  mise-lock | list | mise.lock | pins/parseMiseLock | the lock file of mise | ecosystem: tool | install: mise install
  # version-files generic
  version-file-below | unread | | what it declares is compared with the declared versions
    | versions of tools that a folder below declares
    | examples: api/.tool-versions api/.nvmrc api/.dvmrc api/.fvmrc api/.node-version api/.python-version
      api/.ruby-version api/.java-version api/.go-version api/.php-version api/.swift-version api/.terraform-version
      api/.bun-version api/.perl-version api/.zig-version api/.exenv-version api/.elixir-version api/.erlang-version
      api/.crystal-version api/.julia-version api/.mise.toml api/.sdkmanrc api/.bazelversion api/.zigversion
      api/mise.toml api/rust-toolchain api/rust-toolchain.toml api/system.properties api/runtime.txt
      api/Directory.Build.props | isDeclaration
  # unknown generic
  unknown-lock | unread | | envsnap does not know this format | a lock file of another tool
    | examples: buf.lock x-lock.json x-lock.yaml x-lock.yml x-lock.toml x.lock.hcl | isLock
`);

/** Fields that hold one text. All others hold words, or are true. */
const texts = new Set(['ecosystem', 'reach', 'encoding', 'install', 'reinstall', 'forPlatform']);

/** All formats. If several rows fit a file, exact names win over patterns, and earlier rows over later ones. */
export const formats: readonly Format[] = formatsOf(table);

function formatsOf(rows: readonly (readonly string[])[]): Format[] {
  const made: Format[] = [];
  let family = '';
  let ecosystem = '' as Ecosystem;
  for (const [id = '', kind, names = '', reader, about = '', ...more] of rows) {
    if (kind === undefined) [, family, ecosystem] = id.split(' ') as [string, string, Ecosystem];
    else
      made.push({
        ...{ id, kind: kind as FormatKind, family, ecosystem, about },
        ...(names === '' ? { pattern: formatPatterns[id] as RegExp } : { names: names.split(' ') }),
        [kind === 'unread' ? 'unread' : 'parser']: reader,
        ...cellFields(more, texts),
      });
  }
  return made;
}
