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

const table: [Ecosystem, string, string, Distance | null][] = [
  // semver
  ['npm', '1.2.3', '1.2.3', null],
  ['npm', '1.2.3', '2.0.0', 'major'],
  ['npm', '1.2.3', '1.3.0', 'minor'],
  ['npm', '1.2.3', '1.2.4', 'patch'],
  ['npm', '1.0.0-alpha.1', '1.0.0', 'prerelease'],
  ['npm', '1.0.0-alpha.1', '1.0.0-alpha.2', 'prerelease'],
  ['npm', '2.0.0-rc.1', '1.9.0', 'major'],
  ['npm', '1.0.0+build.1', '1.0.0+build.2', 'build'],
  ['npm', 'v1.0.0', '1.0.0', 'build'],
  ['npm', '1.0.0', 'file:../local', 'other'],
  ['npm', 'git+ssh://git@host/a/b.git#0123456789abcdef0123456789abcdef01234567', '1.0.0', 'other'],
  ['npm', '0123456789abcdef0123456789abcdef01234567', '1123456789abcdef0123456789abcdef01234567', 'other'],
  ['cargo', '0.4.1', '0.5.0', 'minor'],
  // PEP 440
  ['pypi', '1.0', '1.0.0', 'build'],
  ['pypi', '1.0', '1.1', 'minor'],
  ['pypi', '1.0rc1', '1.0', 'prerelease'],
  ['pypi', '1.0.dev3', '1.0', 'prerelease'],
  ['pypi', '1.0', '1.0.post1', 'build'],
  ['pypi', '2.1.0+cu118', '2.1.0+cpu', 'build'],
  ['pypi', '1!1.0', '1.0', 'major'],
  ['pypi', '2024.8.30', '2024.12.14', 'minor'],
  ['conda', '1.26.4=py311_0', '1.26.4=py312_0', 'build'],
  // Go
  ['go', 'v1.2.3', 'v1.2.4', 'patch'],
  ['go', 'v0.0.0-20191109021931-daa7c04131f5', 'v0.0.0-20230109021931-aaa7c04131f5', 'prerelease'],
  ['go', 'v1.2.3', 'v1.2.4-0.20191109021931-daa7c04131f5', 'prerelease'],
  ['go', 'v1.2.0', 'v1.2.4-0.20191109021931-daa7c04131f5', 'patch'],
  ['go', 'v2.0.0+incompatible', 'v2.0.0', 'build'],
  ['go', 'v1.5.0-pre.0.20191109021931-daa7c04131f5', 'v1.6.0', 'minor'],
  ['go', '1.22rc1', '1.22', 'prerelease'],
  ['go', 'go1.21.5', 'go1.22.0', 'minor'],
  // RubyGems
  ['rubygems', '7.1.0', '7.1.0.rc1', 'prerelease'],
  ['rubygems', '1.15.0-x86_64-linux', '1.15.0-arm64-darwin', 'build'],
  ['rubygems', '7.0.4.1', '7.0.4.2', 'build'],
  // Maven
  ['maven', '1.0', '1.0.0.Final', 'build'],
  ['maven', '31.1-jre', '31.1-android', 'build'],
  ['maven', '31.1-jre', '32.0-jre', 'major'],
  ['maven', '1.0-SNAPSHOT', '1.0', 'prerelease'],
  ['maven', '1.0-RC-1', '1.0-RC-2', 'prerelease'],
  ['maven', '5.3.0.RELEASE', '5.3.1', 'patch'],
  // Debian
  ['rpm', '1:3.0.7-27.el9', '1:3.0.7-28.el9', 'build'],
  ['rpm', '1:3.0.7-27.el9', '2:3.0.7-27.el9', 'major'],
  ['alpine', '1.2.5-r0', '1.2.5-r1', 'build'],
  ['alpine', '1.36.1_git20231001-r0', '1.37.0-r0', 'minor'],
  ['debian', '2.36-9+deb12u1', '2.36-9+deb12u3', 'build'],
  ['debian', '1:9.2p1-2', '9.2p1-2', 'major'],
  ['debian', '1:9.2p1-2', '1:9.2p2-1', 'patch'],
  ['debian', '2.0~rc1-1', '2.0-1', 'prerelease'],
  // four parts, days, letters
  ['nuget', '1.2.3.4', '1.2.3.5', 'build'],
  ['nuget', '1.2.3.0', '1.2.3', 'build'],
  ['composer', 'dev-main', '1.0.0', 'other'],
  ['generic', '120.0.6099.109', '120.0.6099.130', 'build'],
  ['generic', '20240830', '20241130', 'minor'],
  ['generic', '20240830', '20250830', 'major'],
  ['generic', '2024a', '2024b', 'minor'],
  ['generic', '1.1.1k', '1.1.1w', 'patch'],
  ['generic', '17.0.15+6', '17.0.15+7', 'build'],
  ['generic', '12.2.0-14', '12.3.0-1', 'minor'],
  ['generic', 'stable', 'nightly', 'other'],
  ['generic', '9', '10', 'major'],
];

describe('versionDistance', () => {
  it.each(table)('by the rules of %s, %s and %s differ by %s', (ecosystem, a, b, expected) => {
    expect(versionDistance(a, b, ecosystem)).toBe(expected);
    expect(versionDistance(b, a, ecosystem)).toBe(expected);
  });

  it('compares several versions of one name as sets', () => {
    expect(versionDistance('1.0.0, 2.0.0', '2.0.0, 1.0.0', 'npm')).toBeNull();
    expect(versionDistance('1.0.0, 2.0.0', '1.0.0, 2.0.1', 'npm')).toBe('patch');
    expect(versionDistance('1.0.0, 2.0.0', '1.1.0, 2.0.1', 'npm')).toBe('minor');
    expect(versionDistance('1.0.0, 2.0.0', '2.0.0', 'npm')).toBe('major');
    expect(versionDistance('1.0.0', '1.0.0, 1.0.5', 'npm')).toBe('patch');
    expect(versionDistance('1.0.0, git+https://h/r#abc', '1.0.0', 'npm')).toBe('other');
  });

  it('gives up on thousands of versions of one name instead of pairing them all', () => {
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
      { numRuns: 2000 },
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
