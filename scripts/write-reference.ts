// Writes the pages of docs/reference that show the catalogues: run it after a change to one of their rows.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { referencePages } from './reference.ts';

const folder = path.resolve(import.meta.dirname, '../docs/reference');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(referencePages())) writeFileSync(path.join(folder, name), text);
