// Findings on one machine: packages that differ from the lock file, lock files without installed packages, declared
// versions that its tools do not meet. docs/specification.md §11.

import { installCommandOf, lockLacksPlatform, reinstallCommandOf } from '@envsnap/shared/catalogue/formats';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { pathWord, shellWord, wordsOnly } from '@envsnap/shared/text/visible';
import { type Environment, environmentOf } from '../environment/environment.ts';
import { declarationsByKey } from './compare-values.ts';
import { directFirst, directPackages } from './direct-packages.ts';
import installers from './install-commands.json' with { type: 'json' };
import { installCommands, ownEnvironment } from './install-tool.ts';
import type { ComparableEnvironment, ComparisonNote } from './model.ts';

/** Represents all development packages, if none of them is installed. */
export const developmentKey = 'devDependencies';

/** Production installs leave out development packages, so the same command would not install them. pnpm asks before it
 * replaces the folders of a production install. Yarn 2 and later refuse --production. */
const withDevelopment: Readonly<Record<string, string>> = installers.withDevelopment;

/** `locked` is null if the lock file does not have the package; the message is a sentence without its full stop. */
export type InstalledFinding = ReturnType<typeof installedFindings>[number];

export function installedFindings(snapshot: ComparableEnvironment) {
  const environment = environmentOf(snapshot);
  // Several files of a project describe one environment of Python.
  const reported = new Set<string>();
  const isNew = (key: string) => !reported.has(key) && reported.add(key);
  const findings = Object.entries(environment.installed).flatMap(([file, packages]) => {
    const lockedPackages = environment.dependencies[file] ?? {};
    const direct = directPackages(file, environment);
    return Object.entries(packages)
      .map(([name, version]) => {
        const locked = Object.hasOwn(lockedPackages, name) ? (lockedPackages[name] as string) : null;
        const context = environment.driftOf(file, name);
        const { requiredBy, folder } = context;
        const dependents =
          requiredBy.length > 0
            ? `, which ${requiredBy.join(' and ')} ${requiredBy.length > 1 ? 'need' : 'needs'},`
            : '';
        return {
          file,
          name,
          installed: version || null,
          locked,
          direct: direct.has(name),
          ...context,
          message: `${name}${dependents} ${stateOf(version, locked, file)}${folder !== null && version ? ` (${folder})` : ''}`,
          command: commandFor(file, {
            name,
            version,
            folder,
            shell: environment.shell,
            os: environment.os,
            manager: declaredManager(file, environment.declarations),
          }),
        };
      })
      .map(({ command, ...each }) => ({ ...each, command, advice: command ?? extensionAdvice(each.name) }))
      .sort(directFirst);
  });
  return findings.filter(({ name, message, advice }) => name !== 'python' || isNew(`${message}: ${advice}`));
}

/** Composer does not install what PHP itself loads. */
function extensionAdvice(name: string): string | null {
  const extension = /^ext-([\w-]+)$/.exec(name)?.[1];
  return extension === undefined
    ? null
    : `install the extension ${extension} for PHP, or enable it in a file that “php --ini” lists`;
}

function stateOf(version: string, locked: string | null, file: string): string {
  // A package of several versions lacks some of them.
  const [lockedVersions, present] = [locked, version].map((text) => (text ?? '').split(', '));
  const lacking = lockedVersions?.filter((each) => !present?.includes(each)) ?? [];
  if (version && present && lacking.length > 0 && lacking.length + present.length === lockedVersions?.length)
    return `is not installed in version ${lacking.join(', ')}, ${file} says ${locked}`;
  const [, own, flaw] = /^(\d\S*?)((?:,| without) \D.*)$/s.exec(version) ?? [];
  if (own !== undefined && own === locked) return `${own} is installed${flaw}`;
  if (locked === null && / |^(?!\d)/.test(version)) return version === '' ? 'is missing' : `is ${version}`;
  const says =
    locked === null
      ? `${file} does not have it`
      : `${file} ${locked === '*' ? 'asks for it' : `says ${locked}`}`;
  if (!version) return `is not installed, ${says}`;
  return /^\d/.test(version) ? `${version} is installed, ${says}` : `is ${version}, ${says}`;
}

/** Lock files with nothing installed, as in a fresh clone; those of the project's own folder come first. */
export function notInstalledFindings(snapshot: ComparableEnvironment) {
  const depth = (file: string) => file.split('/').length;
  const environment = environmentOf(snapshot);
  const isClosed = environment.fact('python.externallyManaged') === true;
  return [...environment.notInstalled]
    .sort((x, y) => depth(x) - depth(y) || (x < y ? -1 : 1))
    .map((file) => ({
      file,
      message: `nothing from ${file} is installed`,
      advice: firstInstallOf(file, environment, isClosed),
    }));
}

