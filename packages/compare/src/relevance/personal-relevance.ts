// Personal choices on healthy machines, which rarely count. docs/specification.md §12.

import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { runtimesOfEcosystem } from '@envsnap/shared/catalogue/project-tools';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import type { VariableRow } from '@envsnap/shared/catalogue/variables/variable-class';
import { reaches } from '@envsnap/versions';
import { factRowOf } from '../environment/kind.ts';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';
import { splitList } from '../model/ordered-list.ts';
import type { RelevanceContext } from './project-needs.ts';
import { judgeVariable } from './variable-relevance.ts';

export function personalReason(entry: Entry, context: RelevanceContext): string | null {
  if (context.explains) return null;
  // The project's mentions and declarations are known if both captures recorded them.
  const isKnown = context.a.project.isRecorded && context.b.project.isRecorded;
  const reason = choiceReason(entry, context, isKnown) ?? driverReason(entry, context);
  if (reason !== null || !isKnown) return reason;
  return (
    variableReason(entry, context) ??
    systemReason(entry, context) ??
    versionReason(entry, context) ??
    platformReason(entry, context)
  );
}

function choiceReason(entry: Entry, context: RelevanceContext, isKnown: boolean): string | null {
  const { section, key } = entry;
  const { needs } = context;
  const isVariable = section === 'env' || section === 'paths';
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  if (isVariable && (fromDotenv || mentionedIn !== undefined)) return null;
  const fact = isVariable ? undefined : factRowOf(section, key);
  const { personal, family } = (isVariable ? row : fact) ?? {};
  // Applications read the settings of database clients too, so their project has to be known.
  const isClient = isVariable && row?.class === 'application';
  if (!personal || (isClient && !isKnown)) return null;
  if (needs.settings.has(fact?.apply?.by === 'git-config' ? fact.apply.key : key)) return null;
  if (key === 'php.extensions' && lacksRequiredExtension(entry, context)) return null;
  const isLikeIt = (other: VariableRow | undefined) =>
    isClient ? other?.provider === row.provider : family !== undefined && other?.family === family;
  return mentionsAny(needs, isLikeIt) ? null : 'a personal choice, and the project does not mention it';
}

/** Extensions that PHP contains, unless a distribution packages them one by one. */
const contained =
  /^(?:ctype|curl|dom|fileinfo|filter|iconv|json|mbstring|mysqlnd|openssl|pdo|pdo_sqlite|phar|posix|readline|session|simplexml|sodium|sqlite3|tokenizer|xml|xmlreader|xmlwriter|zlib)$/;

/** Whether an extension that the project requires differs. On each operating system, PHP itself contains other extensions. */
function lacksRequiredExtension({ list }: Entry, { needs, a, b }: RelevanceContext): boolean {
  const isSplit = [a, b].every(({ facts }) => [facts?.['php.extensions']].flat().includes('tokenizer'));
  const changed = [...(list?.added ?? []), ...(list?.removed ?? [])];
  return (
    a.os === b.os &&
    changed.some((name) => needs.settings.has(`ext-${name}`) && (isSplit || !contained.test(name)))
  );
}

const notMentioned = 'nothing in the project mentions it';

/**
 * Why a variable that the project does not mention does not count. It counts if both sides have it, if it is known to change
 * programs or to belong to applications, or if it is named like a variable of the project.
 */
