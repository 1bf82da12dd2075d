// The content of a share: a snapshot or a judged comparison, with private words removed. The verdict and the order of the causes are
// those of the complete comparison.

import {
  type Cause,
  type ComparisonReport,
  causeWithoutHosts,
  type Entry,
  type EnvironmentComparison,
  hostHider,
  type PolicyCheck,
  type Repair,
  type Side,
  withoutHosts,
} from '@envsnap/compare/workspace';
import type { Snapshot } from '@envsnap/shared';
import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { factRow } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { recordOf } from '@envsnap/shared/plain-object';
import type { LeaveOut } from './leave-out.ts';

const variableSections: ReadonlySet<SectionName> = new Set<SectionName>(['env', 'paths']);
/** Sections whose values are versions: there, four numbers are a version, not an address. */
const versionSections: ReadonlySet<SectionName> = new Set<SectionName>([
  'runtimes',
  'dependencies',
  'installed',
]);

/** The shared parts of the metadata; everything else is left out. */
const sharedMetadata = [
  'capture',
  'system',
  'facts',
  'tools',
  'toolchain',
  'project',
  'locale',
  'timezone',
  'shell',
  'installed',
  'direct',
  'drift',
  'git',
  'outcome',
];
/** Members, at any depth, whose values always name people, machines or places. */
const privateMember =
  /(?:user|owner|author|actor|email|mail|login|host|remote|url|hostname|address|output|root|dir|cwd)$/i;

/** A snapshot as strangers see it: names of variables without values, and no name of the machine. */
export function publicSnapshot(environment: Snapshot, leaveOut: LeaveOut): Snapshot {
  const { metadata } = environment;
  const shared = sharedMetadata.filter((name) => Object.hasOwn(metadata, name));
  return {
    id: environment.id,
    machineName: 'A',
    os: environment.os === null ? null : leaveOut(environment.os),
    arch: environment.arch === null ? null : leaveOut(environment.arch),
    createdAt: environment.createdAt,
    runtimeVersions: mapVersions(environment.runtimeVersions, leaveOut),
    dependencies: Object.fromEntries(
      Object.entries(environment.dependencies).map(([file, packages]) => [
        leaveOut(file),
        mapVersions(packages, leaveOut),
      ]),
    ),
    envVars: Object.fromEntries(Object.keys(environment.envVars).map((name) => [leaveOut(name), ''])),
    metadata: Object.fromEntries(
      shared.map((name) => {
        const value = name === 'facts' ? factsWithoutHosts(metadata.facts) : metadata[name];
        return [name, publicValue(value, leaveOut)];
      }),
    ),
  };
}

function mapVersions(versions: Record<string, string>, leaveOut: LeaveOut): Record<string, string> {
  return Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [leaveOut(name), versionOf(version, leaveOut)]),
  );
}

function versionOf(text: string, leaveOut: LeaveOut): string {
  return /^[\d.]+$/.test(text) ? text : leaveOut(text);
}

function factsWithoutHosts(facts: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(recordOf(facts)).map(([name, value]) => {
      const hide = hostHider(name);
      return [name, Array.isArray(value) ? value.map(hide) : hide(value)];
    }),
  );
}

const deepest = 8;

function publicValue(value: unknown, leaveOut: LeaveOut, depth = 0): unknown {
  if (typeof value === 'string') return leaveOut(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === deepest) return null;
  if (Array.isArray(value)) return value.map((item) => publicValue(item, leaveOut, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !privateMember.test(name))
      .map(([name, item]) => [leaveOut(name), publicValue(item, leaveOut, depth + 1)]),
  );
}

export function publicReport(report: ComparisonReport, leaveOut: LeaveOut): ComparisonReport {
  const made = new Map<Entry, Entry>();
  const entryOf = (entry: Entry): Entry => {
    const known = made.get(entry) ?? publicEntry(withoutHosts(entry), leaveOut);
    made.set(entry, known);
    return known;
  };
  const { comparison, policy } = report;
  return {
    ...report,
    comparison: publicComparison(comparison, entryOf, leaveOut),
    counting: new Set([...report.counting].map(entryOf)),
    countedWith: new Map(
      [...report.countedWith].map(([entry, lead]): [Entry, Entry] => [entryOf(entry), entryOf(lead)]),
    ),
    differences: report.differences.map(entryOf),
    causes: report.causes.map((cause) => publicCause(causeWithoutHosts(cause, comparison), leaveOut)),
    accepted: report.accepted.map(({ key, reason, until, expired, entries }) => ({
      key: leaveOut(key),
      reason: leaveOut(reason),
      until,
      expired,
      entries: entries.map(entryOf),
    })),
    acceptedFor: new Map(
      [...report.acceptedFor].map(([entry, reason]): [Entry, string] => [entryOf(entry), leaveOut(reason)]),
    ),
    policy: policy && {
      file: leaveOut(policy.file),
      checks: policy.checks.map((check) => publicCheck(check, leaveOut)),
    },
  };
}