/** The command that installs a file's packages. `isApart`: pip needs an environment, so one is made if none is active. */
export function firstInstallOf(file: string, environment: Environment, isApart: boolean): string | null {
  const { variables, declarations, shell, os } = environment;
  const isActive = 'VIRTUAL_ENV' in variables || 'CONDA_PREFIX' in variables;
  const manager = declaredManager(file, declarations);
  return commandFor(file, { manager, shell, os, lacksEnvironment: isApart && !isActive });
}

/** The package manager that a manifest without a lock file, or one in a folder above, names. */
export function declaredManager(
  file: string,
  declarations: readonly { readonly tool: string; readonly file: string }[],
): string | undefined {
  const [manifest] = /(?:package\.json|pyproject\.toml)$/.exec(file) ?? [];
  if (manifest === undefined) return undefined;
  // `web/package.json packageManager`
  const folderOf = (source: string) => source.slice(0, source.replace(/ .*/s, '').lastIndexOf('/') + 1);
  const above = declarations.filter((each) => file.startsWith(folderOf(each.file)));
  // `[tool.poetry]` says for which Python it is.
  if (manifest === 'pyproject.toml')
    return above.some((each) => /pyproject\.toml (?:requires-)?poetry$/.test(each.file))
      ? 'poetry'
      : undefined;
  return above.find((each) => /^(?:pnpm|yarn|bun)$/.test(each.tool))?.tool;
}

export type NotInstalledFinding = ReturnType<typeof notInstalledFindings>[number];

/** Lock files with everything installed but the development packages. */
export function leftOutFindings(snapshot: ComparableEnvironment): NotInstalledFinding[] {
  return [...environmentOf(snapshot).withoutDevelopment].sort().map((file) => ({
    file,
    message: `the development packages of ${file} are not installed`,
    advice: commandFor(file, { name: developmentKey }),
  }));
}

/** One note for each lock file with nothing installed on one side only: its packages could not be compared. */
export function notInstalledNotes(a: Environment, b: Environment): ComparisonNote[] {
  const [inA, inB] = [a.notInstalled, b.notInstalled];
  return [...new Set([...inA, ...inB])].sort().flatMap((file): ComparisonNote[] => {
    const [side, other] = inA.has(file) ? (['A', b] as const) : (['B', a] as const);
    // If the other side has no such file, it cannot be compared.
    if ((inA.has(file) && inB.has(file)) || other.dependencies[file] === undefined) return [];
    const command = commandFor(file);
    const next =
      command === null ? '' : ` Run “${command}” in the project's folder on ${side}, then compare again.`;
    const message = `Nothing from ${file} is installed in ${side}, so the installed packages could not be compared.${next}`;
    return [{ code: 'not_installed', message }];
  });
}

/** A package that differs from the lock file: its installed version or state, and its folder, if they are known. */
interface Drifted {
  /** Absent for all packages of the file. */
  readonly name?: string | undefined;
  /** The package manager, if not the usual one. */
  readonly manager?: string | undefined;
  readonly version?: string | undefined;
  readonly folder?: string | null | undefined;
  /** The name of the person's shell. */
  readonly shell?: string | undefined;
  /** The operating system that runs the command. */
  readonly os?: string | null | undefined;
  /** Whether pip first needs a virtual environment. */
  readonly lacksEnvironment?: boolean;
}

/**
 * `npm ci` in the lock file's folder, quoted for a shell. If Python itself is broken, pip cannot install anything. If
 * another environment is active, the command first activates the right one.
 */
export function commandFor(file: string, drifted?: Drifted): string | null {
  // Composer does not install PHP extensions.
  if (drifted?.name?.startsWith('ext-') && /composer\.(?:lock|json)$/.test(file)) return null;
  const slash = file.lastIndexOf('/');
  const install = installCommandOf(file);
  const command = drifted?.manager
    ? `${drifted.manager} install`
    : drifted?.name === developmentKey
      ? install && (withDevelopment[install] ?? install)
      : drifted?.version === lockLacksPlatform
        ? `rm -rf node_modules ${shellWord(file.slice(slash + 1))} && npm install`
        : drifted?.name !== undefined
          ? reinstallCommandOf(file)?.replace(' {name}', () => wordOf(drifted.name))
          : install;
  // Poetry installs nothing that it finds a record of, even if the files are gone.
  const forget =
    command === 'poetry install' &&
    drifted?.name &&
    !drifted.name.startsWith('-') &&
    drifted.version?.includes(' without ')
      ? `poetry run pip uninstall --yes ${shellWord(drifted.name)} && `
      : '';
  const named =
    activationOf(drifted) ??
    (command?.startsWith('pip ') ? pipCommand(command, drifted) : command && forget + command);
  return named === undefined ? null : inFolderOf(file, named);
}

