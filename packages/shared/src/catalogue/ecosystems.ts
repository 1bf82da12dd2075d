// Ecosystems: their version rules, their type of package URL, and the tools that they need.

/**
 * Rules for parsing and ordering versions. `semver` also serves ecosystems whose versions only look like it;
 * `four-part` has a fourth number (NuGet, Composer); `debian` has an epoch and a packaging revision, like Alpine's and RPM's
 * versions; `generic` is for everything else.
 */
export type VersionScheme = 'semver' | 'four-part' | 'go' | 'pep440' | 'gem' | 'maven' | 'debian' | 'generic';

export interface EcosystemRow {
  readonly scheme: VersionScheme;
  /** Type of package URL. https://github.com/package-url/purl-spec/blob/main/PURL-TYPES.rst */
  readonly packageUrl?: string;
  /** Tools (as in `runtimeVersions`) that are needed to use its packages. */
  readonly runtimes?: readonly string[];
  /** Installs the packages of the lock file {file}. A format's own command takes precedence. */
  readonly install?: string;
  /** The same for packages that are vendored in the project. */
  readonly vendor?: string;
}

const rows = {
  npm: { scheme: 'semver', packageUrl: 'npm', runtimes: ['node'], install: 'npm ci' },
  jsr: { scheme: 'semver', runtimes: ['deno'] },
  pypi: { scheme: 'pep440', packageUrl: 'pypi', runtimes: ['python'] },
  conda: { scheme: 'pep440', packageUrl: 'conda', install: 'conda env update --prune --file {file}' },
  go: {
    scheme: 'go',
    packageUrl: 'golang',
    runtimes: ['go'],
    install: 'go mod download',
    vendor: 'go mod vendor',
  },
  cargo: {
    scheme: 'semver',
    packageUrl: 'cargo',
    runtimes: ['rustc', 'cargo'],
    install: 'cargo build --locked',
    vendor: 'cargo vendor',
  },
  rubygems: { scheme: 'gem', packageUrl: 'gem', runtimes: ['ruby', 'bundler'], install: 'bundle install' },
  maven: { scheme: 'maven', packageUrl: 'maven', runtimes: ['java'] },
  nuget: {
    scheme: 'four-part',
    packageUrl: 'nuget',
    runtimes: ['dotnet'],
    install: 'dotnet restore --locked-mode',
  },
  composer: {
    scheme: 'four-part',
    packageUrl: 'composer',
    runtimes: ['php', 'composer'],
    install: 'composer install',
  },
  pub: {
    scheme: 'semver',
    packageUrl: 'pub',
    runtimes: ['dart', 'flutter'],
    install: 'dart pub get --enforce-lockfile',
  },
  hex: { scheme: 'semver', packageUrl: 'hex', runtimes: ['elixir', 'erlang'], install: 'mix deps.get' },
  swift: { scheme: 'semver', runtimes: ['swift'], install: 'swift package resolve' },
  cocoapods: { scheme: 'gem', packageUrl: 'cocoapods', install: 'pod install --deployment' },
  carthage: { scheme: 'semver', install: 'carthage bootstrap' },
  hackage: { scheme: 'generic', packageUrl: 'hackage', runtimes: ['ghc', 'cabal', 'stack'] },
  julia: { scheme: 'semver', packageUrl: 'julia', runtimes: ['julia'] },
  cran: { scheme: 'generic', packageUrl: 'cran', runtimes: ['r'], install: 'Rscript -e "renv::restore()"' },
  conan: { scheme: 'generic', packageUrl: 'conan' },
  vcpkg: { scheme: 'generic' },
  opam: { scheme: 'generic', packageUrl: 'opam', runtimes: ['ocaml', 'opam'] },
  bazel: { scheme: 'semver', packageUrl: 'bazel', runtimes: ['bazel'] },
  crystal: { scheme: 'semver', runtimes: ['crystal'], install: 'shards install --frozen' },
  elm: { scheme: 'semver' },
  helm: { scheme: 'semver', runtimes: ['helm'], install: 'helm dependency build' },
  terraform: { scheme: 'semver', runtimes: ['terraform'], install: 'terraform init -lockfile=readonly' },
  nix: { scheme: 'generic' },
  image: { scheme: 'generic' },
  feature: { scheme: 'semver' },
  'pre-commit': { scheme: 'generic', install: 'pre-commit install-hooks' },
  tool: { scheme: 'generic' },
  debian: { scheme: 'debian', packageUrl: 'deb' },
  alpine: { scheme: 'debian', packageUrl: 'apk' },
  rpm: { scheme: 'debian', packageUrl: 'rpm' },
  homebrew: { scheme: 'generic' },
  generic: { scheme: 'generic' },
} satisfies Record<string, EcosystemRow>;

/** The source of a package. `tool`: build tools download it; `generic`: everything unknown. */
export type Ecosystem = keyof typeof rows;

export const ecosystems: Readonly<Record<Ecosystem, EcosystemRow>> = rows;

export function isEcosystem(text: string): text is Ecosystem {
  return Object.hasOwn(rows, text);
}
