// Shared by the readers of facts: types, input, and how unknown facts are reported. docs/specification.md §11.

import { createHash } from 'node:crypto';
import type { FactValue } from '@envsnap/shared/catalogue/facts/fact';
import type { ToolLocator } from '../runtimes/tool-locator.ts';
import { maxLineLength } from '../system/long-lines.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { Mounts } from './mounts.ts';

/** A fact that exists but could not be read. */
export class UnknownFact {
  /** The end of a sentence: `permission denied`. */
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/** A value; undefined if there is none. The catalogue's row says what that means. */
export type FactReading = FactValue | UnknownFact | undefined;

/** The readers of a group, one for each fact that has no general source. */
export type FactReaders = Readonly<Record<string, () => FactReading | Promise<FactReading>>>;

export interface FactSources {
  readonly machine: CapturedMachine;
  /** The captured folder, absolute. */
  readonly folder: string;
  /** Folders of the search path, in order. */
  readonly searchFolders: readonly string[];
  readonly locator: ToolLocator;
  readonly mounts: Mounts;
}

export function temporaryFolder({ env, platform }: CapturedMachine): string {
  if (platform === 'win32') return env.TEMP ?? env.TMP ?? 'C:\\Windows\\Temp';
  return env.TMPDIR || '/tmp';
}

/** Runs a function once, and returns the first result again for every further call. */
export function once<T>(work: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => {
    answer ??= { value: work() };
    return answer.value;
  };
}

/** `name: value` or `name<TAB>value` lines, as in /proc; the first line with a name wins. */
export function fieldsOf(text: string, separator: RegExp = /:\s*/): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const at = line.search(separator);
    if (at <= 0) continue;
    const name = line.slice(0, at).trim();
    if (!fields.has(name)) fields.set(name, line.slice(at).replace(separator, '').trim());
  }
  return fields;
}

/** Lines, trimmed and without comments (`#`, `;`), empty lines and very long lines. */
export function contentLines(text: string | undefined): string[] {
  return (text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && line.length <= maxLineLength && !/^[#;]/.test(line));
}

export function wholeNumber(text: string | undefined): number | undefined {
  const trimmed = text?.trim() ?? '';
  return /^-?\d+$/.test(trimmed) ? Number(trimmed) : undefined;
}

/** Sorted, without duplicates; undefined for none, so that an empty list equals an absent one. */
export function setOf(names: Iterable<string>): string[] | undefined {
  const unique = [...new Set(names)].sort();
  return unique.length > 0 ? unique : undefined;
}

/** A list in its order; undefined for none. */
export function unlessEmpty(items: readonly string[]): readonly string[] | undefined {
  return items.length > 0 ? items : undefined;
}

/** A short digest of a text or a file: `sha256:` and 16 digits. */
export function shortDigest(content: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}
