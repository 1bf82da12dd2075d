// Elm: elm.json of applications, which pins everything, and of packages, which asks for ranges.

import { createPackageList, type PackageList } from '../package-list.ts';
import { entriesOf, field, isObject, parseJsonObject } from '../text/json.ts';

const sections = ['dependencies', 'test-dependencies'];

/** elm.json: direct and indirect packages. */
export function parseElm(text: string): PackageList {
  const manifest = parseJsonObject(text);
  const list = createPackageList();
  list.direct = [];
  for (const section of sections) {
    for (const [name, wanted] of entriesOf(manifest, section)) {
      if (typeof wanted === 'string') list.add(name, wanted);
      else if (isObject(wanted)) {
        const group = field(manifest, section);
        for (const [inner, version] of entriesOf(group, name)) {
          if (typeof version !== 'string') continue;
          list.add(inner, version);
          if (name === 'direct') list.direct.push(inner);
        }
      }
    }
  }
  return list;
}
