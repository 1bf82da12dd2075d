// Files that pin something in one line or one field each: Brewfile, devbox, npins, niv, flakes of Nix, Jsonnet, submodules of git,
// workflows and pipelines, hooks of pre-commit, providers and modules of Terraform and OpenTofu.

import { field, isPlainObject, textField, textItemsOf } from '@envsnap/shared/plain-object';
import { withoutVersions } from '../../declared/version-rows.ts';
import {
  digestOf,
  entriesUnder,
  firstText,
  itemsUnder,
  type ParseContext,
  requiredEntries,
  requirementOf,
  textFields,
} from '../fields.ts';
import { anyVersion, type PackageList, registrySource } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { isSecretSetting, withoutComments } from '../setting-text.ts';
import { parseJsoncObject, parseJsonObject } from '../text/json.ts';
import { forEachLine, requireLine } from '../text/lines.ts';
import { parseToml } from '../text/toml.ts';
import { parseYamlDocuments, parseYamlMap } from '../text/yaml.ts';
import { withoutCredentials } from '../without-credentials.ts';
import { readImage } from './containers.ts';
import { rubyLine } from './ruby.ts';

/** Brewfile: taps, formulas and casks. The file is a program; only its lines are read, nothing is run. */
export function parseBrewfile(text: string, list: PackageList): void {
  requireLine(text, rubyLine);
  forEachLine(text, (line) => {
    const [, kind, name] = /^\s*(tap|brew|cask|mas|vscode)[ (]{1,3}["']([^"']+)["']/.exec(line) ?? [];
    if (name) list.add(kind === 'brew' ? name : `${kind} ${name}`, anyVersion);
  });
}

/** devbox.json: packages as a list of `name@version`, or a table of versions. */
export function parseDevbox(text: string, list: PackageList): void {
  const manifest = parseJsoncObject(text);
  if (Array.isArray(field(manifest, 'packages')))
    for (const descriptor of itemsUnder(manifest, 'packages'))
      addDescriptor(list, typeof descriptor === 'string' ? descriptor : '', undefined);
  else for (const [name, wanted] of entriesUnder(manifest, 'packages')) list.add(name, requirementOf(wanted));
}

function addDescriptor(list: PackageList, descriptor: string, entry: unknown): void {
  const at = descriptor.lastIndexOf('@');
  const name = at > 0 ? descriptor.slice(0, at) : descriptor;
  const version = textField(entry, 'version') ?? (at > 0 ? descriptor.slice(at + 1) : anyVersion);
  list.add(name, version, undefined, textField(entry, 'resolved'));
}

/** devbox.lock: packages with the commit of nixpkgs that has them. */
export function parseDevboxLock(text: string, list: PackageList): void {
  for (const [descriptor, entry] of requiredEntries(parseJsonObject(text), 'packages'))
    addDescriptor(list, descriptor, entry);
}

/** npins/sources.json: pins with their version, or revision. */
export function parseNpins(text: string, list: PackageList): void {
  for (const [name, pin] of requiredEntries(parseJsonObject(text), 'pins')) {
    const url = textField(field(pin, 'repository'), 'url') ?? textField(pin, 'url');
    const version = firstText(pin, 'version', 'revision') ?? anyVersion;
    list.add(name, version, url ? `git+${url}` : undefined, textField(pin, 'hash'));
  }
}

/** nix/sources.json of niv: sources with their revision. */
export function parseNiv(text: string, list: PackageList): void {
  for (const [name, pin] of Object.entries(parseJsonObject(text))) {
    const [revision, url, hash] = textFields(pin, 'rev', 'url', 'sha256');
    if (!isPlainObject(pin) || (!url && field(pin, 'url') !== undefined)) list.rejected += 1;
    if (url) list.add(name, revision ?? textField(pin, 'version') ?? anyVersion, url as 'http', hash);
  }
}

/** jsonnetfile.json and jsonnetfile.lock.json: folders of repositories with their commit, or with the requirement. */
export function parseJsonnet(text: string, list: PackageList): void {
  for (const item of itemsUnder(parseJsonObject(text), 'dependencies')) {
    const [remote, folder] = textFields(field(field(item, 'source'), 'git'), 'remote', 'subdir');
    const [version = anyVersion, sum] = textFields(item, 'version', 'sum');
    if (!remote && field(field(item, 'source'), 'local') === undefined) list.rejected += 1;
    if (remote) list.add(folder ? `${remote}/${folder}` : remote, version, undefined, sum);
  }
}

/** flake.lock: inputs under the names that the file gives them, as `type:owner/repository/revision` and the like. */
export function parseFlakeLock(text: string, list: PackageList): void {
  for (const [name, node] of requiredEntries(parseJsonObject(text), 'nodes')) {
    const locked = field(node, 'locked');
    if (!isPlainObject(node) || !isPlainObject(locked ?? {})) list.rejected += 1;
    // The root node is the flake of the project.
    if (!isPlainObject(locked)) continue;
    const [type = 'input', owner, repository, hash] = textFields(locked, 'type', 'owner', 'repo', 'narHash');
    // The revision follows the address. Characters that are not allowed in an address are removed first.
    const address = withoutCredentials(textField(locked, 'url') ?? textField(locked, 'path') ?? '');
    const revision = textField(locked, 'rev') ?? hash;
    const place = owner && repository ? `${owner}/${repository}` : address;
    list.add(name, `${type}:${place}${revision ? `/${revision}` : ''}`, undefined, hash);
  }
}

/** .pre-commit-config.yaml: repositories by address, with the revision; hooks of the project have none. */
export function parsePreCommit(text: string, list: PackageList, context: ParseContext): void {
  for (const item of itemsUnder(parseYamlMap(text), 'repos')) {
    const [repository, revision] = textFields(item, 'repo', 'rev');
    if (repository === 'local' || repository === 'meta') continue;
    const added = itemsUnder(item, 'hooks').flatMap((hook) =>
      textItemsOf(field(hook, 'additional_dependencies')),
    );
    const packages = added.length > 0 ? `packages:${added.join(' ')}` : [];
    if (repository && revision) list.add(repository, revision, undefined, packages);
    else context.warn('one of its repositories has no address or no revision');
  }
}

/** mise.lock: tools with the checksums of what is fetched for each platform; `mise.toml` is a declaration. */
export function parseMiseLock(text: string, list: PackageList): void {
  for (const [tool, entries] of entriesUnder(parseToml(text), 'tools'))
    for (const entry of [entries].flat()) {
      const platforms = entriesUnder(entry, 'platforms').map(
        ([, platform]) => textField(platform, 'checksum') ?? '',
      );
      list.add(tool, textField(entry, 'version') ?? anyVersion, undefined, platforms.filter(Boolean));
    }
}

/** The parts of some files that say what is downloaded. In other files, everything counts. */
const parts: Readonly<Record<string, RegExp>> = {
  cmake: /^[ \t]*(?:FetchContent_Declare|ExternalProject_Add|CPM\w*Package)\s*\([^()]{1,2000}\)/gim,
  // The channel is a declared version.
  'rust-toolchain.toml': /^(?:components|targets|profile)[ \t]*=[^\n[]*(?:\[[^\][]{0,2000}\])?/gm,
  'kustomization.yaml': /(?:https?:\/\/|[?&]ref=|\bnew(?:Tag|Name):|\bdigest:|\bversion:).*/g,
};

/** Settings of a build that decide what it installs and from where: compared as one text, without comment lines. */
export function parseSettings(text: string, list: PackageList, { path }: ParseContext): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const part = parts[name.replace(/^CMakeLists\.txt$|^.*\.cmake$/, 'cmake')];
  const plain = withoutComments(withoutVersions(path, text));
  const counted = part ? (plain.match(part) ?? []).join('\n') : plain;
  list.isRecorded = counted !== '';
  list.set('content', digestOf(counted));
}

/**
 * Registries and other settings that decide what is installed, in a package manager's configuration in a subfolder: `.npmrc`,
 * `.yarnrc`, `pip.conf`, `bunfig.toml`, cargo's and Bundler's. The configuration in the captured folder is recorded as facts.
 */
export function parseRegistries(text: string, list: PackageList, { path }: ParseContext): void {
  const settings = new Map<string, string[]>();
  let [section, name] = ['', ''];
  forEachLine(text, (line) => {
    const content = line.replace(/^\s*(?:#|;|\/\/).*/, '').trim();
    const header = /^\[+([^\][]+)\]+$/.exec(content)?.[1];
    if (header !== undefined) [section, name] = [`${header.trim()}.`, ''];
    const [, key, said = content] =
      /^["']?([\w@:/.-]{1,100})["']?(?: {0,20}=|:?\s) {0,20}(\S.*)$/.exec(content) ?? [];
    if (key) name = section + key.replace(/:$/, '');
    const value = said.replace(/^["']|["'],?$/g, '');
    const addresses = value.match(/\b[\w+]{1,20}:\/\/[^\s"',}\]]+/g);
    if (name === '' || header !== undefined || value === '') return;
    if (!addresses && (!installSetting.test(name) || isSecretSetting(name, value))) return;
    const values = settings.get(name) ?? [];
    values.push((addresses ?? [value]).join(', '));
    settings.set(name, values);
  });
  for (const [key, values] of settings) list.set(key, values.join(', '));
  list.isRecorded = settings.size > 0 && !/^\.(?:cargo|bundle)\/[^/]+$/.test(path);
}

/** Settings that decide what is installed, besides addresses. */
const installSetting =
  /replace-with|linker|hoist|strategy|peer-dep|ignore-scripts|\bomit|no-(?:index|binary)|only-binary|\bpre$|(?:rust)?flags|\btarget|\bpatch\b|with(?:out)?\b|frozen|deployment/i;

/** requirements.yml: collections and roles of Ansible; an older one is a list of roles. */
export function parseAnsible(text: string, list: PackageList): void {
  const asked = parseYamlDocuments(text).at(-1);
  if (typeof asked === 'string') throw new ParseProblem('its top level is not a map', { line: 1 });
  const lists = Array.isArray(asked) ? asked : ['collections', 'roles'].map((name) => field(asked, name));
  for (const item of lists.flat()) {
    const [name, source, version = anyVersion] = textFields(item, 'name', 'src', 'version');
    const origin = textField(item, 'source') ?? (name && source);
    if (name ?? source) list.add(name ?? source ?? '', version, registrySource(origin));
    else if (typeof item === 'string') list.add(item, anyVersion);
    else if (item !== undefined && field(item, 'include') === undefined) list.rejected += 1;
  }
  list.isRecorded = list.size > 0;
}

/** .gitmodules: the folder of each submodule and its address; git's index has the commit. */
export function parseGitmodules(text: string, list: PackageList): void {
  requireLine(text, /^[ \t]*\[submodule\b/m);
  let module: { path?: string; url?: string } = {};
  const finish = () => {
    if (module.path) list.add(module.path, anyVersion, module.url ? `git+${module.url}` : undefined);
    module = {};
  };
  forEachLine(text, (line) => {
    if (/^\s*\[/.test(line)) finish();
    const [, name, value = ''] = /^\s*(path|url)\s*=(.*)$/.exec(line) ?? [];
    if (name) module = { ...module, [name]: value.trim() };
  });
  finish();
}

/**
 * Workflows of GitHub: actions with their tag or commit, images, runners, revisions, and the versions that steps install. GitLab's components
 * and includes, CircleCI's orbs and the images of other services are written in the same way.
 */
export function parseWorkflow(text: string, list: PackageList, { path }: ParseContext): void {
  requireLine(text, /^[^:\n]{1,100}:(?:\s|$)/m);
  const settings = new Map<string, Set<string>>();
  const named = path.includes('.circleci/') ? /^/ : /^(?:uses|component)$/;
  let isInImage = false;
  forEachLine(text, (line) => {
    const [, key = '', all = ''] = /^(?:- +)?["']?([\w-]+)["']?:(.*)$/.exec(line.trim()) ?? [];
    const value = /^ *["']?([^\s"'#]*)/.exec(all)?.[1] ?? '';
    const isImage =
      /^(?:image|container)$/.test(key) || value.startsWith('docker://') || (isInImage && key === 'name');
    isInImage = key === 'image' && value === '';
    if (value === '' || all.includes('$')) return;
    if (/^[[{]/.test(value) && /^(?:uses|component|image)$/.test(key)) list.rejected += 1;
    const [, name, version] = /^([\w./-]+)@([^@]+)$/.exec(value) ?? [];
    const image = isImage ? readImage(value.replace('docker://', '')) : undefined;
    if (image) list.add(image.name, image.version, 'image');
    else if (name && version && named.test(key)) list.add(name, version);
    else if (/^(?:runs-on|vmImage|ref|remote|[\w-]+-version)$/.test(key))
      settings.set(
        key,
        (settings.get(key) ?? new Set()).add((all.split(' #', 1)[0] ?? '').replace(/["']/g, '')),
      );
  });
  for (const [key, values] of settings) list.set(key, [...values].sort().join(', ').slice(0, maxSettings));
  list.isRecorded = list.size + list.rejected + settings.size > 0;
}

/** Longest setting that is a list, as recorded, in characters. */
const maxSettings = 500;

/** .terraform.lock.hcl: providers under their full address. */
export function parseTerraformLock(text: string, list: PackageList): void {
  let provider: { name: string; line: number; version?: string; hashes: string[] } | undefined;
  forEachLine(text, (line, number) => {
    const content = line.trim();
    const start = /^provider\s+"([^"]+)"\s*\{$/.exec(content);
    if (start) {
      if (provider) throw new ParseProblem('a provider begins inside another', { line: number });
      provider = { name: start[1] as string, line: number, hashes: [] };
    } else if (provider && content === '}') {
      if (!provider.version) throw new ParseProblem('a provider has no version', { line: provider.line });
      list.add(provider.name, provider.version, undefined, provider.hashes);
      provider = undefined;
    } else if (provider) {
      const version = /^version\s*=\s*"([^"]+)"$/.exec(content)?.[1];
      if (version) provider.version = version;
      // Only one kind of hash is used, because an unknown platform has no hash of the other kind.
      const hash = /^"(?:h1|zh):([^"]+)",?$/.exec(content)?.[1];
      if (hash) provider.hashes.push(`hash:${hash}`);
    } else if (content !== '' && !/^(?:#|\/\/|\/\*|\*)/.test(content)) {
      throw new ParseProblem('a line cannot be read as a provider', { line: number });
    }
  });
  if (provider) throw new ParseProblem('the file ends in the middle of a provider');
}

/**
 * *.tf: required providers and modules with their requirement, by the address in the file. No lock file pins modules.
 * Expects one block or setting a line, as `terraform fmt` writes them.
 */
export function parseTerraform(text: string, list: PackageList): void {
  requireLine(text, /^[ \t]*(?:#|\/\/|\/\*|\w[^\n]{0,200}[{=])/m);
  const blocks: string[] = [];
  let heredoc: string | undefined;
  let block: { source?: string; version?: string } = {};
  forEachLine(text, (line) => {
    const content = line.trim();
    if (heredoc !== undefined) {
      if (content === heredoc) heredoc = undefined;
      return;
    }
    heredoc = /<<[-~]?(\w+)$/.exec(content)?.[1];
    const [, key, value] = /^(\w+)\s*=\s*"([^"]*)"/.exec(content) ?? [];
    if (key && value !== undefined && kindOf(blocks) === 'providers') list.add(key, value || anyVersion);
    const plain = content.replace(/"[^"]*"/g, '').split(/#|\/\//, 1)[0] ?? '';
    for (const _ of plain.matchAll(/\{/g)) blocks.push((content.split(/[={]/, 1)[0] ?? '').trimEnd());
    if (blocks.length > deepest) throw new ParseProblem(`blocks are nested more than ${deepest} deep`);
    if (kindOf(blocks) === 'wanted') Object.assign(block, settingsOf(content));
    for (const _ of plain.matchAll(/\}/g)) {
      const isWanted = kindOf(blocks) === 'wanted';
      const name = blocks.pop();
      if (!isWanted) continue;
      const [address = '', ref] = (block.source ?? name ?? '').split('?ref=');
      // A module in a folder is part of the project.
      if (!/^\.{1,2}\//.test(address)) list.add(address, block.version ?? ref ?? anyVersion);
      block = {};
    }
  });
  list.isRecorded = list.size > 0;
}

const deepest = 500;

/** Whether a block asks for one provider or module, or lists providers. */
function kindOf(blocks: readonly string[]): 'wanted' | 'providers' | undefined {
  if (blocks.length === 1 && /^module\s+"[^"]*"$/.test(blocks[0] as string)) return 'wanted';
  if (blocks[0] !== 'terraform' || blocks[1] !== 'required_providers') return undefined;
  if (blocks.length === 2) return 'providers';
  return blocks.length === 3 ? 'wanted' : undefined;
}

function settingsOf(content: string): { source?: string; version?: string } {
  const settings = content.matchAll(/(?:^|[\s{,])(source|version)\s*=\s*"([^"]*)"/g);
  return Object.fromEntries(Array.from(settings, ([, name, value]) => [name, value]));
}
