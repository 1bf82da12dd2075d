// The gems of a Gemfile.lock, or of a Gemfile without one, looked up where Bundler looks: in the folder that its settings name, else
// in all folders of RubyGems. https://bundler.io/man/bundle-config.1.html

import { fitsRequirement } from '@envsnap/versions';
import { addState, addVersion, type Drift, everything, type LockPlace } from './drift.ts';

/** Differs for each gem of which no installed version fits. A gem home may have several versions of a gem. */
export async function bundlerDrift(place: LockPlace): Promise<Drift | undefined> {
  const { files, path } = place;
  const text = (await files.text(path)) ?? '';
  const isLock = /\.(?:lock|locked)$/.test(path);
  const settings = await bundlerSettings(place);
  const required = requiredGems(isLock ? text : '', await conditionalGems(place, settings.leavesOut));
  const { gems, isWhole } = await installedGems(place, settings.path);
  const fits = (version: string, wanted: string) =>
    isLock ? version === wanted : fitsRequirement(version, wanted, 'rubygems') !== false;
  const drift: Drift = new Map();
  let found = 0;
  let expected = 0;
  for (const [name, listed] of Object.entries(place.locked)) {
    // Bundler itself is not in the list; `1.16.0-x86_64-linux` is 1.16.0 for one platform; others are paths and commits.
    const wanted = isLock ? listed.split(', ').map((version) => version.replace(/-.*$/s, '')) : [listed];
    const isPlain = wanted.every((version) => (isLock ? /^\d[\w.]*$/ : /^[\d~<>=!*][^:+]*$/).test(version));
    if (name === 'bundler' || !isPlain || required.elsewhere.has(name)) continue;
    expected += 1;
    const versions = gems.get(name);
    if (versions === undefined) {
      if (required.has(name)) drift.set(name, '');
      continue;
    }
    found += 1;
    const [fitting] = [...versions].filter(([version]) => wanted.some((each) => fits(version, each)));
    if (fitting?.[1] === false) addState(drift, name, `${fitting[0]} without its native extension`);
    else if (!fitting) for (const [version] of versions) addVersion(drift, name, version);
  }
  if (found === 0 && expected > 0) return isWhole ? new Map([[everything, '']]) : undefined;
  // A gem home that has little of this file may belong to another project.
  const missing = [...drift.values()].filter((version) => version === '').length;
  return isWhole || missing * 2 <= expected ? drift : undefined;
}

interface Settings {
  /** The folder of the gems; undefined for those of RubyGems. */
  readonly path: string | undefined;
  /** Groups that are not installed; undefined if only some groups are. */
  readonly leavesOut: ReadonlySet<string> | undefined;
}

/** The first of the project's settings, the variables and the person's settings that says where gems are. */
async function bundlerSettings({ machine, files, root, at }: LockPlace): Promise<Settings> {
  const { env, homeDir } = machine;
  const { join, resolve } = files.paths;
  const configIn = async (file: string) => {
    const lines = ((await files.text(file)) ?? '').matchAll(/^(BUNDLE_\w+):[ \t]*"?([^"\n]*)/gm);
    return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value.trimEnd()]));
  };
  const local = env.BUNDLE_APP_CONFIG ? resolve(root, env.BUNDLE_APP_CONFIG) : at('.bundle');
  const user = env.BUNDLE_USER_CONFIG || join(env.BUNDLE_USER_HOME || join(homeDir, '.bundle'), 'config');
  const levels = [await configIn(join(local, 'config')), env, await configIn(user)];
  const groups = levels.find((level) => level.BUNDLE_WITHOUT !== undefined)?.BUNDLE_WITHOUT ?? '';
  const isSome = levels.some((level) => level.BUNDLE_ONLY);
  const leavesOut = isSome ? undefined : new Set(groups.split(/[:\s]+/));
  for (const level of levels) {
    if (level.BUNDLE_PATH__SYSTEM === 'true') return { path: undefined, leavesOut };
    const folder = level.BUNDLE_PATH || (level.BUNDLE_DEPLOYMENT === 'true' && 'vendor/bundle');
    if (folder) return { path: resolve(root, folder), leavesOut };
  }
  return { path: undefined, leavesOut };
}

