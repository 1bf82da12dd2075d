import { describe, expect, it } from 'vitest';
import { collectFiles } from '../../collect-files.ts';

describe('deno.lock', () => {
  it('reports truncation', async () => {
    const { warnings } = await collectFiles({ 'deno.lock': '{"version":"5",\n"npm":{' });
    expect(warnings).toEqual([expect.objectContaining({ line: 2 })]);
  });
});
