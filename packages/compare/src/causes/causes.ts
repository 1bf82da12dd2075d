// Which differences most likely explain that something works in A and not in B: a ranking, each with its reason.

import { installCommandOf } from '@envsnap/shared/catalogue/formats';
import type { Distance } from '@envsnap/versions';
import type { Entry, EnvironmentComparison, SectionName } from '../model/model.ts';
import { factCause, installedCauses, installedWeight } from './fact-causes.ts';
import { variableWeight } from './variable-weight.ts';

/** A likely cause: one entry, or the packages of one dependency file together. */
export interface Cause {
  /** 0 to 100, the likelier the higher. Only the order has a meaning. */
  readonly weight: number;
  readonly section: SectionName;
  /** Keys of the entries it stands for. */
  readonly keys: readonly string[];
  /** What differs, as part of a sentence: `DATABASE_URL is set in A, not in B`. */
  readonly what: string;
  /** What to do about it, as part of a sentence: `set DATABASE_URL in B`. */
  readonly advice: string;
}

/** The likely causes, the likeliest first; context and what differs between any two machines come last. */
export function rankCauses(comparison: EnvironmentComparison): Cause[] {
  const causes: Cause[] = [];
  for (const section of ['os', 'arch', 'system', 'facts', 'runtimes', 'toolchain', 'env', 'paths'] as const) {
    for (const entry of comparison.sections[section]) {
      if (entry.status !== 'same') causes.push(causeOf(entry));
    }
  }
  causes.push(...dependencyCauses(comparison), ...installedCauses(comparison));
  return causes.sort((x, y) => y.weight - x.weight || (x.what < y.what ? -1 : x.what > y.what ? 1 : 0));
}

/** Weight of one entry on its own, as {@link rankCauses} takes it. */
export function entryWeight(entry: Entry): number {
  return entry.section === 'dependencies' ? dependencyWeight(entry) : causeOf(entry).weight;
}

function causeOf(entry: Entry): Cause {
  const { section, key, status, a, b } = entry;
  const cause = (weight: number, what: string, advice: string): Cause => ({
    weight,
    section,
    keys: [key],
    what,
    advice,
  });
  switch (section) {
    case 'os':
      return cause(
        97,
        `the operating system is ${a ?? 'unknown'} in A, ${b ?? 'unknown'} in B`,
        `run B on ${a ?? 'the system of A'}`,
      );
    case 'arch':
      return cause(
        94,
        `the architecture is ${a ?? 'unknown'} in A, ${b ?? 'unknown'} in B`,
        `rebuild native packages on ${b ?? 'B'}, or run B on ${a ?? 'the architecture of A'}`,
      );
    case 'system':
      return systemCause(entry, cause);
    case 'facts':
      return factCause(entry);
    case 'installed':
      return cause(installedWeight, `${key} is ${a} in A, ${b} in B`, 'install what the lock file says');
    case 'runtimes':
      return runtimeCause(entry, cause);
    case 'toolchain':
      return toolchainCause(entry, cause);
    case 'paths':
      if (status === 'removed') return cause(25, `${key} is set in A, not in B`, `set ${key} in B`);
      if (status === 'added') return cause(25, `${key} is set in B, not in A`, `unset ${key} in B`);
      return cause(
        28,
        `${key} lists ${listPhrase(entry)}`,
        `compare ${key} entry by entry with --show-values`,
      );
    default: {
      if (status === 'removed')
        return cause(variableWeight(key, 'missing'), `${key} is set in A, not in B`, `set ${key} in B`);
      if (status === 'added')
        return cause(variableWeight(key, 'added'), `${key} is set in B, not in A`, `unset ${key} in B`);
      return cause(
        variableWeight(key, 'changed'),
        `${key} has another value in B`,
        `give ${key} the same value in B`,
      );
    }
  }
}

type MakeCause = (weight: number, what: string, advice: string) => Cause;

const runtimeWeights: Record<Distance, number> = {
  major: 90,
  minor: 76,
  patch: 40,
  prerelease: 50,
  build: 15,
  other: 60,
};

/** Languages before their package managers, and these before everything else that is merely installed. */
const languages = new Set(
  'node deno bun python python3 ruby go rustc java dotnet php perl elixir erlang swift kotlin scala julia r lua dart ghc ocaml zig'.split(
    ' ',
  ),
);
const packageManagers = new Set(
  'npm pnpm yarn pip uv poetry pipenv bundler gem cargo maven gradle composer conda nuget mix corepack'.split(
    ' ',
  ),
);

function runtimeCause(entry: Entry, cause: MakeCause): Cause {
  const { key, a, b, status } = entry;
  const share = languages.has(key) ? 1 : packageManagers.has(key) ? 0.75 : 0.5;
  if (status === 'removed')
    return cause(92 * share, `${key} ${a} is in A, not in B`, `install ${key} ${a} in B`);
  if (status === 'added')
    return cause(24 * share, `${key} ${b} is in B, not in A`, `check whether B needs ${key}`);
  const distance = entry.distance ?? 'other';
  const apart = distance === 'other' ? '' : ` (${distance})`;
  return cause(
    runtimeWeights[distance] * share,
    `${key} is ${a} in A, ${b} in B${apart}`,
    `use ${key} ${a} in B`,
  );
}

