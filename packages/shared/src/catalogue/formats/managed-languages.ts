// Dependency files of the JVM, .NET, Ruby, PHP, Erlang, Elixir, Gleam, Julia, R, Elm, Perl.

import { type Format, family, list, lock, manifest, unread } from './format.ts';

const tree = 'tree' as const;
const xml = { encoding: 'xml' } as const;
const program = 'only running the program would say what it asks for';

const jvmFormats: readonly Format[] = [
  ...family('maven', 'maven', [
    list('pom', 'pom.xml', 'maven/parsePom', 'the project file of Maven', { ...xml, tools: ['maven'] }),
    list(
      'maven-extensions',
      /^\.mvn\/extensions\.xml$/,
      'maven/parseMavenExtensions',
      'the extensions of a Maven build',
      { ...xml, examples: ['.mvn/extensions.xml'] },
    ),
    list(
      'maven-wrapper',
      'maven-wrapper.properties',
      'wrappers/parseMavenWrapper',
      'the version of Maven that its wrapper fetches',
      { ecosystem: 'tool' },
    ),
  ]),
  ...family('gradle', 'maven', [
    lock(
      'gradle-lock',
      /\/(?:(?:buildscript-|settings-)?gradle\.lockfile)$|(?:^|\/)dependency-locks\/[^/]*\.lockfile$/,
      'gradle/parseGradleLock',
      'the lock files of Gradle',
      {
        examples: [
          'gradle.lockfile',
          'buildscript-gradle.lockfile',
          'settings-gradle.lockfile',
          'dependency-locks/compile.lockfile',
        ],
        reach: tree,
        manifests: ['build.gradle', 'build.gradle.kts'],
        tools: ['gradle'],
      },
    ),
    manifest(
      'gradle-catalog',
      /\.versions\.toml$/,
      'gradle/parseVersionCatalog',
      'a version catalog of Gradle',
      { examples: ['libs.versions.toml'], tools: ['gradle'] },
    ),
    list(
      'gradle-verification',
      'verification-metadata.xml',
      'gradle/parseVerificationMetadata',
      'the verified components of a Gradle build',
      { ...xml, tools: ['gradle'] },
    ),
    list(
      'gradle-wrapper',
      'gradle-wrapper.properties',
      'wrappers/parseGradleWrapper',
      'the version of Gradle that its wrapper fetches',
      { ecosystem: 'tool' },
    ),
    unread(
      'gradle-build',
      /\/(?:build|settings)\.gradle(?:\.kts)?$/,
      'a build of Gradle',
      `${program}; \`gradle dependencies --write-locks\` writes gradle.lockfile, which is read`,
      {
        examples: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
        tools: ['gradle'],
      },
    ),
  ]),
  ...family('scala', 'maven', [
    lock('sbt-lock', 'build.sbt.lock', 'scala/parseSbtLock', 'the lock file of sbt-dependency-lock', {
      manifests: ['build.sbt'],
      tools: ['sbt'],
    }),
    unread('sbt', 'build.sbt', 'a build of sbt', program, { tools: ['sbt'] }),
  ]),
  ...family('clojure', 'maven', [
    unread('leiningen', 'project.clj', 'a project of Leiningen', program, { tools: ['leiningen'] }),
    unread('deps-edn', 'deps.edn', 'the manifest of Clojure', 'its notation, EDN, is not supported', {
      tools: ['clojure'],
    }),
  ]),
  ...family('bazel', 'bazel', [
    lock(
      'maven-install',
      /maven_install\.json$/,
      'bazel/parseMavenInstall',
      'the lock file of rules_jvm_external for Bazel',
      { examples: ['maven_install.json', 'rules_maven_install.json'], ecosystem: 'maven', tools: ['bazel'] },
    ),
    lock(
      'bazel-module-lock',
      'MODULE.bazel.lock',
      'bazel/parseModuleLock',
      'the lock file of Bazel modules',
      { manifests: ['MODULE.bazel'] },
    ),
    unread(
      'bazel-module',
      ['MODULE.bazel', 'WORKSPACE', 'WORKSPACE.bazel'],
      'the manifest of a Bazel module or workspace',
      program,
    ),
  ]),
];

const dotnetFormats = family('dotnet', 'nuget', [
  lock('nuget-lock', 'packages.lock.json', 'dotnet/parseNugetLock', 'the lock file of NuGet', {
    manifests: ['*.csproj', '*.fsproj', '*.vbproj'],
  }),
  lock('paket-lock', 'paket.lock', 'paket/parsePaketLock', 'the lock file of Paket', {
    reach: tree,
    manifests: ['paket.dependencies'],
    install: 'dotnet paket restore',
  }),
  list(
    'packages-config',
    'packages.config',
    'dotnet/parsePackagesConfig',
    'the packages of an older .NET project',
    xml,
  ),
  list(
    'central-packages',
    'Directory.Packages.props',
    'dotnet/parseCentralPackages',
    'the package versions that .NET projects share',
    xml,
  ),
  list(
    'dotnet-tools',
    'dotnet-tools.json',
    'dotnet/parseDotnetTools',
    'the local tools of a .NET repository',
    { install: 'dotnet tool restore' },
  ),
  manifest('dotnet-project', /\.(?:cs|fs|vb)proj$/, 'dotnet/parseProjectFile', 'a project of .NET', {
    ...xml,
    examples: ['App.csproj', 'App.fsproj', 'App.vbproj'],
  }),
  manifest(
    'dotnet-import',
    // Other programs have `.props`, too. Below the captured folder, Directory.Build.props declares versions.
    /^\/Directory\.Build\.props$|\.targets$|^(?:eng|build)\/(?!Directory\.)[^/]+\.props$/,
    'dotnet/parseImport',
    'packages that projects of .NET share',
    { ...xml, examples: ['Directory.Build.targets', 'eng/Common.props'] },
  ),
]);

