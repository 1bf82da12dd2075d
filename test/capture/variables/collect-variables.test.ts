// Which variables a snapshot records, and what it writes for each.

import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { homeAbbreviation } from '../../../packages/capture/src/system/home-path.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { collectVariables } from '../../../packages/capture/src/variables/collect-variables.ts';
import { createFakeSystem } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';

const { ambient } = readTestData<{ ambient: Record<string, string> }>(import.meta);

type Options = Partial<Parameters<typeof collectVariables>[2]>;

function collect(env: Record<string, string>, options: Options = {}, platform: NodeJS.Platform = 'linux') {
  const system = createFakeSystem({ env, platform });
  return collectVariables(openMachine(system), homeAbbreviation([system.homeDir], platform === 'win32'), {
    envValues: 'safe',
    envInclude: [],
    envExclude: [],
    searchPath: undefined,
    ...options,
  });
}

describe('the variables of a snapshot', () => {
  test('are sorted, with the home folder as ~', async () => {
    const { envVars } = await collect({ ZED: '1', EDITOR: 'vim', GOPATH: '/home/dev/go' });
    expect(JSON.stringify(envVars)).toBe('{"EDITOR":"vim","GOPATH":"~/go","ZED":"1"}');
  });

  test('leave out the names and addresses of pods, in a cluster only', async () => {
    const own = { HOST_IP: '10.0.0.1', POD_NAME: 'x' };
    expect((await collect(own)).envVars).toEqual(own);
    const inCluster = { ...own, KUBERNETES_SERVICE_HOST: '10.0.0.2' };
    expect((await collect(inCluster)).envVars).toEqual({ KUBERNETES_SERVICE_HOST: '10.0.0.2' });
  });

  test('leave out what differs by nature, each with its reason', async () => {
    const { envVars, skipped } = await collect({ ...ambient, NODE_ENV: 'test' });
    expect(envVars).toEqual({ NODE_ENV: 'test' });
    expect(skipped.map(({ name }) => name)).toEqual(Object.keys(ambient).sort());
    expect(skipped.every(({ reason }) => reason.length > 5)).toBe(true);
  });

  test('hold fingerprints of secrets under a key: equal values equal, changed values changed, names apart', async () => {
    const options = { fingerprintKey: { own: 'project-1' } };
    const first = await collect({ API_KEY: 'one', OTHER_KEY: 'one' }, options);
    const again = await collect({ API_KEY: 'one' }, options);
    const changed = await collect({ API_KEY: 'two' }, options);
    const elsewhere = await collect({ API_KEY: 'one' }, { fingerprintKey: { own: 'project-2' } });
    const expected = createHmac('sha256', 'project-1').update('API_KEY\0one').digest('hex').slice(0, 32);
    expect(first.envVars.API_KEY).toBe(`hmac:${expected}`);
    expect(again.envVars.API_KEY).toBe(first.envVars.API_KEY);
    expect(first.envVars.OTHER_KEY).not.toBe(first.envVars.API_KEY);
    expect(changed.envVars.API_KEY).not.toBe(first.envVars.API_KEY);
    expect(elsewhere.envVars.API_KEY).not.toBe(first.envVars.API_KEY);
    expect(first.redactions[0]).toEqual({
      name: 'API_KEY',
      reason: expect.any(String),
      replacedBy: 'fingerprint',
    });
  });

  test('hold a placeholder for secrets if there is no key', async () => {
    const { envVars, redactions } = await collect({ API_KEY: 'one' });
    expect(envVars).toEqual({ API_KEY: '[redacted]' });
    expect(redactions[0]?.replacedBy).toBe('placeholder');
  });

  test('keep every value with “all”, names only with “none”, nothing with “omit”', async () => {
    const env = { API_KEY: 'one', EDITOR: 'vim' };
    expect((await collect(env, { envValues: 'all' })).envVars).toEqual(env);
    expect((await collect(env, { envValues: 'none' })).envVars).toEqual({ API_KEY: '', EDITOR: '' });
    expect((await collect(env, { envValues: 'omit' })).envVars).toEqual({});
  });

  test('are those that the patterns include, also ambient ones, without those they exclude', async () => {
    const env = { APP_A: '1', APP_B: '2', OTHER: '3', PWD: '/x', 'APP.C': '4', APPXC: '5' };
    expect((await collect(env, { envInclude: ['APP_*', 'PWD'] })).envVars).toEqual({
      APP_A: '1',
      APP_B: '2',
      PWD: '/x',
    });
    expect((await collect(env, { envExclude: ['APP_?', 'O*'] })).envVars).toEqual({
      'APP.C': '4',
      APPXC: '5',
    });
    expect((await collect(env, { envInclude: ['APP.C'] })).envVars).toEqual({ 'APP.C': '4' });
    expect((await collect(env, { envInclude: ['APP_*'], envExclude: ['*_A'] })).envVars).toEqual({
      APP_B: '2',
    });
  });

  test('compare names on Windows without regard to case', async () => {
    const { envVars } = await collect(
      { Pwd: 'x', SystemRoot: 'C:\\Windows', Path: 'C:\\x' },
      { envExclude: ['systemroot'] },
      'win32',
    );
    expect(envVars).toEqual({ Path: 'C:\\x' });
  });

  test('leave out what the service would refuse, with a warning', async () => {
    const { envVars, warnings } = await collect({
      [`N${'x'.repeat(1023)}`]: 'fits',
      [`N${'x'.repeat(1024)}`]: 'too long a name',
      FITS: 'ä'.repeat(65_536),
      LONG: 'ä'.repeat(65_537),
      NUL: 'a\0b',
    });
    expect(Object.keys(envVars).map((name) => name.slice(0, 4))).toEqual(['FITS', 'Nxxx']);
    expect(warnings.map(({ code }) => code)).toEqual([
      'variable_skipped',
      'variable_skipped',
      'variable_skipped',
    ]);
  });

  test('are data whatever their names: __proto__, constructor, lone surrogates', async () => {
    const env: Record<string, string> = Object.fromEntries([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['BAD', 'x\uD800y'],
    ]);
    const { envVars } = await collect(env);
    expect(Object.entries(envVars)).toEqual([
      ['BAD', 'x\uFFFDy'],
      ['__proto__', 'p'],
      ['constructor', 'c'],
    ]);
  });
});
