// What --fails-if and --only mean.

import { describe, expect, it } from 'vitest';
import { chooseChanges, type Plan } from '../../../../packages/cli/src/actions/bisect/bisect-change.ts';
import { parseFailsIf } from '../../../../packages/cli/src/actions/bisect/bisect-exit-codes.ts';
import { newSetting } from '../../../../packages/cli/src/actions/bisect/bisect-setting.ts';
import { valueRisk } from '../../../../packages/cli/src/actions/bisect/bisect-values.ts';

describe('--fails-if', () => {
  const testOf = (text: string) => {
    const failsIf = parseFailsIf(text);
    if (failsIf.kind !== 'output') throw new Error(`${text} does not look at the output`);
    return failsIf.test;
  };

  it('is an exit code, text, or an expression', () => {
    expect(parseFailsIf(undefined)).toEqual({ kind: 'any-failure' });
    expect(parseFailsIf('3')).toEqual({ kind: 'exit', code: 3 });
    expect(testOf('Invalid (Date')('an Invalid (Date here')).toBe(true);
    expect(testOf('Invalid')('invalid')).toBe(false);
    expect(testOf('/^invalid/im')('x\nINVALID')).toBe(true);
  });

  it('says what is wrong with an expression, and refuses a text that every output holds', () => {
    expect(() => parseFailsIf('')).toThrow('--fails-if is empty');
    expect(() => parseFailsIf('/(/')).toThrow(/--fails-if .* is not an expression/);
  });
});

describe('--only', () => {
  const change = (section: string, name: string) => ({
    id: `${section}:${name}`,
    section,
    name,
    group: name,
    weight: 1,
    texts: { a: name, b: name },
    apply: () => undefined,
  });
  const plan: Plan = {
    changes: [
      change('env', 'LC_ALL'),
      change('env', 'TZ'),
      change('paths', 'PATH'),
      change('facts', 'process.umask'),
    ],
    notTried: [],
  };
  const chosen = (...only: string[]) => chooseChanges(plan, only).changes.map(({ name }) => name);

  it('keeps what a section and a pattern name; env has the path lists too', () => {
    expect(chosen('env:LC_*')).toEqual(['LC_ALL']);
    expect(chosen('env')).toEqual(['LC_ALL', 'TZ', 'PATH']);
    expect(chosen('facts:process.*', 'env:TZ')).toEqual(['TZ', 'process.umask']);
    expect(chooseChanges(plan, undefined)).toBe(plan);
  });

  it('says what it leaves out', () => {
    expect(chooseChanges(plan, ['env:TZ']).notTried).toContainEqual({
      key: 'env:LC_ALL',
      reason: '--only leaves it out',
    });
  });
});

// The variables with which a run of a bisection starts, and those that bisect cannot set.

describe('the variables of a run', () => {
  it('are those that are given, and refuse a name that would be another variable', () => {
    const { env } = newSetting({ A: '1', B: undefined, '': 'x' });
    env.C = '2';
    for (const name of ['BASH_ENV=$(id) #', '=C:', ''])
      expect(() => {
        env[name] = 'x';
      }, name).toThrow(TypeError);
    expect({ ...env }).toEqual({ A: '1', C: '2' });
  });

  it.each(['PATH', 'Path', 'pAtH'])(
    'start no program from a folder that others can write to by %s',
    (name) => {
      expect(valueRisk(name, '/tmp')).toBe('start programs from a folder that is not yours');
      expect(valueRisk(name, '/usr/bin:/tmp')).toBe('start programs from a folder that is not yours');
      expect(valueRisk(name, 'bin')).toBe('start programs from a folder that is not yours');
      expect(valueRisk(name, '/usr/bin')).toBeUndefined();
    },
  );
});