function variableReason({ section, key, status }: Entry, { needs, a, b }: RelevanceContext): string | null {
  if (section !== 'env' && section !== 'paths') return null;
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  if (!needs.known || fromDotenv || mentionedIn !== undefined) return null;
  if (/^path$/i.test(key)) {
    const folders = changedFolders(key, { a, b });
    return folders.length > 0 && folders.every(isOfTool) ? 'folders of tools, compared separately' : null;
  }
  if (row?.class === 'tool-setting') return 'a setting of a tool, which the project does not mention';
  if (section === 'paths' && row?.alike === 'place') return 'where a tool is installed';
  const values = [a, b].flatMap(({ variables }) => variables[key] ?? []);
  if (status !== 'changed' && /HOST$/.test(key) && values.every(isHere))
    return 'names this machine, as usual';
  if (row?.likelihood !== undefined && !row.pattern.startsWith('*')) return null;
  if (values.every(isPlace)) return 'where this machine keeps files';
  if (status === 'changed' || isNamedLikeOwn(key, needs)) return null;
  if (isMode.test(key) && !row?.pattern.includes('*')) return null;
  return row?.class === 'application' && !row.pattern.startsWith('*') ? null : notMentioned;
}

/** This machine, or a folder with the sockets of its services: where programs look if nothing else is set. */
function isHere(value: string): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[?::1\]?|\/[^\s:]*)$/.test(value);
}

/** A folder or a file on the machine. */
function isPlace(value: string): boolean {
  return /^(?:~|\/)[^\s:]*$/.test(value);
}

/** Names that switch programs into another mode. */
const isMode = /^APP_|(?:^|_)(?:ENV|ENVIRONMENT|MODE|STAGE|DEBUG|LOG_LEVEL)$/;

/** `STRIPE_PORT` in a project that mentions `STRIPE_KEY`. */
function isNamedLikeOwn(key: string, { variables }: ProjectNeeds): boolean {
  const first = key.split('_', 1)[0] as string;
  return first.length > 2 && [...variables.keys()].some((name) => name.startsWith(`${first}_`));
}

/** Compilers, build tools and libraries, which come with the operating system; only if no failure is being explained. */
function systemReason({ section, key, status, file }: Entry, { a, b }: RelevanceContext): string | null {
  if (section === 'dependencies') {
    if (file === undefined || packageDatabaseOf(file) === undefined) return null;
    const [left, right] = [a, b].map(({ system }) => system.distribution);
    return left !== undefined && left === right ? null : 'from a different release of the operating system';
  }
  if (section !== 'runtimes' || status !== 'changed') return null;
  if ([a, b].some(({ declarations }) => declarations.some(({ tool }) => tool === key))) return null;
  const row = toolRow(key);
  const isOfSystem =
    row?.kind === 'compiler' || (row?.kind === 'build tool' && row.versionsLike === undefined);
  return isOfSystem ? 'the operating system’s own version, and the project declares none' : null;
}

/** Why another version does not count: it also fits the project's declaration, or it is Nix and its tools come from elsewhere. */
function versionReason({ section, key, status, distance }: Entry, context: RelevanceContext): string | null {
  if (section !== 'runtimes') return null;
  const { needs, a, b } = context;
  if (key === 'nix' && status !== 'changed') {
    const { runtimes } = status === 'removed' ? b : a;
    const others = [...needs.ecosystems].filter((name) => name !== 'nix').flatMap(runtimesOfEcosystem);
    return others.some((tool) => Object.hasOwn(runtimes, tool))
      ? 'the tools that it provides are there'
      : null;
  }
  if (status !== 'changed' || distance === null || reaches(distance, 'major')) return null;
  const tool = toolRow(key)?.comesWith ?? key;
  const declared = [a, b].map(({ declarations }) => declarations.filter((each) => each.tool === tool));
  return declared.every((each) => each.length > 0 && each.every(({ satisfied }) => satisfied === true))
    ? 'both fit the version that the project declares'
    : null;
}

function mentionsAny(
  { variables, providers, ignoreCase }: ProjectNeeds,
  test: (row: VariableRow | undefined) => boolean,
): boolean {
  return [...variables.keys()].some((name) => test(describeVariable(name, { providers, ignoreCase })));
}

/** Folders that only one side has; empty if only their order differs. */
function changedFolders(key: string, { a, b }: Pick<RelevanceContext, 'a' | 'b'>): string[] {
  const [left = [], right = []] = [a, b].map(({ variables, os }) => splitList(variables[key] ?? '', os));
  return [
    ...left.filter((folder) => !right.includes(folder)),
    ...right.filter((folder) => !left.includes(folder)),
  ];
}