function publicComparison(
  comparison: EnvironmentComparison,
  entryOf: (entry: Entry) => Entry,
  leaveOut: LeaveOut,
): EnvironmentComparison {
  const sections = Object.fromEntries(
    sectionNames.map((name) => [name, comparison.sections[name].map(entryOf)]),
  ) as Record<SectionName, Entry[]>;
  return {
    ...comparison,
    a: publicSide(comparison.a, 'A', leaveOut),
    b: publicSide(comparison.b, 'B', leaveOut),
    sections,
    notes: comparison.notes.map(({ code, message }) => ({ code, message: leaveOut(message) })),
    unknown: comparison.unknown.map((each) => ({ ...each, key: leaveOut(each.key) })),
    showsValues: false,
  };
}

function publicSide(side: Side, letter: 'A' | 'B', leaveOut: LeaveOut): Side {
  const text = (value: string | null) => (value === null ? null : leaveOut(value));
  return {
    label: letter,
    id: null,
    machineName: letter,
    createdAt: side.createdAt,
    os: text(side.os),
    arch: text(side.arch),
    revision: text(side.revision),
    folder: text(side.folder),
  };
}

function publicEntry(entry: Entry, leaveOut: LeaveOut): Entry {
  const { section, list, declared, drift } = entry;
  const hidden = variableSections.has(section);
  const value = (text: string | null) => {
    if (text === null || hidden) return null;
    return versionSections.has(section) ? versionOf(text, leaveOut) : leaveOut(text);
  };
  const item = hidden ? () => '' : leaveOut;
  const requirement = (side: NonNullable<typeof declared>['a']) =>
    side && {
      ...side,
      requirement: versionOf(side.requirement, leaveOut),
      file: leaveOut(side.file),
      present: side.present === null ? null : versionOf(side.present, leaveOut),
    };
  return {
    ...entry,
    key: leaveOut(entry.key),
    a: value(entry.a),
    b: value(entry.b),
    ...(entry.contextReason !== undefined && { contextReason: leaveOut(entry.contextReason) }),
    ...(entry.mild !== undefined && { mild: leaveOut(entry.mild) }),
    ...(entry.file !== undefined && { file: leaveOut(entry.file) }),
    ...(entry.name !== undefined && { name: leaveOut(entry.name) }),
    ...(list && {
      list: { added: list.added.map(item), removed: list.removed.map(item), moved: list.moved.map(item) },
    }),
    ...(declared && { declared: { a: requirement(declared.a), b: requirement(declared.b) } }),
    ...(drift && {
      drift: {
        ...drift,
        requiredBy: drift.requiredBy.map(leaveOut),
        folder: drift.folder === null ? null : leaveOut(drift.folder),
      },
    }),
  };
}

function publicCause(cause: Cause, leaveOut: LeaveOut): Cause {
  const { evidence: _, hinted: __, ...rest } = cause;
  return {
    ...rest,
    what: leaveOut(cause.what),
    advice: leaveOut(cause.advice),
    ...(cause.accepted !== undefined && { accepted: leaveOut(cause.accepted) }),
    repair: publicRepair(cause.repair, leaveOut),
    members: cause.members.map(({ section, key }) => ({ section, key: leaveOut(key) })),
    keys: cause.keys.map(leaveOut),
    also: cause.also?.map(({ section, key }) => ({ section, key: leaveOut(key) })),
  };
}

/** A command from which words were removed would not work, so it is left out completely. */
function publicRepair(repair: Repair, leaveOut: LeaveOut): Repair {
  const { side, kind, what, value, commands } = repair;
  return {
    side,
    kind,
    what: leaveOut(what),
    ...(value !== undefined && { value: leaveOut(value) }),
    commands: commands.every((command) => leaveOut(command) === command) ? commands : [],
  };
}

/** A policy's expectation of a variable contains its value, and that of a host its name. */
function publicCheck(check: PolicyCheck, leaveOut: LeaveOut): PolicyCheck {
  const key = leaveOut(check.key);
  if (check.rule === 'env' || (check.rule === 'facts' && factRow(check.key)?.namesHosts)) {
    const message = check.outcome === 'met' ? `${key} is as expected` : `${key} is not as expected`;
    return { ...check, key, expected: '', actual: null, message, advice: `set ${key} as the policy says` };
  }
  const text = (value: string) => leaveOut(value);
  return {
    ...check,
    key,
    expected: text(check.expected),
    actual: check.actual === null ? null : text(check.actual),
    message: text(check.message),
    advice: text(check.advice),
  };
}