/** A name after a space; empty for one that would be a flag. */
function wordOf(name = ''): string {
  return name.startsWith('-') ? '' : ` ${shellWord(name)}`;
}

export function inFolderOf(file: string, command: string): string {
  const slash = file.lastIndexOf('/');
  const folder = file.slice(0, Math.max(slash, 0));
  return slash < 0 ? command : `cd ${pathWord(folder)} && ${command}`;
}

/** The virtual environment whose Python runs, and the project's, if they are not the same. */
export function otherPython(name: string | undefined, version: string | null) {
  const [, active, own] = /^in (.*), the project's is (\S+)$/s.exec(version ?? '') ?? [];
  return name === 'python' && active !== undefined && own !== undefined ? { active, own } : undefined;
}

/** Paths with backslashes are those of Windows. */
function activationOf({ name, version = '', shell }: Partial<Drifted> = {}): string | undefined {
  const other = otherPython(name, version);
  return other && activationLine(other.own, other.active.includes('\\'), shell);
}

/** Quoted for the machine's shell. */
export function activationLine(own: string, isWindows: boolean, shell?: string): string | undefined {
  // No quoting works in all shells of Windows.
  if (isWindows) return /^[\w.-]+$/.test(own) ? `${own}\\Scripts\\activate` : undefined;
  return `. ${pathWord(own)}/bin/activate${shell === 'fish' ? '.fish' : ''}`;
}

function pipCommand(install: string, drifted: Drifted = {}): string {
  const { name, version = '', folder, shell, os, lacksEnvironment = false } = drifted;
  const isWindows = os === 'win32';
  if (lacksEnvironment && !isWindows)
    return `python3 -m venv .venv && . .venv/bin/activate${shell === 'fish' ? '.fish' : ''} && ${install}`;
  if (name === 'python' || lacksEnvironment)
    return isWindows
      ? `python -m venv --clear .venv && .venv\\Scripts\\${install}`
      : `python3 -m venv --clear .venv && .venv/bin/${install}`;
  // pip relies on its own record, even if the files of a package are gone.
  const [, hollow] = /^(\S+) without /.exec(version) ?? [];
  const command =
    hollow === undefined || name === undefined || name.startsWith('-')
      ? install
      : `pip install --force-reinstall --no-deps ${shellWord(`${name}==${hollow}`)}`;
  if (isWindows) return folder && /^[\w.-]+$/.test(folder) ? `${folder}\\Scripts\\${command}` : command;
  const word = folder?.startsWith('~/') ? shellWord(folder) : folder && pathWord(folder);
  return word ? `${word}/bin/${command}` : command;
}

/** By key: tools with another version than the project declares, and missing tools. Unknown versions are left out. */
export function unmetDeclarations(snapshot: ComparableEnvironment) {
  const environment = environmentOf(snapshot);
  return Object.entries(declarationsByKey(environment)).flatMap(([key, declared]) => {
    const { tool, file, requirement, present, satisfied } = declared;
    const isUnknown = environment.whyUnknown({ section: 'runtimes', name: tool }) !== undefined;
    const isBrought = toolRow(tool)?.broughtBy !== undefined;
    if (isBrought || (present === null ? isUnknown : satisfied !== false)) return [];
    const is = present === null ? 'was not found' : `is ${present}`;
    const message = `${tool} ${is}, ${file || 'the project'} asks for ${requirement}`;
    const own = present === null ? undefined : ownEnvironment(tool, environment.variables.VIRTUAL_ENV);
    const commands = /^\d+(?:\.\d+){2}$/.test(requirement)
      ? installCommands(tool, requirement, (manager) => environment.hasManager(manager), own)
      : [];
    const again = own === undefined ? '' : `, and make ${own} again with it`;
    const advice = commands.join(' && ') || `install ${wordsOnly(tool)} ${wordsOnly(requirement)}${again}`;
    return { key, tool, file, requirement, present, message, advice, commands };
  });
}

/** Tools that are there in the version that is declared, or whose version nothing here can judge (`met` is null). */
export function otherDeclarations(snapshot: ComparableEnvironment) {
  const all = Object.values(declarationsByKey(environmentOf(snapshot)));
  return all.flatMap(({ tool, file, requirement, present, satisfied: met }) =>
    present === null || met === false ? [] : { tool, file, requirement, present, met },
  );
}

export type UnmetDeclaration = ReturnType<typeof unmetDeclarations>[number];
