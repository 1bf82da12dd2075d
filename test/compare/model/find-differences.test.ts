import { type SectionName, sectionNames } from '@envsnap/shared/address';
import { attributeStatus, compareSnapshots } from '@envsnap/shared/compare';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { type ComparableEnvironment, differencesOf } from '../../../packages/compare/src/model/model.ts';
import { ignoreTest } from '../../../packages/compare/src/policy/ignore-patterns.ts';
import { readTestData } from '../../support/test-data.ts';

const { listed, pathLists, windowsLists } = readTestData<{
  listed: object;
  pathLists: [string, string, string][];
  windowsLists: [string, string, string, string][];
}>(import.meta);

const environment = (part: Partial<ComparableEnvironment> = {}): ComparableEnvironment => ({
  machineName: 'machine',
  os: 'linux',
  arch: 'x64',
  ...part,
});
const compareVariables = (
  a: Record<string, string>,
  b: Record<string, string>,
  metadataA: Record<string, unknown> = {},
  metadataB = metadataA,
) =>
  findDifferences(
    environment({ envVars: a, metadata: metadataA }),
    environment({ envVars: b, metadata: metadataB }),
  );
const differing = (comparison: ReturnType<typeof findDifferences>, section: SectionName) =>
  comparison.sections[section].filter((entry) => entry.status !== 'same').map((entry) => entry.key);

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

  it('reports the section, the distance and the sides of each difference', () => {
    const comparison = findDifferences(
      environment({
        runtimeVersions: { node: '22.11.0', go: '1.22.1' },
        dependencies: { 'web/package-lock.json': { zod: '3.0.0', '@types/node': '22.0.0' } },
      }),
      environment({
        arch: 'arm64',
        runtimeVersions: { node: '24.1.0' },
        dependencies: { 'web/package-lock.json': { zod: '3.0.0, 4.0.0', '@types/node': '22.0.1' } },
      }),
    );
    expect(differencesOf(comparison)).toMatchObject(listed);
    expect(comparison.counts.runtimes).toEqual({ same: 0, changed: 1, added: 0, removed: 1, ignored: 0 });
    expect(comparison.notes.map((note) => note.code)).toEqual(['other_architecture']);
  });

  it('takes versions in another order for the same', () => {
    const lock = (versions: string) => environment({ dependencies: { 'yarn.lock': { a: versions } } });
    expect(differencesOf(findDifferences(lock('1.0.0, 2.0.0'), lock('2.0.0, 1.0.0')))).toEqual([]);
  });

  it('compares path lists as ordered lists', () => {
    const paths = (a: string, b: string) =>
      findDifferences(environment({ envVars: { PATH: a } }), environment({ envVars: { PATH: b } }), {
        showValues: true,
      }).sections.paths[0];
    expect(paths('/a:/b', '/a:/b:/a')).toMatchObject({ status: 'same' });
    expect(paths('/a:/b:/c', '/b:/c:/a')).toMatchObject({ list: { added: [], removed: [], moved: ['/a'] } });
    expect(paths('/a:/b', '/new:/a')).toMatchObject({
      list: { added: ['/new'], removed: ['/b'], moved: [] },
    });
  });

  it.each(pathLists)('PATH %s against %s: %s', (a, b, status) => {
    expect(compareVariables({ PATH: a }, { PATH: b }).sections.paths[0]?.status).toBe(status);
  });

  it.each(windowsLists)('on Windows %s=%s against %s: %s', (name, a, b, status) => {
    const on = (value: string) => environment({ os: 'win32', envVars: { [name]: value } });
    const { sections } = findDifferences(on(a), on(b));
    expect([...sections.env, ...sections.paths].map((entry) => entry.status)).toEqual([status]);
  });

  it('says of lists only how many entries differ where values are not shown', () => {
    const [entry] = compareVariables({ PATH: '/a:/home-of-anna' }, { PATH: '/b:/a' }).sections.paths;
    expect(entry?.list).toEqual({ added: [''], removed: [''], moved: [] });
  });

  describe('of variables without readable values', () => {
    it('counts two redacted ones as the same and says so', () => {
      const comparison = compareVariables({ TOKEN: '[redacted]' }, { TOKEN: '[redacted]' });
      expect(differing(comparison, 'env')).toEqual([]);
      expect(comparison.sections.env[0]?.unverified).toBe('redacted');
      expect(comparison.notes).toMatchObject([
        { code: 'redacted_same', message: expect.stringContaining('TOKEN') },
      ]);
    });

    it('sees a change between fingerprints made with one key', () => {
      const a = { TOKEN: 'hmac:0123456789abcdef', SAME: 'hmac:0123456789abcdef' };
      const b = { TOKEN: 'hmac:fedcba9876543210', SAME: 'hmac:0123456789abcdef' };
      expect(differing(compareVariables(a, b), 'env')).toEqual(['TOKEN']);
    });

    it('cannot compare fingerprints made with different keys, and says so', () => {
      const comparison = compareVariables(
        { TOKEN: 'hmac:0123456789abcdef' },
        { TOKEN: 'hmac:fedcba9876543210' },
        { capture: { fingerprintKey: 'one' } },
        { capture: { fingerprintKey: 'two' } },
      );
      expect(differing(comparison, 'env')).toEqual([]);
      expect(comparison.notes[0]?.code).toBe('fingerprint_keys_differ');
    });

    it('takes a secret and a value judged harmless for different, but not where all values were sent', () => {
      const a = { URL: 'hmac:0123456789abcdef' };
      const b = { URL: 'postgres://localhost/app' };
      expect(differing(compareVariables(a, b, { capture: { envValues: 'safe' } }), 'env')).toEqual(['URL']);
      const unsure = compareVariables(a, b, { capture: { envValues: 'all' } });
      expect(differing(unsure, 'env')).toEqual([]);
      expect(unsure.notes[0]?.code).toBe('values_one_side');
    });

    it('compares names only where a side has no values', () => {
      const comparison = compareVariables({ A: '', B: '' }, { A: 'x', C: 'y' });
      expect(differing(comparison, 'env')).toEqual(['B', 'C']);
      expect(comparison.notes[0]?.code).toBe('names_only');
    });
  });

  it('reads the system from metadata and marks what is context', () => {
    const system = (libc: string, kernel: string) =>
      environment({
        metadata: {
          system: { distribution: { id: 'debian', version: '12' }, libc, kernel, cpu: { count: 2 } },
          timezone: 'UTC',
        },
      });
    const entries = findDifferences(system('glibc 2.36', '6.1.0'), system('musl 1.2.5', '6.8.0')).sections
      .system;
    expect(
      entries.map(({ key: name, a, b, distance, context }) => [name, a, b, distance, context ?? false]),
    ).toEqual([
      ['cpu.count', '2', '2', null, true],
      ['distribution', 'debian 12', 'debian 12', null, false],
      ['kernel', '6.1.0', '6.8.0', 'minor', true],
      ['libc', 'glibc 2.36', 'musl 1.2.5', 'major', false],
      ['timezone', 'UTC', 'UTC', null, false],
    ]);
  });

  it('measures how far apart versions of a system are, and nothing that is no version', () => {
    const side = (os: string, kernel: string, model: string, count: number) =>
      environment({ os, metadata: { system: { kernel, cpu: { model, count } } } });
    const distances = (a: ReturnType<typeof side>, b: ReturnType<typeof side>) =>
      findDifferences(a, b).sections.system.map(({ key, distance }) => [key, distance]);
    const box = side('linux', '6.1.0', 'Core i7', 8);
    expect(distances(box, side('linux', '6.8.0', 'EPYC', 4))).toEqual([
      ['cpu.count', null],
      ['cpu.model', null],
      ['kernel', 'minor'],
    ]);
    // Darwin numbers its kernels differently.
    expect(distances(box, side('darwin', '24.1.0', 'M2', 8)).at(-1)).toEqual(['kernel', null]);
  });

  it('shows a declared version that fits on one side only, although both declare the same', () => {
    const side = (node: string, satisfied: boolean) =>
      environment({
        runtimeVersions: { node },
        metadata: {
          toolchain: { node: { present: node, declared: [{ source: '.nvmrc', version: '22', satisfied }] } },
        },
      });
    const [entry] = findDifferences(side('22.11.0', true), side('24.1.0', false)).sections.toolchain;
    expect(entry).toMatchObject({
      key: 'node',
      status: 'changed',
      declared: { a: { satisfied: true }, b: { satisfied: false, present: '24.1.0', file: '.nvmrc' } },
    });
  });

  it('shows only the new one of two declarations, whichever side has it', () => {
    const engines = { source: 'package.json engines', version: '>=20', satisfied: true };
    const side = (...declared: object[]) =>
      environment({ metadata: { toolchain: { node: { present: '20.11.0', declared } } } });
    const [one, two] = [side(engines), side({ source: '.nvmrc', version: '22', satisfied: false }, engines)];
    const changed = (a: typeof one, b: typeof one) =>
      differencesOf(findDifferences(a, b)).map(({ key, status }) => [key, status]);
    expect(changed(one, two)).toEqual([['node (.nvmrc)', 'added']]);
    expect(changed(two, one)).toEqual([['node (.nvmrc)', 'removed']]);
  });

  it('leaves out what a pattern ignores, and counts it', () => {
    const lock = (types: string, zod: string) =>
      environment({
        runtimeVersions: { docker: types },
        dependencies: { 'a/package-lock.json': { '@types/node': types, zod } },
      });
    const compare = (...patterns: string[]) =>
      findDifferences(lock('1.0.0', '1.0.0'), lock('2.0.0', '2.0.0'), { ignore: ignoreTest(patterns) });
    const kept = (...patterns: string[]) =>
      differencesOf(compare(...patterns)).map((entry) => entry.name ?? entry.key);
    expect(kept('dependencies:**/@types/*')).toEqual(['docker', 'zod']);
    expect(kept('dependencies:@types/*')).toEqual(['docker', 'zod']);
    expect(kept('dependencies:a/**')).toEqual(['docker']);
    expect(kept('dependencies')).toEqual(['docker']);
    expect(kept('docker', 'dependencies:z?d')).toEqual(['@types/node']);
    // Names are compared as they are written; a slip is refused with the name that was meant.
    expect(() => kept('runtimes:DOCKER')).toThrow('Did you mean "docker"?');
    expect(compare('dependencies:**/@types/*').counts.dependencies).toMatchObject({ changed: 1, ignored: 1 });
  });
});
