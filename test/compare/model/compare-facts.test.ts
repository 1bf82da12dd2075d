import { describe, expect, it } from 'vitest';
import { rankCauses } from '../../../packages/compare/src/causes/causes.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { reportComparison, sectionsByWeight } from '../../../packages/compare/src/report/report.ts';

function machine(
  facts: Record<string, unknown> | undefined,
  rest: Partial<ComparableEnvironment> = {},
): ComparableEnvironment {
  return { machineName: 'm', os: 'linux', arch: 'x64', metadata: facts ? { facts } : {}, ...rest };
}

function differing(a: ComparableEnvironment, b: ComparableEnvironment) {
  return findDifferences(a, b).sections.facts.filter((entry) => entry.status !== 'same');
}

describe('facts', () => {
  it('differ by their values, and count as the catalogue says', () => {
    const entries = differing(
      machine({ 'limits.openFiles': 1024, 'net.resolvers': ['10.0.0.1'], 'process.umask': '0022' }),
      machine({ 'limits.openFiles': 256, 'net.resolvers': ['10.0.0.2'], 'process.umask': '0022' }),
    );
    expect(entries.map(({ key, a, b, context }) => [key, a, b, context])).toEqual([
      ['limits.openFiles', '1024', '256', undefined],
      ['net.resolvers', '10.0.0.1', '10.0.0.2', true],
    ]);
  });

  it('that are sets differ in what they hold, not in their order', () => {
    expect(
      differing(machine({ 'cpu.features': ['a', 'b'] }), machine({ 'cpu.features': ['b', 'a'] })),
    ).toEqual([]);
    const [entry] = differing(
      machine({ 'cpu.features': ['avx', 'avx2'] }),
      machine({ 'cpu.features': ['avx'] }),
    );
    expect(entry?.list).toEqual({ added: [], removed: ['avx2'], moved: [] });
    expect(
      rankCauses(
        findDifferences(machine({ 'cpu.features': ['avx', 'avx2'] }), machine({ 'cpu.features': ['avx'] })),
      )[0]?.what,
    ).toBe('cpu.features lacks avx2 in B');
  });

  it('that one side does not set have their default there', () => {
    const [entry] = differing(machine({}), machine({ 'git.core.autocrlf': 'input' }));
    expect(entry).toMatchObject({ key: 'git.core.autocrlf', a: 'false', b: 'input', status: 'changed' });
    expect(differing(machine({}), machine({ 'git.core.autocrlf': 'false' }))).toEqual([]);
  });

  it('that one side cannot know are no difference', () => {
    const mac = machine({ 'fs.caseSensitive': false }, { os: 'darwin' });
    const linux = machine({
      'fs.caseSensitive': false,
      'kernel.maxMapCount': 65530,
      'memory.limit': 1_000_000,
    });
    expect(differing(linux, mac)).toEqual([]);
    expect(
      differing(machine({ 'future.fact': 'x' }), machine({ 'future.fact': 'y' })).map((e) => e.context),
    ).toEqual([true]);
  });

  it('are not compared with a capture that holds none, and a note says so', () => {
    const comparison = findDifferences(machine(undefined), machine({ 'process.umask': '0077' }));
    expect(comparison.sections.facts).toEqual([]);
    expect(comparison.notes.map((note) => note.code)).toEqual(['facts_one_side']);
  });

  it('of package managers count where the project uses them', () => {
    const facts = [{}, { 'npm.ignoreScripts': true }] as const;
    const withLock = { dependencies: { 'package-lock.json': { zod: '4.0.0' } } };
    expect(differing(machine(facts[0]), machine(facts[1]))[0]?.context).toBe(true);
    expect(differing(machine(facts[0], withLock), machine(facts[1], withLock))[0]?.context).toBeUndefined();
  });
});

describe('installed packages', () => {
  it('differ where one side lacks what its lock file says', () => {
    const locked = { dependencies: { 'package-lock.json': { zod: '4.6.7', left: '1.0.0' } } };
    const a = machine({}, locked);
    const b = machine(
      {},
      { ...locked, metadata: { facts: {}, installed: { 'package-lock.json': { zod: '4.0.1', left: '' } } } },
    );
    const comparison = findDifferences(a, b);
    expect(
      comparison.sections.installed.map(({ key, a: x, b: y, distance }) => [key, x, y, distance]),
    ).toEqual([
      ['package-lock.json/left', '1.0.0', 'missing', null],
      ['package-lock.json/zod', '4.6.7', '4.0.1', 'minor'],
    ]);
    expect(rankCauses(comparison)[0]).toMatchObject({
      section: 'installed',
      keys: ['package-lock.json/left', 'package-lock.json/zod'],
    });
    expect(findDifferences(b, b).counts.installed).toMatchObject({ same: 2, changed: 0 });
  });
});

describe('the operating system’s own packages', () => {
  it('are context and one line, but for those that programs load', () => {
    const side = (libssl: string, other: string) =>
      machine({}, { dependencies: { '/var/lib/dpkg/status': { libssl3: libssl, bash: other, vim: other } } });
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
