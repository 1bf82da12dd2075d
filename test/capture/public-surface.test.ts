// The package exports what its README names. The README's examples run in test/readme.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as capture from '@envsnap/capture';
import { expect, it } from 'vitest';

const readme = readFileSync(path.resolve(import.meta.dirname, '../../packages/capture/README.md'), 'utf8');

it('exports what its README names, and nothing else', () => {
  const named = [...readme.matchAll(/import \{ (\w+) \} from '@envsnap\/capture'/g)].map(([, name]) => name);
  expect(Object.keys(capture).sort()).toEqual(named.sort());
});
