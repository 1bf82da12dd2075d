// Holds ARCHITECTURE.md to the tree: the files that it names are there.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const folders = ['packages', 'scripts', 'test', 'deploy', 'bench', 'docs', 'action'];

/** Every file and folder of the checkout, with `/` before each part, without what is installed or built. */
function everyPlace(): string[] {
  const seen: string[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      if (/^(?:node_modules|dist|results|\..*)$/.test(entry.name)) continue;
      const place = `${folder}/${entry.name}`;
      seen.push(`/${place}`);
      if (entry.isDirectory()) visit(place);
    }
  };
  for (const folder of folders) visit(folder);
  return seen;
}

it('names files and folders that exist', () => {
  const page = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const named = new Set(
    [...page.matchAll(/`((?:[\w@.-]+\/)*[\w@.-]+\.(?:ts|js|md)|[\w@-]+(?:\/[\w@-]+)+)`/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(named.size).toBeGreaterThan(80);
  const places = everyPlace();
  const missing = [...named].filter((name) => {
    // A decision is named by its number.
    const isThere = /\/\d{4}$/.test(name)
      ? (place: string) => place.includes(`/${name}-`)
      : (place: string) => place.endsWith(`/${name}`);
    return !places.some(isThere);
  });
  expect(missing).toEqual([]);
});
