// Compares two environments, section by section, into the model that every format shows. Pure; linear but for sorting.

import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { ecosystemOfFile, ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import { isLoadedPackage, packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { field, textField } from '@envsnap/shared/plain-object';
import { versionDistance } from '@envsnap/versions';
import { markRelevance } from '../relevance/mark-relevance.ts';
import { projectNeeds } from '../relevance/project-needs.ts';
import { isDotenvVariable } from '../relevance/variable-relevance.ts';
import { gapNotes, unknownEntryTest, unknownKeys } from './capture-gaps.ts';
import { compareCheckouts } from './compare-checkout.ts';
import { compareFacts, factNotes } from './compare-facts.ts';
import { compareInstalled } from './compare-installed.ts';
import { compareSystems } from './compare-system.ts';
import { compareToolchains } from './compare-toolchain.ts';
import { compareVariables } from './compare-variables.ts';
import { directPackages } from './direct-packages.ts';
import { notInstalledNotes } from './installed-findings.ts';
import { machinePackageNotes } from './machine-packages.ts';
import type {
  ComparableEnvironment,
  ComparisonNote,
  Entry,
  EntryStatus,
  EnvironmentComparison,
  SectionCounts,
  Side,
} from './model.ts';

export interface CompareOptions {
  /** What the caller wrote for each side. Default: the machine names. */
  readonly labels?: { readonly a: string; readonly b: string };
  /** True for entries that are left out (and counted as ignored where they differ). */
  readonly ignore?: (entry: Entry) => boolean;
  /** Puts the values of variables into the entries. Default false. */
  readonly showValues?: boolean;
}

/** Compares two environments. Entries are sorted by key; keys such as `__proto__` are ordinary. */
export function findDifferences(
  a: ComparableEnvironment,
  b: ComparableEnvironment,
  options: CompareOptions = {},
): EnvironmentComparison {
  const showsValues = options.showValues ?? false;
  const variables = compareVariables(a, b, showsValues);
  const unknown = unknownKeys(a, b);
  const isUnknown = unknownEntryTest(unknown);
  const needs = projectNeeds(a, b);
  const all: Record<SectionName, Entry[]> = {
    os: compareAttribute('os', a.os, b.os),
    arch: compareAttribute('arch', a.arch, b.arch),
    system: compareSystems(a, b),
    facts: compareFacts(a, b),
    runtimes: compareRuntimes(a.runtimeVersions ?? {}, b.runtimeVersions ?? {}),
    toolchain: compareToolchains(a, b),
    checkout: compareCheckouts(a, b),
    dependencies: compareDependencies(a, b),
    installed: compareInstalled(a, b),
    env: withoutDotenv(variables.env, a, b),
    paths: variables.paths,
  };
  const sections = {} as Record<SectionName, Entry[]>;
  const counts = {} as Record<SectionName, SectionCounts>;
  for (const name of sectionNames) {
    const { kept, ignored } = withoutIgnored(
      markRelevance(
        all[name].filter((entry) => !isUnknown(entry)),
        { needs, a, b },
      ),
      options.ignore,
    );
    sections[name] = kept;
    counts[name] = { ...countStatuses(kept), ignored };
  }
  return {
    a: sideOf(a, options.labels?.a),
    b: sideOf(b, options.labels?.b),
    sections,
    counts,
    notes: [
      ...gapNotes(a, b, unknown),
      ...architectureNote(a, b),
      ...factNotes(a, b),
      ...machinePackageNotes(sections.dependencies),
      ...notInstalledNotes(a, b),
      ...variables.notes,
    ],
    unknown,
    needs,
    showsValues,
  };
}

function compareAttribute(
  section: 'os' | 'arch',
  a: string | null | undefined,
  b: string | null | undefined,
): Entry[] {
  const valueA = a ?? null;
  const valueB = b ?? null;
  if (valueA === null && valueB === null) return [];
  const status = statusOf(valueA !== null, valueB !== null, valueA === valueB);
  return [
    { section, key: section, status, a: valueA, b: valueB, distance: status === 'changed' ? 'major' : null },
  ];
}

function compareRuntimes(a: Record<string, string>, b: Record<string, string>): Entry[] {
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(a), sortedKeys(b), (key, inA, inB) => {
    const valueA = inA ? (a[key] as string) : null;
    const valueB = inB ? (b[key] as string) : null;
    const both = valueA !== null && valueB !== null;
    const distance = both ? versionDistance(valueA, valueB, ecosystemOfRuntime(key)) : null;
    const status = statusOf(inA, inB, distance === null);
    entries.push({ section: 'runtimes', key, status, a: valueA, b: valueB, distance });
  });
  return entries;
}

/** A side captured with `--no-dotenv` says nothing about what those files set. */
function withoutDotenv(entries: Entry[], a: ComparableEnvironment, b: ComparableEnvironment): Entry[] {
  const leavesOut = [a, b].some(({ metadata }) => field(metadata?.capture, 'dotenv') === false);
  return leavesOut ? entries.filter((entry) => !isDotenvVariable(entry.key)) : entries;
}

type DependencyMap = Record<string, Record<string, string>>;

function compareDependencies(left: ComparableEnvironment, right: ComparableEnvironment): Entry[] {
  const a: DependencyMap = left.dependencies ?? {};
  const b: DependencyMap = right.dependencies ?? {};
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(a), sortedKeys(b), (file, fileInA, fileInB) => {
    const packagesA = fileInA ? (a[file] as Record<string, string>) : {};
    const packagesB = fileInB ? (b[file] as Record<string, string>) : {};
    const ecosystem = ecosystemOfFile(file);
    const ofMachine = packageDatabaseOf(file) !== undefined;
    const direct = directPackages(file, left, right);
    mergeKeys(sortedKeys(packagesA), sortedKeys(packagesB), (name, inA, inB) => {
      const valueA = inA ? (packagesA[name] as string) : null;
      const valueB = inB ? (packagesB[name] as string) : null;
      const both = valueA !== null && valueB !== null;
      const distance = both ? versionDistance(valueA, valueB, ecosystem) : null;
      const status = statusOf(inA, inB, distance === null);
      const key = `${file}/${name}`;
      const context = ofMachine && !isLoadedPackage(name) ? { context: true as const } : {};
      entries.push({
        section: 'dependencies',
        key,
        status,
        a: valueA,
        b: valueB,
        distance,
        file,
        name,
        ...context,
        ...(direct.has(name) && { direct: true }),
      });
    });
  });
  return entries;
}

