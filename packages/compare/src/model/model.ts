// The comparison of two environments as data, which formats show and rules judge.

import { type SectionName, sectionNames } from '@envsnap/shared/address';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { Distance } from '@envsnap/versions';
import type { ProjectNeeds } from './needs.ts';

export function toolOfKey(key: string): string {
  return key.split(' (')[0] ?? key;
}

export const sectionTitles: Record<SectionName, string> = {
  os: 'Operating system',
  arch: 'Architecture',
  system: 'System',
  facts: 'Facts',
  runtimes: 'Runtimes',
  toolchain: 'Declared versions',
  checkout: 'Checkout',
  dependencies: 'Dependencies',
  installed: 'Installed packages',
  env: 'Variables',
  paths: 'Path lists',
};

/** `added`: only B has it; `removed`: only A has it. */
export type EntryStatus = 'same' | 'changed' | 'added' | 'removed';

/** Why the values of a variable could not be compared: `redacted` on both sides, fingerprints of different keys,
 * readable on one side only, or names without values on one side. Such an entry counts as the same. */
export type Unverified = 'redacted' | 'other-key' | 'one-side' | 'names-only';

/** How two ordered lists differ. Entries that both have are `moved` when their order changed. */
export interface ListChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly moved: readonly string[];
}

export interface Entry {
  readonly section: SectionName;
  readonly key: string;
  readonly status: EntryStatus;
  /** Null if a side has none, and for variables unless their values were requested. */
  readonly a: string | null;
  readonly b: string | null;
  readonly distance: Distance | null;
  /** Shown, but counted only if a rule names it: the kernel, the processor, the container, … */
  readonly context?: true;
  readonly contextReason?: string;
  /** Why it is too small to count unless a rule names its section, in a few words. */
  readonly mild?: string;
  readonly file?: string;
  readonly name?: string;
  /** Dependencies: both sides have the same version, but not the same package. */
  readonly differsIn?: 'source' | 'patch' | 'content' | 'checksum';
  readonly direct?: true;
  readonly unverified?: Unverified;
  readonly empty?: 'a' | 'b';
  readonly secret?: true;
  readonly drift?: PackageDrift;
  /** Path lists and facts that are lists, on both sides: how they differ. Path lists' entries are shown only with values. */
  readonly list?: ListChange;
  readonly declared?: { readonly a: DeclaredRequirement | null; readonly b: DeclaredRequirement | null };
}

export interface PackageDrift {
  readonly sides: 'a' | 'b' | 'both';
  readonly requiredBy: readonly string[];
  readonly folder: string | null;
}

export interface DeclaredRequirement {
  readonly requirement: string;
  readonly file: string;
  readonly present: string | null;
  /** Null if it cannot be determined (`lts/*`, `stable`, or the tool is not there). */
  readonly satisfied: boolean | null;
}

export interface Side {
  readonly label: string;
  readonly at?: string;
  readonly id: string | null;
  readonly machineName: string;
  readonly createdAt: string | null;
  readonly os: string | null;
  readonly arch: string | null;
  readonly revision: string | null;
  /** The captured folder below the project's root, or the selected package; null for the root. */
  readonly folder: string | null;
}

export interface SectionCounts {
  readonly same: number;
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
  readonly ignored: number;
}

export interface ComparisonNote {
  readonly code:
    | 'redacted_same'
    | 'fingerprint_keys_differ'
    | 'values_one_side'
    | 'names_only'
    | 'other_architecture'
    | 'facts_one_side'
    | 'machine_packages'
    | 'not_installed'
    | 'not_recorded'
    | 'reduced_environment'
    | 'lacking'
    | 'one_side_ci'
    | 'unknown'
    | 'acceptance_expired'
    | 'failure_explained'
    | 'failure_cut'
    | 'failure_names_nothing';
  readonly message: string;
}

/** A key that one or both sides could not read, by the names of `metadata.capture.unknown`. */
export interface UnknownKey extends UnknownEntry {
  readonly sides: 'a' | 'b' | 'both';
}

export interface EnvironmentComparison {
  readonly a: Side;
  readonly b: Side;
  readonly sections: Readonly<Record<SectionName, readonly Entry[]>>;
  readonly counts: Readonly<Record<SectionName, SectionCounts>>;
  readonly notes: readonly ComparisonNote[];
  /** Entries that a side could not read. They are in no section and never count. */
  readonly unknown: readonly UnknownKey[];
  readonly needs: ProjectNeeds;
  readonly showsValues: boolean;
}

export interface ComparableEnvironment {
  readonly machineName: string;
  readonly os?: string | null | undefined;
  readonly arch?: string | null | undefined;
  readonly runtimeVersions?: Record<string, string> | undefined;
  readonly dependencies?: Record<string, Record<string, string>> | undefined;
  readonly envVars?: Record<string, string> | undefined;
  readonly metadata?: Record<string, unknown> | undefined;
  readonly id?: string | undefined;
  readonly createdAt?: string | undefined;
}

export function differencesOf(comparison: EnvironmentComparison): Entry[] {
  return sectionNames.flatMap((name) => comparison.sections[name].filter((entry) => entry.status !== 'same'));
}
