// One name, one meaning: no two packages export different things under the same name.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readTestData } from '../support/test-data.ts';

const { allowed } = readTestData<{ allowed: Readonly<Record<string, string>> }>(import.meta);

const packages = path.resolve(import.meta.dirname, '../../packages');

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const enum|const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/** Package folders by the name that they declare and export. */
function declaredNames(): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const name of readdirSync(packages)) {
    for (const file of readdirSync(path.join(packages, name, 'src'), { recursive: true, encoding: 'utf8' })) {
      // Written from the operations of `shared`: the same names on purpose.
      if (!file.endsWith('.ts') || (name === 'sdk' && file.startsWith(path.join('contract', '')))) continue;
      const source = readFileSync(path.join(packages, name, 'src', file), 'utf8');
      for (const [, declared = ''] of source.matchAll(declaration)) {
        const owners = places.get(declared) ?? new Set();
        places.set(declared, owners.add(name));
      }
    }
  }
  return places;
}

it('exports of two packages have the same name only if they mean the same, or for a stated reason', () => {
  const twins = [...declaredNames()].filter(([, places]) => places.size > 1).map(([name]) => name);
  expect(twins.length).toBeGreaterThan(5);
  expect(twins.sort()).toEqual(Object.keys(allowed).sort());
});
