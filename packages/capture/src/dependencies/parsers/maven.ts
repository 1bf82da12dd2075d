// Maven: pom.xml. Properties and managed versions come from the file and from its parents in the captured folder.

import { posix } from 'node:path';
import type { ParseContext } from '../fields.ts';
import { anyVersion, type PackageList } from '../package-list.ts';
import { childOf, childrenOf, childText, parseXml, type XmlElement } from '../text/xml.ts';

/** Maximum number of parents that are read. */
const maxParents = 10;
/** Longest text that placeholders may expand to, and longest value of a property that is used, in characters. */
const [maxExpansion, maxProperty] = [4096, 1024];

type Kind = 'dependency' | 'plugin';
type Expand = (value: string | undefined) => string | undefined;

/**
 * pom.xml: dependencies and plugins, including those of profiles, under `group:artifact`. Versions come from the file, its
 * properties and its parents inside the captured folder; one that is managed elsewhere (a parent or a bill of materials from a
 * repository) is `*`. A parent and bills of materials from a repository count as dependencies.
 */
export async function parsePom(text: string, list: PackageList, context: ParseContext): Promise<void> {
  const project = parseXml(text, 'project');
  const { projects, outerParent } = await readParents(project, context);
  const properties = collectProperties(projects);
  const expand: Expand = (value) => value && expandPlaceholders(value, properties);
  const scopes = projects.flatMap((one) => [one, ...profilesOf(one)]);
  const builds = scopes.map((scope) => childOf(scope, 'build'));
  const managed = {
    dependency: managedVersions(scopes, 'dependencyManagement', 'dependency', expand),
    plugin: managedVersions(builds, 'pluginManagement', 'plugin', expand),
  };
  const options: string[] = [];
  const add = (element: XmlElement, kind: Kind) => {
    const name = coordinates(element, kind, expand);
    if (!name) return;
    const version = expand(childText(element, 'version')) ?? managed[kind].get(name);
    // Maven chooses the version of plugins without one.
    if (version || kind === 'dependency') list.add(name, version ?? anyVersion);
    if (kind === 'plugin')
      for (const own of itemsOf(element, 'dependencies', 'dependency')) add(own, 'dependency');
    else options.push(...optionsOf(element).map((said) => `${name} ${expand(said)}`));
  };
  for (const scope of [project, ...profilesOf(project)]) {
    for (const element of itemsOf(scope, 'dependencies', 'dependency')) add(element, 'dependency');
    for (const element of itemsOf(childOf(scope, 'build'), 'plugins', 'plugin')) add(element, 'plugin');
    for (const element of itemsOf(childOf(scope, 'dependencyManagement'), 'dependencies', 'dependency'))
      if (childText(element, 'scope') === 'import') add(element, 'dependency');
  }
  if (childText(project, 'packaging') !== 'pom')
    for (const [name, version] of managed.plugin) if (boundPlugin.test(name)) list.add(name, version);
  if (outerParent) add(outerParent, 'dependency');
  list.setList('options', options);
  const repositories = scopes.flatMap((scope) => [
    ...itemsOf(scope, 'repositories', 'repository'),
    ...itemsOf(scope, 'pluginRepositories', 'pluginRepository'),
  ]);
  const addresses = repositories.flatMap((each) => expand(childText(each, 'url')) ?? []);
  list.set('repositories', [...new Set(addresses)].sort().join(' ').slice(0, maxProperty));
}

/** .mvn/extensions.xml: extensions of the build. */
export function parseMavenExtensions(text: string, list: PackageList): void {
  for (const extension of childrenOf(parseXml(text, 'extensions'), 'extension')) {
    const [group, artifact] = ['groupId', 'artifactId'].map((name) => childText(extension, name));
    if (group && artifact) list.add(`${group}:${artifact}`, childText(extension, 'version') ?? anyVersion);
  }
}

/** Plugins of Maven that run in a project that does not name them. */
const boundPlugin =
  /^org\.apache\.maven\.plugins:maven-(?:clean|compiler|deploy|install|jar|resources|site|surefire)-plugin$/;

