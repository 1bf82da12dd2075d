// Which variables can run code, and which values of them cannot.

import { codeRisk, isVariableName } from '@envsnap/shared/catalogue/variables/code-variables';
import { variableCatalogue } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../../support/test-data.ts';

const { risky, harmless } = readTestData<{ risky: [string, string][]; harmless: [string, string][] }>(
  import.meta,
);

describe('a variable that can run code', () => {
  it.each(risky)('is %s=%s', (name, value) => {
    expect(codeRisk(name, value)).toMatch(/^(load|start|name|make) /);
  });

  it.each(harmless)('is not %s=%s', (name, value) => {
    expect(codeRisk(name, value)).toBeUndefined();
  });

  it('is every list of folders of the catalogue but those of texts, and PATH, whose folders are looked at', () => {
    const lists = variableCatalogue.flatMap(({ pattern, list }) => (list ? [pattern] : []));
    const others = lists.filter((name) => codeRisk(name, '/x') === undefined);
    expect(others.sort()).toEqual(['INFOPATH', 'MANPATH', 'PATH', 'Path']);
  });
});

it('a process has no variable whose name is empty or holds = or NUL', () => {
  expect(['', '=C:', 'BASH_ENV=x', 'A=', 'A\0B'].filter(isVariableName)).toEqual([]);
  expect(['A', '__proto__', 'BASH_FUNC_ls%%', 'ProgramFiles(x86)', 'a b', 'é'].every(isVariableName)).toBe(
    true,
  );
});