function isOfTool(folder: string): boolean {
  return /^(?:~|\/opt|\/snap|\/usr\/lib)\//.test(folder);
}

function driverReason({ section, key, status, a, b }: Entry, context: RelevanceContext): string | null {
  if (key === 'loader.preload') {
    const libraries = [a, b]
      .filter((value) => value !== 'none')
      .join(', ')
      .split(', ');
    return libraries.every((library) => allocator.test(library)) ? 'a different memory allocator' : null;
  }
  if (section !== 'paths') return null;
  const changed = changedFolders(key, context);
  const { variables } = status === 'removed' ? context.a : context.b;
  if (status !== 'changed' && variables.LOADEDMODULES !== undefined) return 'set by environment modules';
  const isDriver =
    changed.length > 0 && changed.every((folder) => providedFolder.test(folder) || allocator.test(folder));
  return isDriver ? 'set by a tool or driver' : null;
}

/** Libraries that images and their users load before others, to use less memory. */
const allocator = /\/lib(?:jemalloc|tcmalloc\w*|mimalloc)\.so[.\d]*$/;

/** Folders of a graphics driver, of a tool that a runner installed, or of Nix, Guix or Homebrew. */
const providedFolder =
  /^(?:$|\/(?:usr|opt)\/.*(?:cuda|rocm)|\/opt\/(?:hostedtoolcache|homebrew)\/|\/(?:nix|gnu)\/store\/|\/home\/linuxbrew\/)/;

function platformReason({ section, key }: Entry, { a, b }: RelevanceContext): string | null {
  if (section === 'os' || section === 'arch') return 'the project does not ask for a platform';
  if (a.os === b.os) return null;
  if (section === 'paths') return 'each operating system has its own folders';
  const isOfSystem = section === 'facts' && /^(?:fs|git\.core|limits|memory|program)\./.test(key);
  return isOfSystem ? 'comes with the operating system' : null;
}

/** Whether two lists of options differ in memory, jobs, mirrors or what a program prints, and nothing else. */
export function differInSizesOnly(a: string | null, b: string | null): boolean {
  return withoutSizes(a) === withoutSizes(b);
}

/** Options of V8, the Java virtual machine, make, and Bundler: where it stores packages and how it builds them. */
const sizes =
  /^(?:--max[-_](?:old|semi|heap)[-_](?:space[-_])?size(?:[-_]percentage)?(?:=\d+)?|-X(?:m[snx]|ss)\d+[kmgtKMGT]?|-XX:(?:Max|Min|Initial)[A-Za-z]*(?:Size|Percentage)=[\d.]+[kmgtKMGT]?|(?:path|jobs|retry|deployment|frozen|build\.[\w-]+)[=:].*|-j\d*|--jobs(?:=\d+)?|\d+)$/;

/** Options of Node.js, make, Ruby, Python, pytest, Go and Java that change only what is shown or what a binary says of its build. */
const messages =
  /^(?:--(?:no-)?(?:warnings|deprecation|print-directory|header|summary)|--trace-(?:warnings|deprecation|uncaught)|--disable-warning=\S+|--enable-source-maps|--(?:silent|quiet|verbose|color(?:=\w+)?)|-[qsvw]+|-W(?:[012]|:no-\w+)|(?:ignore|default|once|module|always)(?::\S*)?|-Dapple\.awt\.\S+|--enable-native-access=\S+|-buildvcs(?:=\w+)?|-trimpath)$/;

function withoutSizes(options: string | null): string {
  const words = /^(?:none|default)$/.test(options ?? '')
    ? []
    : (options ?? '').replace(/\bmirror \S+ → \S+|-kernel(?: shell_history\w* \S+)+/g, '').split(/\s+/);
  return words.filter((word) => word !== '' && !sizes.test(word) && !messages.test(word)).join(' ');
}
