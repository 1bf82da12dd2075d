// What a run of a bisection is started with, and what no applier can put into it.

import { describe, expect, it } from 'vitest';
import { newSetting } from '../../../../packages/cli/src/actions/bisect/bisect-setting.ts';
import { valueRisk } from '../../../../packages/cli/src/actions/bisect/bisect-values.ts';

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

  it.each(['PATH', 'Path', 'pAtH'])('start no program of a folder of others by %s', (name) => {
    expect(valueRisk(name, '/tmp')).toBe('start programs of a folder that is not yours');
    expect(valueRisk(name, '/usr/bin:/tmp')).toBe('start programs of a folder that is not yours');
    expect(valueRisk(name, 'bin')).toBe('start programs of a folder that is not yours');
    expect(valueRisk(name, '/usr/bin')).toBeUndefined();
  });
});
