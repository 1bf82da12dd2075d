// Composer's `vendor/composer/installed.json`, and the gems that Bundler put into the project's own folder.

import { itemsOf, recordOf, textField, textItemsOf } from '@envsnap/shared/plain-object';
import { phpExtensions } from '../facts/tools/php.ts';
import {
  type Absence,
  addVersion,
  type Drift,
  development,
  everything,
  type LockPlace,
  readJsonObject,
} from './drift.ts';

export async function composerDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, files, root, path, at } = place;
  const record = await readJsonObject(machine, at('vendor/composer/installed.json'));
  const lock = await readJsonObject(machine, path);
  if (!record || !lock) return undefined;
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
      } else if (bare(present) !== bare(version)) drift.set(name, bare(present));
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
export async function composerAbsence({ files, at, locked }: LockPlace): Promise<Absence | undefined> {
  const config = await files.text(at('composer.json'));
  const isOpen = config === undefined || config.includes('"vendor-dir"') || Object.keys(locked).length === 0;
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

/** A gem home may have several versions of a gem. It differs if none of them is the locked one. */
export async function bundlerDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, files, root, path, at } = place;
  const { join, resolve } = files.paths;
  const elsewhere = gemsFromElsewhere((await files.text(path)) ?? '');
  const locked = Object.entries(place.locked).filter(([name]) => !elsewhere.has(name));
  const config = (await files.text(at('.bundle/config'))) ?? '';
  const setting = /^BUNDLE_PATH:[ \t]*"?([^"\n]+)/m.exec(config)?.[1]?.trimEnd();
  const installed = new Map<string, Set<string>>();
  const folders = await specificationFolders(files, resolve(root, setting ?? 'vendor/bundle'));
  const isOwn = folders.length > 0;
  // Without its own folder, Bundler installs where RubyGems does: in images made for one program.
  const shared = machine.env.GEM_HOME ? [join(machine.env.GEM_HOME, 'specifications')] : [];
  for (const folder of isOwn ? folders : shared) {
    const gems = new Set(await files.names(join(folder, '..', 'gems')));
    for (const name of await files.names(folder)) {
      const full = name.replace(/\.gemspec$/, '');
      const [, gem, version] = /^(.+?)-(\d[^-]*)(?:-.*)?$/s.exec(full) ?? [];
      // A folder that was deleted or emptied by hand still has its specification, which lists no files.
      if (!gem || !version || !name.endsWith('.gemspec') || !gems.has(full)) continue;
      if ((await files.names(join(folder, '..', 'gems', full))).length === 0) continue;
      installed.set(gem, (installed.get(gem) ?? new Set()).add(version));
    }
  }
  if (installed.size === 0)
    return setting !== undefined && locked.length > 0 ? new Map([[everything, '']]) : undefined;
  const without = /^BUNDLE_(?:WITHOUT|ONLY):/m.test(config) || machine.env.BUNDLE_WITHOUT !== undefined;
  const drift = new Map<string, string>();
  for (const [name, text] of locked) {
    // Bundler itself is not in the list; `1.16.0-x86_64-linux` is 1.16.0 for one platform.
    const versions = text.split(', ').map((version) => version.replace(/-.*$/s, ''));
    if (name === 'bundler' || !versions.every((version) => /^\d[\w.]*$/.test(version))) continue;
    const present = installed.get(name);
    if (present === undefined) {
      if (!without) drift.set(name, '');
    } else if (!versions.some((version) => present.has(version)))
      for (const version of present) addVersion(drift, name, version);
  }
  // A gem home that has little of this file belongs to another project.
  const missing = [...drift.values()].filter((version) => version === '').length;
  return isOwn || missing * 2 <= locked.length ? drift : undefined;
}

/** Gems from a path are used directly; those from a repository are in folders named after commits. */
function gemsFromElsewhere(lock: string): ReadonlySet<string> {
  const sections = lock.split(/^(?=[A-Z])/m).filter((section) => !section.startsWith('GEM'));
  return new Set(
    sections.flatMap((section) => [...section.matchAll(/^ {4}(\S+) \(/gm)].map(([, name = '']) => name)),
  );
}

/** `ruby/3.2.0/specifications` in Bundler's own folder. */
async function specificationFolders(files: LockPlace['files'], base: string): Promise<string[]> {
  const { join } = files.paths;
  const engine = (await files.names(base)).find((name) => /^(?:ruby|jruby|truffleruby)$/.test(name));
  if (engine === undefined) return [];
  const versions = await files.names(join(base, engine));
  return versions.map((version) => join(base, engine, version, 'specifications'));
}