function systemCause(entry: Entry, cause: MakeCause): Cause {
  const { key, a, b, status } = entry;
  const name = key.split('.')[0] as string;
  const what =
    status === 'removed'
      ? `${key} is ${a} in A, unknown in B`
      : status === 'added'
        ? `${key} is ${b} in B, unknown in A`
        : `${key} is ${a} in A, ${b} in B`;
  if (name === 'libc' && entry.distance === 'major') {
    return cause(93, what, `install native packages built for ${b} in B, or use an image with ${a}`);
  }
  if (name === 'libc')
    return cause(
      entry.status === 'changed' ? 66 : 20,
      what,
      `use an image with ${a ?? 'the libc of A'} in B`,
    );
  if (name.startsWith('distr')) {
    return cause(
      status === 'changed' && entry.distance === 'major' ? 58 : 35,
      what,
      `use ${a ?? 'the distribution of A'} in B`,
    );
  }
  if (name === 'timezone' || name === 'locale')
    return cause(45, what, `set ${name === 'timezone' ? 'TZ' : 'LANG'} as in A`);
  return cause(2, what, 'usually no cause by itself');
}

function toolchainCause(entry: Entry, cause: MakeCause): Cause {
  const { a, b } = entry.declared ?? { a: null, b: null };
  const tool = entry.key.replace(/ \(.*$/, '');
  const where = (file: string) => (file ? file : 'the project');
  if (b?.satisfied === false && a?.satisfied !== false) {
    return cause(
      95,
      `${where(b.file)} asks for ${tool} ${b.requirement}, B has ${b.present}`,
      `install ${tool} ${b.requirement} in B`,
    );
  }
  if (a && b && a.requirement !== b.requirement) {
    return cause(
      64,
      `${where(b.file)} asks for ${tool} ${a.requirement} in A, ${b.requirement} in B`,
      'check out the same revision on both sides',
    );
  }
  if (a?.satisfied === false) {
    return cause(
      22,
      `${where(a.file)} asks for ${tool} ${a.requirement}, A has ${a.present}`,
      `install ${tool} ${a.requirement} in A`,
    );
  }
  const only = a ?? b;
  return cause(
    30,
    `${tool} ${only?.requirement ?? ''} is declared in ${a ? 'A' : 'B'} only`,
    'check out the same revision on both sides',
  );
}

const dependencyWeights: Record<Distance, number> = {
  major: 70,
  minor: 48,
  patch: 34,
  prerelease: 44,
  build: 12,
  other: 46,
};

function dependencyWeight(entry: Entry): number {
  if (entry.context) return 1;
  if (entry.status === 'removed') return 60;
  if (entry.status === 'added') return 26;
  return dependencyWeights[entry.distance ?? 'other'];
}

/** One cause for each dependency file: its worst package decides, and that it is the only one that drifted adds to it. */
function dependencyCauses(comparison: EnvironmentComparison): Cause[] {
  const files = new Map<string, { entries: Entry[]; total: number }>();
  for (const entry of comparison.sections.dependencies) {
    const file = entry.file ?? '';
    let known = files.get(file);
    if (!known) {
      known = { entries: [], total: 0 };
      files.set(file, known);
    }
    known.total += 1;
    if (entry.status !== 'same') known.entries.push(entry);
  }
  const drifted = [...files].filter(([, { entries }]) => entries.length > 0);
  return drifted.map(([file, { entries, total }]) => {
    const onlyOne = drifted.length === 1 && files.size > 1;
    const worst = entries.reduce((x, y) => (dependencyWeight(y) > dependencyWeight(x) ? y : x));
    return {
      weight: Math.min(89, dependencyWeight(worst) + (onlyOne ? 8 : 0) + Math.min(4, entries.length - 1)),
      section: 'dependencies' as const,
      keys: entries.map((entry) => entry.key),
      what:
        filePhrase(file, entries, total, worst) + (onlyOne ? '; the other dependency files are equal' : ''),
      advice: installAdvice(file),
    };
  });
}

function filePhrase(file: string, entries: readonly Entry[], total: number, worst: Entry): string {
  if (entries.length === total && total > 1) {
    if (entries.every((entry) => entry.status === 'removed'))
      return `${file} (${total} packages) is in A, not in B`;
    if (entries.every((entry) => entry.status === 'added'))
      return `${file} (${total} packages) is in B, not in A`;
  }
  const one =
    worst.status === 'removed'
      ? `${worst.name} ${worst.a} is in A only`
      : worst.status === 'added'
        ? `${worst.name} ${worst.b} is in B only`
        : `${worst.name} ${worst.a} → ${worst.b}${worst.distance === 'other' || !worst.distance ? '' : ` (${worst.distance})`}`;
  if (entries.length === 1) return `${file}: ${one}`;
  return `${file} drifted: ${entries.length} packages differ, first of all ${one}`;
}

function installAdvice(file: string): string {
  const command = installCommandOf(file);
  return `use the ${file} of A in B${command ? `, then ${command}` : ''}`;
}

/** `2 entries more, 1 fewer, in another order in B`. */
export function listPhrase(entry: Entry): string {
  const { added, removed, moved } = entry.list ?? { added: [], removed: [], moved: [] };
  const parts: string[] = [];
  if (added.length > 0) parts.push(`${added.length} more`);
  if (removed.length > 0) parts.push(`${removed.length} fewer`);
  if (moved.length > 0) parts.push(`${moved.length} in another order`);
  return parts.length === 0 ? 'other entries in B' : `${parts.join(', ')} in B`;
}
