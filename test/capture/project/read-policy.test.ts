import { limits } from '@envsnap/shared/catalogue/limits';
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../packages/capture/src/project/read-policy.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';

const policy = 'expect: {runtimes: {node: ">=24"}}\n';
const read = (files: FakeMachine['files']) =>
  readPolicy(openMachine(createFakeSystem({ files: files ?? {} })), '/work/app/web');

describe('the policy that a capture carries', () => {
  it('is the nearest one at or above the folder, with its path', async () => {
    const files = {
      '/work/app/.envsnap.yml': policy,
      '/work/app/web/readme': '',
      '/work/.envsnap.yaml': 'other',
    };
    expect(await read(files)).toEqual({
      policy: { path: '/work/app/.envsnap.yml', text: policy },
      warnings: [],
    });
  });

  it('is not one above the repository, and is absent if there is none', async () => {
    expect(
      await read({ '/work/app/.git/HEAD': '', '/work/app/web/x': '', '/work/.envsnap.yaml': policy }),
    ).toEqual({ warnings: [] });
  });

  it('is left out, with a warning, if it is larger than 32 KiB', async () => {
    const text = `# ${'x'.repeat(limits.carriedPolicyBytes)}`;
    const { policy: carried, warnings } = await read({ '/work/app/web/.envsnap.yaml': text });
    expect([carried, warnings.map(({ code }) => code)]).toEqual([undefined, ['policy_not_carried']]);
  });
});