/** Gem → version → whether its native extension is built. `isWhole`: these are all gems that Ruby finds. */
async function installedGems(place: LockPlace, path: string | undefined) {
  const { files, at } = place;
  const { join } = files.paths;
  // Without a setting, an older Bundler had remembered this folder.
  const inFolder = await scopedFolders(files, path ?? at('vendor/bundle'));
  const shared = await rubyFolders(place);
  const homes = path !== undefined || inFolder.length > 0 ? inFolder : shared.homes;
  const gems = new Map<string, Map<string, boolean>>();
  const add = (file: string, isBuilt: boolean) => {
    const [, gem, version] = /^(.+?)-(\d[^-]*)(?:-.*)?$/s.exec(file.replace(/\.gemspec$/, '')) ?? [];
    if (!gem || !version || !file.endsWith('.gemspec')) return;
    const versions = gems.get(gem) ?? new Map<string, boolean>();
    gems.set(gem, versions.set(version, isBuilt || versions.get(version) === true));
  };
  for (const home of homes)
    for (const file of await files.names(join(home, 'specifications'))) {
      const full = file.replace(/\.gemspec$/, '');
      // A folder that was deleted or emptied by hand still has its specification. Debian puts the files elsewhere.
      const isElsewhere = home.includes('rubygems-integration');
      if (!isElsewhere && (await files.names(join(home, 'gems', full))).length === 0) continue;
      const name = full.replace(/-\d.*$/s, '');
      add(file, isElsewhere || !Object.hasOwn(place.locked, name) || (await isBuilt(files, home, full)));
    }
  // Gems that Ruby itself contains, whatever the settings say.
  if (homes.length > 0)
    for (const folder of shared.defaults) for (const file of await files.names(folder)) add(file, true);
  return { gems, isWhole: path !== undefined || inFolder.length > 0 || shared.isWhole };
}

