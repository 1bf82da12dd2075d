// Reads the needs of the project in a folder: ecosystems, tools, and mentioned variables. docs/specification.md §12. Reads a
// limited number of regular files; follows no links, and loads and obeys nothing from the folder.

import { ecosystemsShownBy, toolsShownBy } from '@envsnap/shared/catalogue/project-tools';
import { below } from '../dependencies/walk/walk.ts';
import { sortedRecord } from '../sorted-record.ts';
import { type FileCache, noFileCache } from '../system/file-cache.ts';
import type { System } from '../system/system.ts';
import type { Mentions } from './mentions.ts';
import { dottedFolders, isSource, isTest, readerOf } from './project-files.ts';

/** `metadata.project`. All lists and keys are sorted. */
export interface ProjectFacts {
  readonly ecosystems: readonly string[];
  /** Runtimes and tools that lock files, scripts, CI definitions and images need, by their names in captures. */
  readonly tools: readonly string[];
  /** Variables that the project mentions, each with the first file that does. */
  readonly variables: Readonly<Record<string, string>>;
  /** Settings of git and extensions of PHP that the project asks for; absent if there are none. */
  readonly settings?: readonly string[];
}

/** `fileBytes`: limit for one file; the rest of a longer file is not read. */
const defaultLimits = {
  folders: 400,
  depth: 4,
  entries: 20_000,
  files: 120,
  sources: 200,
  fileBytes: 128 * 1024,
  variables: 500,
};
type ReadLimits = typeof defaultLimits;

/** Folders with installed, built or vendored files. */
const excludedFolders = new Set(
  `node_modules bower_components vendor target dist build out venv env __pycache__ coverage testdata fixtures Pods
  DerivedData`.split(/\s+/),
);

type ProjectReader = Pick<System, 'readDirectory' | 'readFile'> & {
  readonly fileCache?: FileCache;
};

function distinct({ variables, tools, settings = [], own = [] }: Mentions): Mentions {
  const once = (texts: readonly string[]) => [...new Set(texts)];
  return { variables: once(variables), tools: once(tools), settings: once(settings), own };
}

/** Reads the needs of the project in `folder`. Never rejects; ignores files that cannot be read. */
export async function readProject(
  system: ProjectReader,
  folder: string,
  limits: ReadLimits = defaultLimits,
): Promise<ProjectFacts> {
  const ecosystems = new Set<string>();
  const tools = new Set<string>();
  const mentioned: [path: string, tool: string][] = [];
  /** The tools that are installed for a folder (with `/` at its end) and all folders below it. */
  const own = new Map<string, ReadonlySet<string>>();
  const paths = await listFiles(system, folder, limits);
  for (const path of paths) {
    for (const ecosystem of ecosystemsShownBy(path)) ecosystems.add(ecosystem);
    for (const tool of toolsShownBy(path)) tools.add(tool);
  }
  const read = Map.groupBy(paths.filter(readerOf), kindOf);
  const asking = [...(read.get('asks') ?? []), ...(read.get('test') ?? [])];
  const sources = read.get('source') ?? [];
  const variables = new Map<string, string>();
  const settings = new Set<string>();
  for (const path of [...asking.slice(0, limits.files), ...sources.slice(0, limits.sources)]) {
    const absolute = below(folder, path);
    const mentions = await (system.fileCache ?? noFileCache).of('mentions', absolute, async () => {
      const bytes = await system.readFile(absolute, { length: limits.fileBytes }).catch(() => undefined);
      const mentions = bytes && readerOf(path)?.(new TextDecoder().decode(bytes));
      return mentions && distinct(mentions);
    });
    for (const name of mentions?.variables ?? [])
      if (name.length <= 100 && variables.size < limits.variables && !variables.has(name))
        variables.set(name, path);
    for (const name of mentions?.settings ?? []) settings.add(name);
    for (const tool of mentions?.tools ?? []) mentioned.push([path, tool]);
    if (mentions?.own?.length) own.set(path.slice(0, path.lastIndexOf('/') + 1), new Set(mentions.own));
  }
  for (const [path, tool] of mentioned)
    if (![...own].some(([above, installed]) => path.startsWith(above) && installed.has(tool)))
      tools.add(tool);
  return {
    ecosystems: [...ecosystems].sort(),
    tools: [...tools].sort(),
    variables: sortedRecord(variables),
    ...(settings.size > 0 && { settings: [...settings].sort() }),
  };
}

function kindOf(path: string): 'source' | 'test' | 'asks' {
  return isSource(path) ? 'source' : isTest(path) ? 'test' : 'asks';
}

/** Regular files, folder by folder from the top, so that a limit leaves out the deepest ones. */
async function listFiles(system: ProjectReader, folder: string, limits: ReadLimits): Promise<string[]> {
  const files: string[] = [];
  let level = [''];
  let folders = 0;
  let entriesSeen = 0;
  for (let depth = 0; depth < limits.depth && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const at of level) {
      folders += 1;
      if (folders > limits.folders || entriesSeen > limits.entries) return files;
      const entries = await system.readDirectory(below(folder, at)).catch(() => []);
      entriesSeen += entries.length;
      // A nested repository is another project; a virtual environment is not a project.
      if (at !== '' && entries.some(({ name }) => name === '.git' || name === 'pyvenv.cfg')) continue;
      for (const { name, kind } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        const path = at === '' ? name : `${at}/${name}`;
        if (kind === 'file') files.push(path);
        else if (kind === 'directory' && isProjectFolder(name)) next.push(path);
      }
    }
    level = next;
  }
  return files;
}

function isProjectFolder(name: string): boolean {
  return name.startsWith('.') ? dottedFolders.has(name) : !excludedFolders.has(name);
}
