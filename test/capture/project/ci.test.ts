// CI services by their documented variables.

import { expect, test } from 'vitest';
import { detectCi } from '../../../packages/capture/src/project/ci.ts';
import { readTestData } from '../../support/test-data.ts';

const { pages, providers } = readTestData<{
  pages: [string, Record<string, string>, string | null][];
  providers: [Record<string, string>, object][];
}>(import.meta);

test.each(providers)('%o is %o', (env, expected) => {
  expect(detectCi(env)).toEqual(expected);
});

test.each([[{}], [{ CI: 'false' }], [{ CI: '' }], [{ CI: '0' }], [{ GITHUB_ACTIONS: 'false' }]])(
  '%o is no CI',
  (env) => {
    expect(detectCi(env)).toBeUndefined();
  },
);

test.each(pages)('names the page of the job: %s', (_, env, url) => {
  expect(detectCi(env)?.url ?? null).toBe(url);
});
