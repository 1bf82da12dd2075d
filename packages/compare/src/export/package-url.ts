// The package URL of a dependency by its ecosystem. https://github.com/package-url/purl-spec

import { ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import {
  type Ecosystem,
  ecosystems,
  foldPythonName,
  isEcosystem,
} from '@envsnap/shared/catalogue/ecosystems';
import { formatOfFile } from '@envsnap/shared/catalogue/formats';
import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { parseVersion } from '@envsnap/versions';
import { PackageURL } from 'packageurl-js';
import type { Environment } from '../environment/environment.ts';
import { splitPatch } from '../environment/locked-package.ts';

/** The distribution of a machine's own packages, as captures record it; undefined if it is unknown. */
export interface Distribution {
  readonly id: string;
  readonly version?: string;
}

export function recordedDistribution(environment: Environment): Distribution | undefined {
  const { id, version } = environment.distribution ?? {};
  if (id === undefined || !/^[\w.-]+$/.test(id)) return undefined;
  return { id: id.toLowerCase(), ...(version !== undefined && { version }) };
}

interface Coordinates {
  readonly namespace?: string;
  readonly name: string;
}

const commitMark = /[+.]git\.([0-9a-f]{7,64})$/;

/** The package URL, or undefined if there is none: for ecosystems without a type, for folders, and for versions that
 * are a path or an address. A package from version control keeps its type, with the address as `vcs_url`; the commit is
 * not added to the version. */
export function packageUrl(
  file: string,
  name: string,
  version: string,
  recorded?: string,
  distribution?: Distribution,
): string | undefined {
  // Package URLs cannot express a patch.
  const source = (recorded && splitPatch(recorded).place) || undefined;
  if (source?.startsWith('path:') || formatOfFile(file)?.plainMeansRange) return undefined;
  const ecosystem = source !== undefined && isEcosystem(source) ? source : ecosystemOfFile(file);
  const repository = source?.startsWith('git+') ? source.replace('#', '@') : undefined;
  const released = version.replace(commitMark, '');
  if (parseVersion(released, ecosystem) === undefined) return undefined;
  if (ecosystem === 'swift') return swiftUrl(source, released);
  const type = ecosystems[ecosystem].packageUrl;
  if (type !== undefined && packageDatabaseOf(file) !== undefined)
    return machinePackageUrl(type, name, version, distribution);
  const coordinates = coordinatesOf(ecosystem, name);
  if (type === undefined || coordinates === undefined) return undefined;
  // Conda appends the build to the version. A complete build (`py311_0`, not `cuda12.1`) becomes a qualifier.
  const [plain = released, build] = ecosystem === 'conda' ? released.split('=', 2) : [released];
  const qualifiers = {
    ...(build && /_\d+$/.test(build) && { build }),
    ...(repository && { vcs_url: repository }),
    ...(source?.startsWith('registry+') && { repository_url: source.slice('registry+'.length) }),
    ...(source?.startsWith('http') && { download_url: source }),
  };
  return toText(type, coordinates, plain, qualifiers);
}

function toText(
  type: string,
  { namespace, name }: Coordinates,
  version: string,
  qualifiers: Record<string, string> = {},
): string | undefined {
  try {
    const some = Object.keys(qualifiers).length > 0 ? qualifiers : undefined;
    return new PackageURL(type, namespace, name, version, some).toString();
  } catch {
    // A name that the type does not allow has no package URL.
    return undefined;
  }
}

/** `pkg:deb/debian/curl@7.88.1-10?distro=debian-12`; an RPM's epoch is a separate qualifier. */
function machinePackageUrl(
  type: string,
  name: string,
  version: string,
  distribution: Distribution | undefined,
): string | undefined {
  if (!distribution) return undefined;
  const { id } = distribution;
  const [, epoch, rest = version] = (type === 'rpm' && /^(\d+):(.+)$/.exec(version)) || [];
  const distro = distribution.version ? `${id}-${distribution.version}` : id;
  return toText(type, { namespace: id, name }, rest, { distro, ...(epoch && { epoch }) });
}

function swiftUrl(source: string | undefined, version: string): string | undefined {
  const place = /^git\+(?:https?|ssh):\/\/(?:[^/@]*@)?([^#?]+?)(?:\.git)?(?:[#?].*)?$/.exec(
    source ?? '',
  )?.[1];
  const path = place && splitAt(place, place.lastIndexOf('/'));
  return path ? toText('swift', path, version) : undefined;
}

function coordinatesOf(ecosystem: Ecosystem, name: string): Coordinates | undefined {
  switch (ecosystem) {
    case 'npm':
      // Deno modules that are named by their address are not npm packages.
      return name.includes('://') ? undefined : splitAt(name, name.indexOf('/'));
    case 'pypi':
      return { name: foldPythonName(name) };
    case 'go':
      return splitAt(name, name.lastIndexOf('/'));
    case 'maven': {
      const [group, artifact] = name.split(':');
      return group && artifact ? { namespace: group, name: artifact } : undefined;
    }
    case 'composer':
      return name.includes('/') ? splitAt(name, name.indexOf('/')) : undefined;
    case 'julia':
      // The type requires a UUID, which the name does not contain.
      return undefined;
    default:
      return { name };
  }
}

function splitAt(name: string, slash: number): Coordinates {
  return slash > 0 ? { namespace: name.slice(0, slash), name: name.slice(slash + 1) } : { name };
}
