// The readers of npm's and Yarn's lock files compared with straightforward models, on generated lock files.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPackageList,
  type PackageList,
} from '../../../packages/capture/src/dependencies/package-list.ts';
import { parseNpmLock } from '../../../packages/capture/src/dependencies/parsers/npm.ts';
import { parseYarnLock } from '../../../packages/capture/src/dependencies/parsers/yarn.ts';
import { orderVersions } from '../../../packages/versions/src/version-order.ts';

const word = fc.stringMatching(/^[a-z][a-z0-9._-]{0,8}$/);
const packageName = fc.oneof(
  word,
  fc.tuple(word, word).map(([scope, name]) => `@${scope}/${name}`),
);
const version = fc
  .tuple(
    fc.nat({ max: 20 }),
    fc.nat({ max: 20 }),
    fc.nat({ max: 20 }),
    fc.constantFrom('', '-rc.1', '+build.5'),
  )
  .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`);
const tree = fc.uniqueArray(fc.record({ name: packageName, version }), {
  maxLength: 12,
  selector: ({ name, version }) => `${name}@${version}`,
});
type Tree = { name: string; version: string }[];

/** What every reader must find, computed without one. */
function expected(packages: Tree): Record<string, string> {
  const names = [...new Set(packages.map(({ name }) => name))].sort();
  return Object.fromEntries(
    names.map((name) => [
      name,
      orderVersions(
        [...new Set(packages.filter((one) => one.name === name).map((one) => one.version))],
        'semver',
      ).join(', '),
    ]),
  );
}

const context = {
  path: 'x',
  warn: (message: string) => expect.unreachable(message),
  include: async () => undefined,
};

function listed(parse: (list: PackageList) => void): Record<string, string> {
  const list = createPackageList();
  parse(list);
  return { ...list.toRecord((versions) => orderVersions(versions, 'semver')) };
}

describe('generated lock files', () => {
  it('of npm give all packages, in version 3 and nested in version 1', () => {
    fc.assert(
      fc.property(tree, (packages) => {
        const flat = Object.fromEntries(
          packages.map(({ name, version }, index) => [
            `node_modules/p${index}/node_modules/${name}`,
            { version },
          ]),
        );
        const nested = packages.reduceRight<object>(
          (inner, { name, version }) => ({ [name]: { version, dependencies: inner } }),
          {},
        );
        const three = JSON.stringify({ lockfileVersion: 3, packages: flat });
        const one = JSON.stringify({ lockfileVersion: 1, dependencies: nested });
        for (const text of [three, one])
          expect(listed((list) => parseNpmLock(text, list, context))).toEqual(expected(packages));
      }),
    );
  });

  it('of Yarn give all packages, with any quoting, line endings and order of descriptors', () => {
    fc.assert(
      fc.property(
        tree,
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (packages, quoted, end, berry) => {
          const quote = (text: string) => (quoted || text.startsWith('@') ? `"${text}"` : text);
          const blocks = packages.map(({ name, version }) =>
            berry
              ? [
                  `"${name}@npm:^1, ${name}@npm:${version}":`,
                  `  version: ${quoted ? `"${version}"` : version}`,
                  `  resolution: "${name}@npm:${version}"`,
                ]
              : [
                  `${quote(`${name}@^1`)}, ${quote(`${name}@${version}`)}:`,
                  `  version "${version}"`,
                  '  dependencies:',
                  '    version "9.9.9"',
                ],
          );
          const head = berry ? [['__metadata:', '  version: 8']] : [['# yarn lockfile v1']];
          const text = [...head, ...blocks].map((lines) => lines.join(end)).join(end + end);
          expect(listed((list) => parseYarnLock(text, list))).toEqual(expected(packages));
        },
      ),
    );
  });
});
