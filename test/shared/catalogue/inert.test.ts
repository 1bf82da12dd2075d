// What bisect applies from a stranger's snapshot: rows of the catalogue are inert only if they say so, and each of these is
// listed here, so that somebody has considered it.

import { factCatalogue } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactCatalogue } from '@envsnap/shared/catalogue/facts/system';
import { codeRisk } from '@envsnap/shared/catalogue/variables/code-variables';
import { variableCatalogue } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../../support/test-data.ts';

const { inertVariables, inertFacts } = readTestData<{ inertVariables: string[]; inertFacts: string[] }>(
  import.meta,
);

describe('what a stranger may set', () => {
  const variables = variableCatalogue.filter(({ inert }) => inert).map(({ pattern }) => pattern);

  it('consists of these variables', () => {
    expect([...variables].sort()).toEqual(inertVariables.sort());
  });

  it('is no pattern, and nothing that can run code', () => {
    for (const name of variables) {
      expect(name).not.toContain('*');
      expect(codeRisk(name, 'x'), name).toBeUndefined();
    }
  });

  it('consists of these facts', () => {
    const inertOf = (table: object) =>
      Object.entries(table as Record<string, { inert?: true }>)
        .filter(([, { inert }]) => inert)
        .map(([name]) => name);
    expect([...inertOf(factCatalogue), ...inertOf(systemFactCatalogue)].sort()).toEqual(inertFacts);
  });
});
