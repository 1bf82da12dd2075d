// vcpkg (C and C++): vcpkg.json.

import { entriesOf, field, isPlainObject, itemsOf, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList } from '../../package-list.ts';
import { parseJsonObject } from '../../text/json.ts';

/** The baseline of the registry, under which every port without a version of its own stands. */
const baselineName = 'builtin-baseline';

/** vcpkg.json: ports with the version that an override or a minimum gives them, and the baseline of the others. */
export function parseVcpkg(text: string, list: PackageList): void {
  const manifest = parseJsonObject(text);
  const overrides = new Map(
    itemsOf(manifest, 'overrides').flatMap((entry) => {
      const name = textField(entry, 'name');
      const version = ['version', 'version-semver', 'version-string', 'version-date']
        .map((key) => textField(entry, key))
        .find(Boolean);
      return name && version ? [[name, version] as const] : [];
    }),
  );
  const add = (port: unknown) => {
    const name = typeof port === 'string' ? port : textField(port, 'name');
    if (!name) return;
    const minimum = textField(port, 'version>=');
    list.add(name, overrides.get(name) ?? (minimum ? `>=${minimum}` : anyVersion));
  };
  for (const port of itemsOf(manifest, 'dependencies')) add(port);
  for (const [, feature] of entriesOf(manifest, 'features')) {
    if (isPlainObject(feature)) for (const port of itemsOf(feature, 'dependencies')) add(port);
  }
  for (const [name, version] of overrides) list.add(name, version);
  const baseline = field(manifest, baselineName);
  if (typeof baseline === 'string') list.add(baselineName, baseline);
}
