import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { reportComparison, sectionsByWeight } from '../../../packages/compare/src/report/report.ts';

describe('the operating system’s own packages', () => {
  it('are context and one line, but for those that programs load', () => {
    const side = (libssl: string, other: string) => ({
      machineName: 'm',
      dependencies: { '/var/lib/dpkg/status': { libssl3: libssl, bash: other, vim: other } },
    });
    const comparison = findDifferences(side('3.0.11-1', '5.1'), side('3.0.13-1', '5.2'));
    const report = reportComparison(comparison);
    expect([...report.counting].map((entry) => entry.name)).toEqual(['libssl3']);
    expect(sectionsByWeight(report).flatMap(({ entries }) => entries.map((entry) => entry.name))).toEqual([
      'libssl3',
    ]);
    expect(sectionsByWeight(report, true)[0]?.entries).toHaveLength(3);
    expect(comparison.notes.map((note) => note.message)).toEqual([
      '2 other packages of the operating system differ; they rarely matter, and --all lists them.',
    ]);
  });
});
