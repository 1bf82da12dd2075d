// Puts what the SDK takes of @envsnap/shared into the SDK's own dist, so that the published SDK depends on neither that
// package nor the zod behind it.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const importOfShared = /(['"])@envsnap\/shared\/([\w./-]+)\1/g;
const relativeImport = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[\w./-]+)['"]/g;

/** Rewrites the compiled SDK in place. Does nothing to files that were rewritten before. */
export function embedShared(packagesFolder: string): void {
  const from = path.join(packagesFolder, 'shared/dist');
  const dist = path.join(packagesFolder, 'sdk/dist');
  const copied = new Set<string>();
  const copy = (name: string): void => {
    if (copied.has(name)) return;
    copied.add(name);
    mkdirSync(path.dirname(path.join(dist, 'shared', name)), { recursive: true });
    for (const suffix of ['.js', '.d.ts', '.js.map', '.d.ts.map']) {
      cpSync(path.join(from, `${name}${suffix}`), path.join(dist, 'shared', `${name}${suffix}`));
    }
    const text = readFileSync(path.join(from, `${name}.js`), 'utf8');
    if (/['"]zod['"]/.test(text))
      throw new Error(`${name} of @envsnap/shared needs zod: the SDK must not import it`);
    for (const [, specifier = ''] of text.matchAll(relativeImport)) {
      copy(path.posix.join(path.posix.dirname(name), specifier).replace(/\.js$/, ''));
    }
  };
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.(?:js|d\.ts)$/.test(file) || file.startsWith(path.join(dist, 'shared')))
      continue;
    const text = readFileSync(file, 'utf8');
    const rewritten = text.replace(importOfShared, (_, quote: string, name: string) => {
      copy(name);
      const target = path.relative(path.dirname(file), path.join(dist, 'shared', `${name}.js`));
      const specifier = target.split(path.sep).join('/');
      return `${quote}${specifier.startsWith('.') ? '' : './'}${specifier}${quote}`;
    });
    if (rewritten !== text) writeFileSync(file, rewritten);
  }
}
