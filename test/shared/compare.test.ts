import {
  attributeStatus,
  type ComparableSnapshot,
  compareSnapshots,
  summarizeComparison,
} from '@envsnap/shared';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const hostileKey = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'a/b', 'a', 'a-b', '1', '10', '2'),
);
/** Maps as JSON.parse makes them: `__proto__` is an own key. */
const stringMap = fc
  .uniqueArray(fc.tuple(hostileKey, fc.string({ maxLength: 4 })), { selector: ([key]) => key, maxLength: 12 })
  .map((entries) => fromEntries(entries));
const snapshot: fc.Arbitrary<ComparableSnapshot> = fc.record({
  os: fc.option(fc.constantFrom('linux', 'darwin'), { nil: null }),
  arch: fc.option(fc.constantFrom('x64', 'arm64'), { nil: null }),
  runtimeVersions: stringMap,
  dependencies: fc
    .uniqueArray(fc.tuple(hostileKey, stringMap), { selector: ([key]) => key, maxLength: 5 })
    .map((entries) => fromEntries(entries)),
});

function fromEntries<T>(entries: [string, T][]): Record<string, T> {
  const map: Record<string, T> = {};
  for (const [key, value] of entries)
    Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
  return map;
}
const variables = (a: Record<string, string>, b: Record<string, string>) => ({
  mode: 'values' as const,
  sameFingerprintKey: true,
  a,
  b,
});
const swapped = { same: 'same', changed: 'changed', added: 'removed', removed: 'added' } as const;

