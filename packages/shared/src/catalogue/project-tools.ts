// Signs, besides dependency files, that a project uses an ecosystem or a tool.

import { compileGlob, type GlobTest } from '../text/glob.ts';
import { ecosystems } from './ecosystems.ts';
import { formatOfFile, toolsOfFile } from './formats.ts';
import catalogue from './project-tools.json' with { type: 'json' };
import { toolNameOf, toolRow } from './tools.ts';

/** An ecosystem of a project. Includes ones without dependency files, such as `docker` and `c`. */
interface ProjectEcosystem {
  readonly name: string;
  /** Names of files that show it and are not dependency files (`*` for any characters), separated by spaces. */
  readonly shownBy: string;
  /** Runtimes that it needs besides those of its dependency files, as captures name them. */
  readonly runtimes: readonly string[];
}

export const projectEcosystems: readonly ProjectEcosystem[] = catalogue.ecosystems.map(
  ({ runtimes, ...row }) => ({ ...row, runtimes: words(runtimes) }),
);

const rows = new Map(projectEcosystems.map((row) => [row.name, row]));

/** Runtimes that everything in an ecosystem needs. */
export function runtimesOfEcosystem(name: string): readonly string[] {
  const known = Object.hasOwn(ecosystems, name)
    ? ((ecosystems as Record<string, { runtimes?: readonly string[] }>)[name]?.runtimes ?? [])
    : [];
  return [...known, ...(rows.get(name)?.runtimes ?? [])];
}

/** Tools that a file shows by its name, if it is not a dependency file. */
const toolsByName = new Map<string, readonly string[]>(Object.entries(catalogue.toolsByFile));

/** Tools that a project with this file needs, as captures name them. */
export function toolsShownBy(file: string): readonly string[] {
  return [...toolsOfFile(file), ...(toolsByName.get(file.slice(file.lastIndexOf('/') + 1)) ?? [])];
}

/** Commands that belong to a tool with another name. */
const commandTools = new Map(Object.entries(catalogue.toolsByCommand));

/** The commands of a tool whose names differ from its own. */
export function commandsOf(tool: string): readonly string[] {
  return [
    tool,
    ...(toolRow(tool)?.aliases ?? []),
    ...[...commandTools].filter(([, name]) => name === tool).map(([command]) => command),
  ];
}

/** Commands that every machine, most people or CI services have. A script that uses them says nothing about the project. */
const everywhere = new Set(
  'bash zsh fish nu powershell git curl wget gpg openssh openssl brew apt dpkg rpm gh glab qemu'.split(' '),
);
const ownKinds = new Set(['version manager', 'version control', 'browser']);

/** The tool of a script's command; undefined if it says nothing about the project. */
export function toolOfCommand(command: string): string | undefined {
  const name = command.replace(/^.*\//, '');
  const tool = commandTools.get(name) ?? toolNameOf(name);
  const row = toolRow(tool);
  return row && !ownKinds.has(row.kind) && !everywhere.has(tool) ? tool : undefined;
}

function words(cell: string): string[] {
  return cell.split(/\s+/).filter((each) => each !== '');
}

const exactNames = new Map<string, string>();
const namePatterns: (readonly [matches: GlobTest, ecosystem: string])[] = [];
for (const { name, shownBy } of projectEcosystems) {
  for (const pattern of words(shownBy)) {
    if (pattern.includes('*')) namePatterns.push([compileGlob(pattern, { syntax: 'paths' }), name]);
    else exactNames.set(pattern, name);
  }
}

/** The ecosystems that a file shows by its name and the name of its folder. */
export function ecosystemsShownBy(file: string): string[] {
  const name = file.slice(file.lastIndexOf('/') + 1);
  const format = formatOfFile(file);
  const exact = exactNames.get(name);
  return [
    ...(format && rows.has(format.ecosystem) ? [format.ecosystem] : []),
    ...(exact === undefined ? [] : [exact]),
    ...namePatterns.filter(([matches]) => matches(name)).map(([, ecosystem]) => ecosystem),
  ];
}
