import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { captureEnvironment } from '../../../../packages/capture/src/capture-environment.ts';
import { fileReaders, patternReaders } from '../../../../packages/capture/src/declared/version-files.ts';
import { collectDependencies } from '../../../../packages/capture/src/dependencies/collect-dependencies.ts';
import { findDependencyFiles } from '../../../../packages/capture/src/dependencies/walk/walk.ts';
import { createWarningLog } from '../../../../packages/capture/src/dependencies/warning-log.ts';
import { openMachine } from '../../../../packages/capture/src/system/machine.ts';
import { createSystem } from '../../../../packages/capture/src/system/node-system.ts';
import type { System } from '../../../../packages/capture/src/system/system.ts';
import { formats } from '../../../../packages/shared/src/catalogue/formats.ts';
import { unknownEntries } from '../../../../packages/shared/src/catalogue/unknown.ts';
import { readTestData } from '../../../support/test-data.ts';
import { plainOptions } from '../../plain-options.ts';
import { collectFiles, type Files, folderWith } from '../collect-files.ts';

const { ignoredFiles, walks } = readTestData<{
  ignoredFiles: Record<string, string>;
  walks: Record<string, { folders: string[]; files?: Files; at?: string; found: string[] }>;
}>(import.meta);

/** The machine with some methods replaced, e.g. to make a folder unreadable for root too. */
function overriding(methods: Partial<System>): System {
  return { ...createSystem(), ...methods };
}

const sum = 'a.invalid/b v1.0.0 h1:x=\n';
const everywhere = (...folders: string[]): Files =>
  Object.fromEntries(folders.map((folder) => [path.posix.join(folder, 'go.sum'), sum]));

const collectIn = (folder: string, more = {}) =>
  collectDependencies(openMachine(createSystem()), { folder, manifests: false, ...more });

/** The folders of the files that a capture of `at`, a folder among the files, finds without a warning. */
async function foundIn(files: Files, at = '.'): Promise<string[]> {
  const { dependencies, warnings } = await collectIn(path.join(folderWith(files), at));
  expect(warnings).toEqual([]);
  return Object.keys(dependencies).map((file) => path.posix.dirname(file));
}

describe('the walk through a folder', () => {
  it.each(Object.entries(walks))('%s', async (_, { folders, files, at, found }) => {
    expect(await foundIn({ ...files, ...everywhere(...folders) }, at)).toEqual(found);
  });

  it('records nothing twice and sorts files by path', async () => {
    const { dependencies } = await collectFiles(everywhere('b', 'a/z', 'a', 'B'));
    expect(Object.keys(dependencies)).toEqual(['B/go.sum', 'a/go.sum', 'a/z/go.sum', 'b/go.sum']);
  });
});

describe('.gitignore', () => {
  it('leaves out single files, but no lock file beside its manifest, because ignored lock files can differ', async () => {
    const { dependencies } = await collectFiles(ignoredFiles);
    expect(Object.keys(dependencies)).toEqual(['app/packages.lock.json', 'package-lock.json']);
  });

  it('with a pattern that would keep a backtracking matcher busy forever is applied like any other', async () => {
    const { dependencies, warnings } = await collectFiles({
      ...everywhere('a'.repeat(200), `${'a'.repeat(200)}b`),
      '.gitignore': `${'*a'.repeat(60)}b\n${'**/'.repeat(60)}${'*a'.repeat(60)}c/\n`,
    });
    expect(Object.keys(dependencies)).toEqual([`${'a'.repeat(200)}/go.sum`]);
    expect(warnings).toEqual([]);
  });

  it('with a pattern that is too long loses that pattern, with a warning', async () => {
    const { dependencies, warnings } = await collectFiles({
      ...everywhere('a'),
      '.gitignore': `${'*a'.repeat(600)}b\n`,
    });
    expect(Object.keys(dependencies)).toHaveLength(1);
    expect(warnings).toEqual([
      expect.objectContaining({ code: 'ignore_pattern_skipped', file: '.gitignore' }),
    ]);
  });
});

