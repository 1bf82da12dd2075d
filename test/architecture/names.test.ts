// One name, one meaning: what a package exports is not called like something else in another one.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const packages = path.resolve(import.meta.dirname, '../../packages');

/** Names that two packages declare, and why they may. */
const allowed: Readonly<Record<string, string>> = {
  Change: 'how far two values are apart, for the score; what a bisection applies',
  Declaration: 'a declared version as a snapshot holds it; a declared version as it is understood',
  FingerprintKey: 'the same thing: what a capture takes, and what the service hands out',
  JsonObject: 'any object of a file, and one of the API description: neither leaves its package',
  Mount: 'a file system of the captured machine; the function that binds an operation to its handler',
  Settings: 'of a tool’s file; of a client of the SDK',
  Side: 'which of two compared environments',
  describeError: 'for a person at a terminal; for a caller of the API',
  isPlainVersion: 'a name of one folder, for a capture; a version without a range, for an export',
  originOf: 'local to their packages',
  snapshotMetadata: 'the schema; what a capture puts into it',
  text: 'local to their packages',
  version: 'each package’s own version',
};

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

it('exports of two packages are called the same only where they mean the same, or for a reason', () => {
  const twins = [...declaredNames()].filter(([, places]) => places.size > 1).map(([name]) => name);
  expect(twins.length).toBeGreaterThan(5);
  expect(twins.sort()).toEqual(Object.keys(allowed).sort());
});