const beamFormats = [
  ...family('elixir', 'hex', [
    lock('mix-lock', 'mix.lock', 'beam/parseMixLock', 'the lock file of Mix', { manifests: ['mix.exs'] }),
    unread('mix', 'mix.exs', 'the project file of Mix', program),
  ]),
  ...family('erlang', 'hex', [
    lock('rebar-lock', 'rebar.lock', 'beam/parseRebarLock', 'the lock file of Rebar3', {
      manifests: ['rebar.config'],
      install: 'rebar3 get-deps',
      tools: ['rebar3'],
    }),
    unread('rebar', 'rebar.config', 'the project file of Rebar3', 'Erlang terms would have to be evaluated', {
      tools: ['rebar3'],
    }),
  ]),
  ...family('gleam', 'hex', [
    lock('gleam-manifest', 'manifest.toml', 'beam/parseGleamManifest', 'the lock file of Gleam', {
      manifests: ['gleam.toml'],
      install: 'gleam deps download',
      tools: ['gleam'],
    }),
    manifest('gleam', 'gleam.toml', 'beam/parseGleam', 'the manifest of Gleam', { tools: ['gleam'] }),
  ]),
];

const scriptingFormats: readonly Format[] = [
  ...family('ruby', 'rubygems', [
    lock(
      'gemfile-lock',
      ['Gemfile.lock', 'gems.locked'],
      'ruby/parseGemfileLock',
      'the lock file of Bundler',
      { manifests: ['Gemfile', 'gems.rb'] },
    ),
    lock(
      'appraisal-lock',
      /\.gemfile\.lock$/,
      'ruby/parseGemfileLock',
      'a lock file of Bundler for another Gemfile',
      { examples: ['rails-7.gemfile.lock'], manifests: ['*.gemfile'] },
    ),
    manifest('gemfile', ['Gemfile', 'gems.rb'], 'ruby/parseGemfile', 'the manifest of Bundler'),
    manifest('gemspec', /\.gemspec$/, 'ruby/parseGemspec', 'the manifest of a gem', {
      examples: ['app.gemspec'],
    }),
  ]),
  ...family('php', 'composer', [
    lock('composer-lock', 'composer.lock', 'php/parseComposerLock', 'the lock file of Composer', {
      manifests: ['composer.json'],
    }),
    manifest('composer', 'composer.json', 'php/parseComposerJson', 'the manifest of Composer'),
  ]),
  ...family('julia', 'julia', [
    lock(
      'julia-manifest',
      /\/(?:Julia)?Manifest(?:-v\d+(?:\.\d+)?)?\.toml$/,
      'julia/parseJuliaManifest',
      'the lock file of Julia',
      {
        examples: ['Manifest.toml', 'JuliaManifest.toml', 'Manifest-v1.11.toml'],
        manifests: ['Project.toml', 'JuliaProject.toml'],
      },
    ),
    manifest(
      'julia-project',
      ['Project.toml', 'JuliaProject.toml'],
      'julia/parseJuliaProject',
      'the project file of Julia',
      { plainMeansRange: true },
    ),
  ]),
  ...family('r', 'cran', [
    lock('renv-lock', 'renv.lock', 'r/parseRenvLock', 'the lock file of renv', {
      manifests: ['DESCRIPTION', '*.Rproj'],
    }),
    unread(
      'r-description',
      'DESCRIPTION',
      'the manifest of a package for R',
      'it names packages without versions; `renv::snapshot()` writes renv.lock, which is read',
    ),
  ]),
  ...family('elm', 'elm', [list('elm', 'elm.json', 'elm/parseElm', 'the manifest of Elm')]),
  ...family('perl', 'generic', [
    unread(
      'cpanfile-snapshot',
      'cpanfile.snapshot',
      'the lock file of Carton',
      'the format of Carton is not supported',
      { tools: ['perl'], isLock: true },
    ),
    unread('cpanfile', 'cpanfile', 'the manifest of Perl', program, {
      voidBeside: ['cpanfile.snapshot'],
      tools: ['perl'],
    }),
  ]),
];

/** All of this file. */
export const managedFormats: readonly Format[] = [
  ...jvmFormats,
  ...dotnetFormats,
  ...beamFormats,
  ...scriptingFormats,
];
