import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import { compareLists } from '../../../packages/compare/src/model/ordered-list.ts';
import { workspaceView } from '../../../packages/compare/src/model/workspace-view.ts';
import { readTestData } from '../../support/test-data.ts';

const { whole, ownMetadata } = readTestData<{
  whole: {
    machineName: string;
    dependencies: Record<string, Record<string, string>>;
    metadata: Record<string, unknown>;
  };
  ownMetadata: object;
}>(import.meta);

describe('one package of a workspace', () => {
  it('keeps its own files and those of the folders above it', () => {
    const { dependencies, metadata } = workspaceView(whole, 'packages/web');
    expect(Object.keys(dependencies)).toEqual([
      '/var/lib/dpkg/status',
      'package-lock.json',
      'packages/web/requirements.txt',
    ]);
    expect(metadata).toEqual(ownMetadata);
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

const flags = ['-C', 'target-feature=+crt-static', '-C', 'link-self-contained=yes'];
const lists = fc.array(fc.constantFrom('a', 'b', 'c', '0 a'), { maxLength: 8 });

describe('ordered lists with repeated entries', () => {
  it('equal themselves', () => {
    expect(compareLists(flags, [...flags])).toBeUndefined();
    fc.assert(
      fc.property(lists, (list) => {
        expect(compareLists(list, [...list])).toBeUndefined();
      }),
      { seed: 1 },
    );
  });

  it('differ by each repetition and by their order', () => {
    expect(compareLists(flags, flags.slice(0, 2))).toEqual({
      added: [],
      removed: ['-C', 'link-self-contained=yes'],
      moved: [],
    });
    expect(compareLists(['-v'], ['-v', '-v'])).toEqual({ added: ['-v'], removed: [], moved: [] });
    expect(compareLists(['a', 'b', 'a'], ['a', 'a', 'b'])?.moved).toHaveLength(1);
  });

  it('are equal only when they are the same, and account for every entry', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const change = compareLists(a, b);
        expect(change === undefined).toBe(a.join('\n') === b.join('\n'));
        if (change) expect(b.length - a.length).toBe(change.added.length - change.removed.length);
      }),
      { seed: 2 },
    );
  });
});
