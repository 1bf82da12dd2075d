// The samples on the reference page and in the SDK's docstrings, compiled unchanged against the SDK.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { samples } from '../../packages/server/src/api-description/samples.ts';

const root = path.resolve(import.meta.dirname, '../..');
const source = path.join(root, 'packages/sdk/src');
const resources = readdirSync(path.join(source, 'resources')).map((name) => `resources/${name}`);
const others = ['client.ts', 'webhooks/webhooks.ts', 'call/api-promise.ts', 'lists/pagination.ts'];

/** The docstrings of a file, each with the line that follows it. */
function docstringsOf(file: string) {
  const text = readFileSync(path.join(source, file), 'utf8');
  return [...text.matchAll(/^ *\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n *(.*)$/gm)].map(
    ([, doc = '', next = '']) => ({
      example: doc
        .split('@example')[1]
        ?.replace(/^ *\* ?/gm, '')
        .trim(),
      next,
    }),
  );
}

it('every method of a resource has an example', () => {
  const bare = resources.flatMap((file) =>
    docstringsOf(file)
      .filter(({ next, example }) => /^[a-z]\w*\(/.test(next) && !example)
      .map(({ next }) => `${file}: ${next}`),
  );
  expect(bare).toEqual([]);
});

it('samples and examples compile', () => {
  const folder = path.join(root, 'node_modules/.cache/envsnap-samples');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const examples = [...resources, ...others].flatMap((file) =>
    docstringsOf(file).flatMap(({ example }) => example ?? []),
  );
  const shown = [...Object.values(samples).map(({ sdk }) => sdk), ...examples];
  const texts = 'baseUrl id projectId memberId url deliveryId secret works fails'.split(' ');
  const values = {
    client: 'EnvSnap',
    bytes: 'Uint8Array<ArrayBuffer>',
    request: 'Request',
    ...Object.fromEntries(texts.map((name) => [name, 'string'])),
    // Ids in the samples, snapshots in the examples.
    ...Object.fromEntries(['before', 'after'].map((name) => [name, 'string & { readonly id: string }'])),
  };
  writeFileSync(
    path.join(folder, 'samples.ts'),
    [
      "import { EnvSnap, signTestDelivery, verifyWebhook } from '@envsnap/sdk';",
      'declare const process: { env: Record<string, string | undefined> };',
      ...Object.entries(values).map(([name, type]) => `declare const ${name}: ${type};`),
      ...shown.map((text, index) => `export async function sample${index}(): Promise<void> {\n${text}\n}`),
      'void [signTestDelivery, verifyWebhook];\n',
    ].join('\n'),
  );
  const options =
    '--noEmit --strict --target es2024 --module nodenext --customConditions envsnap-source --ignoreConfig ' +
    '--allowImportingTsExtensions --skipLibCheck --lib es2024,dom,dom.iterable,dom.asynciterable';
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(
    process.execPath,
    [compiler, ...options.split(' '), path.join(folder, 'samples.ts')],
    { cwd: root, encoding: 'utf8' },
  );
  expect(shown.length).toBeGreaterThan(Object.keys(samples).length + 40);
  expect(stdout).toBe('');
});
