// .NET: packages.lock.json, packages.config, local tools, project files and central package versions.

import { entriesOf, field, isPlainObject, textField } from '@envsnap/shared/plain-object';
import { anyVersion, type PackageList } from '../../package-list.ts';
import type { ParseContext } from '../../parse-context.ts';
import { ParseProblem } from '../../parse-problem.ts';
import { parseJsoncObject, parseJsonObject } from '../../text/json.ts';
import { childText, parseXml, scanXml, type XmlElement } from '../../text/xml.ts';

/** Longest text in which properties are expanded, and longest value of one, in characters. */
const maxProperty = 1024;

/** packages.lock.json: packages of every target framework; references to other projects are left out. */
export function parseNugetLock(text: string, list: PackageList): void {
  const lock = parseJsonObject(text);
  if (!isPlainObject(field(lock, 'dependencies'))) throw new ParseProblem('it has no `dependencies`');
  for (const [framework] of entriesOf(lock, 'dependencies')) {
    for (const [name, entry] of entriesOf(field(lock, 'dependencies'), framework)) {
      if (textField(entry, 'type')?.toLowerCase() === 'project') continue;
      const version = textField(entry, 'resolved') ?? textField(entry, 'requested') ?? anyVersion;
      list.add(name, version, undefined, textField(entry, 'contentHash'));
    }
  }
}

/** .config/dotnet-tools.json: local tools. */
export function parseDotnetTools(text: string, list: PackageList): void {
  const manifest = parseJsoncObject(text);
  for (const [name, entry] of entriesOf(manifest, 'tools'))
    list.add(name, textField(entry, 'version') ?? anyVersion);
}

/** packages.config. */
export function parsePackagesConfig(text: string, list: PackageList): void {
  scanXml(text, {
    open(name, attributes, depth) {
      if (depth === 0 && name.toLowerCase() !== 'packages') {
        throw new ParseProblem('its root element is not <packages>', { line: 1 });
      }
      const id = attributes.get('id');
      if (name.toLowerCase() === 'package' && id) list.add(id, attributes.get('version') ?? anyVersion);
    },
  });
}

/** Directory.Packages.props: versions that the projects below share. */
export function parseCentralPackages(text: string, list: PackageList): void {
  for (const [name, version] of versionsIn(parseXml(text), ['PackageVersion', 'GlobalPackageReference'])) {
    list.add(name, version ?? anyVersion);
  }
}

/** *.csproj, *.fsproj, *.vbproj: package references, with versions from Directory.Packages.props above. */
export async function parseProjectFile(
  text: string,
  list: PackageList,
  context: ParseContext,
): Promise<void> {
  const project = parseXml(text);
  const references = versionsIn(project, ['PackageReference']);
  const central = references.some(([, version]) => version === undefined)
    ? await centralVersions(context)
    : undefined;
  for (const [name, version] of references)
    list.add(name, version ?? central?.get(name.toLowerCase()) ?? anyVersion);
}

/** *.props and *.targets: package references that projects import; other programs have files of these names, too. */
export async function parseImport(text: string, list: PackageList, context: ParseContext): Promise<void> {
  if (/<Project[\s>]/.test(text)) await parseProjectFile(text, list, context);
  list.isRecorded = list.size > 0;
}

async function centralVersions(context: ParseContext): Promise<Map<string, string> | undefined> {
  const depth = context.path.split('/').length - 1;
  for (let up = 0; up <= depth; up += 1) {
    const versions = await context.include(
      `${'../'.repeat(up)}Directory.Packages.props`,
      readCentralVersions,
    );
    if (versions) return versions;
  }
  return undefined;
}

function readCentralVersions(text: string): Map<string, string> {
  try {
    const versions = versionsIn(parseXml(text), ['PackageVersion']);
    return new Map(versions.map(([name, version]) => [name.toLowerCase(), version ?? anyVersion]));
  } catch {
    // That file gets its own warning.
    return new Map();
  }
}

/** Names (`Include` or `Update`) with versions, an attribute or a child element, of all items of some names. */
function versionsIn(project: XmlElement, items: readonly string[]): [string, string | undefined][] {
  if (project.name !== 'Project') throw new ParseProblem('its root element is not <Project>', { line: 1 });
  const properties = new Map<string, string>();
  const found: XmlElement[] = [];
  const queue = [...project.children];
  for (const element of queue) {
    if (element.name === 'PropertyGroup') {
      for (const { name, text } of element.children) {
        if (text.length <= maxProperty) properties.set(name.toLowerCase(), text);
      }
    } else if (items.includes(element.name)) found.push(element);
    else for (const child of element.children) queue.push(child);
  }
  const expand = (text: string | undefined) =>
    text === undefined || text.length > maxProperty
      ? text
      : text.replace(
          /\$\(([\w.-]+)\)/g,
          (whole, name: string) => properties.get(name.toLowerCase()) ?? whole,
        );
  return found.flatMap((element) => {
    const { attributes } = element;
    const name = attributes.get('Include') ?? attributes.get('Update');
    const version =
      attributes.get('VersionOverride') ??
      attributes.get('Version') ??
      childText(element, 'VersionOverride') ??
      childText(element, 'Version');
    // One item may name several packages.
    return (name ?? '')
      .split(';')
      .filter((one) => one.trim() !== '')
      .map((one): [string, string | undefined] => [expand(one.trim()) ?? one, exactVersion(expand(version))]);
  });
}

/** `[1.2.3]` is exactly that version; other ranges stay as they are written. */
function exactVersion(version: string | undefined): string | undefined {
  return version?.replace(/^\[([^,[\]]+)\]$/, '$1') || undefined;
}
