// A comparison as a JSON document: the service's compare response with more members. Its schema is document-schema.ts.

import type { ComparisonCause } from '@envsnap/shared';
import { sectionNames } from '@envsnap/shared/address';
import type { Cause } from '../causes/cause.ts';
import { withoutTerminalHints } from '../causes/terminal-hints.ts';
import type { Entry, ListChange } from '../model/model.ts';
import type { ComparisonDocument } from '../report/document-schema.ts';
import { notCounted } from '../report/not-counted.ts';
import type { ComparisonReport } from '../report/report.ts';

type Diff = ComparisonDocument['diff'];

/** Maximum number of keys of a cause: nobody reads 600 names of packages. */
const mostKeys = 5;

export function comparisonToDocument(report: ComparisonReport): ComparisonDocument {
  const { comparison, counting } = report;
  const { a, b, sections, counts, notes, showsValues } = comparison;
  const attribute = (entry: Entry | undefined): Diff['os'] => ({
    a: entry?.a ?? null,
    b: entry?.b ?? null,
    match: entry === undefined || entry.status === 'same',
    counts: entry !== undefined && counting.has(entry),
  });
  const plain = (entry: Entry) => ({
    key: entry.key,
    a: entry.a,
    b: entry.b,
    status: entry.status,
    distance: entry.distance,
    counts: counting.has(entry),
    reason: notCounted(report, entry)?.reason ?? null,
  });
  const variable = (entry: Entry): Diff['envVars'][number] => ({
    key: entry.key,
    status: entry.status,
    counts: counting.has(entry),
    reason: notCounted(report, entry)?.reason ?? null,
    ...(showsValues ? { a: entry.a, b: entry.b } : {}),
    ...(entry.unverified ? { unverified: entry.unverified } : {}),
  });
  const variables = sections.env.map(variable);
  const summary = {} as ComparisonDocument['summary'];
  for (const name of sectionNames) summary[name] = { ...counts[name], counting: 0 };
  for (const entry of counting) summary[entry.section].counting += 1;
  return {
    snapshotA: a.id,
    snapshotB: b.id,
    a,
    b,
    verdict: report.verdict,
    failOn: [...report.failOn],
    causes: report.causes.map((cause) => ({
      ...causeToDocument(cause),
      also: [...(cause.also ?? [])],
      ...(cause.evidence !== undefined && { evidence: cause.evidence }),
    })),
    policy: report.policy && {
      file: report.policy.file,
      checks: report.policy.checks.map(({ metByA: _, ...check }) => check),
    },
    accepted: report.accepted.map(({ key, reason, until, expired, entries }) => ({
      key,
      reason,
      until: until ?? null,
      expired,
      entries: entries.map((entry) => ({ section: entry.section, key: entry.key })),
    })),
    summary,
    notes: [...notes],
    diff: {
      os: attribute(sections.os[0]),
      arch: attribute(sections.arch[0]),
      system: sections.system.map((entry) => ({ ...plain(entry), context: entry.context ?? false })),
      facts: sections.facts.map((entry) => ({
        ...plain(entry),
        context: entry.context ?? false,
        ...(entry.list && { list: copyOf(entry.list) }),
      })),
      runtimes: sections.runtimes.map((entry) => ({ ...plain(entry), match: entry.status === 'same' })),
      toolchain: sections.toolchain.map((entry) => ({
        ...plain(entry),
        declared: { a: pickDeclared(entry, 'a'), b: pickDeclared(entry, 'b') },
      })),
      checkout: sections.checkout.map((entry) => ({ ...plain(entry), context: entry.context ?? false })),
      dependencies: sections.dependencies.map((entry) => ({
        ...plain(entry),
        file: entry.file ?? '',
        name: entry.name ?? entry.key,
        context: entry.context ?? false,
        ...(entry.differsIn && { differsIn: entry.differsIn }),
      })),
      installed: sections.installed.map((entry) => ({
        ...plain(entry),
        file: entry.file ?? '',
        name: entry.name ?? entry.key,
      })),
      env: variables,
      envVars: variables,
      paths: sections.paths.map((entry) => ({ ...variable(entry), ...listOf(entry, showsValues) })),
    },
  };
}

export function causeToDocument({ section, keys, what, advice, repair }: Cause): ComparisonCause {
  return {
    section,
    keys: keys.slice(0, mostKeys),
    keyCount: keys.length,
    what: withoutTerminalHints(what),
    advice: withoutTerminalHints(advice),
    repair: repair.kind === 'ask' ? null : { side: repair.side, commands: [...repair.commands] },
  };
}

function pickDeclared(entry: Entry, side: 'a' | 'b'): Diff['toolchain'][number]['declared']['a'] {
  const declared = entry.declared?.[side];
  if (!declared) return null;
  const { requirement, file, present, satisfied } = declared;
  return { requirement, file, present, satisfied };
}

function copyOf({ added, removed, moved }: ListChange) {
  return { added: [...added], removed: [...removed], moved: [...moved] };
}

function listOf(entry: Entry, showsValues: boolean): Pick<Diff['paths'][number], 'list'> {
  if (!entry.list) return {};
  const { added, removed, moved } = entry.list;
  const entries = showsValues ? { addedEntries: [...added], removedEntries: [...removed] } : {};
  return { list: { added: added.length, removed: removed.length, moved: moved.length, ...entries } };
}
