// Comparisons from end to end: two sides, the rules, and what the report says.

import {
  adviceOf,
  type ComparableEnvironment,
  type ComparisonRules,
  compareEnvironments,
  headlineOf,
  readFailure,
} from '@envsnap/compare';
import { comparisonToDocument } from '@envsnap/compare/formats/json';
import { parsePolicy } from '@envsnap/compare/policy';
import { installedFindings, notInstalledFindings, unmetDeclarations } from '@envsnap/compare/workspace';
import { describe, expect, it } from 'vitest';
import { countsLine } from '../../packages/compare/src/report/view.ts';
import { readTestData } from '../support/test-data.ts';

type Part = Partial<ComparableEnvironment>;

/** The common part of both sides, and each side's own part; a policy as in YAML; the output of a failure. */
interface Setting {
  readonly both?: Part;
  readonly a?: Part;
  readonly b?: Part;
  readonly rules?: ComparisonRules;
  readonly policy?: object;
  readonly output?: string;
}

const { groups, findings } = readTestData<{
  groups: Record<string, Setting & { cases: Record<string, (Setting & { expected: object })[]> }>;
  findings: Record<string, [Part, object[]]>;
}>(import.meta);

function side(machineName: string, ...parts: (Part | undefined)[]): ComparableEnvironment {
  const metadata = Object.assign({}, ...parts.map((part) => part?.metadata));
  return Object.assign({ machineName }, ...parts, { metadata });
}

function judge({ both, a, b, rules, policy, output }: Setting) {
  const report = compareEnvironments(side('anna', both, a), side('ben', both, b), {
    now: new Date('2026-11-21T12:00:00Z'),
    ...rules,
    policy: policy && parsePolicy(JSON.stringify(policy), '.envsnap.yaml'),
    failure: output === undefined ? undefined : readFailure(output),
  });
  return {
    verdict: report.verdict,
    headline: headlineOf(report),
    advice: adviceOf(report) ?? null,
    summary: countsLine(report),
    counting: [...report.counting].map(({ key }) => key),
    differing: report.differences.map(({ key }) => key),
    entries: report.differences,
    notes: report.comparison.notes.map(({ message }) => message),
    codes: report.comparison.notes.map(({ code }) => code),
    causes: report.causes.map(({ keys }) => keys.join(' ')),
    first: report.causes[0],
    accepted: comparisonToDocument(report).accepted,
    checks: report.policy?.checks.map(({ outcome, message }) => `${outcome}: ${message}`),
    counts: report.comparison.counts,
  };
}

/** A text that begins with `…` matches every text that contains the rest. */
const asMatchers = (expected: object) =>
  JSON.parse(JSON.stringify(expected), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith('…') ? expect.stringContaining(value.slice(1)) : value,
  );

describe.each(Object.entries(groups))('%s', (_group, { cases, ...setting }) => {
  it.each(Object.entries(cases))('%s', (_title, rows) => {
    for (const { expected, ...row } of rows)
      expect(judge({ ...setting, ...row })).toMatchObject(asMatchers(expected));
  });
});

it.each(Object.entries(findings))('what one machine lacks: %s', (_title, [part, expected]) => {
  const kinds = [installedFindings, notInstalledFindings, unmetDeclarations];
  const found = kinds.flatMap((find): object[] => find(side('anna', part)));
  expect(found).toMatchObject(expected.map(asMatchers));
});
