import { limits, snapshot, snapshotContent } from '@envsnap/shared';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../support/generated.ts';
import { readTestData } from '../support/test-data.ts';

const { stored, refused } = readTestData<{
  stored: { id: unknown };
  refused: [string, unknown, string][];
}>(import.meta);

const parse = (content: unknown) => snapshotContent.safeParse(content);
const problems = (content: unknown) =>
  parse(content).error?.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`) ?? [];
/** Maps as JSON.parse makes them: a key such as `__proto__` is an own key. */
const fromJson = (text: string): unknown => JSON.parse(text);
const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, '1']));

describe('snapshotContent', () => {
  it('takes any JSON as a caller may send it without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue(), (any, other) => {
        expect(typeof parse(any).success).toBe('boolean');
        for (const field of ['os', 'runtimeVersions', 'dependencies', 'envVars', 'metadata'])
          expect(typeof parse({ machineName: 'm', [field]: other }).success).toBe('boolean');
      }),
    );
  });

  it('gives maps back as they came, whatever their keys are', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 10 }).filter((value) => !value.includes('\0'));
    const keys = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty'), text);
    fc.assert(
      fc.property(fc.array(fc.tuple(keys, text), { maxLength: 10 }), (entries) => {
        const json = `{${[...new Map(entries)].map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`).join(',')}}`;
        const content = fromJson(
          `{"machineName":"m","runtimeVersions":${json},"dependencies":{"__proto__":${json}}}`,
        );
        const result = parse(content);
        expect(result.success).toBe(true);
        expect(JSON.stringify(result.data)).toBe(JSON.stringify(content));
        expect(({} as Record<string, unknown>).polluted).toBeUndefined();
      }),
    );
  });

  it('ignores unknown fields', () => {
    expect(parse({ machineName: 'm', id: 'x', createdAt: 7 }).data).toEqual({ machineName: 'm' });
  });

  it.each<[string, unknown, string]>([
    ...refused,
    ['a long architecture', { machineName: 'm', arch: 'x'.repeat(65) }, '^arch'],
    ['a machine name that is too long', { machineName: 'x'.repeat(256) }, '^machineName'],
    [
      'a long variable name',
      { machineName: 'm', envVars: { ['X'.repeat(1025)]: 'x' } },
      '1 to 1024 characters',
    ],
    ['a number beyond doubles', { machineName: 'm', metadata: JSON.parse('{"a":[-1e400]}') }, 'too large'],
  ])('refuses %s and says where', (_, content, message) => {
    expect(problems(content).join('\n')).toMatch(new RegExp(message));
  });

  it('counts a value in bytes, not in characters', () => {
    const fits = 'ż'.repeat(limits.variableValueBytes / 2);
    expect(problems({ machineName: 'm', envVars: { A: fits } })).toEqual([]);
    expect(problems({ machineName: 'm', envVars: { A: `${fits}x` } })).toEqual([
      'envVars.A: value must be at most 131072 bytes; see /docs/limits',
    ]);
  });

  it('holds a thousand files and a hundred thousand packages, and no more', () => {
    const files = Object.fromEntries(
      Object.keys(many(limits.dependencyFilesPerSnapshot)).map((name) => [name, {}]),
    );
    expect(problems({ machineName: 'm', dependencies: files })).toEqual([]);
    expect(problems({ machineName: 'm', dependencies: { ...files, more: {} } })).toEqual([
      'dependencies: must hold at most 1000 files; see /docs/limits',
    ]);
    const packages = many(limits.packagesPerSnapshot);
    expect(problems({ machineName: 'm', dependencies: { a: packages } })).toEqual([]);
    expect(problems({ machineName: 'm', dependencies: { a: packages, b: { one: '1' } } })).toEqual([
      'dependencies: must hold at most 100000 packages; see /docs/limits',
    ]);
  });

  it('bounds metadata by its size as JSON and by its depth, without recursion', () => {
    const withSize = (size: number) => ({
      machineName: 'm',
      metadata: { a: 'x'.repeat(size - '{"a":""}'.length) },
    });
    expect(problems(withSize(limits.metadataBytes))).toEqual([]);
    expect(problems(withSize(limits.metadataBytes + 1))).toEqual([
      'metadata: must be at most 262144 bytes as JSON; see /docs/limits',
    ]);
    const nested = (depth: number) => fromJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    expect(problems({ machineName: 'm', metadata: nested(64) })).toEqual([]);
    expect(problems({ machineName: 'm', metadata: nested(65) }).join()).toMatch(/64 levels/);
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level += 1) deep = { a: deep };
    expect(problems({ machineName: 'm', metadata: deep }).join()).toMatch(/64 levels/);
  });

  it('names at most ten problems of a map, and cuts long names', () => {
    const wrong = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`${index}${'x'.repeat(500)}`, 1]),
    );
    const found = parse({ machineName: 'm', envVars: wrong }).error?.issues ?? [];
    expect(found).toHaveLength(10);
    for (const issue of found) expect(String(issue.path.at(-1)).length).toBeLessThanOrEqual(100);
  });
});

describe('snapshot', () => {
  it('has every field, absent text as null', () => {
    expect(snapshot.parse(stored)).toEqual(stored);
    for (const field of Object.keys(stored)) {
      const { [field as 'id']: _, ...rest } = stored;
      expect(snapshot.safeParse(rest).success, field).toBe(false);
    }
  });
});
