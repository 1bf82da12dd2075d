import { describe, expect, it } from 'vitest';
import { findProjectRoot } from '../../../packages/capture/src/project/find-project-root.ts';
import { createFakeSystem } from '../../support/fake-system.ts';

const find = (folder: string, ...files: string[]) =>
  findProjectRoot(
    folder,
    createFakeSystem({
      homeDir: '/home/dev',
      files: Object.fromEntries(
        files.map((file) => {
          const [name = '', text = ''] = file.split(' = ');
          return [name, text];
        }),
      ),
    }),
  );

describe('the root of a project', () => {
  it('is the checkout, whatever lies between', async () => {
    const files = ['/home/dev/shop/.git/HEAD', '/home/dev/shop/packages/web/package.json'];
    expect(await find('/home/dev/shop/packages/web', ...files)).toBe('/home/dev/shop');
    expect(await find('/home/dev/shop', ...files)).toBe('/home/dev/shop');
  });

  it('is a worktree or submodule, whose .git is a file', async () => {
    const files = ['/srv/shop/.git/HEAD', '/srv/shop/vendored/lib/.git = gitdir: elsewhere'];
    expect(await find('/srv/shop/vendored/lib/src', ...files)).toBe('/srv/shop/vendored/lib');
  });

  it.each([
    ['package.json', '{"workspaces": ["packages/*"]}'],
    ['pnpm-workspace.yaml', 'packages:\n  - packages/*\n'],
    ['Cargo.toml', '[workspace]\nmembers = ["packages/*"]\n'],
    ['go.work', 'go 1.22\nuse ./packages/web\n'],
    ['pyproject.toml', '[tool.uv.workspace]\nmembers = ["packages/*"]\n'],
  ])('is the root of the workspace that %s names, if there is no checkout', async (name, text) => {
    const files = [`/srv/shop/${name} = ${text}`, '/srv/shop/packages/web/package.json = {}'];
    expect(await find('/srv/shop/packages/web/src', ...files)).toBe('/srv/shop');
  });

  it('is the nearest folder with a manifest, else the folder itself', async () => {
    expect(await find('/srv/app/src/deep', '/srv/app/go.mod', '/srv/package.json = {}')).toBe('/srv/app');
    expect(await find('/srv/notes/2024', '/srv/notes/2024/readme.md')).toBe('/srv/notes/2024');
  });

  it('is never the home folder or one above it, nor one that holds temporary files', async () => {
    const dotfiles = ['/home/dev/.git/HEAD', '/home/dev/package.json = {}', '/home/dev/x/a'];
    expect(await find('/home/dev/x', ...dotfiles)).toBe('/home/dev/x');
    expect(await find('/tmp/job/x', '/tmp/package.json = {}', '/tmp/job/x/a')).toBe('/tmp/job/x');
  });
});
