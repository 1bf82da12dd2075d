// What the project in a folder asks for: ecosystems, tools, and the variables it mentions. docs/specification.md §12.
// A bounded read of regular files; nothing of the folder is followed, loaded or obeyed.

import { ecosystemsShownBy, toolsShownBy } from '@envsnap/shared/catalogue/project-tools';
import { below } from '../dependencies/walk/walk.ts';
import { sortedRecord } from '../sorted-record.ts';
import { type CachedKind, type FileCache, isTextList, noFileCache } from '../system/file-cache.ts';
import type { System } from '../system/system.ts';
import type { Mentions } from './mentions.ts';
import { dottedFolders, isTest, readerOf } from './project-files.ts';

/** `metadata.project`. All lists and keys are sorted. */
export interface ProjectFacts {
  /** Ecosystems that files of the project show. */
  readonly ecosystems: readonly string[];
  /** Runtimes and tools that lock files, scripts, CI definitions and images ask for, as captures name them. */
  readonly tools: readonly string[];
  /** Variables that the project mentions, each with the first file that does. */
  readonly variables: Readonly<Record<string, string>>;
  /** Settings of git that the project mentions; absent where it mentions none. */
  readonly settings?: readonly string[];
}

interface ReadLimits {
  readonly folders: number;
  readonly depth: number;
  readonly entries: number;
  readonly files: number;
  /** Bytes of one file; the rest of a longer one is not read. */
  readonly fileBytes: number;
  readonly variables: number;
}

const defaultLimits: ReadLimits = {
  folders: 400,
  depth: 4,
  entries: 20_000,
  files: 120,
  fileBytes: 128 * 1024,
  variables: 500,
};

/** What is installed or built, and what others wrote. */
const excludedFolders = new Set(
  'node_modules bower_components vendor target dist build out venv env __pycache__ coverage testdata fixtures Pods DerivedData'.split(
    ' ',
  ),
);

/** The parts of a machine that are needed. */
type ProjectReader = Pick<System, 'readDirectory' | 'readFileStart'> & {
  readonly fileCache?: FileCache;
};

const cachedMentions: CachedKind<Mentions> = {
  name: 'mentions',
  is: (value): value is Mentions => {
    const { variables, tools, settings, own } = (value ?? {}) as Partial<Mentions>;
    return [variables, tools, settings, own].every(isTextList);
  },
};

function distinct(mentions: Mentions | undefined): Mentions | undefined {
  const { variables, tools, settings = [], own = [] } = mentions ?? { variables: [], tools: [] };
  return (
    mentions && {
      variables: [...new Set(variables)],
      tools: [...new Set(tools)],
      settings: [...new Set(settings)],
      own,
    }
  );
}

/** Reads what the project in `folder` asks for. Never rejects: what cannot be read says nothing. */
export async function readProject(
  system: ProjectReader,
  folder: string,
  limits: ReadLimits = defaultLimits,
): Promise<ProjectFacts> {
  const ecosystems = new Set<string>();
  const tools = new Set<string>();
  const mentioned: (readonly [path: string, tool: string])[] = [];
  /** Of folders, each with `/` at its end: what is installed for them and all below. */
  const own = new Map<string, ReadonlySet<string>>();
  const paths: string[] = [];
  const tests: string[] = [];
  for (const path of await listFiles(system, folder, limits)) {
    for (const ecosystem of ecosystemsShownBy(path)) ecosystems.add(ecosystem);
    for (const tool of toolsShownBy(path)) tools.add(tool);
    if (readerOf(path)) (isTest(path) ? tests : paths).push(path);
  }
  const variables = new Map<string, string>();
  const settings = new Set<string>();
  for (const path of [...paths, ...tests].slice(0, limits.files)) {
    const absolute = below(folder, path);
    const mentions = await (system.fileCache ?? noFileCache).of(cachedMentions, absolute, async () => {
      const text = await readText(system, absolute, limits.fileBytes);
      return text === undefined ? undefined : distinct(readerOf(path)?.(text));
    });
    for (const name of mentions?.variables ?? []) {
      if (name.length <= 100 && variables.size < limits.variables && !variables.has(name))
        variables.set(name, path);
    }
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

/** Regular files, folder by folder from the top, so that a limit leaves out what lies deepest. */
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
      // A folder of its own repository is another project; a virtual environment is not a project.
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

async function readText(system: ProjectReader, file: string, maxBytes: number): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await system.readFileStart(file, maxBytes));
  } catch {
    return undefined;
  }
}
