// Reads the data of a test: `name.yaml` beside `name.test.ts`.

import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';

/** The data beside a test, or beside a file that tests share; `Data` is its type. */
export function readTestData<Data>({ filename }: ImportMeta): Data {
  return load(readFileSync(filename.replace(/(?:\.test)?\.ts$/, '.yaml'), 'utf8')) as Data;
}
