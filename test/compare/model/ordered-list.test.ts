import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareLists } from '../../../packages/compare/src/model/ordered-list.ts';

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

  it('are no different only when they are the same, and account for every entry', () => {
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
