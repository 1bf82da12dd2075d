// Tells by whose rules a version is read: from the name of a dependency file, or from the name of a runtime.

/** Whose rules a version follows. `generic` is for everything without rules of its own. */
export type Ecosystem =
  | 'npm'
  | 'jsr'
  | 'pypi'
  | 'conda'
  | 'go'
  | 'cargo'
  | 'rubygems'
  | 'maven'
  | 'nuget'
  | 'composer'
  | 'pub'
  | 'hex'
  | 'swift'
  | 'cocoapods'
  | 'hackage'
  | 'julia'
  | 'cran'
  | 'conan'
  | 'opam'
  | 'helm'
  | 'terraform'
  | 'nix'
  | 'debian'
  | 'tool'
  | 'generic';

const byFileName = new Map<string, Ecosystem>([
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['package.json', 'npm'],
  ['yarn.lock', 'npm'],
  ['pnpm-lock.yaml', 'npm'],
  ['bun.lock', 'npm'],
  ['bun.lockb', 'npm'],
  ['deno.lock', 'npm'],
  ['deno.json', 'npm'],
  ['Pipfile', 'pypi'],
  ['Pipfile.lock', 'pypi'],
  ['poetry.lock', 'pypi'],
  ['uv.lock', 'pypi'],
  ['pdm.lock', 'pypi'],
  ['pylock.toml', 'pypi'],
  ['pyproject.toml', 'pypi'],
  ['setup.py', 'pypi'],
  ['setup.cfg', 'pypi'],
  ['environment.yml', 'conda'],
  ['environment.yaml', 'conda'],
  ['conda-lock.yml', 'conda'],
  ['go.mod', 'go'],
  ['go.sum', 'go'],
  ['go.work.sum', 'go'],
  ['modules.txt', 'go'],
  ['Cargo.lock', 'cargo'],
  ['Cargo.toml', 'cargo'],
  ['Gemfile', 'rubygems'],
  ['Gemfile.lock', 'rubygems'],
  ['gems.locked', 'rubygems'],
  ['pom.xml', 'maven'],
  ['gradle.lockfile', 'maven'],
  ['buildscript-gradle.lockfile', 'maven'],
  ['settings-gradle.lockfile', 'maven'],
  ['libs.versions.toml', 'maven'],
  ['verification-metadata.xml', 'maven'],
  ['build.sbt.lock', 'maven'],
  ['maven_install.json', 'maven'],
  ['packages.lock.json', 'nuget'],
  ['packages.config', 'nuget'],
  ['Directory.Packages.props', 'nuget'],
  ['paket.lock', 'nuget'],
  ['composer.json', 'composer'],
  ['composer.lock', 'composer'],
  ['pubspec.lock', 'pub'],
  ['pubspec.yaml', 'pub'],
  ['mix.lock', 'hex'],
  ['Package.resolved', 'swift'],
  ['Podfile.lock', 'cocoapods'],
  ['stack.yaml.lock', 'hackage'],
  ['cabal.project.freeze', 'hackage'],
  ['Manifest.toml', 'julia'],
  ['renv.lock', 'cran'],
  ['conan.lock', 'conan'],
  ['conanfile.txt', 'conan'],
  ['opam.locked', 'opam'],
  ['Chart.lock', 'helm'],
  ['.terraform.lock.hcl', 'terraform'],
  ['flake.lock', 'nix'],
  ['.tool-versions', 'tool'],
  ['mise.toml', 'tool'],
  ['mise.lock', 'tool'],
]);

const byFilePattern: readonly (readonly [RegExp, Ecosystem])[] = [
  [/^requirements.*\.(txt|in)$/i, 'pypi'],
  [/^constraints.*\.txt$/i, 'pypi'],
  [/^pylock\..+\.toml$/, 'pypi'],
  [/\.(cs|fs|vb)proj$/, 'nuget'],
  [/\.opam(\.locked)?$/, 'opam'],
  [/gradle.*\.lockfile$/, 'maven'],
  [/^(julia)?manifest.*\.toml$/i, 'julia'],
];

/** The ecosystem of a dependency file, told by its name alone; folders before it do not matter. */
export function ecosystemOfFile(file: string): Ecosystem {
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const known = byFileName.get(name);
  if (known) return known;
  return byFilePattern.find(([pattern]) => pattern.test(name))?.[1] ?? 'generic';
}

const semverRuntimes = new Set(
  [
    'node',
    'npm',
    'pnpm',
    'yarn',
    'bun',
    'deno',
    'rustc',
    'cargo',
    'terraform',
    'helm',
    'kubectl',
    'docker',
  ].concat([
    'typescript',
    'swift',
    'dart',
    'flutter',
    'julia',
    'podman',
    'tofu',
    'corepack',
    'volta',
    'mise',
  ]),
);
const pythonRuntimes = new Set([
  'python',
  'python2',
  'python3',
  'pip',
  'uv',
  'poetry',
  'pipenv',
  'pdm',
  'conda',
]);

/** By whose rules the version of a runtime or tool is read. */
export function ecosystemOfRuntime(name: string): Ecosystem {
  if (semverRuntimes.has(name)) return 'npm';
  if (pythonRuntimes.has(name)) return 'pypi';
  if (name === 'go') return 'go';
  if (name === 'ruby' || name === 'bundler' || name === 'gem') return 'rubygems';
  if (name === 'maven' || name === 'gradle' || name === 'kotlin' || name === 'scala') return 'maven';
  return 'generic';
}
