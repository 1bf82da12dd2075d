// One reading of each folder for a whole capture.

import { expect, test } from 'vitest';
import { rememberFolders } from '../../../packages/capture/src/capture-folder.ts';
import { createFakeSystem } from '../../support/fake-system.ts';

function counted(files: Record<string, string>) {
  const fake = createFakeSystem({ files });
  const read: string[] = [];
  const system = rememberFolders({
    ...fake,
    readDirectory(path) {
      read.push(path);
      return fake.readDirectory(path);
    },
  });
  return { system, read };
}

test('reads a folder once, also for those who ask at the same time', async () => {
  const { system, read } = counted({ '/work/a.txt': '', '/work/b.txt': '' });
  const [first, second] = await Promise.all([system.readDirectory('/work'), system.readDirectory('/work')]);
  expect(second).toEqual(first);
  expect((await system.readDirectory('/work')).map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
  expect(read).toEqual(['/work']);
});

test('asks again for a folder that could not be read', async () => {
  const { system, read } = counted({ '/work/a.txt': '' });
  await expect(system.readDirectory('/gone')).rejects.toThrow();
  await expect(system.readDirectory('/gone')).rejects.toThrow();
  expect(read).toEqual(['/gone', '/gone']);
});
