import { describe, expect, it } from 'vitest';
import { parseFailOn } from '../../../packages/compare/src/policy/fail-on.ts';
import { ignoreTest } from '../../../packages/compare/src/policy/ignore-patterns.ts';

describe('fail-on rules', () => {
  it('say what is wrong and what would be right', () => {
    expect(() => parseFailOn('runtime:minor')).not.toThrow();
    expect(() => parseFailOn('dependancies:major')).toThrow(
      /no section "dependancies".*Did you mean "dependencies"\?/,
    );
    expect(() => parseFailOn('runtimes:majr')).toThrow(/no level "majr".*Did you mean "major"\?/);
    expect(() => parseFailOn('runtimes,,env')).toThrow(/rule is empty/);
    expect(() => parseFailOn('')).toThrow(/rule is empty/);
    expect(() => parseFailOn('runtimes:')).toThrow(/ends with a colon/);
    expect(() => ignoreTest(['envs:X'])).toThrow(/Did you mean "env"\?/);
    expect(() => ignoreTest([' '])).toThrow(/empty/);
  });
});
