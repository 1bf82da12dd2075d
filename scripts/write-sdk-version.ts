// Writes the version that the SDK sends into its source, after a release has raised it in package.json.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../packages/sdk');
const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
  version: string;
};
const file = path.join(folder, 'src/version.ts');
const text = readFileSync(file, 'utf8');
writeFileSync(file, text.replace(/version = '[^']*'/, `version = '${version}'`));