function withoutIgnored(entries: Entry[], ignore: CompareOptions['ignore']) {
  if (!ignore) return { kept: entries, ignored: 0 };
  const kept: Entry[] = [];
  let ignored = 0;
  for (const entry of entries) {
    if (!ignore(entry)) kept.push(entry);
    else if (entry.status !== 'same') ignored += 1;
  }
  return { kept, ignored };
}

function countStatuses(entries: readonly Entry[]): Record<EntryStatus, number> {
  const counts = { same: 0, changed: 0, added: 0, removed: 0 };
  for (const entry of entries) counts[entry.status] += 1;
  return counts;
}

function sideOf(environment: ComparableEnvironment, label: string | undefined): Side {
  return {
    label: label ?? environment.machineName,
    id: environment.id ?? null,
    machineName: environment.machineName,
    createdAt: environment.createdAt ?? null,
    os: environment.os ?? null,
    arch: environment.arch ?? null,
    revision: revisionOf(environment.metadata?.git),
    folder: folderOf(environment.metadata?.project),
  };
}

function folderOf(project: unknown): string | null {
  return textField(project, 'workspace') ?? textField(project, 'folder') ?? null;
}

/** Branch and commit, as a capture holds them: `main@1a2b3c4d+`, with a plus where files were changed. */
export function revisionOf(git: unknown): string | null {
  const commit = textField(git, 'commit');
  const words = [
    textField(git, 'branch'),
    commit && `${commit.slice(0, 8)}${field(git, 'dirty') === true ? '+' : ''}`,
  ].filter((word) => word !== undefined);
  return words.length > 0 ? words.join('@') : null;
}

/** Another architecture changes platform-specific packages, which are then consequences, not causes. */
function architectureNote(a: ComparableEnvironment, b: ComparableEnvironment): ComparisonNote[] {
  const differs = (x: string | null | undefined, y: string | null | undefined) => x && y && x !== y;
  if (!differs(a.os, b.os) && !differs(a.arch, b.arch)) return [];
  return [
    {
      code: 'other_architecture',
      message: 'The platforms differ, so packages and variables made for one platform differ too.',
    },
  ];
}
