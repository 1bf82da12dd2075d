// Finds out about a command that was not found: similar names, and where the project gets the program from.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { claimOf, commandFor, environmentOf, unmetDeclarations } from '@envsnap/compare/workspace';
import type { ComparableEnvironment } from '@envsnap/compare/workspace/model/model';
import { toolOfCommand } from '@envsnap/shared/catalogue/project-tools';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { recordOf } from '@envsnap/shared/plain-object';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { shellWord } from '@envsnap/shared/text/visible';
import { commandFromBelow } from '../actions/comparison/repairs-from-below.ts';
import { readInputFile } from '../actions/documents/read-input-file.ts';
import { foldersOnPath, isExecutable, namesIn, programFolders } from './find-program.ts';
import usual from './usual-files.json' with { type: 'json' };

export interface MissingCommand {
  readonly name: string;
  /** Facts about it, a sentence each without its full stop. */
  readonly known: readonly string[];
  /** The words to use in its place, or a command that installs it; null if neither is known. */
  readonly next: string | null;
}

const mostNames = 20_000;
/** How the package managers run a program from a package of their lock file. */
const runners: readonly (readonly [file: RegExp, runner: string])[] = [
  [/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, 'npx'],
  [/(?:^|\/)pnpm-lock\.yaml$/, 'pnpm exec'],
  [/(?:^|\/)yarn\.lock$/, 'yarn run'],
  [/(?:^|\/)bun\.lockb?$/, 'bunx'],
  [/(?:^|\/)uv\.lock$/, 'uv run'],
  [/(?:^|\/)poetry\.lock$/, 'poetry run'],
  [/(?:^|\/)Pipfile\.lock$/, 'pipenv run'],
  [/(?:^|\/)Gemfile\.lock$/, 'bundle exec'],
];

/** The command that was not found according to the end of the output; undefined if it does not say so. */
export function commandNotFoundIn(output: string): string | undefined {
  const lines = output.slice(-8000).split(/\r?\n/);
  const claim = lines
    .map((line) => claimOf(line.trim()))
    .findLast((each) => each?.kind === 'missing command');
  return claim?.kind === 'missing command' ? claim.name : undefined;
}

/** Finds out what the project in a folder, and this machine, know about a command. */
export async function findMissingCommand(
  [name = '', ...args]: readonly string[],
  snapshot: ComparableEnvironment,
  folder: string,
): Promise<MissingCommand> {
  const known: string[] = [];
  let next: string | null = null;
  const advise = (sentence: string, command: string | null) => {
    known.push(sentence);
    next ??= command;
  };
  const base = path.basename(name);
  const environment = environmentOf(snapshot);
  const scripts = await scriptsOf(folder);
  if (scripts.includes(base))
    advise(
      `package.json has a script ${base}`,
      [managerOf(environment.dependencies), 'run', base].map(shellWord).join(' '),
    );
  const programs = programFolders.flatMap((place) =>
    namesIn(path.join(folder, place)).map((program) => ({ program, place })),
  );
  const lockFile = Object.entries(environment.dependencies).find(([, packages]) =>
    Object.hasOwn(packages, packageOf(base)),
  )?.[0];
  const runner = runners.find(([file]) => lockFile !== undefined && file.test(lockFile))?.[1];
  const installed = programs.find(({ program }) => program === base);
  if (installed && !existsSync(path.join(folder, installed.place, base)))
    advise(`${installed.place}/${base} is a broken link`, 'envsnap check');
  else if (installed)
    advise(
      `It is in ${installed.place}, which is not on PATH`,
      runner === undefined
        ? [`${installed.place}/${base}`, ...args].map(shellWord).join(' ')
        : [runner, ...[base, ...args].map(shellWord)].join(' '),
    );
  else if (lockFile !== undefined) {
    const install = commandFor(lockFile);
    const above = path.relative(process.cwd(), folder) || undefined;
    advise(`${lockFile} has it, but it is not installed`, install && commandFromBelow(install, above));
  }
  const tool = toolOfCommand(base);
  const declared = unmetDeclarations(snapshot).find((each) => each.tool === (tool ?? base));
  if (declared?.present === null)
    advise(
      `${declared.file} asks for ${declared.tool} ${declared.requirement}`,
      declared.commands.join(' && ') || null,
    );
  const runtime = toolRow(tool ?? base)?.comesWith;
  if (runtime !== undefined && environment.runtimes[runtime] === undefined)
    advise(`It comes with ${runtime}, which was not found either`, null);
  if (known.length === 0) {
    const ofProject = [...scripts, ...programs.map(({ program }) => program)];
    const onPath = foldersOnPath().flatMap((folder) =>
      namesIn(folder).filter((name) => isExecutable(path.join(folder, name))),
    );
    const others = new Set([...ofProject, ...usual.packageManagers, ...onPath]);
    others.delete(base);
    const alike = [...others].filter((other) => other[0] === base[0]);
    const near = nearestName(base, alike.slice(0, mostNames));
    if (near !== undefined) advise(`Did you mean ${near}?`, null);
  }
  return { name, known, next };
}

/** The script that `npm run` or the like was given and package.json lacks; null if it has it, or if that is uncertain. */
export async function findMissingScript(
  [manager = '', verb = '', ...words]: readonly string[],
  folder: string,
): Promise<MissingCommand | null> {
  const name = verb === 'test' ? verb : /^run(?:-script)?$/.test(verb) ? words.shift() : undefined;
  const others = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined);
  // A flag may lead to another manifest; Yarn and Bun run programs as well.
  if (!/^p?npm$/.test(manager) || !name || [name, ...others].some((word) => /^[-/]/.test(word))) return null;
  const scripts = await scriptsOf(folder);
  if (scripts.length === 0 || scripts.includes(name)) return null;
  const near = nearestName(name, scripts);
  const instead =
    near === undefined ? `It has ${scripts.slice(0, mostScripts).join(', ')}` : `Did you mean ${near}?`;
  const next = near === undefined ? null : [manager, 'run', near, ...words].map(shellWord).join(' ');
  return { name, known: [`package.json has no script ${name}`, instead], next };
}

const mostScripts = 8;

function packageOf(program: string): string {
  return program === 'tsc' ? 'typescript' : program;
}

const mostManifestBytes = 4 * 1024 * 1024;

/** Names of the scripts of a manifest; none if it cannot be read. */
export async function scriptsOf(folder: string, file = 'package.json'): Promise<string[]> {
  try {
    const limits = { errorCode: 'manifest_unreadable', maxBytes: mostManifestBytes };
    const manifest: unknown = JSON.parse(await readInputFile(path.join(folder, file), limits));
    return Object.keys(recordOf(recordOf(manifest).scripts));
  } catch {
    return [];
  }
}

function managerOf(dependencies: Readonly<Record<string, unknown>>): string {
  const files = Object.keys(dependencies).map((file) => path.posix.basename(file));
  if (files.includes('pnpm-lock.yaml')) return 'pnpm';
  if (files.includes('yarn.lock')) return 'yarn';
  return files.some((file) => file.startsWith('bun.lock')) ? 'bun' : 'npm';
}
