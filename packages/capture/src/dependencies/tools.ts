// Tool versions that a folder pins: .tool-versions, mise.toml, .nvmrc.

import { entriesOf, textField } from './json.ts';
import { forEachLine } from './lines.ts';
import { anyVersion, createPackageList, type PackageList } from './package-list.ts';
import { parseToml } from './toml.ts';

/** .tool-versions of asdf and mise: a tool and its versions a line. */
export function parseToolVersions(text: string): PackageList {
  const list = createPackageList();
  forEachLine(text, (line) => {
    const [tool, ...versions] = line.replace(/#.*$/, '').trim().split(/\s+/);
    if (tool) for (const version of versions.length > 0 ? versions : [anyVersion]) list.add(tool, version);
  });
  return list;
}

/** `[tools]` of mise.toml: a version, a list of versions or a table. */
export function parseMiseToml(text: string): PackageList {
  const list = createPackageList();
  for (const [tool, wanted] of entriesOf(parseToml(text), 'tools')) {
    for (const one of Array.isArray(wanted) ? wanted : [wanted]) {
      list.add(tool, typeof one === 'object' ? (textField(one, 'version') ?? anyVersion) : String(one));
    }
  }
  return list;
}

/** .nvmrc: the version of Node.js on the first line that is no comment. */
export function parseNvmrc(text: string): PackageList {
  const list = createPackageList();
  forEachLine(text, (line) => {
    const version = line.replace(/#.*$/, '').trim();
    if (version !== '' && !version.includes('=') && list.size === 0) list.add('node', version);
  });
  return list;
}
