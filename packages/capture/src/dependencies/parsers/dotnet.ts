// .NET: packages.lock.json, packages.config, nuget.config, local tools, project files, solutions, central package versions, paket.lock.

import { posix } from 'node:path';
import { field, textField } from '@envsnap/shared/plain-object';
import { entriesUnder, firstText, type ParseContext, requiredEntries, requirementOf } from '../fields.ts';
import { anyVersion, type PackageList, registrySource } from '../package-list.ts';
import { ParseProblem } from '../parse-problem.ts';
import { parseJsoncObject, parseJsonObject } from '../text/json.ts';
import { forEachLine, requireLine } from '../text/lines.ts';
import { childText, parseXml, scanXml, type XmlElement } from '../text/xml.ts';

/** Longest text in which properties are expanded, and longest value of one, in characters. */
const maxProperty = 1024;

/** packages.lock.json: packages of every target framework; references to other projects are left out. */
export function parseNugetLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  for (const [framework] of requiredEntries(lock, 'dependencies'))
    for (const [name, entry] of entriesUnder(field(lock, 'dependencies'), framework)) {
      if (textField(entry, 'type')?.toLowerCase() === 'project') continue;
      const version = firstText(entry, 'resolved', 'requested') ?? anyVersion;
      list.add(name, version, undefined, textField(entry, 'contentHash'));
    }
}

/** global.json: the SDKs of MSBuild that it names, and which version of .NET replaces a missing one. */
export function parseGlobalJson(text: string, list: PackageList): void {
  const settings = parseJsoncObject(text);
  for (const [name, version] of entriesUnder(settings, 'msbuild-sdks'))
    list.add(name, requirementOf(version));
  const sdk = entriesUnder(settings, 'sdk').filter(([name]) => name !== 'version');
  list.set('sdk', Object.fromEntries(sdk));
  list.isRecorded = list.size > 0 || sdk.length > 0;
}

export function parseDotnetTools(text: string, list: PackageList): void {
  for (const [name, entry] of entriesUnder(parseJsoncObject(text), 'tools'))
    list.add(name, textField(entry, 'version') ?? anyVersion);
}

export function parsePackagesConfig(text: string, list: PackageList): void {
  const open = (name: string, attributes: ReadonlyMap<string, string>) => {
    const id = attributes.get('id');
    if (name.toLowerCase() === 'package' && id) list.add(id, attributes.get('version') ?? anyVersion);
  };
  scanXml(text, { open }, 'packages');
}

/** nuget.config: where packages come from, in order. Keys and passwords are in other parts of the file. */
export function parseNugetConfig(text: string, list: PackageList): void {
  const settings = parseXml(text, 'configuration').children;
  const sections = settings.filter(({ name }) => /^(?:packageSources|fallbackPackageFolders)$/i.test(name));
  const mapped = settings
    .filter(({ name }) => name === 'packageSourceMapping')
    .flatMap(({ children }) => children);
  const sources = sections.flatMap(({ children }) =>
    children.map(({ name, attributes }) =>
      [name, attributes.get('key'), attributes.get('value')].join(' ').trim(),
    ),
  );
  list.set('sources', sources.join(', '));
  const patterns = mapped.flatMap(({ attributes, children }) =>
    children.map((each) => `${each.attributes.get('pattern')} ${attributes.get('key')}`),
  );
  list.setList('sources of packages', patterns);
}

/** *.sln, *.slnx: the folders of its projects, which belong to the project wherever they are. */
export function parseSolution(text: string, list: PackageList): void {
  requireLine(text, /^(?:[ \t]*<Solution\b|Microsoft Visual Studio Solution File)/m);
  const projects = text.matchAll(/["']([^"'\r\n]{1,300}\.(?:cs|fs|vb)proj)["']/g);
  list.members = Array.from(projects, ([, file = '']) => posix.dirname(file.replaceAll('\\', '/')));
}

/** Directory.Packages.props: versions that the projects below share. */
export function parseCentralPackages(text: string, list: PackageList): void {
  for (const [name, version] of versionsIn(text, ['PackageVersion', 'GlobalPackageReference']))
    list.add(name, version ?? anyVersion);
}

