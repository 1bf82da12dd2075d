// Which of the runtimes on a machine its project needs: those that are declared, or whose dependency files are there.

import { type Ecosystem, ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import { declaredVersions } from '../model/compare-toolchain.ts';
import type { ComparableEnvironment } from '../model/model.ts';

export interface RuntimeChoice {
  /** Name and version, sorted by name. */
  readonly needed: readonly (readonly [name: string, version: string])[];
  /** What else is on the machine. */
  readonly others: readonly (readonly [name: string, version: string])[];
}

const runtimesOfEcosystem: Partial<Record<Ecosystem, readonly string[]>> = {
  npm: ['node'],
  pypi: ['python'],
  go: ['go'],
  cargo: ['rustc', 'cargo'],
  rubygems: ['ruby', 'bundler'],
  maven: ['java'],
  nuget: ['dotnet'],
  composer: ['php', 'composer'],
  pub: ['dart', 'flutter'],
  hex: ['elixir', 'erlang'],
  swift: ['swift'],
  hackage: ['ghc', 'cabal', 'stack'],
  julia: ['julia'],
  cran: ['r'],
  terraform: ['terraform'],
  helm: ['helm'],
};

/** Tools that a certain dependency file needs beside its ecosystem's runtime. */
const toolsOfFile: Record<string, readonly string[]> = {
  'package-lock.json': ['npm'],
  'npm-shrinkwrap.json': ['npm'],
  'pnpm-lock.yaml': ['pnpm'],
  'yarn.lock': ['yarn'],
  'bun.lock': ['bun'],
  'deno.lock': ['deno'],
  'uv.lock': ['uv'],
  'poetry.lock': ['poetry'],
  'pdm.lock': ['pdm'],
  'Pipfile.lock': ['pipenv'],
  'pom.xml': ['maven'],
  'gradle.lockfile': ['gradle'],
};

const languages = 'node python go rustc ruby java dotnet php deno bun'.split(' ');

/** One remark on what else is on the machine; none where there is nothing else. */
export function notPinned(others: RuntimeChoice['others']): string[] {
  if (others.length === 0) return [];
  const list = others.map(([name, version]) => `${name} ${version}`).join(', ');
  return [`not pinned, because nothing in the project asks for it (--all takes everything): ${list}`];
}

/** Chooses the needed runtimes; with `all`, or where nothing tells what is needed, every language that is there. */
export function chooseRuntimes(environment: ComparableEnvironment, all = false): RuntimeChoice {
  const present = environment.runtimeVersions ?? {};
  const entries = Object.keys(present)
    .sort()
    .map((name) => [name, present[name] as string] as const);
  if (all) return { needed: entries, others: [] };
  const wanted = new Set<string>();
  for (const declared of Object.values(declaredVersions(environment))) {
    wanted.add(declared.tool === 'rust' ? 'rustc' : declared.tool);
  }
  for (const file of Object.keys(environment.dependencies ?? {})) {
    for (const name of runtimesOfEcosystem[ecosystemOfFile(file)] ?? []) wanted.add(name);
    for (const name of toolsOfFile[file.slice(file.lastIndexOf('/') + 1)] ?? []) wanted.add(name);
  }
  const tellsNothing = !entries.some(([name]) => wanted.has(name));
  if (tellsNothing) for (const name of languages) wanted.add(name);
  return {
    needed: entries.filter(([name]) => wanted.has(name)),
    others: entries.filter(([name]) => !wanted.has(name)),
  };
}
