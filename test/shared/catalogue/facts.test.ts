import type { FactRow } from '@envsnap/shared/catalogue/facts/fact';
import {
  factCatalogue,
  factGroups,
  factNames,
  factRow,
  factText,
  isFactName,
} from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactCatalogue, systemFactRow } from '@envsnap/shared/catalogue/facts/system';
import { isLoadedPackage, packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { describe, expect, it } from 'vitest';

describe('the catalogue of facts', () => {
  it('has each name in one group only, so that no row hides another', () => {
    const names = Object.values(factGroups).flatMap((group) => Object.keys(group));
    expect(names).toHaveLength(new Set(names).size);
    expect(names.sort()).toEqual([...factNames].sort());
  });

  it.each(Object.entries<FactRow>({ ...factCatalogue, ...systemFactCatalogue }))(
    'says what %s is in one sentence, what it reveals, and where it is read',
    (name, row) => {
      expect(name).toMatch(/^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)*$/);
      expect(row.what).toMatch(/^[A-Z].*\.$/s);
      expect(row.reveals ?? 'Nothing.').toMatch(/\.$/);
      expect(Object.values(row.read).some((source) => source !== null)).toBe(true);
    },
  );

  it('has rows for its own names only', () => {
    expect(factRow('limits.openFiles')?.kind).toBe('limit');
    expect(factRow('toString')).toBeUndefined();
    expect(isFactName('__proto__')).toBe(false);
    expect(systemFactRow('distro')).toBe(systemFactCatalogue.distribution);
    expect(systemFactRow('constructor')).toBeUndefined();
  });

  it('writes lists as one text', () => {
    expect(factText(['avx', 'avx2'])).toBe('avx, avx2');
    expect(factText(false)).toBe('false');
  });
});

describe('the machine’s own packages', () => {
  it.each([
    'libc6',
    'libc6:amd64',
    'libstdc++6',
    'libssl3',
    'libssl1.1',
    'libssl3t64',
    'openssl',
    'openssl@3',
    'ca-certificates',
    'tzdata',
    'libicu72',
    'icu-libs',
    'icu4c@77',
    'locales',
    'musl',
    'glibc',
  ])('knows that programs load %s', (name) => {
    expect(isLoadedPackage(name)).toBe(true);
  });

  it.each(['bash', 'libc6-dev', 'libssl-dev', 'tzdata-legacy', 'python3', 'opensslx'])(
    'takes %s for context',
    (name) => {
      expect(isLoadedPackage(name)).toBe(false);
    },
  );

  it('distinguishes databases from files of a project', () => {
    expect(packageDatabaseOf('/var/lib/dpkg/status')).toBe('dpkg');
    expect(packageDatabaseOf('package-lock.json')).toBeUndefined();
  });
});
