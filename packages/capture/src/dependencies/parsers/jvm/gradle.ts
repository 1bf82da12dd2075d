// Gradle: lock files, version catalogs and verification metadata.

import { entriesOf, field, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList } from '../../package-list.ts';
import { ParseProblem } from '../../parse-problem.ts';

import { forEachLine } from '../../text/lines.ts';
import { parseToml } from '../../text/toml.ts';
import { scanXml } from '../../text/xml.ts';

/** gradle.lockfile, its buildscript and settings variants, and the older dependency-locks/*.lockfile. */
export function parseGradleLock(text: string, list: PackageList): void {
  forEachLine(text, (line, number) => {
    const entry = line.trim();
    if (entry === '' || entry.startsWith('#') || entry.startsWith('empty=')) return;
    const [coordinates = ''] = entry.split('=', 1);
    const [group, name, version, more] = coordinates.split(':');
    if (!group || !name || !version || more !== undefined) {
      throw new ParseProblem('a line is not `group:name:version=configurations`', { line: number });
    }
    list.add(`${group}:${name}`, version);
  });
}

/** gradle/libs.versions.toml: libraries under `group:name`, plugins under their id. */
export function parseVersionCatalog(text: string, list: PackageList): void {
  const catalog = parseToml(text);
  const versions = new Map(entriesOf(catalog, 'versions'));
  const versionOf = (entry: unknown): string => {
    const version = field(entry, 'version');
    const reference = textField(version, 'ref');
    return richVersion(reference === undefined ? version : versions.get(reference));
  };
  for (const [, entry] of entriesOf(catalog, 'libraries')) {
    if (typeof entry === 'string') {
      const [group, name, version] = entry.split(':');
      list.add(`${group}:${name}`, version ?? anyVersion);
    } else {
      const module = textField(entry, 'module') ?? `${textField(entry, 'group')}:${textField(entry, 'name')}`;
      list.add(module, versionOf(entry));
    }
  }
  for (const [, entry] of entriesOf(catalog, 'plugins')) {
    if (typeof entry === 'string') {
      const [id = '', version] = entry.split(':');
      list.add(id, version ?? anyVersion);
    } else list.add(textField(entry, 'id') ?? '', versionOf(entry));
  }
}

/** A version, or what a rich one insists on most. */
function richVersion(version: unknown): string {
  if (typeof version === 'string') return version;
  return (
    textField(version, 'strictly') ??
    textField(version, 'require') ??
    textField(version, 'prefer') ??
    anyVersion
  );
}

/** gradle/verification-metadata.xml: every component whose checksums are recorded. */
export function parseVerificationMetadata(text: string, list: PackageList): void {
  let component: { readonly name: string; readonly version: string } | undefined;
  scanXml(text, {
    open(name, attributes, depth) {
      if (depth === 0 && name !== 'verification-metadata') {
        throw new ParseProblem('its root element is not <verification-metadata>', { line: 1 });
      }
      const checksum = component !== undefined && attributes.get('value');
      if (checksum && /^(?:md5|sha1|sha256|sha512)$/.test(name))
        list.add(component?.name ?? '', component?.version ?? anyVersion, undefined, `${name}:${checksum}`);
      if (name !== 'component') return;
      const [group, artifact, version] = ['group', 'name', 'version'].map((key) => attributes.get(key));
      component = { name: `${group}:${artifact}`, version: version ?? anyVersion };
      if (group && artifact) list.add(component.name, component.version);
    },
  });
}
