// Composer's `vendor/composer/installed.json`, compared with composer.lock or, without one, with composer.json.

import { isPlainObject, itemsOf, recordOf, textField, textItemsOf } from '@envsnap/shared/plain-object';
import { phpExtensions } from '../facts/tools/php.ts';
import { type Absence, type Drift, development, type LockPlace, readJsonObject } from './drift.ts';

export async function composerDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, files, root, path, at } = place;
  const record = await readJsonObject(machine, at('vendor/composer/installed.json'));
  const file = await readJsonObject(machine, path);
  if (!record || !file) return undefined;
  const lock = isPlainObject(file.require) ? lockOf(file, record) : file;
  const installed = new Map<string, string>();
  for (const { name, version, loaded, where = `../${name}` } of packagesIn(record.packages)) {
    if (where.length > maxPathLength) continue;
    const folder = files.paths.resolve(root, 'vendor', 'composer', where);
    // The record still has packages that were deleted by hand. Nothing outside the project is read.
    const isInside = folder.startsWith(at('/'));
    if (isInside && (await files.names(folder)).length === 0) continue;
    let lacks = '';
    for (const file of isInside ? loaded : [])
      if (!(await files.isFile(files.paths.join(folder, file)))) lacks ||= ` without ${file}`;
    installed.set(name, version + lacks);
  }
  const drift = new Map<string, string>();
  const check = (section: unknown, mayMiss: boolean): void => {
    for (const { name, version } of packagesIn(section)) {
      const present = installed.get(name);
      if (present === undefined) {
        if (!mayMiss) drift.set(name, '');
      } else if (version !== '' && bare(present) !== bare(version)) drift.set(name, bare(present));
    }
  };
  if (installed.size > 0 && !(await files.isFile(at('vendor/autoload.php'))))
    drift.set('vendor/autoload.php', '');
  check(lock.packages, false);
  const forDevelopment = packagesIn(lock['packages-dev']);
  if (record.dev === false && forDevelopment.length > 0) drift.set(development, '');
  check(lock['packages-dev'], record.dev !== true);
  for (const name of await missingExtensions(place, lock))
    drift.set(name, 'required, and PHP does not load it');
  return drift;
}

/** The requirements of composer.json in the form of a lock file, without versions. One package may provide another. */
function lockOf(manifest: Record<string, unknown>, record: Record<string, unknown>) {
  const known = itemsOf(record, 'packages').map(recordOf);
  const provided = known.flatMap(({ provide, replace }) =>
    Object.keys({ ...recordOf(provide), ...recordOf(replace) }),
  );
  const asked = (kind: string) =>
    Object.keys(recordOf(manifest[kind]))
      .filter((name) => name.includes('/') && !provided.includes(name))
      .map((name) => ({ name, version: '' }));
  return {
    packages: asked('require'),
    'packages-dev': asked('require-dev'),
    platform: manifest.require,
    'platform-overrides': Object.fromEntries(provided.map((name) => [name, ''])),
  };
}

/** PHP extensions that the project or a package requires, such as `ext-gd`. A polyfill provides one, too. */
async function missingExtensions({ machine, locator }: LockPlace, lock: Record<string, unknown>) {
  const has = locator && (await phpExtensions({ machine, locator }));
  if (!has) return [];
  const packages = itemsOf(lock, 'packages').map(recordOf);
  const namesOf = (part: unknown) => Object.keys(recordOf(part)).filter((name) => name.startsWith('ext-'));
  const provided = packages.flatMap(({ provide, replace }) => [...namesOf(provide), ...namesOf(replace)]);
  const platformPackages = new Set([...provided, ...namesOf(lock['platform-overrides'])]);
  const required = [lock.platform, ...packages.map((each) => each.require)].flatMap(namesOf);
  const isThere = (name: string) =>
    platformPackages.has(name) || has.has(name.replace(/^ext-(?:zend-)?/, '').toLowerCase());
  return required.filter((name) => !isThere(name));
}

/** Reports nothing if there is no folder of packages. If a manifest moves that folder, the result is unknown. */
export async function composerAbsence({
  files,
  at,
  root,
  path,
  locked,
}: LockPlace): Promise<Absence | undefined> {
  const config = await files.text(at('composer.json'));
  const isOpen =
    config === undefined ||
    config.includes('"vendor-dir"') ||
    !Object.keys(locked).some((name) => name.includes('/'));
  // A package in a folder of a project is installed with that project.
  if (path.endsWith('.json'))
    for (const above of files.upward(root).slice(1))
      if (await files.isFolder(files.paths.join(above, 'vendor', 'composer'))) return undefined;
  // Every program starts with this file. Without Composer's own record, packages still load, but cannot be compared.
  return isOpen || (await files.isFile(at('vendor/autoload.php'))) ? undefined : 'nothing';
}

/** No system takes a longer path, in characters. */
const maxPathLength = 4096;

/** `where` is relative to the record's folder; plugins such as `composer/installers` choose it. */
function packagesIn(section: unknown) {
  return itemsOf({ section }, 'section').flatMap((item) => {
    const [name, version, type] = ['name', 'version', 'type'].map((key) => textField(item, key));
    const isPackage = name !== undefined && version !== undefined && type !== 'metapackage';
    // Composer loads these files at every start.
    const loaded = textItemsOf(recordOf(recordOf(item).autoload).files).filter(
      (file) => !file.includes('..'),
    );
    return isPackage ? [{ name, version, loaded, where: textField(item, 'install-path') }] : [];
  });
}

function bare(version: string): string {
  return version.replace(/^v(?=\d)/, '');
}
