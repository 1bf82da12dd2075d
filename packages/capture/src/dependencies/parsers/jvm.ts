// The JVM except Maven: Gradle's lock files, version catalogs and verification metadata, build.sbt.lock, and the build tools that
// wrapper scripts fetch.

import { field, textField } from '@envsnap/shared/plain-object';
import { entriesUnder, firstText, type ParseContext, requiredItems, textFields } from '../fields.ts';
import { anyVersion, type PackageList, type PackageSource } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseJsonObject } from '../text/json.ts';
import { forEachLine } from '../text/lines.ts';
import { parseToml } from '../text/toml.ts';
import { scanXml } from '../text/xml.ts';

/** gradle.lockfile, its buildscript and settings variants, and the older dependency-locks/*.lockfile. */
export function parseGradleLock(text: string, list: PackageList): void {
  forEachLine(text, (line, number) => {
    const entry = line.trim();
    if (/^(?:$|#|empty=)/.test(entry)) return;
    const [group, name, version, more] = entry.replace(/=.*$/s, '').split(':');
    if (!group || !name || !version || more !== undefined)
      throw new ParseProblem('a line is not `group:name:version=configurations`', { line: number });
    list.add(`${group}:${name}`, version);
  });
}

/** gradle/libs.versions.toml: libraries under `group:name`, plugins under their id. */
export function parseVersionCatalog(text: string, list: PackageList): void {
  const catalog = parseToml(text);
  // Those that no library and no plugin uses are for the build files.
  const others = new Map(entriesUnder(catalog, 'versions'));
  const versionOf = (entry: unknown): string => {
    const own = field(entry, 'version');
    const reference = textField(own, 'ref');
    const version = reference === undefined ? own : field(field(catalog, 'versions'), reference);
    others.delete(reference ?? '');
    // The strictest requirement of a rich version.
    if (typeof version === 'string') return version;
    return firstText(version, 'strictly', 'require', 'prefer') ?? anyVersion;
  };
  for (const [, entry] of entriesUnder(catalog, 'libraries')) {
    const [group, name, version] =
      typeof entry === 'string'
        ? entry.split(':')
        : [...textFields(entry, 'group', 'name'), versionOf(entry)];
    const named = group && name ? `${group}:${name}` : '';
    list.add(textField(entry, 'module') ?? named, version ?? anyVersion);
  }
  for (const [, entry] of entriesUnder(catalog, 'plugins')) {
    const [id, version] =
      typeof entry === 'string' ? entry.split(':') : [textField(entry, 'id'), versionOf(entry)];
    list.add(id ?? '', version ?? anyVersion);
  }
  list.set('versions', others);
}

/** gradle/verification-metadata.xml: every component whose checksums are recorded. */
export function parseVerificationMetadata(text: string, list: PackageList): void {
  let component: { readonly name: string; readonly version: string } | undefined;
  const open = (name: string, attributes: ReadonlyMap<string, string>) => {
    const checksum = attributes.get('value');
    if (component && checksum && /^(?:md5|sha1|sha256|sha512)$/.test(name))
      list.add(component.name, component.version, undefined, `${name}:${checksum}`);
    if (name !== 'component') return;
    const [group, artifact, version] = ['group', 'name', 'version'].map((key) => attributes.get(key));
    component = { name: `${group}:${artifact}`, version: version ?? anyVersion };
    if (group && artifact) list.add(component.name, component.version);
  };
  scanXml(text, { open }, 'verification-metadata');
}

/** build.sbt.lock (sbt-dependency-lock): modules under `organisation:name`. */
export function parseSbtLock(text: string, list: PackageList): void {
  for (const entry of requiredItems(parseJsonObject(text), 'dependencies')) {
    const [org, name, version] = textFields(entry, 'org', 'name', 'version');
    if (!org || !name || !version)
      throw new ParseProblem('one of its dependencies lacks org, name or version');
    list.add(`${org}:${name}`, version);
  }
}

/** gradle-wrapper.properties: the version of Gradle in the address of its distribution. */
export function parseGradleWrapper(text: string, list: PackageList, context: ParseContext): void {
  const properties = readProperties(text);
  const address = properties.get('distributionUrl');
  // `gradle-8.5-bin.zip`, `gradle-8.6-20240101-all.zip`, `gradle-8.0-rc-1-bin.zip`
  const version = versionBehind(address, 'gradle-', /^(\d[\w.+-]*?)-(?:bin|all|src|docs)\.zip$/);
  const source = distributionSource(address, /^https:\/\/services\.gradle\.org\/distributions\//);
  if (version) list.add('gradle', version, source, properties.get('distributionSha256Sum'));
  else context.warn('it has no `distributionUrl` with a version of Gradle');
}

/** maven-wrapper.properties: the version of Maven and of the wrapper. */
export function parseMavenWrapper(text: string, list: PackageList, context: ParseContext): void {
  const properties = readProperties(text);
  const archive = /^(\d[\w.+-]*?)(?:-bin|-(?:linux|darwin|windows)[\w-]{0,40})?\.(?:zip|tar\.gz)$/;
  const address = properties.get('distributionUrl');
  const maven =
    versionBehind(address, 'apache-maven-', archive) ?? versionBehind(address, 'maven-mvnd-', archive);
  const wrapper =
    properties.get('wrapperVersion') ??
    versionBehind(properties.get('wrapperUrl'), 'maven-wrapper-', /^(\d[\w.+-]*?)\.jar$/);
  const source = distributionSource(address, /^https:\/\/repo1?\.maven\.(?:apache\.)?org\/maven2\//);
  if (maven) list.add('maven', maven, source, properties.get('distributionSha256Sum'));
  else context.warn('it has no `distributionUrl` with a version of Maven');
  if (wrapper) list.add('maven-wrapper', wrapper, undefined, properties.get('wrapperSha256Sum'));
}

/** The address of a distribution, if it is not the usual one. */
function distributionSource(address = '', usual: RegExp): PackageSource | undefined {
  const isUsual = usual.test(address) || !address.startsWith('http');
  return isUsual ? undefined : (address.slice(0, maxAddress) as PackageSource);
}

/** Longest address that is searched, in characters. */
const maxAddress = 2048;

/** The version after a name in an address, without the query. */
function versionBehind(address = '', name: string, version: RegExp): string | undefined {
  const plain = address.slice(0, maxAddress).replace(/[?#].*$/s, '');
  const at = plain.lastIndexOf(name);
  return at < 0 ? undefined : version.exec(plain.slice(at + name.length))?.[1];
}

/** `key=value`, `key: value`, with `\` before colons; wrappers do not write continued lines. */
function readProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>();
  forEachLine(text, (line) => {
    const [, key, value = ''] = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*)$/s.exec(line) ?? [];
    if (key) properties.set(key, value.replace(/\\(.)/g, '$1').trim());
  });
  return properties;
}
