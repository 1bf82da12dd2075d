import { sectionNames } from '@envsnap/shared/address';
import { attributeStatus, compareSnapshots } from '@envsnap/shared/compare';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { type ComparableEnvironment, differencesOf } from '../../../packages/compare/src/model/model.ts';
import { ignoreTest } from '../../../packages/compare/src/policy/ignore-patterns.ts';
import { readTestData } from '../../support/test-data.ts';

const { pathLists, windowsLists } = readTestData<{
  pathLists: [string, string, string][];
  windowsLists: [string, string, string, string][];
}>(import.meta);

const environment = (part: Partial<ComparableEnvironment> = {}): ComparableEnvironment => ({
  machineName: 'machine',
  os: 'linux',
  arch: 'x64',
  ...part,
});
/** Maps as JSON.parse makes them: `__proto__` is an own key. */
const key = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'PATH', 'node', 'a/b'),
);
const stringMap = (value: fc.Arbitrary<string>) =>
  fc
    .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 8 })
    .map((entries) => fromEntries(entries));
function fromEntries<T>(entries: [string, T][]): Record<string, T> {
  const map: Record<string, T> = {};
  for (const [name, value] of entries)
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  return map;
}
const version = fc.constantFrom('1.0.0', '1.2.0', '2.0.0', '1.0.0, 2.0.0', 'abc');
const value = fc.constantFrom(
  '',
  'x',
  '/a:/b',
  '/b:/a',
  '[redacted]',
  'hmac:0123456789abcdef',
  'hmac:fedcba9876543210',
);
const anyEnvironment: fc.Arbitrary<ComparableEnvironment> = fc.record({
  machineName: fc.constant('m'),
  os: fc.constantFrom('linux', 'darwin', null),
  arch: fc.constantFrom('x64', 'arm64', null),
  runtimeVersions: stringMap(version),
  dependencies: fc
    .uniqueArray(fc.tuple(key, stringMap(version)), { selector: ([name]) => name, maxLength: 4 })
    .map((entries) => fromEntries(entries)),
  envVars: stringMap(value),
  metadata: fc.record({
    system: fc.record({
      libc: fc.constantFrom('glibc 2.36', 'musl 1.2.5'),
      cpu: fc.record({ count: fc.nat(8) }),
    }),
    capture: fc.record({ envValues: fc.constantFrom('safe', 'all', 'none', undefined) }),
  }),
});
const mirrored = { same: 'same', changed: 'changed', added: 'removed', removed: 'added' } as const;

describe('findDifferences', () => {
  it('finds nothing between an environment and itself', () => {
    fc.assert(
      fc.property(anyEnvironment, (one) => {
        expect(differencesOf(findDifferences(one, structuredClone(one)))).toEqual([]);
      }),
    );
  });

  it('mirrors added and removed when the sides are swapped, with the same distances', () => {
    fc.assert(
      fc.property(anyEnvironment, anyEnvironment, (a, b) => {
        const there = findDifferences(a, b);
        const back = findDifferences(b, a);
        for (const section of sectionNames)
          expect(back.sections[section].map((e) => [e.key, e.status, e.distance])).toEqual(
            there.sections[section].map((e) => [e.key, mirrored[e.status], e.distance]),
          );
      }),
    );
  });

  it('agrees with the service’s compare on the state of every runtime, package and name of a variable', () => {
    fc.assert(
      fc.property(anyEnvironment, anyEnvironment, (a, b) => {
        const side = (one: ComparableEnvironment) => ({
          os: one.os ?? null,
          arch: one.arch ?? null,
          runtimeVersions: one.runtimeVersions ?? {},
          dependencies: one.dependencies ?? {},
        });
        const names = (one: ComparableEnvironment) => Object.keys(one.envVars ?? {});
        const diff = compareSnapshots(side(a), side(b), { mode: 'names', a: names(a), b: names(b) });
        const { sections } = findDifferences(a, b);
        const states = (entries: readonly { key: string; status: string }[]) =>
          entries.map(({ key: name, status }) => `${name} ${status}`).sort();
        expect(states(sections.runtimes)).toEqual(
          states(diff.runtimes.map((entry) => ({ key: entry.key, status: attributeStatus(entry) }))),
        );
        expect(states(sections.dependencies)).toEqual(states(diff.dependencies));
        const presence = (status: string) => (status === 'changed' ? 'same' : status);
        const variables = [...sections.env, ...sections.paths];
        expect(
          states(variables.map((entry) => ({ key: entry.key, status: presence(entry.status) }))),
        ).toEqual(states(diff.envVars));
      }),
    );
  });

  it('carries no value of a variable unless asked', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (x, y) => {
        const secretA = `canary-${x}`;
        const secretB = `canary-${y}`;
        const a = environment({ envVars: { TOKEN: secretA, PATH: secretA } });
        const b = environment({ envVars: { TOKEN: secretB, PATH: secretB, NEW: secretB } });
        expect(JSON.stringify(findDifferences(a, b))).not.toContain('canary');
        expect(JSON.stringify(findDifferences(a, b, { showValues: true }))).toContain('canary');
      }),
    );
  });

  it.each(pathLists)('PATH %s against %s: %s', (a, b, status) => {
    const on = (PATH: string) => environment({ envVars: { PATH } });
    expect(findDifferences(on(a), on(b)).sections.paths[0]?.status).toBe(status);
  });

  it.each(windowsLists)('on Windows %s=%s against %s: %s', (name, a, b, status) => {
    const on = (value: string) => environment({ os: 'win32', envVars: { [name]: value } });
    const { sections } = findDifferences(on(a), on(b));
    expect([...sections.env, ...sections.paths].map((entry) => entry.status)).toEqual([status]);
  });

  it('refuses a slip in a pattern with the name that was meant', () => {
    expect(() => ignoreTest(['runtimes:DOCKER'])).toThrow('Did you mean "docker"?');
  });
});
