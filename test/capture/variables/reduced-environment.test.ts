// A capture that was started with the few variables that tool hosts and cron pass on.

import { capture } from '@envsnap/capture';
import { compareEnvironments } from '@envsnap/compare';
import { describe, expect, it } from 'vitest';
import { createFakeSystem } from '../../support/fake-system.ts';

const few = {
  HOME: '/home/dev',
  LOGNAME: 'dev',
  PATH: '/usr/bin',
  SHELL: '/bin/bash',
  TERM: 'xterm',
  USER: 'dev',
};
const own = {
  ...few,
  LANG: 'de_DE.UTF-8',
  NODE_ENV: 'test',
  APP_MODE: 'strict',
  HTTPS_PROXY: 'http://proxy:1',
};
const files = { '/home/dev/app/.nvmrc': '22\n' };
const take = async (
  env: Record<string, string>,
  more: { files?: Record<string, string>; ofProcess?: boolean } = {},
) => {
  const system = createFakeSystem({ env, platform: 'linux', files: { ...files, ...more.files } });
  return capture({ dir: '/home/dev/app', ...(more.ofProcess && { ofProcess: true }) }, system);
};

describe('a reduced environment', () => {
  it('is not a difference: variables, paths and language are unknown, and the capture says so', async () => {
    const [full, reduced] = [await take(own), await take(few)];
    expect(reduced.report.warnings.map(({ code }) => code)).toContain('reduced_environment');
    expect(reduced.snapshot.envVars).toEqual({});
    expect(reduced.snapshot.metadata).not.toHaveProperty('locale');
    const { differences, comparison } = compareEnvironments(full.snapshot, reduced.snapshot);
    expect(differences).toEqual([]);
    expect(comparison.notes.map(({ code }) => code)).toContain('reduced_environment');
  });

  it('is not confused with an environment that is small anyway: one more variable, a container, a named process', async () => {
    const isReduced = async (...args: Parameters<typeof take>) =>
      (await take(...args)).report.warnings.some(({ code }) => code === 'reduced_environment');
    expect(await isReduced({ ...few, LANG: 'C', PWD: '/', SHLVL: '1', _: '/x', ENVSNAP_API_KEY: 'k' })).toBe(
      true,
    );
    expect(await isReduced({})).toBe(true);
    expect(await isReduced({ ...few, EDITOR: 'vim' })).toBe(false);
    expect(await isReduced(few, { files: { '/.dockerenv': '' } })).toBe(false);
    expect(await isReduced(few, { ofProcess: true })).toBe(false);
  });
});
