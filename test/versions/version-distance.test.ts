import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Ecosystem,
  ecosystemOfFile,
  ecosystemOfRuntime,
} from '../../packages/shared/src/catalogue/ecosystem.ts';
import {
  type Distance,
  distances,
  reaches,
  splitVersions,
  versionDistance,
  widerDistance,
} from '../../packages/versions/src/version-distance.ts';
import { rounds } from '../support/generated.ts';
import { readTestData } from '../support/test-data.ts';

const { table } = readTestData<{ table: [Ecosystem, string, string, Distance | null][] }>(import.meta);

describe('versionDistance', () => {
  it.each(table)('by the rules of %s, %s and %s differ by %s', (ecosystem, a, b, expected) => {
    expect(versionDistance(a, b, ecosystem)).toBe(expected);
    expect(versionDistance(b, a, ecosystem)).toBe(expected);
  });

  it('gives up on thousands of versions of one name instead of comparing each pair', () => {
    const many = (major: number) =>
      Array.from({ length: 500 }, (_, patch) => `${major}.0.${patch}`).join(', ');
    expect(versionDistance(many(1), many(2), 'npm')).toBe('other');
  });

  it('is symmetric, and null exactly for equal sets, whatever the text', () => {
    const ecosystems: Ecosystem[] = ['npm', 'pypi', 'go', 'maven', 'rubygems', 'debian', 'nuget', 'generic'];
    const part = fc.nat({ max: 3 });
    const version = fc.oneof(
      fc.tuple(part, part, part).map((numbers) => numbers.join('.')),
      fc
        .tuple(part, part, fc.constantFrom('', '-rc.1', 'rc1', '+b', '.Final', '~x'))
        .map(([x, y, z]) => `${x}.${y}${z}`),
      fc.string({ maxLength: 10 }),
    );
    fc.assert(
      fc.property(version, version, fc.constantFrom(...ecosystems), (a, b, ecosystem) => {
        const distance = versionDistance(a, b, ecosystem);
        expect(versionDistance(b, a, ecosystem)).toBe(distance);
        const same =
          [...new Set(splitVersions(a))].sort().join() === [...new Set(splitVersions(b))].sort().join();
        if (a === b) expect(distance).toBeNull();
        else if (a.includes(',') || b.includes(',')) expect(distance === null).toBe(same);
        else expect(distances).toContain(distance);
      }),
      { numRuns: rounds(2000) },
    );
  });
});

describe('levels', () => {
  it('reach every wider distance, and what cannot be measured reaches every level', () => {
    expect(reaches('major', 'minor')).toBe(true);
    expect(reaches('minor', 'minor')).toBe(true);
    expect(reaches('patch', 'minor')).toBe(false);
    for (const level of distances) expect(reaches('other', level)).toBe(true);
    expect(widerDistance('patch', 'minor')).toBe('minor');
  });
});

describe('ecosystemOfFile', () => {
  it('looks at the name, not the folder', () => {
    expect(ecosystemOfFile('packages/web/package-lock.json')).toBe('npm');
    expect(ecosystemOfFile('requirements-dev.txt')).toBe('pypi');
    expect(ecosystemOfFile('services/api/go.sum')).toBe('go');
    expect(ecosystemOfFile('App/App.csproj')).toBe('nuget');
    expect(ecosystemOfFile('unheard-of.lock')).toBe('generic');
    expect(ecosystemOfRuntime('python')).toBe('pypi');
    expect(ecosystemOfRuntime('gcc')).toBe('generic');
  });
});