/** What a dependency says besides its coordinates: classifier, type, scope, exclusions. */
function optionsOf({ children }: XmlElement): string[] {
  return children.flatMap((child): string[] => {
    if (/^(?:groupId|artifactId|version|relativePath|systemPath)$/.test(child.name)) return [];
    const within = child.children.flatMap(({ children: parts }) => parts.map(({ text }) => text).join(':'));
    return [`${child.name} ${child.text}${within.join(' ')}`];
  });
}

function profilesOf(project: XmlElement): XmlElement[] {
  return itemsOf(project, 'profiles', 'profile');
}

function itemsOf(element: XmlElement | undefined, list: string, item: string): XmlElement[] {
  return childrenOf(childOf(element, list), item);
}

function coordinates(element: XmlElement, kind: Kind, expand: Expand): string | undefined {
  const usual = kind === 'plugin' ? 'org.apache.maven.plugins' : undefined;
  const group = expand(childText(element, 'groupId')) ?? usual;
  const artifact = expand(childText(element, 'artifactId'));
  return group && artifact ? `${group}:${artifact}` : undefined;
}

/** Versions by name; the nearest definition wins. */
function managedVersions(
  holders: readonly (XmlElement | undefined)[],
  management: string,
  kind: Kind,
  expand: Expand,
): Map<string, string> {
  const versions = new Map<string, string>();
  for (const holder of holders) {
    const list = kind === 'dependency' ? 'dependencies' : 'plugins';
    for (const element of itemsOf(childOf(holder, management), list, kind)) {
      const name = coordinates(element, kind, expand);
      const version = expand(childText(element, 'version'));
      if (name && version && !versions.has(name)) versions.set(name, version);
    }
  }
  return versions;
}

/** A project file with its parents, nearest first, and the last one's parent outside the captured folder. */
async function readParents(project: XmlElement, context: ParseContext) {
  const projects = [project];
  let folder = '';
  for (let current = project; projects.length <= maxParents; ) {
    const outerParent = childOf(current, 'parent');
    const relativePath = childOf(outerParent, 'relativePath');
    // An empty <relativePath/> means that the parent is in the repository, never in a folder.
    if (!outerParent || relativePath?.text === '') return { projects, outerParent };
    const written = posix.join(folder, relativePath?.text ?? '../pom.xml');
    const path = written.endsWith('.xml') ? written : posix.join(written, 'pom.xml');
    const found = await context.include(path, readProject);
    if (!found || childText(found, 'artifactId') !== childText(outerParent, 'artifactId'))
      return { projects, outerParent };
    projects.push(found);
    current = found;
    folder = posix.dirname(path);
  }
  return { projects, outerParent: undefined };
}

function readProject(text: string): XmlElement | undefined {
  try {
    return parseXml(text, 'project');
  } catch {
    // A damaged parent gets its own warning.
    return undefined;
  }
}

/** Properties by name; the nearest definition wins. The project's own fields have names that begin with `project.`. */
function collectProperties(projects: readonly XmlElement[]): Map<string, string> {
  const properties = new Map<string, string>();
  const set = (name: string, value: string | undefined) => {
    if (value !== undefined && value.length <= maxProperty && !properties.has(name))
      properties.set(name, value);
  };
  // Properties of an active profile override those of its project.
  for (const project of projects) {
    const isActive = (profile: XmlElement) =>
      childText(childOf(profile, 'activation'), 'activeByDefault') === 'true';
    for (const holder of [...profilesOf(project).filter(isActive), project])
      for (const { name, text } of childOf(holder, 'properties')?.children ?? []) set(name, text);
  }
  for (const project of projects) {
    const parent = childOf(project, 'parent');
    for (const field of ['groupId', 'artifactId', 'version']) {
      const value = childText(project, field) ?? childText(parent, field);
      set(`project.${field}`, value);
      set(`pom.${field}`, value);
      set(`project.parent.${field}`, childText(parent, field));
    }
  }
  return properties;
}

/** Replaces `${name}` repeatedly; unknown names and circular ones stay as they are written. */
function expandPlaceholders(value: string, properties: ReadonlyMap<string, string>): string {
  if (value.length > maxExpansion) return value;
  let text = value;
  for (let round = 0; round < 10 && text.includes('${'); round += 1) {
    const next = text.replace(/\$\{([^${}]+)\}/g, (whole, name: string) => properties.get(name) ?? whole);
    if (next === text || next.length > maxExpansion) break;
    text = next;
  }
  return text;
}
