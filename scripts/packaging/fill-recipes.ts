// Fills a release's version and the digests of its archives into the recipes for package managers.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Digests of `SHA256SUMS` by archive. */
export function readChecksums(file: string): Map<string, string> {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(
    lines.map((line) => {
      const [digest = '', name = ''] = line.split('  ');
      return [name, digest];
    }),
  );
}

/** Writes every file of `packaging` into `output`. Throws if a recipe names an archive that has no digest. */
export function fillRecipes(version: string, checksums: ReadonlyMap<string, string>, output: string): void {
  const recipes = path.join(root, 'packaging');
  for (const entry of readdirSync(recipes, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8')
      .replaceAll('@VERSION@', version)
      .replace(/@SHA256 ([\w.-]+)@/g, (_, archive: string) => {
        const digest = checksums.get(archive);
        if (digest === undefined)
          throw new Error(
            `${path.relative(root, file)} needs ${archive}, which is not there: make every target first`,
          );
        return digest;
      });
    const target = path.join(output, path.relative(recipes, file));
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
  // These include the installer.
  for (const recipe of ['devcontainer', 'asdf'])
    cpSync(path.join(root, 'install.sh'), path.join(output, recipe, 'install-envsnap.sh'));
}
