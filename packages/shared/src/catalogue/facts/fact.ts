// A row of the catalogue of facts. Plain data: the capture, the comparison, policies and the documentation read it.
// docs/specification.md §11.

import type { CauseFamily } from '../cause-family.ts';
import type { Ecosystem } from '../ecosystem.ts';
import type { FactOrigin } from './origin.ts';

/** The type of a fact's value in `metadata.facts`. */
export type FactValue = string | number | boolean | readonly string[];

/**
 * How two values are compared.
 * - `text`, `digest`: equal or not.
 * - `flag`: a boolean.
 * - `version`: by the order of versions.
 * - `number`: equal or not, in either direction.
 * - `limit`: a number, or `unlimited`; less of it breaks programs.
 * - `set`: a list whose order does not matter, sorted by the capture.
 * - `list`: a list whose order matters.
 */
export type FactKind = 'text' | 'flag' | 'version' | 'number' | 'limit' | 'set' | 'list' | 'digest';

/**
 * How often a difference in this fact is the reason that something works on one machine and not on the other.
 * - `strong`: programs fail outright, whatever the project (another instruction set, no certificates).
 * - `likely`: a cause that public reports name again and again.
 * - `possible`: a cause for some programs.
 * - `now and then`: a cause for few.
 * - `rare`: rarely a cause, worth knowing if nothing else differs.
 * - `slight`: hardly ever a cause.
 * - `context`: describes the machine and breaks nothing.
 */
export type WeightClass = 'strong' | 'likely' | 'possible' | 'now and then' | 'rare' | 'slight' | 'context';

/**
 * A weight and its conditions, all of which must be true of the difference. A is the side on which it works. A number from 0
 * to 100 is used where a class would cost bench/causes right answers.
 */
export interface WeightCase {
  /** The value in A, or in B. */
  readonly a?: string;
  readonly b?: string | readonly string[];
  /** B has at least as much as A. */
  readonly enough?: true;
  /** The difference counts by default; false: it does not. */
  readonly counted?: boolean;
  /** The project uses one of these ecosystems or tools. */
  readonly uses?: readonly string[];
  /** How far apart two versions are. */
  readonly distance?: 'major';
  readonly oneSide?: true;
  /** One side's time zone is UTC. */
  readonly utc?: true;
  readonly weight: WeightClass | number;
}

/** A class, which weighs less if the difference does not count; or cases, of which the first that holds is used as is. */
export type FactWeight = WeightClass | readonly WeightCase[];

/**
 * Conditions under which a difference counts by default, in the words of the reference page, with the condition's words in a row.
 * If a condition is not met, the difference is usual between healthy machines.
 */
export const conditionTexts = {
  'asked for': () => 'with `--fail-on facts`',
  less: ([than]) => `if B has less than A${than === undefined ? '' : `, and less than ${than}`}`,
  'lacks item': (items) => `if B lacks ${items.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`,
  'lacks locale in use': () => 'if B lacks a locale that A or B runs in',
  'item with': (words) => `if an item with ${words.join(', ').replace(/, (?=[^,]*$)/, ' or ')} differs`,
  'item named': ([name]) => `if ${name} itself differs`,
  'one distribution': () => 'on the same release of the same distribution',
  'either is': ([value]) => `if A or B has ${value}`,
  'not both among': (usual) => `unless both are among ${usual.join(', ')}`,
  'none on one side': () => 'if A or B has none',
  'some on both sides': () => 'if both A and B have one',
  'busybox on one side': () => 'if one is BusyBox’s and the operating system is the same',
  'other release': () => 'on a different release of the same Linux distribution',
  older: ([releases]) =>
    `if B has a different C library, or, while a failure is being explained, one that is ${releases} releases older`,
  uses: (tools) => `if the project asks for ${tools.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`,
  'not sizes alone': () => 'unless they differ only in memory or jobs',
  'other zone': () => 'unless both name the same zone',
  'other language': () => 'unless both are the same language, or English in UTF-8',
} as const satisfies Readonly<Record<string, (words: readonly string[]) => string>>;

