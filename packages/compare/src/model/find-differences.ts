// Compares two environments, section by section, into the model that every format shows. Pure, and linear except for sorting.

import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { isDotenvVariable } from '../environment/dotenv-variable.ts';
import { type Environment, environmentOf } from '../environment/environment.ts';
import { markRelevance } from '../relevance/mark-relevance.ts';
import { projectNeeds } from '../relevance/project-needs.ts';
import { gapNotes, mayCount, unknownEntryTest, unknownKeys } from './capture-gaps.ts';
import { compareCheckouts } from './compare-checkout.ts';
import { compareInstalled } from './compare-installed.ts';
import {
  compareAttribute,
  compareDependencies,
  compareFacts,
  compareRuntimes,
  compareSystems,
  compareToolchains,
} from './compare-values.ts';
import { compareVariables } from './compare-variables.ts';
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

export interface SideLabels {
  readonly a: string;
  readonly b: string;
  /** The place of each side in sentences: `before`, `now`, `in this run`. Default: the machine, or `in A`. */
  readonly at?: { readonly a: string; readonly b: string };
}

export interface CompareOptions {
  readonly labels?: SideLabels;
  /** True for entries to leave out; those that differ are counted as ignored. */
  readonly ignore?: (entry: Entry) => boolean;
  readonly showValues?: boolean;
  readonly explains?: boolean | undefined;
  /** Variables that a policy mentions, each with the policy's file; they count as mentioned by the project. */
  readonly asked?: readonly (readonly [name: string, file: string])[] | undefined;
}

export function findDifferences(
  snapshotA: ComparableEnvironment,
  snapshotB: ComparableEnvironment,
  options: CompareOptions = {},
): EnvironmentComparison {
  const [a, b] = [environmentOf(snapshotA), environmentOf(snapshotB)];
  const showsValues = options.showValues ?? false;
  const variables = compareVariables(a, b, showsValues);
  const unknown = unknownKeys(a, b);
  const isUnknown = unknownEntryTest(unknown);
  const found = projectNeeds(a, b);
  const needs = options.asked
    ? { ...found, variables: new Map([...options.asked, ...found.variables]) }
    : found;
  const all: Record<SectionName, Entry[]> = {
    os: compareAttribute('os', a, b),
    arch: compareAttribute('arch', a, b),
    system: compareSystems(a, b),
    facts: compareFacts(a, b),
    runtimes: compareRuntimes(a, b),
    toolchain: compareToolchains(a, b),
    checkout: compareCheckouts(a, b, options.explains ?? false),
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
        { needs, a, b, explains: options.explains ?? false },
      ),
      options.ignore,
    );
    sections[name] = kept;
    counts[name] = { ...countStatuses(kept), ignored };
  }
  return {
    a: sideOf(a, options.labels?.a, options.labels?.at?.a),
    b: sideOf(b, options.labels?.b, options.labels?.at?.b),
    sections,
    counts,
    notes: [
      ...gapNotes(
        a,
        b,
        unknown.filter((each) => each.sides !== 'both' || mayCount(each, needs)),
      ),
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

function withoutDotenv(entries: Entry[], a: Environment, b: Environment): Entry[] {
  if (a.capture.dotenv && b.capture.dotenv) return entries;
  return entries.filter((entry) => !isDotenvVariable(entry.key));
}

function withoutIgnored(entries: Entry[], ignore: CompareOptions['ignore'] = () => false) {
  const { kept = [], left = [] } = Object.groupBy(entries, (entry) => (ignore(entry) ? 'left' : 'kept'));
  return { kept, ignored: left.filter(({ status }) => status !== 'same').length };
}

function countStatuses(entries: readonly Entry[]): Record<EntryStatus, number> {
  const counts = { same: 0, changed: 0, added: 0, removed: 0 };
  for (const entry of entries) counts[entry.status] += 1;
  return counts;
}

function sideOf(
  { snapshot, os, arch, revision, project: { folder } }: Environment,
  label: string | undefined,
  at: string | undefined,
): Side {
  const { machineName, id = null, createdAt = null } = snapshot;
  const named = { label: label ?? machineName, ...(at !== undefined && { at }) };
  return { ...named, id, machineName, createdAt, os, arch, revision, folder };
}

function factNotes(a: Environment, b: Environment): ComparisonNote[] {
  const missing = [a.facts === undefined ? 'A' : '', b.facts === undefined ? 'B' : ''].filter(Boolean);
  if (missing.length !== 1) return [];
  return [
    {
      code: 'facts_one_side',
      message: `${missing[0]} was captured without facts (limits, tool configuration, kernel settings), so they are not compared.`,
    },
  ];
}

/** Another architecture explains differences in platform-specific packages, which are then not causes. */
function architectureNote(a: Environment, b: Environment): ComparisonNote[] {
  const differs = (x: string | null, y: string | null) => x && y && x !== y;
  if (!differs(a.os, b.os) && !differs(a.arch, b.arch)) return [];
  return [
    {
      code: 'other_architecture',
      message: 'The platforms differ, so packages and variables made for one platform differ too.',
    },
  ];
}
