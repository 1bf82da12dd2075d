// Ecosystems: their version rules, their type of package URL, and the tools that they need.

import rows from './ecosystems.json' with { type: 'json' };

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

/** The source of a package. `tool`: build tools download it; `generic`: everything unknown. */
export type Ecosystem = keyof typeof rows;

export const ecosystems = rows as Readonly<Record<Ecosystem, EcosystemRow>>;

export function isEcosystem(text: string): text is Ecosystem {
  return Object.hasOwn(rows, text);
}

/** Normalises the name of a Python package: `Flask` and `flask`, `ruamel.yaml` and `ruamel-yaml` are one each (PEP 503). */
export function foldPythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

const lowerCase = (name: string) => name.toLowerCase();

/** For ecosystems whose names have several spellings: names with the same result belong to one package. */
export const nameFolds: Readonly<Partial<Record<Ecosystem, (name: string) => string>>> = {
  pypi: foldPythonName,
  nuget: lowerCase,
  composer: lowerCase,
};
