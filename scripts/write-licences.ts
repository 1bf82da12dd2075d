// The licences of the packages whose code is in a bundle.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Metafile } from 'esbuild';

/** Writes them to `file`. The inputs of the bundle are named from `folder`. */
export function writeLicences(file: string, metafile: Metafile, folder: string): void {
  const packages = new Map<string, string>();
  for (const input of Object.keys(metafile.inputs)) {
    const match = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path.resolve(folder, input));
    if (match?.[1]) packages.set(match[1], match[1]);
  }
  const texts = [...packages.keys()].map((location) => {
    const description = JSON.parse(readFileSync(path.join(location, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    const licence = readdirSync(location).find((name) => /^licen[cs]e/i.test(name));
    const text = licence ? readFileSync(path.join(location, licence), 'utf8').trim() : '';
    return `${description.name} ${description.version} (${description.license ?? 'see its page'})\n\n${text}\n`;
  });
  writeFileSync(file, [...new Set(texts)].sort().join(`\n${'-'.repeat(72)}\n\n`));
}
