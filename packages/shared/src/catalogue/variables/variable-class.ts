// The classes of environment variables, and the shape of a row of the catalogue.

import type { CauseFamily } from '../cause-family.ts';
import rows from './variable-classes.json' with { type: 'json' };

/**
 * When a difference in a variable of a class counts by default:
 * - `always`.
 * - `project`: in projects of its row's ecosystems, and if a file of the project mentions it.
 * - `mentioned`: if a file of the project mentions it.
 * - `never`, except that a mention counts if the row says that applications use the name too (`shared`).
 */
export type ClassCounting = 'always' | 'project' | 'mentioned' | 'never';

export interface VariableClassRow {
  /** Describes the class, with an example. */
  readonly what: string;
  readonly counts: ClassCounting;
  /** Why a difference does not count, in a few words. */
  readonly reason?: string;
  /** Differs from one process, session or run to the next: a capture leaves it out. */
  readonly volatile?: true;
}

/** The classes of variables that captures and comparisons distinguish. */
export const variableClasses = rows as Readonly<Record<VariableClass, VariableClassRow>>;
export type VariableClass = keyof typeof rows;

/**
 * When a difference between two values of a variable does not count:
 * - `language`: if the effective language is the same, or English in UTF-8 on both sides.
 * - `zone`: if the effective time zone is the same.
 * - `temporary folder`: if both are the default of an operating system.
 * - `proxy`: if no proxy is set.
 * - `place`: if both are folders of the same version of a tool; the difference is then context.
 * - `sizes`: if they differ only in memory, jobs or verbosity, unless a failure is being explained.
 */
export const valueRules = {
  language: 'unless both are the same language, or English in UTF-8',
  zone: 'unless both name the same zone',
  'temporary folder': 'unless both are the default of the operating system, or in the same system folder',
  proxy: 'if a proxy is set',
  place: 'unless they name the same version',
  sizes: 'unless they differ only in memory, jobs or messages',
} as const;
type ValueRule = keyof typeof valueRules;

/**
 * How often a difference explains a failure, among variables of its class. Default `usual`. The language, the search path
 * and `CI` have their own values, from public reports.
 */
type VariableLikelihood = 'high' | 'usual' | 'low' | 'language' | 'search path' | 'runner';

export interface VariableRow {
  readonly class: VariableClass;
  /** The name, or a pattern (`*` for any characters). */
  readonly pattern: string;
  /** The value is an ordered list of folders. */
  readonly list?: true;
  /** Who sets or reads it: a CI service, a tool, a language. Services are named as `metadata.ci.provider` names them. */
  readonly provider: string;
  readonly source: string;
  /** Matters only to projects of one of these ecosystems; if absent, to every project. */
  readonly ecosystems?: readonly string[];
  /** The name has this meaning only at this provider. Elsewhere, an application may use it, as with `BRANCH` and `URL`. */
  readonly scoped?: true;
  /** Applications use the name too. A project that mentions it means the application's variable. */
  readonly shared?: true;
  readonly likelihood?: VariableLikelihood;
  /** Differences within the family are one cause. */
  readonly family?: CauseFamily;
  /** The runtime that it points to, by its name in `runtimeVersions`. Both differ together. */
  readonly follows?: string;
  readonly alike?: ValueRule;
  /**
   * A personal choice: a difference counts only if the project mentions it or another variable of its family, or while a failure
   * is being explained.
   */
  readonly personal?: true;
  /** What programs assume without it, in words: it does not count if one side sets this. */
  readonly assumed?: string;
  /** Its value is never a secret. */
  readonly plain?: true;
  /** Its value cannot start, load, fetch or trust anything, so `bisect` applies it no matter who recorded it. */
  readonly inert?: true;
}
