// What a row of the catalogue of facts says. Plain data: the capture, the comparison, policies and the documentation read it.
// docs/specification.md §11.

import type { Ecosystem } from '../ecosystem.ts';

/** What a fact's value is, as `metadata.facts` holds it. */
export type FactValue = string | number | boolean | readonly string[];

/**
 * How two values are held against each other.
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
 * - `rare`: seldom a cause, worth knowing when nothing else differs.
 * - `context`: tells the machines apart and breaks nothing by itself.
 */
export type FactWeight = 'strong' | 'likely' | 'possible' | 'rare' | 'context';

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

/** Where a fact is read on each system; null where it is not read, and the fact is absent there. */
export interface FactOrigin {
  readonly linux: string | null;
  readonly macos: string | null;
  readonly windows: string | null;
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
  /** Whether a difference counts by default: always, never, or when the project uses one of these ecosystems. */
  readonly counts: 'always' | 'never' | readonly Ecosystem[];
  /** Of a set: only differences in these items count; processors of one cloud differ in the others. */
  readonly countedItems?: readonly string[];
  readonly weight: FactWeight;
  readonly apply?: FactApplier;
  /** Options as a person wrote them: what looks like a secret in them is written `[redacted]`. */
  readonly freeText?: true;
  /** What the value can tell a reader about the machine's owner, for the table of privacy. */
  readonly reveals: string;
}

/** What a row is checked against while its name stays known to the compiler. */
export type FactTable = Readonly<Record<string, FactRow>>;
