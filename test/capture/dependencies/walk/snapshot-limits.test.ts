import { limits } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import {
  fitSnapshot,
  fitSources,
} from '../../../../packages/capture/src/dependencies/walk/snapshot-limits.ts';
import { createWarningLog } from '../../../../packages/capture/src/dependencies/warning-log.ts';

const packages = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, '1']));

describe('what is more than a snapshot holds', () => {
  it('is measured by the limits of the service: files, packages, and paths repeated for each package', () => {
    const longPath = 'x'.repeat(1000);
    const files = [
      { path: 'a', packages: packages(50_000) },
      { path: longPath, packages: packages(40_000) },
      { path: 'b', packages: packages(10_000) },
    ];
    const log = createWarningLog();
    expect(fitSnapshot(files, log).map(({ path }) => path)).toEqual(['a', 'b']);
    expect(longPath.length * 40_000).toBeGreaterThan(limits.dependencyKeyLength);
    expect(log.toList()).toHaveLength(1);
  });

  it('leaves out the sources of whole files if metadata has no room for them', () => {
    const log = createWarningLog();
    const sources = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`package-${index}`, 'pypi']));
    const files = [
      { path: 'a', sources: sources(100) },
      { path: 'b', sources: sources(100_000) },
      { path: 'c', sources: {} },
      { path: 'd', sources: sources(1) },
    ];
    expect({ ...fitSources(files, log) }).toEqual({ a: sources(100), d: sources(1), b: { '?': '' } });
    expect(log.toList()).toEqual([
      expect.objectContaining({
        code: 'dependency_sources_limit',
        message: expect.stringContaining('origin of the packages of b is not recorded'),
      }),
    ]);
  });

  it('is cut to the files nearest to the folder, with one warning that counts the others', () => {
    const log = createWarningLog();
    const deep = Array.from({ length: 1100 }, (_, index) => `a/${String(index).padStart(4, '0')}/go.sum`);
    const files = [...deep, 'go.sum', 'z/go.sum'].map((path) => ({ path, packages: packages(1) }));
    const fittingPaths = fitSnapshot(files, log).map(({ path }) => path);
    expect(fittingPaths).toHaveLength(1000);
    expect(fittingPaths.slice(0, 3)).toEqual(['go.sum', 'z/go.sum', 'a/0000/go.sum']);
    expect(log.toList()).toEqual([
      expect.objectContaining({
        code: 'dependency_limit',
        message: expect.stringMatching(/^102 of 1102 dependency files .*a\/0998\/go\.sum.* --dir\.$/),
      }),
    ]);
  });

  it('leaves out whole files only', () => {
    const log = createWarningLog();
    const files = [
      { path: 'a', packages: packages(60_000) },
      { path: 'b', packages: packages(60_000) },
      { path: 'c', packages: packages(40_000) },
    ];
    expect(fitSnapshot(files, log).map(({ path }) => path)).toEqual(['a', 'c']);
    expect(log.toList()[0]?.message).toContain('1 of 3 dependency files are not recorded (b)');
  });

  it('is empty if everything fits', () => {
    const log = createWarningLog();
    expect(fitSnapshot([{ path: 'a', packages: packages(100_000) }], log)).toHaveLength(1);
    expect(log.toList()).toEqual([]);
  });
});
