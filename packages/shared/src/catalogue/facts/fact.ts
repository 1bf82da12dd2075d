// What a row of the catalogue of facts says. Plain data: the capture, the comparison, policies and the documentation read it.
// docs/specification.md §11.

import type { CauseFamily } from '../cause-family.ts';
import type { Ecosystem } from '../ecosystem.ts';
import type { FactOrigin } from './origin.ts';

/** What a fact's value is, as `metadata.facts` holds it. */
export type FactValue = string | number | boolean | readonly string[];

/**
 * How two values are compared.
 * - `text`, `digest`: equal or not.
 * - `flag`: a boolean.
 * - `version`: by the order of versions.
 * - `number`: equal or not, in either direction.
 * - `limit`: a number, or `unlimited`; less of it is what breaks a program.
 * - `set`: a list whose order means nothing, sorted by the capture.
 * - `list`: a list whose order matters.
 */
export type FactKind = 'text' | 'flag' | 'version' | 'number' | 'limit' | 'set' | 'list' | 'digest';

/**
 * How often a difference in this fact is the reason that something works on one machine and not on the other.
 * - `strong`: programs fail outright, whatever the project (another instruction set, no certificates).
 * - `likely`: a cause that public reports name again and again.
 * - `possible`: a cause for some programs.
 * - `now and then`: a cause for few.
 * - `rare`: seldom a cause, worth knowing when nothing else differs.
 * - `slight`: hardly ever a cause.
 * - `context`: tells the machines apart and breaks nothing by itself.
 */
export type WeightClass = 'strong' | 'likely' | 'possible' | 'now and then' | 'rare' | 'slight' | 'context';

/**
 * A weight, and when it holds: where all that a case names is true of the difference. A is the side on which it works.
 * Numbers, from 0 to 100, stand where a class would cost bench/causes right answers.
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
  /** Only one side has it. */
  readonly oneSide?: true;
  /** One side lives in universal time. */
  readonly utc?: true;
  readonly weight: WeightClass | number;
}

/** A class, which weighs less where the difference does not count; or cases: the first one that holds is taken as it is. */
export type FactWeight = WeightClass | readonly WeightCase[];

/**
 * Conditions under which a difference counts by default, as the reference page says them, with the words that a row has behind the
 * name. Where one does not hold, healthy machines differ so.
 */
export const conditionTexts = {
  'asked for': () => 'with `--fail-on facts`',
  less: ([than]) => `if B has less than A${than === undefined ? '' : `, and less than ${than}`}`,
  'lacks item': (items) => `if B lacks one of ${items.join(', ')}`,
  'lacks locale in use': () => 'if B lacks a locale that A or B runs in',
  'item with': (words) => `if an item with ${words.join(', ').replace(/, (?=[^,]*$)/, ' or ')} differs`,
  'one distribution': () => 'on one release of one distribution',
  'either is': ([value]) => `if A or B has ${value}`,
  'not both among': (usual) => `unless both are among ${usual.join(', ')}`,
  'none on one side': () => 'if A or B has none at all',
  'some on both sides': () => 'if A and B have one',
  'busybox on one side': () => 'if one is BusyBox’s, on one operating system',
  'other release': () => 'on another release of one Linux distribution',
  older: ([releases]) =>
    `if B has another one, or one that is ${releases} releases older and a failure is being explained`,
  uses: (tools) => `if the project asks for ${tools.join(', ').replace(/, (?=[^,]*$)/, ' or ')}`,
  'not sizes alone': () => 'unless they differ in memory or jobs only',
  'other zone': () => 'unless both name one zone',
  'other language': () => 'unless both are one language, or English in UTF-8',
} as const satisfies Readonly<Record<string, (words: readonly string[]) => string>>;

export interface Condition {
  readonly when: keyof typeof conditionTexts;
  readonly words: readonly string[];
}

/** A limit of a process, by the name that `prlimit` gives it. */
export type LimitName = 'nofile' | 'stack' | 'nproc' | 'memlock' | 'core' | 'fsize' | 'as' | 'data';

/** How a command can be run with one side's value. Facts without one cannot be tried by `bisect`. */
export type FactApplier =
  | { readonly by: 'limit'; readonly limit: LimitName }
  | { readonly by: 'umask' | 'processors' | 'aslr' | 'home' }
  /** An environment variable that the program reads before its configuration file; it takes the value as text. */
  | { readonly by: 'variable'; readonly name: string }
  /** Environment variables: each entry of the set is `NAME=value`; a name that is not there is not set. */
  | { readonly by: 'variables'; readonly names: readonly string[] }
  /** A setting that `git` takes from `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0`. */
  | { readonly by: 'git-config'; readonly key: string };

/** What repairs a fact. `{value}` is the value that the side gets; in commands it is quoted for a shell. */
export interface FactRepair {
  readonly kind: 'configure';
  /** What to do, as a phrase behind which a side is named. */
  readonly what: string;
  readonly commands?: readonly string[];
}

export interface FactRow {
  /** One sentence for the reader: what the fact is. */
  readonly what: string;
  readonly read: FactOrigin;
  readonly kind: FactKind;
  /** Unit of numbers and limits. */
  readonly unit?: 'bytes' | 'processors' | 'files' | 'processes' | 'pixels';
  /**
   * What it means that a capture does not hold the fact: the default of the setting, `none`, `not set`. Without it a
   * missing fact is unknown, which is never a difference.
   */
  readonly unset?: string;
  /** Whether a difference counts by default. What never counts is context, which only a rule that names the fact counts. */
  readonly counts: 'always' | 'never' | Condition;
  /**
   * People have it as they like: a difference counts only where the project mentions the setting, or a variable of the same
   * family, or where a failure is being explained.
   */
  readonly personal?: true;
  /** Counts only in projects that use one of these ecosystems; absent: in every project. */
  readonly ecosystems?: readonly Ecosystem[];
  /** Another architecture brings another value: then that is the cause. */
  readonly ofArchitecture?: true;
  readonly weight: FactWeight;
  /** The same in words, for the reference page. */
  readonly weightText: string;
  /** With others of the family it is one cause. */
  readonly family?: CauseFamily;
  /** The runtime that brings it along, by its name in `runtimeVersions`. */
  readonly follows?: string;
  /** What gives a side the value of the other one, where `apply` does not do it. Of a flag by that value: `true`, `false`. */
  readonly repair?: FactRepair | { readonly true?: FactRepair; readonly false?: FactRepair };
  readonly apply?: FactApplier;
  /** Its value cannot start, load, fetch or trust anything: `bisect` applies it whoever recorded it. */
  readonly inert?: true;
  /** Options as a person wrote them: what looks like a secret in them is written `[redacted]`. */
  readonly freeText?: true;
  /** What the value can reveal about the machine's owner, for the table of privacy. Default: nothing about a person. */
  readonly reveals?: string;
  /** The value names machines or networks: readers outside the project see no more than that it differs; `in part`: all but the names. */
  readonly namesHosts?: true | 'in part';
}
