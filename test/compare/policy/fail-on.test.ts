import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import {
  countingEntries,
  defaultFailRules,
  parseFailOn,
} from '../../../packages/compare/src/policy/fail-on.ts';
import { ignoreTest } from '../../../packages/compare/src/policy/ignore-patterns.ts';

const comparison = findDifferences(
  {
    machineName: 'a',
    os: 'linux',
    runtimeVersions: { node: '22.11.0', go: '1.22.0' },
    dependencies: { 'package-lock.json': { zod: '3.0.0', tsx: '1.0.0', gone: '1.0.0' }, 'go.mod': {} },
    envVars: { A: '1', PATH: '/a', LS_COLORS: 'di=34' },
    metadata: { system: { kernel: '6.1', libc: 'glibc 2.36' } },
  },
  {
    machineName: 'b',
    os: 'linux',
    runtimeVersions: { node: '22.14.0', go: '1.22.1', helm: '3.1.0' },
    dependencies: { 'package-lock.json': { zod: '4.0.0', tsx: '1.0.1' } },
    envVars: { B: '1', PATH: '/b' },
    metadata: { system: { kernel: '6.8', libc: 'glibc 2.39' } },
  },
);
const counting = (text: string) =>
  countingEntries(comparison, parseFailOn(text)).map((entry) => entry.name ?? entry.key);

describe('fail-on rules', () => {
  it('count by section and by distance', () => {
    expect(counting('runtimes')).toEqual(['go', 'node']);
    expect(counting('runtimes:minor')).toEqual(['node']);
    expect(counting('runtimes:major')).toEqual([]);
    expect(counting('dependencies:major')).toEqual(['gone', 'zod']);
    expect(counting('runtimes:minor,dependencies:major,env')).toEqual(['node', 'gone', 'zod', 'A', 'B']);
    expect(counting('none')).toEqual([]);
  });

  it('count single keys by a pattern, with or without a level', () => {
    expect(counting('runtimes:go')).toEqual(['go']);
    expect(counting('runtimes:{go,node}:minor')).toEqual(['node']);
    expect(counting('dependencies:t*')).toEqual(['tsx']);
  });

  it('leave context out unless a rule names it', () => {
    expect(counting('system')).toEqual(['libc']);
    expect(counting('system:kernel')).toEqual(['kernel']);
    expect(counting('all')).toContain('kernel');
    expect(countingEntries(comparison, defaultFailRules).map((entry) => entry.key)).not.toContain('kernel');
  });

  it('by default count what can change what the project does, and no small step of a version', () => {
    const keys = countingEntries(comparison, defaultFailRules).map((entry) => entry.name ?? entry.key);
    expect(keys).toEqual(['node', 'gone', 'tsx', 'zod', 'A', 'B']);
    // Another patch of go, a newer C library and another PATH could matter: a rule for their section counts them.
    expect(counting('runtimes,system,paths')).toEqual(['libc', 'go', 'node', 'PATH']);
    // What nothing asks for is context for every rule that does not name it.
    expect(counting('runtimes')).not.toContain('helm');
    expect(counting('env')).not.toContain('LS_COLORS');
    expect(counting('runtimes:helm,env:LS_COLORS')).toEqual(['helm', 'LS_COLORS']);
  });

  it('say what is wrong and what would be right', () => {
    expect(() => parseFailOn('runtime:minor')).not.toThrow();
    expect(() => parseFailOn('dependancies:major')).toThrow(
      /no section "dependancies".*Did you mean "dependencies"\?/,
    );
    expect(() => parseFailOn('runtimes:majr')).toThrow(/no level "majr".*Did you mean "major"\?/);
    expect(() => parseFailOn('runtimes,,env')).toThrow(/rule is empty/);
    expect(() => parseFailOn('')).toThrow(/rule is empty/);
    expect(() => parseFailOn('runtimes:')).toThrow(/ends with a colon/);
    expect(() => ignoreTest(['envs:X'])).toThrow(/Did you mean "env"\?/);
    expect(() => ignoreTest([' '])).toThrow(/empty/);
  });
});
