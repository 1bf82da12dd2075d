// Elm: elm.json of applications, which pins everything, and of packages, which asks for ranges.

import { entriesOf, field, isPlainObject } from '@envsnap/shared/plain-object';
import type { PackageList } from '../package-list.ts';
import { parseJsonObject } from '../text/json.ts';

const sections = ['dependencies', 'test-dependencies'];

/** elm.json: direct and indirect packages. */
export function parseElm(text: string, list: PackageList): void {
  const manifest = parseJsonObject(text);
  list.direct = [];
  for (const section of sections) {
    for (const [name, wanted] of entriesOf(manifest, section)) {
      if (typeof wanted === 'string') list.add(name, wanted);
      else if (isPlainObject(wanted)) {
        const group = field(manifest, section);
        for (const [inner, version] of entriesOf(group, name)) {
          if (typeof version !== 'string') continue;
          list.add(inner, version);
          if (name === 'direct') list.direct.push(inner);
        }
      }
    }
  }
}