export interface Condition {
  readonly when: keyof typeof conditionTexts;
  readonly words: readonly string[];
}

/** A process limit, by its name in `prlimit`. */
export type LimitName = 'nofile' | 'stack' | 'nproc' | 'memlock' | 'core' | 'fsize' | 'as' | 'data';

/** How to run a command with one side's value. `bisect` cannot try a fact without it. */
export type FactApplier =
  | { readonly by: 'limit'; readonly limit: LimitName }
  | { readonly by: 'umask' | 'processors' | 'aslr' | 'home' }
  /** An environment variable that the program reads before its configuration file; it takes the value as text. */
  | { readonly by: 'variable'; readonly name: string }
  /** Environment variables: each entry of the set is `NAME=value`; a missing name is unset. */
  | { readonly by: 'variables'; readonly names: readonly string[] }
  /** A setting that `git` takes from `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0`. */
  | { readonly by: 'git-config'; readonly key: string };

/** A variable that holds addresses, which captures record without their scheme. `direct` and `off` are words. */
export function withScheme(variable: string, value: string): string {
  if (!/registry|index|proxy$/i.test(variable) || value.includes('://')) return value;
  return value.replace(/[^\s,|]+/g, (part) => (/[.:]/.test(part) ? `https://${part}` : part));
}

/** The repair of a fact. `{value}` is the new value of the side, quoted for a shell in commands; `{missing}` is what a
 * set or list of that side lacks. */
export interface FactRepair {
  readonly kind: 'configure';
  /** The advice as a phrase, to which the name of the side is added. */
  readonly what: string;
  readonly commands?: readonly string[];
}

export interface FactRow {
  readonly what: string;
  /** Its name in a sentence about a difference. Default: its name in `metadata.facts`. */
  readonly title?: string;
  readonly read: FactOrigin;
  readonly kind: FactKind;
  /** Unit of numbers and limits. */
  readonly unit?: 'bytes' | 'processors' | 'files' | 'processes' | 'pixels';
  /**
   * The meaning of a missing fact: the default of the setting, `none`, `not set`. Without it, a missing fact is unknown, which
   * is never a difference.
   */
  readonly unset?: string;
  /** Whether a difference counts by default. A fact that never counts is context: it counts only if a rule names it. */
  readonly counts: 'always' | 'never' | Condition;
  /**
   * A personal choice: a difference counts only if the project mentions the setting or a variable of the same family, or
   * while a failure is being explained.
   */
  readonly personal?: true;
  /** Counts only in projects that use one of these ecosystems; absent: in every project. */
  readonly ecosystems?: readonly Ecosystem[];
  /** The architecture determines the value: if it differs, it is the cause. */
  readonly ofArchitecture?: true;
  readonly weight: FactWeight;
  /** The condition in words, for the reference page. */
  readonly weightText: string;
  /** Differences within the family are one cause. */
  readonly family?: CauseFamily;
  /** The runtime that includes it, by its name in `runtimeVersions`. */
  readonly follows?: string;
  /** The repair, if `apply` does not provide it. A flag has one for each value: `true`, `false`. */
  readonly repair?: FactRepair | { readonly true?: FactRepair; readonly false?: FactRepair };
  readonly apply?: FactApplier;
  /** Its value cannot start, load, fetch or trust anything, so `bisect` applies it no matter who recorded it. */
  readonly inert?: true;
  /** Options written by a person: anything that looks like a secret becomes `[redacted]`. */
  readonly freeText?: true;
  /** What the value can reveal about the machine's owner, for the privacy table. Default: nothing about a person. */
  readonly reveals?: string;
  /**
   * The value names machines or networks: outside the project, readers see only that it differs; `in part`: all but the names.
   */
  readonly namesHosts?: true | 'in part';
}
