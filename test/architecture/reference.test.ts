// The pages of docs/reference match the catalogues, and captures look for exactly the tools of the catalogue.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolTable } from '../../packages/capture/src/runtimes/tool-table.ts';
import { tools } from '../../packages/shared/src/catalogue/tools.ts';
import { referencePages } from '../../scripts/reference.ts';

describe('the reference', () => {
  it.each(Object.entries(referencePages()))(
    '%s is that of the catalogue; run: node --conditions=envsnap-source scripts/write-reference.ts',
    (name, text) => {
      expect(readFileSync(path.resolve(import.meta.dirname, '../../docs/reference', name), 'utf8')).toBe(
        text,
      );
    },
  );

  it('describes every tool that a capture looks for, and no other', () => {
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect([...names].sort()).toEqual(toolTable.map(({ name }) => name).sort());
    for (const { about } of tools) expect(about).not.toBe('');
  });

  it('gives each alias to only one tool', () => {
    const names = tools.map(({ name }) => name);
    const aliases = tools.flatMap((tool) => tool.aliases ?? []);
    expect(new Set(aliases).size).toBe(aliases.length);
    expect(aliases.filter((alias) => names.includes(alias))).toEqual([]);
  });
});
