// The build tools that wrapper scripts fetch for themselves: gradle-wrapper.properties, maven-wrapper.properties.

import type { PackageList, PackageSource } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { forEachLine } from '../../text/lines.ts';

/** gradle-wrapper.properties: the version of Gradle in the address of its distribution. */
export function parseGradleWrapper(text: string, list: PackageList, context: ParseContext): void {
  const properties = readProperties(text);
  const address = properties.get('distributionUrl');
  // `gradle-8.5-bin.zip`, `gradle-8.6-20240101-all.zip`, `gradle-8.0-rc-1-bin.zip`
  const version =
    address && /^(\d[\w.+-]*?)-(?:bin|all|src|docs)\.zip$/.exec(behind(address, 'gradle-'))?.[1];
  const source = distributionSource(address, /^https:\/\/services\.gradle\.org\/distributions\//);
  if (version) list.add('gradle', version, source, properties.get('distributionSha256Sum'));
  else context.warn('it has no `distributionUrl` with a version of Gradle');
}

/** maven-wrapper.properties: the version of Maven and of the wrapper. */
export function parseMavenWrapper(text: string, list: PackageList, context: ParseContext): void {
  const properties = readProperties(text);
  const maven = /^(\d[\w.+-]*?)(?:-bin|-(?:linux|darwin|windows)[\w-]{0,40})?\.(?:zip|tar\.gz)$/;
  const address = properties.get('distributionUrl') ?? '';
  const distribution = (maven.exec(behind(address, 'apache-maven-')) ??
    maven.exec(behind(address, 'maven-mvnd-')))?.[1];
  const wrapper =
    properties.get('wrapperVersion') ??
    /^(\d[\w.+-]*?)\.jar$/.exec(behind(properties.get('wrapperUrl') ?? '', 'maven-wrapper-'))?.[1];
  const source = distributionSource(address, /^https:\/\/repo1?\.maven\.(?:apache\.)?org\/maven2\//);
  if (distribution) list.add('maven', distribution, source, properties.get('distributionSha256Sum'));
  else context.warn('it has no `distributionUrl` with a version of Maven');
  if (wrapper) list.add('maven-wrapper', wrapper, undefined, properties.get('wrapperSha256Sum'));
}

/** The address of a distribution, where it is not the usual one. */
function distributionSource(address = '', usual: RegExp): PackageSource | undefined {
  const isUsual = usual.test(address) || !address.startsWith('http');
  return isUsual ? undefined : (address.slice(0, maxAddress) as PackageSource);
}

/** Longest address that is looked at, in characters. */
const maxAddress = 2048;

/** What follows a name in an address, without its query; empty where the name is not in it. */
function behind(address: string, name: string): string {
  const plain = address.slice(0, maxAddress).replace(/[?#].*$/s, '');
  const at = plain.lastIndexOf(name);
  return at < 0 ? '' : plain.slice(at + name.length);
}

/** `key=value`, `key: value`, with `\` before colons; no line continues in files that wrappers write. */
function readProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>();
  forEachLine(text, (line) => {
    const match = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*)$/s.exec(line);
    if (match) properties.set(match[1] as string, (match[2] as string).replace(/\\(.)/g, '$1').trim());
  });
  return properties;
}
