// Finishes the compiler's output for the published packages: declarations import `.js` files; the SDK contains what it uses of
// @envsnap/shared, so that it depends neither on that package nor on zod, and works with `require` too.

import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';

const importOfSource = /(['"])(\.{1,2}\/[\w./-]+)\.ts\1/g;
const importOfShared = /(['"])@envsnap\/shared\/([\w./-]+)\1/g;
const relativeImport = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[\w./-]+)['"]/g;

/** Rewrites the compiled packages in place. Leaves finished files alone. */
export function finishOutput(packagesFolder: string): void {
  for (const name of readdirSync(packagesFolder)) {
    // The two programs are bundles; their declarations are not published.
    if (name === 'cli' || name === 'server') continue;
    for (const file of outputsOf(path.join(packagesFolder, name, 'dist')))
      if (file.endsWith('.d.ts')) rewrite(file, (text) => text.replace(importOfSource, '$1$2.js$1'));
  }
  embedShared(path.join(packagesFolder, 'shared/dist'), path.join(packagesFolder, 'sdk/dist'));
  writeCommonJs(path.join(packagesFolder, 'sdk/dist'));
}

function outputsOf(dist: string): string[] {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|d\.ts)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Keeps the file's time, by which the compiler detects outdated files. */
function rewrite(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed === text) return;
  const { atime, mtime } = statSync(file);
  writeFileSync(file, changed);
  utimesSync(file, atime, mtime);
}

function embedShared(from: string, dist: string): void {
  const copied = new Set<string>();
  const copy = (name: string): void => {
    if (copied.has(name)) return;
    copied.add(name);
    mkdirSync(path.dirname(path.join(dist, 'shared', name)), { recursive: true });
    for (const suffix of ['.js', '.d.ts', '.js.map', '.d.ts.map'])
      cpSync(path.join(from, `${name}${suffix}`), path.join(dist, 'shared', `${name}${suffix}`));
    const text = readFileSync(path.join(from, `${name}.js`), 'utf8');
    if (/['"]zod['"]/.test(text))
      throw new Error(`${name} of @envsnap/shared needs zod: the SDK must not import it`);
    for (const [, specifier = ''] of text.matchAll(relativeImport))
      copy(path.posix.join(path.posix.dirname(name), specifier).replace(/\.js$/, ''));
  };
  const embedded = path.join(dist, 'shared');
  for (const file of outputsOf(dist)) {
    if (file.startsWith(embedded + path.sep)) continue;
    rewrite(file, (text) =>
      text.replace(importOfShared, (_, quote: string, name: string) => {
        copy(name);
        const target = path.relative(path.dirname(file), path.join(embedded, `${name}.js`));
        const specifier = target.split(path.sep).join('/');
        return `${quote}${specifier.startsWith('.') ? '' : './'}${specifier}${quote}`;
      }),
    );
  }
}

/**
 * The SDK as one CommonJS file with its declarations beside it. Node.js itself can `require` ES modules; test runners and
 * TypeScript's `node16` cannot.
 */
function writeCommonJs(dist: string): void {
  const target = path.join(dist, 'cjs');
  rmSync(target, { recursive: true, force: true });
  buildSync({
    entryPoints: [path.join(dist, 'index.js')],
    outfile: path.join(target, 'index.js'),
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'es2023',
    mainFields: ['module', 'main'],
  });
  for (const file of outputsOf(dist)) {
    const name = path.relative(dist, file);
    if (!name.endsWith('.d.ts') || name.startsWith('cjs')) continue;
    mkdirSync(path.dirname(path.join(target, name)), { recursive: true });
    cpSync(file, path.join(target, name));
  }
  writeFileSync(path.join(target, 'package.json'), '{ "type": "commonjs" }\n');
}
