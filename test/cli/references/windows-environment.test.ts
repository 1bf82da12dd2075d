// The environment of a new Windows terminal, from the output of `reg query`.

import { describe, expect, it } from 'vitest';
import { newTerminal } from '../../../packages/cli/src/references/capture-process.ts';
import { readTestData } from '../../support/test-data.ts';

const { machine, account, session, processVariables, expected } = readTestData<
  Record<'machine' | 'account' | 'session', string> &
    Record<'processVariables' | 'expected', Record<string, string>>
>(import.meta);

describe('the environment of a new terminal on Windows', () => {
  it('holds what the settings say, not what this process was given', () => {
    const texts = [machine, session, account.replaceAll('\n', '\r\n')];
    expect(newTerminal(texts, processVariables)).toEqual(expected);
  });
});
