// Checks that the sections of docs/specification.md and the pages of docs that comments name exist.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

const packages = path.join(root, 'packages');
const sources = readdirSync(packages).flatMap((name) => {
  const folder = path.join(packages, name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({ file: `${name}/${file}`, text: readFileSync(path.join(folder, file), 'utf8') }));
});

it('points only to sections of the specification that exist', () => {
  const page = readFileSync(path.join(root, 'docs/specification.md'), 'utf8');
  const sections = new Set([...page.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number));
  const references = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/docs\/specification\.md (§\d+(?:, §\d+)*)/g)].flatMap(([, list = '']) =>
      [...list.matchAll(/\d+/g)].map(([number]) => ({ file, number })),
    ),
  );
  expect(references.length).toBeGreaterThan(80);
  expect(references.filter(({ number }) => !sections.has(number))).toEqual([]);
});

it('points to no page that a reader of the repository does not have', () => {
  const unknown = sources.flatMap(({ file, text }) => {
    const pages = [...text.matchAll(/\bdocs\/[\w/.-]+\.md\b/g)].map(([page]) => page);
    const elsewhere = [...text.matchAll(/\b(?:Decisions? §|Spec: )/g)].map(([words]) => words);
    return [...pages.filter((page) => !existsSync(path.join(root, page))), ...elsewhere].map(
      (page) => `${file}: ${page}`,
    );
  });
  expect(unknown).toEqual([]);
});

// Checks that the files that ARCHITECTURE.md names exist.

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
