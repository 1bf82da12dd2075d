// Writes the published JSON Schemas from the zod schemas: run it after a change to one of them.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publishedSchemas } from '../src/report/published-schemas.ts';

const folder = path.resolve(import.meta.dirname, '../schema');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(publishedSchemas())) writeFileSync(path.join(folder, name), text);
