import { describe, expect, it } from 'vitest';
import { rankCauses } from '../../../packages/compare/src/causes/causes.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import type { ComparableEnvironment, Entry } from '../../../packages/compare/src/model/model.ts';
import { parseFailOn } from '../../../packages/compare/src/policy/fail-on.ts';
import { notCounted } from '../../../packages/compare/src/report/not-counted.ts';
import { reportComparison, sectionsByWeight } from '../../../packages/compare/src/report/report.ts';
import { countsLine } from '../../../packages/compare/src/report/view.ts';
import { readTestData } from '../../support/test-data.ts';

type Side = Partial<ComparableEnvironment>;

const cases = readTestData<
  Record<
    string,
    { a?: Side; b?: Side; causes?: object[]; first?: object[]; last?: object[]; counts?: string }
  >
>(import.meta);

const compare = (a: Side = {}, b: Side = {}, options = {}) =>
  findDifferences({ machineName: 'a', ...a }, { machineName: 'b', ...b }, options);
const rank = (...given: Parameters<typeof compare>) => rankCauses(compare(...given));
const causes = (a: Side, b: Side) => rank(a, b).map((cause) => cause.what);

describe('rankCauses', () => {
  it.each(Object.entries(cases))('%s', (_, { a, b, causes, first = [], last = [], counts, ...options }) => {
    const ranked = rank(a, b, options);
    if (counts) expect(countsLine(reportComparison(compare(a, b, options)))).toBe(counts);
    if (causes) return expect(ranked).toMatchObject(causes);
    expect(ranked.slice(0, first.length)).toMatchObject(first);
    expect(ranked.slice(ranked.length - last.length)).toMatchObject(last);
  });

  it.each([
    ['docker compose up', 'docker-compose'],
    ['CI=1 sudo docker buildx bake', 'docker-buildx'],
    ['cd web && npx terraform plan', 'terraform'],
    ['test', 'node'],
  ])('puts the tool before others that the failed run starts: %s', (of, tool) => {
    const side = (version: string, outcome: object) => ({
      runtimeVersions: {
        node: `22.${version}.0`,
        terraform: `1.${version}.0`,
        'docker-compose': `2.${version}.0`,
        'docker-buildx': `0.${version}.0`,
      },
      metadata: { project: { ecosystems: ['npm'] }, outcome },
    });
    const found = causes(side('1', {}), side('3', { result: 'failed', of }));
    expect(found.filter((what) => !what.startsWith('node ') || tool === 'node')[0]).toMatch(`${tool} is `);
  });

  it('advises what a person can do about facts that nobody can set', () => {
    const advice = (name: string, a: boolean | string, b: boolean | string) =>
      rankCauses(
        findDifferences(
          { machineName: 'a', metadata: { facts: { [name]: a } } },
          { machineName: 'b', metadata: { facts: { [name]: b } } },
        ),
      )[0]?.advice;
    expect(advice('fs.caseSensitive', false, true)).toMatch(
      /^spell file names in imports exactly as on disk/,
    );
    expect(advice('limits.openFiles', '1024', '256')).toBe('run “ulimit -n 1024” on b');
    expect(advice('process.root', false, true)).toBe('run it as a user other than root on b');
    expect(advice('net.ipv6', true, false)).toBe('switch IPv6 on on b');
    expect(advice('fs.full', false, true)).toBe('free space on the file system of the project on b');
    expect(advice('fs.full', true, false)).toBe('rarely the only cause');
    expect(advice('tls.certificates', '140 sha256:0', 'none')).toMatch(
      /^install the same certificates .* on b$/,
    );
    expect(advice('tls.certificates', 'none', '140 sha256:0')).toMatch(
      /^install the same certificates .* on a$/,
    );
    expect(advice('gradle.initScripts', '0', '2')).toBe(
      'use the same scripts in ~/.gradle/init.d and ~/.gradle/init.gradle(.kts) on b',
    );
  });

  it('names first what the project itself asks for, whichever side says so', () => {
    const side = (version: string, asked?: string[]) => ({
      machineName: 'vm',
      dependencies: {
        'package-lock.json': {
          a: `1.0.${version}`,
          b: `${version}.0.0`,
          y: `1.${version}.0`,
          z: `1.0.${version}`,
        },
      },
      ...(asked && { metadata: { direct: { 'package-lock.json': asked } } }),
    });
    for (const [a, b] of [
      [side('1', ['y', 'z']), side('2')],
      [side('1'), side('2', ['y', 'z'])],
    ] as const) {
      const report = reportComparison(findDifferences(a, b));
      expect(report.causes[0]?.keys.map((key) => key.slice(-1))).toEqual(['y', 'z', 'b', 'a']);
      expect(report.causes[0]?.what).toContain('most notably y 1.1.0 → 1.2.0 (minor)');
      const sections = sectionsByWeight(report).map(({ entries }) => entries.map(({ name }) => name));
      expect(sections).toEqual([['y', 'z', 'b', 'a']]);
    }
    const hostile = {
      ...side('2'),
      metadata: { direct: { 'package-lock.json': [{}, null], __proto__: 'y' } },
    };
    expect(causes(side('1'), hostile)[0]).toContain('most notably b');
  });
});

describe('several differences with one cause count once', () => {
  const side = (machineName: string, flavour: string, node: string, npm: string) => ({
    machineName,
    os: 'linux',
    runtimeVersions: { node, npm },
    dependencies: { 'package-lock.json': { zod: '4.0.0' } },
    metadata: { facts: { 'program.sed': flavour, 'program.grep': flavour, 'program.tar': flavour } },
  });
  const comparison = findDifferences(
    side('box', 'GNU', '22.1.0', '10.9.0'),
    side('mac', 'BSD', '24.1.0', '11.0.0'),
    { explains: true },
  );
  const keys = (entries: Iterable<{ key: string }>) => [...entries].map(({ key }) => key).sort();

  it('by default, with the reason beside the others', () => {
    const report = reportComparison(comparison);
    expect(keys(report.counting)).toEqual(['node', 'program.grep']);
    const npm = comparison.sections.runtimes.find(({ key }) => key === 'npm') as Entry;
    expect(notCounted(report, npm)?.text).toBe('follows from node');
    expect(countsLine(report)).toBe('2 differences count (1 fact, 1 runtime), 3 follow from them');
  });

  it('but each difference that a rule names, or that is left when one is accepted', () => {
    const asked = reportComparison(comparison, { failRules: parseFailOn('facts,runtimes') });
    expect(asked.counting.size).toBe(5);
    const accepted = reportComparison(comparison, {
      accepted: [{ key: 'facts:program.grep', reason: 'scripts use no grep' }],
    });
    expect(keys(accepted.counting)).toEqual(['node', 'program.sed']);
  });
});
