// Ruby: Gemfile.lock and Gemfile (gems.locked and gems.rb). Crystal: shard.lock and shard.yml.

import { posix } from 'node:path';
import { textField } from '@envsnap/shared/plain-object';
import { entriesIn, firstText, requiredEntries } from '../fields.ts';
import {
  anyVersion,
  gitSource,
  type PackageList,
  type PackageSource,
  registrySource,
  versionOfCommit,
} from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { forEachLine, requireLine } from '../text/lines.ts';
import { parseYamlMap } from '../text/yaml.ts';

/** Gemfile.lock: gems of every source, once for all platforms. Leaves out the project's own gem. */
export function parseGemfileLock(text: string, list: PackageList): void {
  let section = '';
  let revision: string | undefined;
  let remote = '';
  let inSpecs = false;
  const checksums = new Map<string, string>();
  const platforms: string[] = [];
  /** Folders of gems that the lock file governs. A repository with several gems has one for each. */
  const members = new Set(['.']);
  /** Gems that are built for one platform, as `name: platform`. */
  const built: string[] = [];
  const gems: { name: string; label: string; version: string; source: PackageSource | undefined }[] = [];
  forEachLine(text, (whole, number) => {
    const line = whole.trimEnd();
    if (line === '') return;
    if (!line.startsWith(' ')) {
      if (!/^[A-Z][A-Z -]*$/.test(line))
        throw new ParseProblem('a line cannot be read as the name of a section', { line: number });
      section = line;
      revision = undefined;
      inSpecs = false;
      return;
    }
    if (section === 'PLATFORMS') platforms.push(line.trim());
    const [, label, sums] = (section === 'CHECKSUMS' && /^ {2}(\S+ \(\S+\)) (\S+)$/.exec(line)) || [];
    if (label && sums) checksums.set(label, sums);
    if (!['GEM', 'GIT', 'PATH', 'PLUGIN SOURCE', 'SVN'].includes(section)) return;
    const [, attribute, value = ''] = /^ {2}(\w+):\s*(.*)$/s.exec(line) ?? [];
    if (attribute) {
      inSpecs = attribute === 'specs';
      if (attribute === 'revision') revision = value;
      if (attribute === 'remote') remote = value;
    }
    if (attribute || !inSpecs || line.startsWith('      ')) return;
    const [, name, written] = /^ {4}(\S+) \(([^)\s]+)\)$/.exec(line) ?? [];
    if (!name || !written) throw new ParseProblem('a gem lacks a name or a version', { line: number });
    if (section === 'PATH') members.add(remote).add(posix.join(remote, name));
    if (section === 'PATH' && remote === '.') return;
    const [version = '', ...platform] = written.split('-');
    if (platform.length > 0) built.push(`${name}: ${platform.join('-')}`);
    const source =
      section === 'PATH'
        ? (`path:${remote}` as const)
        : (gitSource(remote, revision) ?? registrySource(remote, /^https:\/\/rubygems\.org$/));
    const counts = versionOfCommit(version, remote, revision);
    list.add(name, counts, source);
    gems.push({ name, label: `${name} (${written})`, version: counts, source });
  });
  // The checksums follow all gems.
  for (const { name, label, version, source } of checksums.size > 0 ? gems : [])
    list.add(name, version, source, checksums.get(label)?.replaceAll('=', ':'));
  list.members = [...members];
  list.set('platforms', platforms.sort().join(', '));
  list.setList('gems by platform', built);
  if (section === '' && text.trim() !== '') throw new ParseProblem('it has no section');
}

const gemLine = /^\s*gem[\s(]+(?:"([^"#]+)"|'([^']+)')(.*)$/;
const requirement = /^\s*,\s*(?:"([^"]*)"|'([^']*)'|\[([^\]]*)\])/;

/** *.gemspec: requirements as they are written. The file is a program; values that it computes are not seen. */
export function parseGemspec(text: string, list: PackageList): void {
  requireLine(text, /\bGem::Specification\b/);
  const added = text.replace(/^([ \t]*)\w+\.add_(?:(?:runtime|development)_)?dependency\b/gm, '$1gem');
  readGems(added.replaceAll(/%q<([^<>\n]{0,200})>/g, '"$1"').replaceAll('.freeze', ''), list);
}

/** A line of a program in Ruby that calls something, or sets a variable, or is a comment. */
export const rubyLine = /^[ \t]*(?:#|gemspec\b|[a-z]\w*[ (]{1,3}(?:["':]|\w+: )|\w+ = )/m;

/** Gemfile: `gem` lines with their requirements as written. Values that the program computes are not seen. */
export function parseGemfile(text: string, list: PackageList): void {
  requireLine(text, rubyLine);
  readGems(text, list);
}

function readGems(text: string, list: PackageList): void {
  forEachLine(text, (line) => {
    const gem = gemLine.exec(line);
    if (!gem) return;
    const requirements: string[] = [];
    let rest = gem[3] as string;
    for (let match = requirement.exec(rest); match; match = requirement.exec(rest)) {
      requirements.push((match[1] ?? match[2] ?? match[3]?.replaceAll(/["']/g, '') ?? '').trim());
      rest = rest.slice(match[0].length);
    }
    const git = /\b(?:git|github):\s*["']([^"']+)["']/.exec(rest)?.[1];
    const reference = /\b(?:ref|tag|branch):\s*["']([^"']+)["']/.exec(rest)?.[1];
    const path = /\bpath:\s*["']([^"']+)["']/.exec(rest)?.[1];
    const source = git ? versionOfCommit(undefined, git, reference) : path && `path:${path}`;
    list.add((gem[1] ?? gem[2]) as string, requirements.join(',') || source || anyVersion);
  });
}

const forges = {
  github: 'https://github.com/',
  gitlab: 'https://gitlab.com/',
  bitbucket: 'https://bitbucket.org/',
  codeberg: 'https://codeberg.org/',
  git: '',
};

/** shard.lock of versions 1 and 2: shards with the version, or with the commit where they are locked to one. */
export function parseShardLock(text: string, list: PackageList): void {
  for (const [name, entry] of requiredEntries(parseYamlMap(text), 'shards')) {
    const [forge, prefix] = Object.entries(forges).find(([each]) => textField(entry, each)) ?? [];
    const source = forge === undefined ? undefined : (`git+${prefix}${textField(entry, forge)}` as const);
    list.add(name, shardVersion(entry, 'version', 'commit'), source);
  }
}

/** shard.yml: requirements as they are written. */
export function parseShard(text: string, list: PackageList): void {
  for (const [name, entry] of entriesIn(parseYamlMap(text), 'dependencies', 'development_dependencies'))
    list.add(name, shardVersion(entry, 'version', 'tag', 'branch', 'commit'));
}

function shardVersion(entry: unknown, ...fields: readonly string[]): string {
  const path = textField(entry, 'path');
  return firstText(entry, ...fields) ?? (path === undefined ? anyVersion : `path:${path}`);
}
