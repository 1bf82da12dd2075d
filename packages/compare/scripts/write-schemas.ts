// Writes the published JSON Schemas from the zod schemas: run it after a change to one of them.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publishedSchemas } from '../src/report/published-schemas.ts';

const folder = path.resolve(import.meta.dirname, '../schema');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(publishedSchemas())) writeFileSync(path.join(folder, name), text);
const biome = path.resolve(import.meta.dirname, '../../../node_modules/.bin/biome');
execFileSync(biome, ['format', '--write', folder], { stdio: 'inherit', shell: process.platform === 'win32' });
