// How likely a key is a cause before any run is looked at, and which keys merely follow from others.

import type { FactWeight } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue, isFactName } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { variableWeight } from '../causes/variable-weight.ts';

const weights: readonly (readonly [RegExp, number])[] = [
  [/^toolchain\..* not met$/, 92],
  [/^runtimes\.(?:node|deno|bun|python3?|ruby|go|rustc|java|dotnet|php|perl|erlang|elixir|swift|ghc)$/, 90],
  [/^installed:/, 88],
  [/^os$/, 86],
  [/^arch$/, 84],
  [/^system\.libc/, 82],
  [/^dependencies:\//, 30],
  [/^dependencies:/, 60],
  [/^metadata\.(?:timezone|locale)$/, 60],
  [/^metadata\.git\.(?:commit|branch|dirty)$/, 58],
  [/^runtimes\./, 50],
  [/^system\.distr/, 45],
  [/^toolchain\./, 40],
  [/^env:(?:ImageVersion|ImageOS)$/, 20],
  [/^machineName$/, 10],
  [/^metadata\./, 15],
  [/^system\./, 12],
];

/** From 0 (never the cause) to 100. */
export function keyWeight(key: string): number {
  if (key.startsWith('facts.')) return factWeight(key.slice('facts.'.length));
  const row = weights.find(([pattern]) => pattern.test(key));
  if (row) return row[1];
  return key.startsWith('env:') ? variableWeight(key.slice('env:'.length), 'changed') : 5;
}

const factWeights: Readonly<Record<FactWeight, number>> = {
  strong: 88,
  likely: 74,
  possible: 45,
  rare: 15,
  context: 5,
};

function factWeight(name: string): number {
  return isFactName(name) ? factWeights[factCatalogue[name].weight] : 40;
}

/** What a key says again that another of the same group has said. */
const echoes: readonly (readonly [RegExp, (match: RegExpExecArray) => readonly string[]])[] = [
  [/^metadata\.tools\.([^.]+)\./, ([, tool]) => [`runtimes.${tool}`]],
  [/^toolchain\.(\S+)/, ([, tool]) => [`runtimes.${tool}`]],
  [/^metadata\.timezone$/, () => ['env:TZ']],
  [/^facts\.(?:timezone|tz)/, () => ['env:TZ']],
  [/^metadata\.locale$/, () => ['env:LC_ALL', 'env:LC_CTYPE', 'env:LANG']],
  [/^system\.release$/, () => ['system.distribution']],
  [/^runtimes\.(?:npm|npx|corepack)$/, () => ['runtimes.node']],
  [/^runtimes\.python3$/, () => ['runtimes.python']],
  [/^runtimes\.pip3?$/, () => ['runtimes.python', 'runtimes.python3']],
  [/^metadata\.shell/, () => ['env:SHELL']],
];

/** Keys that say where or with what image a run took place, and how they are told. They bring causes and are none. */
export const occasions: Readonly<Record<string, string>> = {
  'env:ImageVersion': 'image',
  'env:ImageOS': 'image',
  'env:CI_JOB_IMAGE': 'image',
  'metadata.ci.image': 'image',
  machineName: 'machine',
};

/** Whether a key only repeats another one of its group, so that no run could tell the two apart. */
export function isEcho(key: string, group: ReadonlySet<string>): boolean {
  if (Object.hasOwn(occasions, key)) return [...group].some((other) => !Object.hasOwn(occasions, other));
  return echoes.some(([pattern, origins]) => {
    const match = pattern.exec(key);
    return match !== null && origins(match).some((origin) => group.has(origin));
  });
}
