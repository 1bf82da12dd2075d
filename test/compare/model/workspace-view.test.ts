import { describe, expect, it } from 'vitest';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import { workspaceView } from '../../../packages/compare/src/model/workspace-view.ts';

const whole = {
  machineName: 'desk',
  dependencies: {
    '/var/lib/dpkg/status': { libc6: '2.36' },
    'package-lock.json': { zod: '4.0.0' },
    'packages/web/requirements.txt': { flask: '3.0.0' },
    'packages/web-admin/requirements.txt': { django: '5.0' },
    'packages/api/go.mod': { chi: '5.0.0' },
  },
  metadata: {
    checkout: {
      changed: { count: 2, files: { 'packages/web/app.js': 'content', 'packages/api/main.go': 'content' } },
      untracked: 3,
    },
    installed: { 'package-lock.json': { zod: '' }, 'packages/api/go.mod': { chi: '' } },
    direct: { 'package-lock.json': ['zod'], 'packages/api/go.mod': ['chi'] },
    notInstalled: ['packages/api/composer.lock', 'packages/web/composer.lock'],
  },
};

describe('one package of a workspace', () => {
  it('keeps its own files and those of the folders above it', () => {
    const { dependencies, metadata } = workspaceView(whole, 'packages/web');
    expect(Object.keys(dependencies)).toEqual([
      '/var/lib/dpkg/status',
      'package-lock.json',
      'packages/web/requirements.txt',
    ]);
    expect(metadata).toEqual({
      checkout: { changed: { count: 1, files: { 'packages/web/app.js': 'content' } } },
      installed: { 'package-lock.json': { zod: '' } },
      direct: { 'package-lock.json': ['zod'] },
      notInstalled: ['packages/web/composer.lock'],
      project: { workspace: 'packages/web' },
    });
  });

  it('is compared with the same package on the other side', () => {
    const other = {
      ...whole,
      dependencies: { ...whole.dependencies, 'packages/api/go.mod': { chi: '5.1.0' } },
    };
    expect(compareEnvironments(whole, other).counting.size).toBe(1);
    const report = compareEnvironments(whole, other, { workspace: 'packages/web' });
    expect(report.verdict).toBe('equal');
    expect(report.comparison.b.folder).toBe('packages/web');
  });
});