describe('compareSnapshots', () => {
  it('finds nothing between a snapshot and itself', () => {
    fc.assert(
      fc.property(snapshot, stringMap, (one, env) => {
        const diff = compareSnapshots(one, structuredCloneWithProto(one), variables(env, env));
        const { os, arch, runtimes, dependencies, envVars } = summarizeComparison(diff);
        for (const counts of [os, arch, runtimes, dependencies, envVars])
          expect({ ...counts, same: 0 }).toEqual({ same: 0, changed: 0, added: 0, removed: 0 });
        expect(runtimes.same).toBe(Object.keys(one.runtimeVersions).length);
        expect(envVars.same).toBe(Object.keys(env).length);
      }),
    );
  });

  it('mirrors added and removed when the sides are swapped', () => {
    fc.assert(
      fc.property(snapshot, snapshot, stringMap, stringMap, (a, b, envA, envB) => {
        const there = compareSnapshots(a, b, variables(envA, envB));
        const back = compareSnapshots(b, a, variables(envB, envA));
        expect(back.os).toEqual({ a: there.os.b, b: there.os.a, match: there.os.match });
        expect(back.runtimes).toEqual(there.runtimes.map((entry) => ({ ...entry, a: entry.b, b: entry.a })));
        expect(back.envVars).toEqual(
          there.envVars.map((entry) => ({ ...entry, a: entry.b, b: entry.a, status: swapped[entry.status] })),
        );
        const sortable = (entries: typeof there.dependencies) =>
          entries.map((entry) => JSON.stringify([entry.key, entry.a, entry.b, entry.status])).sort();
        expect(sortable(back.dependencies)).toEqual(
          sortable(there.dependencies.map((e) => ({ ...e, a: e.b, b: e.a, status: swapped[e.status] }))),
        );
      }),
    );
  });

  it('lists every key of either side once, in code-unit order', () => {
    fc.assert(
      fc.property(snapshot, snapshot, (a, b) => {
        const diff = compareSnapshots(a, b, { mode: 'names', a: [], b: [] });
        const keys = diff.dependencies.map((entry) => entry.key);
        expect(keys).toEqual([...keys].sort());
        const runtimeKeys = new Set([...Object.keys(a.runtimeVersions), ...Object.keys(b.runtimeVersions)]);
        expect(diff.runtimes.map((entry) => entry.key)).toEqual([...runtimeKeys].sort());
        const pairs = new Set(
          [a, b].flatMap((side) =>
            Object.entries(side.dependencies).flatMap(([file, map]) =>
              Object.keys(map).map((name) => JSON.stringify([file, name])),
            ),
          ),
        );
        expect(diff.dependencies.length).toBe(pairs.size);
      }),
    );
  });

  it('orders joined keys even where one file name is the start of another', () => {
    const one = {
      os: null,
      arch: null,
      runtimeVersions: {},
      dependencies: { a: { x: '1' }, 'a-b': { x: '1' } },
    };
    const diff = compareSnapshots(one, one, { mode: 'names', a: [], b: [] });
    expect(diff.dependencies.map((entry) => entry.key)).toEqual(['a-b/x', 'a/x']);
  });

  it('shows each status for dependencies, with null on the absent side', () => {
    const side = (packages: Record<string, string>) => ({
      os: 'linux',
      arch: null,
      runtimeVersions: {},
      dependencies: { lock: packages },
    });
    const diff = compareSnapshots(
      side({ same: '1', changed: '1', gone: '1' }),
      side({ same: '1', changed: '2', new: '3' }),
      { mode: 'names', a: ['A', 'B'], b: ['B', 'C'] },
    );
    expect(diff.dependencies).toEqual([
      { key: 'lock/changed', a: '1', b: '2', status: 'changed', file: 'lock', package: 'changed' },
      { key: 'lock/gone', a: '1', b: null, status: 'removed', file: 'lock', package: 'gone' },
      { key: 'lock/new', a: null, b: '3', status: 'added', file: 'lock', package: 'new' },
      { key: 'lock/same', a: '1', b: '1', status: 'same', file: 'lock', package: 'same' },
    ]);
    expect(diff.envVars).toEqual([
      { key: 'A', status: 'removed' },
      { key: 'B', status: 'same' },
      { key: 'C', status: 'added' },
    ]);
    expect(diff.arch).toEqual({ a: null, b: null, match: true });
  });

  it('returns no value of a variable in status mode, but sees the change', () => {
    const none = { os: null, arch: null, runtimeVersions: {}, dependencies: {} };
    const diff = compareSnapshots(none, none, {
      mode: 'status',
      a: { TOKEN: 'one' },
      b: { TOKEN: 'two' },
      sameFingerprintKey: true,
    });
    expect(diff.envVars).toEqual([{ key: 'TOKEN', status: 'changed' }]);
  });

  it('calls no secret changed that it cannot compare, and says so', () => {
    const none = { os: null, arch: null, runtimeVersions: {}, dependencies: {} };
    const [one, other] = [`hmac:${'0'.repeat(32)}`, `hmac:${'1'.repeat(32)}`];
    const compare = (a: string, b: string, sameFingerprintKey: boolean) =>
      compareSnapshots(none, none, { mode: 'status', a: { T: a }, b: { T: b }, sameFingerprintKey })
        .envVars[0];
    const unknown = { key: 'T', status: 'same', comparable: false };
    expect(compare(one, other, true)).toEqual({ key: 'T', status: 'changed' });
    expect(compare(one, one, true)).toEqual({ key: 'T', status: 'same' });
    expect(compare(one, other, false)).toEqual(unknown);
    expect(compare(one, one, false)).toEqual(unknown);
    expect(compare('[redacted]', one, true)).toEqual(unknown);
    expect(compare(one, '[redacted]', true)).toEqual(unknown);
    expect(compare('[redacted]', '[redacted]', true)).toEqual(unknown);
    expect(compare(one, 'plain', false)).toEqual({ key: 'T', status: 'changed' });
    expect(compare('plain', '[redacted]', false)).toEqual({ key: 'T', status: 'changed' });
    expect(compare('hmac:short', 'hmac:other', false)).toEqual({ key: 'T', status: 'changed' });
  });
});

describe('attributeStatus', () => {
  it('says which side has the attribute', () => {
    expect(attributeStatus({ a: null, b: 'x', match: false })).toBe('added');
    expect(attributeStatus({ a: 'x', b: null, match: false })).toBe('removed');
    expect(attributeStatus({ a: 'x', b: 'y', match: false })).toBe('changed');
    expect(attributeStatus({ a: null, b: null, match: true })).toBe('same');
  });
});

function structuredCloneWithProto<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