/** Whether a gem has no native extension, or has one that was built. */
async function isBuilt(files: LockPlace['files'], home: string, full: string): Promise<boolean> {
  const { join } = files.paths;
  const specification = (await files.text(join(home, 'specifications', `${full}.gemspec`))) ?? '';
  if (!/^# stub: ext\//m.test(specification)) return true;
  const extensions = join(home, 'extensions');
  for (const platform of await files.names(extensions))
    for (const version of await files.names(join(extensions, platform)))
      if (await files.isFile(join(extensions, platform, version, full, 'gem.build_complete'))) return true;
  return false;
}

/** Where RubyGems looks for gems, in the forms of Debian, Homebrew, Fedora, macOS and version managers. */
const usualHomes = [
  '{home}/.local/share/gem/ruby/{version}',
  '{home}/.gem/ruby/{version}',
  '{prefix}/lib/ruby/gems/{version}',
  '/opt/homebrew/lib/ruby/gems/{version}',
  '/home/linuxbrew/.linuxbrew/lib/ruby/gems/{version}',
];
const systemHomes = [
  '/var/lib/gems/{version}',
  '/usr/local/lib/ruby/gems/{version}',
  '/usr/lib/{arch}/ruby/gems/{version}',
  '/usr/share/rubygems-integration/{version}',
  '/usr/share/rubygems-integration/all',
  '/usr/lib/{arch}/rubygems-integration/{version}',
  '/usr/share/gems',
  '/usr/lib64/gems/ruby',
  '/Library/Ruby/Gems/{version}',
];

/** The folders of the Ruby that runs; none if its version is not certain. */
async function rubyFolders({ machine, locator, files }: LockPlace) {
  const { basename, dirname, join } = files.paths;
  const { GEM_HOME, GEM_PATH } = machine.env;
  const ruby = await locator?.locate('ruby');
  const program = ruby?.kind === 'found' ? ruby.realPath : '';
  const prefix = dirname(dirname(program));
  const named = /^ruby(\d+\.\d+)$/.exec(basename(program))?.[1] ?? '';
  const libraries = await files.names(join(prefix, 'lib', 'ruby'));
  const versions = libraries.filter((name) => /^\d+\.\d+\.\d+$/.test(name) && name.startsWith(named));
  const [version] = versions;
  if (version === undefined || versions.length > 1)
    return { homes: GEM_HOME ? [GEM_HOME] : [], defaults: [], isWhole: false };
  const values: Record<string, string> = {
    home: machine.homeDir,
    prefix,
    version,
    arch: `${machine.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
  };
  const filled = [...usualHomes, ...(prefix === '/usr' ? systemHomes : [])].map((folder) =>
    folder.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  );
  const listed = GEM_PATH ? GEM_PATH.split(files.paths.delimiter) : filled;
  const defaults = ['gems', join('..', values.arch ?? '', 'ruby', 'gems')].map((folder) =>
    join(prefix, 'lib', 'ruby', folder, version, 'specifications', 'default'),
  );
  return { homes: [...(GEM_HOME ? [GEM_HOME] : []), ...listed], defaults, isWhole: true };
}

/** `ruby/3.2.0` in Bundler's own folder. */
async function scopedFolders(files: LockPlace['files'], base: string): Promise<string[]> {
  const { join } = files.paths;
  const engine = (await files.names(base)).find((name) => /^(?:ruby|jruby|truffleruby)$/.test(name));
  if (engine === undefined) return [];
  return (await files.names(join(base, engine))).map((version) => join(base, engine, version));
}

/**
 * The gems that must be there: all but those that only `conditional` ones need, directly or not. `elsewhere`: gems from a path are
 * used directly, and those from a repository are in folders named after commits.
 */
function requiredGems(lock: string, conditional: ReadonlySet<string>) {
  const needs = new Map<string, string[]>();
  const elsewhere = new Set<string>();
  const direct: string[] = [];
  let section = '';
  let current: string[] = [];
  for (const line of lock.split('\n')) {
    const [, indent = '', name = ''] = /^( {2}| {4}| {6})?([^\s(!:]+)/.exec(line) ?? [];
    if (indent === '') section = name || section;
    else if (indent.length === 6) current.push(name);
    else if (indent.length === 4) {
      current = needs.get(name) ?? [];
      needs.set(name, current);
      if (section !== 'GEM') elsewhere.add(name);
    } else if (section === 'DEPENDENCIES' && !conditional.has(name)) direct.push(name);
  }
  const needed = (pending: string[]) => {
    const reached = new Set<string>();
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (reached.has(name)) continue;
      reached.add(name);
      for (const each of needs.get(name) ?? []) pending.push(each);
    }
    return reached;
  };
  const [always, sometimes] = [needed(direct), needed([...conditional])];
  return { elsewhere, has: (name: string) => always.has(name) || !sometimes.has(name) };
}

/** Gems of the Gemfile that some machines leave out: for other platforms, in optional groups, and in groups that are `leftOut`. */
async function conditionalGems({ files, at, path, locked }: LockPlace, leftOut: Settings['leavesOut']) {
  if (leftOut === undefined) return new Set(Object.keys(locked));
  const name = /gems\.(?:rb|locked)$/.test(path) ? 'gems.rb' : 'Gemfile';
  const isLeft = (words: string) =>
    /\b(?:platforms?|install_if|optional)\b|^\s*(?:if|unless|case)\b|\s(?:if|unless)\s/.test(words) ||
    [...words.matchAll(/[:"'](\w+)/g)].some(([, group = '']) => leftOut.has(group));
  const found = new Set<string>();
  const blocks: boolean[] = [];
  for (const line of ((await files.text(at(name))) ?? '').split('\n')) {
    const [, gem, options = ''] = /^\s*gem[\s(]+["']([^"']+)["'](.*)$/.exec(line) ?? [];
    if (gem !== undefined) {
      const groups = options.replace(/^(?:\s*,\s*["'][^"']*["'])+/, '');
      if (blocks.includes(true) || isLeft(groups)) found.add(gem);
    } else if (/^\s*end\b/.test(line)) blocks.pop();
    else if (/\bdo$|\bdo \||^(?:if|unless|case|def|begin)\b/.test(line.trim())) blocks.push(isLeft(line));
  }
  return found;
}
