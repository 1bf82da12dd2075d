import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VersionScheme } from '../../packages/shared/src/catalogue/ecosystems.ts';
import { orderVersions } from '../../packages/versions/src/version-order.ts';
import { rounds } from '../support/generated.ts';
import { words } from '../support/words.ts';

const semver = createRequire(new URL('../../packages/versions/package.json', import.meta.url))('semver') as {
  compare(a: string, b: string): number;
};

const identifier = fc.oneof(
  fc.nat({ max: 30 }).map(String),
  fc.constantFrom('alpha', 'beta', 'rc', 'x-y', 'A'),
);
const semverVersion = fc
  .tuple(
    fc.nat({ max: 12 }),
    fc.nat({ max: 12 }),
    fc.nat({ max: 12 }),
    fc.array(identifier, { maxLength: 3 }),
  )
  .map(
    ([major, minor, patch, pre]) => `${major}.${minor}.${patch}${pre.length > 0 ? `-${pre.join('.')}` : ''}`,
  );

describe('the order of versions', () => {
  it('is that of semantic versioning', () => {
    fc.assert(
      fc.property(semverVersion, semverVersion, (a, b) => {
        const [first, second] = orderVersions([a, b], 'semver') as [string, string];
        expect(semver.compare(first, second)).toBeLessThanOrEqual(0);
      }),
      { numRuns: rounds(2000) },
    );
  });

  it('is that of PEP 440 for Python', () => {
    const ordered = words`
      1.0.dev1 1.0a1.dev2 1.0a1 1.0a1.post1 1.0a2 1.0b1 1.0rc1 1.0 1.0+local.1 1.0+local.2
      1.0.post1 1.0.1 1.1 1.9 1.10 2!0.1`;
    expect(orderVersions([...ordered].reverse(), 'pep440')).toEqual(ordered);
  });

  it('puts texts that are not versions last, reads numbers of any length, and drops leading letters', () => {
    expect(
      orderVersions(
        ['file:x', 'v1.10.0', '1.9', '^2', `9${'9'.repeat(40)}.0`, '1.9.0-rc.1', '1.9.RELEASE'],
        'semver',
      ),
    ).toEqual(['1.9', '1.9.RELEASE', '1.9.0-rc.1', 'v1.10.0', `9${'9'.repeat(40)}.0`, '^2', 'file:x']);
  });

  it.each(['semver', 'pep440'] as VersionScheme[])(
    'is total in the %s scheme: the same set gives one result',
    (scheme) => {
      const word = fc.oneof(
        semverVersion,
        fc.stringMatching(/^[v=]?[0-9.]{0,8}(?:a|b|rc|dev|post|[-+._])?[0-9a-z.+-]{0,6}$/),
        fc.string({ maxLength: 6 }),
      );
      fc.assert(
        fc.property(
          fc.uniqueArray(word, { maxLength: 8 }),
          fc.infiniteStream(fc.nat()),
          (versions, noise) => {
            const shuffled = [...versions]
              .map((version) => ({ version, key: noise.next().value as number }))
              .sort((a, b) => a.key - b.key)
              .map(({ version }) => version);
            expect(orderVersions(shuffled, scheme)).toEqual(orderVersions(versions, scheme));
          },
        ),
        { numRuns: rounds(1000) },
      );
    },
  );
});
