// The package URL of a dependency by its ecosystem. https://github.com/package-url/purl-spec

import { type Ecosystem, ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import { parseVersion } from '@envsnap/versions';
import { PackageURL } from 'packageurl-js';

interface Coordinates {
  readonly type: string;
  readonly namespace?: string;
  readonly name: string;
}

/** The package URL, or undefined where the ecosystem has none or the version is no version (a path, an address). */
export function packageUrl(file: string, name: string, version: string): string | undefined {
  const ecosystem = ecosystemOfFile(file);
  const coordinates = coordinatesOf(ecosystem, name);
  if (!coordinates || parseVersion(version, ecosystem) === undefined) return undefined;
  try {
    // Conda appends the build to the version; a package URL carries it as a qualifier.
    const [plain = version, build] = ecosystem === 'conda' ? version.split('=', 2) : [version];
    const qualifiers = build ? { build } : undefined;
    return new PackageURL(
      coordinates.type,
      coordinates.namespace,
      coordinates.name,
      plain,
      qualifiers,
    ).toString();
  } catch {
    // A name that the type does not allow has no package URL.
    return undefined;
  }
}

function coordinatesOf(ecosystem: Ecosystem, name: string): Coordinates | undefined {
  switch (ecosystem) {
    case 'npm':
      // A name from JSR in a deno.lock is no npm package.
      if (name.startsWith('jsr:') || name.includes('://')) return undefined;
      return scoped('npm', name.replace(/^npm:/, ''));
    case 'pypi':
      return { type: 'pypi', name: name.replace(/[-_.]+/g, '-').toLowerCase() };
    case 'go':
      return pathed('golang', name);
    case 'cargo':
      return { type: 'cargo', name };
    case 'rubygems':
      return { type: 'gem', name };
    case 'maven': {
      const [group, artifact] = name.split(':');
      return group && artifact ? { type: 'maven', namespace: group, name: artifact } : undefined;
    }
    case 'nuget':
      return { type: 'nuget', name };
    case 'composer':
      return name.includes('/') ? scoped('composer', name) : undefined;
    case 'pub':
    case 'hex':
    case 'conda':
    case 'cocoapods':
    case 'hackage':
    case 'cran':
    case 'conan':
      return { type: ecosystem, name };
    default:
      return undefined;
  }
}

function scoped(type: string, name: string): Coordinates {
  const slash = name.indexOf('/');
  return slash > 0 ? { type, namespace: name.slice(0, slash), name: name.slice(slash + 1) } : { type, name };
}

function pathed(type: string, name: string): Coordinates {
  const slash = name.lastIndexOf('/');
  return slash > 0 ? { type, namespace: name.slice(0, slash), name: name.slice(slash + 1) } : { type, name };
}
