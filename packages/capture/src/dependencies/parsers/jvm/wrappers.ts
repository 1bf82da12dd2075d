// The build tools that wrapper scripts fetch for themselves: gradle-wrapper.properties, maven-wrapper.properties.

import { createPackageList, type PackageList } from '../../package-list.ts';
import type { ParseContext } from '../../parser.ts';
import { forEachLine } from '../../text/lines.ts';

/** gradle-wrapper.properties: the version of Gradle in the address of its distribution. */
export function parseGradleWrapper(text: string, context: ParseContext): PackageList {
  const list = createPackageList();
  const address = readProperties(text).get('distributionUrl');
  // `gradle-8.5-bin.zip`, `gradle-8.6-20240101-all.zip`, `gradle-8.0-rc-1-bin.zip`
  const version =
    address && /gradle-(\d[\w.+-]*?)-(?:bin|all|src|docs)\.zip$/.exec(withoutQuery(address))?.[1];
  if (version) list.add('gradle', version);
  else context.warn('it has no `distributionUrl` with a version of Gradle');
  return list;
}

/** maven-wrapper.properties: the version of Maven and of the wrapper. */
export function parseMavenWrapper(text: string, context: ParseContext): PackageList {
  const list = createPackageList();
  const properties = readProperties(text);
  const maven =
    /(?:apache-maven|maven-mvnd)-(\d[\w.+-]*?)(?:-bin|-(?:linux|darwin|windows)[\w-]*)?\.(?:zip|tar\.gz)$/;
  const distribution = maven.exec(withoutQuery(properties.get('distributionUrl') ?? ''))?.[1];
  const wrapper =
    properties.get('wrapperVersion') ??
    /maven-wrapper-(\d[\w.+-]*?)\.jar$/.exec(withoutQuery(properties.get('wrapperUrl') ?? ''))?.[1];
  if (distribution) list.add('maven', distribution);
  else context.warn('it has no `distributionUrl` with a version of Maven');
  if (wrapper) list.add('maven-wrapper', wrapper);
  return list;
}

/** Longest address that is looked at, in characters. */
const maxAddress = 2048;

function withoutQuery(address: string): string {
  return address.slice(0, maxAddress).replace(/[?#].*$/s, '');
}

/** `key=value`, `key: value`, with `\` before colons; no line continues in files that wrappers write. */
function readProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>();
  forEachLine(text, (line) => {
    const match = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*)$/.exec(line);
    if (match) properties.set(match[1] as string, (match[2] as string).replace(/\\(.)/g, '$1').trim());
  });
  return properties;
}
