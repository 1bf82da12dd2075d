import { describe, expect, it } from 'vitest';
import { captureEnvironment } from '../../packages/capture/src/capture-environment.ts';
import type { CaptureOptions } from '../../packages/capture/src/capture-types.ts';
import { findDifferences } from '../../packages/compare/src/model/find-differences.ts';
import { createFakeSystem, type FakeMachine } from '../support/fake-system.ts';
import { readTestData } from '../support/test-data.ts';
import { plainOptions } from './plain-options.ts';

const { files, variables } = readTestData<{ files: NonNullable<FakeMachine['files']>; variables: object }>(
  import.meta,
);

async function capture(options: Partial<CaptureOptions> = {}) {
  const { snapshot, report } = await captureEnvironment(createFakeSystem({ files, env: { PORT: '80' } }), {
    folder: '/srv/app',
    ...plainOptions,
    ...options,
  });
  return { ...snapshot, warnings: report.warnings };
}

describe('dotenv files', () => {
  it('are variables named after their file, with secrets hidden as always', async () => {
    const { envVars, warnings } = await capture();
    expect(envVars).toEqual(variables);
    expect(warnings.map(({ code, file }) => [code, file])).toEqual([
      ['dotenv_unreadable', '.env.production'],
    ]);
  });

  it('follow the patterns and values that are requested', async () => {
    expect(Object.keys((await capture({ envInclude: ['PORT'] })).envVars)).toEqual(['.env:PORT', 'PORT']);
    expect(Object.keys((await capture({ envExclude: ['.env*:*'] })).envVars)).toEqual(['PORT']);
    expect((await capture({ envValues: 'none' })).envVars['.env:PORT']).toBe('');
    expect((await capture({ envValues: 'omit' })).envVars).toEqual({});
  });

  it('are left out on request, and then not compared', async () => {
    const [withFiles, without] = [await capture(), await capture({ dotenv: false })];
    expect(Object.keys(without.envVars)).toEqual(['PORT']);
    expect(findDifferences(withFiles, without).counts.env).toMatchObject({ removed: 0, same: 1 });
  });
});

describe('a dotenv file of a folder that a stranger made', () => {
  it('that is a link out of the folder is not followed', async () => {
    const linked = {
      '/srv/app/.env': { link: '/home/dev/.aws/config' },
      '/home/dev/.aws/config': 'region=eu-central-1\n',
      '/srv/app/.env.local': { link: './shared.env' },
      '/srv/app/shared.env': 'PORT=1\n',
    };
    const { snapshot, report } = await captureEnvironment(
      createFakeSystem({ files: linked, env: { EDITOR: 'vi' } }),
      { folder: '/srv/app', ...plainOptions },
    );
    expect(snapshot.envVars).toEqual({ '.env.local:PORT': '1', EDITOR: 'vi' });
    expect(report.warnings.map(({ code, file }) => [code, file])).toEqual([['dotenv_outside', '.env']]);
  });
});