describe('obstacles', () => {
  const declaring = [...fileReaders.map(([file]) => file), ...patternReaders.map(({ example }) => example)];
  const listing = formats
    .flatMap(({ names, examples = [], parser }) => (parser ? (names ?? examples) : []))
    .map((name, index) => `f${index}/${name}`)
    .filter((file) => !file.includes('/vendor/'));
  const each = (make: (file: string) => void) => (files: readonly string[]) => files.forEach(make);
  const unreadable: Record<string, (files: readonly string[]) => void> = {
    pipe: (files) => execFileSync('mkfifo', files),
    device: each((file) => symlinkSync('/dev/zero', file)),
    folder: each((file) => mkdirSync(file)),
    'dangling link': each((file) => symlinkSync('nowhere', file)),
    'link in a loop': each((file) => symlinkSync(path.basename(file), file)),
    'link out of the folder': each((file) => symlinkSync('/etc/hostname', file)),
    'locked file': each((file) => writeFileSync(file, 'x')),
  };

  it.skipIf(process.platform === 'win32').each(Object.keys(unreadable))(
    'a %s in the place of a file that declares or lists versions or variables makes it unknown, whichever file it is',
    async (kind) => {
      const folder = folderWith({});
      const isFolder = kind === 'folder';
      const files = [...declaring, ...listing, ...(isFolder ? [] : ['.env', '.env.local'])];
      // A folder named with an ordinary word may be anything.
      const expected = files.filter((file) => !isFolder || path.basename(file).includes('.'));
      const places = [...new Set(expected)].map((file) => path.join(folder, file));
      for (const file of places) mkdirSync(path.dirname(file), { recursive: true });
      unreadable[kind]?.(places);
      const disk = createSystem();
      const system = overriding({
        env: { PATH: '/nowhere' },
        readFile: async (file, part) => {
          if (kind === 'locked file' && file.startsWith(folder))
            throw Object.assign(new Error('EACCES: denied'), { code: 'EACCES' });
          return disk.readFile(file, part);
        },
      });
      system.readTextFile = async (file) => new TextDecoder().decode(await system.readFile(file));
      const options = { ...plainOptions, folder, manifests: true };
      const { metadata } = (await captureEnvironment(system, options)).snapshot;
      const unknown = new Set(unknownEntries(metadata).map(({ section, key }) => `${section} ${key}`));
      const known = expected.filter((file) => {
        const section = listing.includes(file)
          ? 'dependencies'
          : file.startsWith('.env')
            ? 'env'
            : 'toolchain';
        return !unknown.has(`${section} ${file}`);
      });
      expect(known).toEqual([]);
    },
  );

  it('links in a loop or out of the folder are not followed, with a warning each', async () => {
    const outside = folderWith(everywhere('x'));
    const folder = folderWith({ ...everywhere('a/b'), 'real/go.sum': sum });
    symlinkSync('..', path.join(folder, 'a/up'));
    symlinkSync(outside, path.join(folder, 'out'));
    symlinkSync(path.join(outside, 'x/go.sum'), path.join(folder, 'go.sum'));
    symlinkSync('../real', path.join(folder, 'a/inside'));
    symlinkSync('../real/go.sum', path.join(folder, 'a/go.sum'));
    const { dependencies, warnings } = await collectIn(folder);
    expect(Object.keys(dependencies)).toEqual(['a/b/go.sum', 'a/go.sum', 'real/go.sum']);
    expect(warnings.map(({ code, file }) => [code, file])).toEqual([
      ['link_skipped', 'a/up'],
      ['link_skipped', 'go.sum'],
      ['link_skipped', 'out'],
    ]);
  });

  it('an unreadable folder costs a warning', async () => {
    const disk = createSystem();
    const system = overriding({
      readDirectory: async (folder) => {
        if (folder.endsWith('locked')) throw Object.assign(new Error('denied'), { code: 'EACCES' });
        return disk.readDirectory(folder);
      },
    });
    const { dependencies, warnings } = await collectFiles({ ...everywhere('locked', 'open') }, { system });
    expect(Object.keys(dependencies)).toEqual(['open/go.sum']);
    const message = expect.stringContaining('EACCES');
    expect(warnings).toEqual([{ code: 'folder_unreadable', file: 'locked', message }]);
  });

  it('files and what they include are recorded if the file system gives no real paths', async () => {
    const system = overriding({
      realPath: async (file) => {
        throw Object.assign(new Error(`EISDIR: realpath '${file}'`), { code: 'EISDIR' });
      },
    });
    const { dependencies, warnings } = await collectFiles(
      { 'go.sum': sum, 'requirements.txt': '-r more.txt\n', 'more.txt': 'a==1\n' },
      { system },
    );
    expect(warnings).toEqual([]);
    expect(dependencies).toEqual({ 'go.sum': { 'a.invalid/b': 'v1.0.0' }, 'requirements.txt': { a: '1' } });
  });

  it('an included file is not read if its real path is unknown', async () => {
    const disk = createSystem();
    const system = overriding({
      realPath: async (file) => {
        if (file.endsWith('more.txt')) throw Object.assign(new Error('too long'), { code: 'ENAMETOOLONG' });
        return disk.realPath(file);
      },
    });
    const { dependencies } = await collectFiles(
      { 'requirements.txt': '-r more.txt\nb==2\n', 'more.txt': 'a==1\n' },
      { system },
    );
    expect(dependencies).toEqual({ 'requirements.txt': { b: '2' } });
  });

  it('a tree beyond the limits is walked up to them, with a warning', async () => {
    const folder = folderWith(everywhere('a/b/c/d', 'e', 'f'));
    for (const [limits, code] of [
      [{ folders: 3, entries: 1000, depth: 10 }, 'dependency_walk_stopped'],
      [{ folders: 100, entries: 3, depth: 10 }, 'dependency_walk_stopped'],
      [{ folders: 100, entries: 1000, depth: 2 }, 'folder_too_deep'],
    ] as const) {
      const log = createWarningLog();
      await findDependencyFiles(openMachine(createSystem()), folder, log, limits);
      expect(log.toList()).toEqual([expect.objectContaining({ code })]);
    }
  });

  it('ends when there are too many rules, with the files found before and a warning', async () => {
    const { dependencies, warnings } = await collectFiles({
      'go.sum': 'a/b v1.0.0 h1:x=\n',
      'a/.gitignore': '*.log\n'.repeat(100_001),
      'a/go.sum': 'a/c v1.0.0 h1:x=\n',
    });
    expect(Object.keys(dependencies)).toEqual(['go.sum']);
    expect(warnings).toEqual([expect.objectContaining({ code: 'dependency_walk_stopped' })]);
  });

  it('hundreds of damaged files give fifty warnings and a count of the others', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, index) => [`d${index}/package-lock.json`, '{']),
    );
    const { warnings } = await collectFiles(files);
    expect(warnings).toHaveLength(51);
    expect(warnings.at(-1)?.message).toContain('70 more');
  });

  it('a file too large for memory is left out with a warning', async () => {
    const disk = createSystem();
    const system = overriding({
      status: async (file) => ({ ...(await disk.status(file)), sizeBytes: 300 * 1024 * 1024 }),
    });
    const { warnings } = await collectFiles(everywhere(''), { system });
    expect(warnings).toEqual([expect.objectContaining({ message: expect.stringContaining('256 MiB') })]);
  });
});

describe('progress', () => {
  it('reports after every file', async () => {
    const counts: number[] = [];
    const folder = folderWith(everywhere('a', 'b', 'c'));
    await collectIn(folder, { onProgress: (count: number) => counts.push(count) });
    expect(counts).toEqual([1, 2, 3]);
  });

  it('two captures of the same folder are the same, byte for byte', async () => {
    const folder = folderWith(
      everywhere(...Array.from({ length: 40 }, (_, index) => `d${index % 7}/e${index}`)),
    );
    mkdirSync(path.join(folder, 'bad'));
    writeFileSync(path.join(folder, 'bad/go.sum'), 'x');
    const run = async () =>
      JSON.stringify(await collectDependencies(openMachine(createSystem()), { folder, manifests: true }));
    expect(await run()).toBe(await run());
  });
});