/** *.csproj, *.fsproj, *.vbproj: package references, with versions from Directory.Packages.props above, and target platforms. */
export async function parseProjectFile(text: string, list: PackageList, context: ParseContext) {
  const references = versionsIn(text, ['PackageReference']);
  const central = references.some(([, version]) => version === undefined)
    ? await centralVersions(context)
    : undefined;
  for (const [name, version] of references)
    list.add(name, version ?? central?.get(name.toLowerCase()) ?? anyVersion);
  const runtimes = text.matchAll(/<RuntimeIdentifiers?>([^<]{1,500})</g);
  list.setList(
    'runtimes',
    Array.from(runtimes, ([, names = '']) => names.trim()),
  );
}

/** *.props and *.targets: package references that projects import; other programs have files of these names, too. */
export async function parseImport(text: string, list: PackageList, context: ParseContext): Promise<void> {
  if (/<Project[\s>]/.test(text)) await parseProjectFile(text, list, context);
  list.isRecorded = list.size > 0;
}

async function centralVersions(context: ParseContext): Promise<Map<string, string> | undefined> {
  const depth = context.path.split('/').length - 1;
  for (let up = 0; up <= depth; up += 1) {
    const file = `${'../'.repeat(up)}Directory.Packages.props`;
    const versions = await context.include(file, readCentralVersions);
    if (versions) return versions;
  }
  return undefined;
}

function readCentralVersions(text: string): Map<string, string> {
  try {
    const versions = versionsIn(text, ['PackageVersion']);
    return new Map(versions.map(([name, version]) => [name.toLowerCase(), version ?? anyVersion]));
  } catch {
    // That file gets its own warning.
    return new Map();
  }
}

/** Names (`Include` or `Update`) with versions, an attribute or a child element, of all items of some names. */
function versionsIn(text: string, items: readonly string[]): [string, string | undefined][] {
  const properties = new Map<string, string>();
  const found: XmlElement[] = [];
  const queue = [...parseXml(text, 'Project').children];
  for (const element of queue) {
    if (element.name === 'PropertyGroup')
      for (const { name, text } of element.children)
        if (text.length <= maxProperty) properties.set(name.toLowerCase(), text);
    if (items.includes(element.name)) found.push(element);
    else if (element.name !== 'PropertyGroup') for (const child of element.children) queue.push(child);
  }
  const expand = (text: string): string =>
    text.length > maxProperty
      ? text
      : text.replace(
          /\$\(([\w.-]+)\)/g,
          (whole, name: string) => properties.get(name.toLowerCase()) ?? whole,
        );
  return found.flatMap((element) => {
    const { attributes } = element;
    const version =
      attributes.get('VersionOverride') ??
      attributes.get('Version') ??
      childText(element, 'VersionOverride') ??
      childText(element, 'Version');
    // One item may name several packages; `[1.2.3]` is exactly that version, other ranges stay as they are written.
    const exact = version && (expand(version).replace(/^\[([^,[\]]+)\]$/, '$1') || undefined);
    const names = (attributes.get('Include') ?? attributes.get('Update') ?? '').split(';');
    return names.flatMap((name): [string, string | undefined][] =>
      name.trim() === '' ? [] : [[expand(name.trim()), exact || undefined]],
    );
  });
}

const usualFeeds = /^https:\/\/(?:www\.nuget\.org\/api\/v2|api\.nuget\.org\/v3\/index\.json)$/;

/** paket.lock: packages of all groups; files and repositories from git under their address with the commit. */
export function parsePaketLock(text: string, list: PackageList): void {
  requireLine(text, /^[A-Z]+(?:$|[: ])/m);
  let section = '';
  let remote = '';
  forEachLine(text, (line, number) => {
    const content = line.trim();
    const indent = line.length - line.trimStart().length;
    const [, source] = /^remote:\s*(.*)$/s.exec(content) ?? [];
    if (content === '') return;
    if (indent === 0) {
      // Settings (`RESTRICTION: == net6.0`), groups and sections.
      section = content;
      remote = '';
    } else if (source !== undefined) remote = source;
    else if (section === 'NUGET') {
      if (indent !== 4 || /^\w+:/.test(content)) return;
      const [, name, version] = /^(\S+) \(([^)\s]+)\)/.exec(content) ?? [];
      if (!name || !version) throw new ParseProblem('a package lacks a name or a version', { line: number });
      list.add(name, version, registrySource(remote, usualFeeds));
    } else if (/^(?:GITHUB|GIT|GIST|HTTP|BITBUCKET)$/.test(section)) {
      const [, file = '', version] = /^(\S+ )?\(([^)\s]+)\)/.exec(content) ?? [];
      if (version && indent <= 5) list.add(remote || file.trim(), version);
    }
  });
  if (section === '' && text.trim() !== '') throw new ParseProblem('it has no section');
}
