// The capture as scripts call it.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, inject, it, vi } from 'vitest';
import { capture } from '../../packages/capture/src/capture-folder.ts';
import { version } from '../../packages/capture/src/version.ts';
import { fewTools } from '../support/few-tools.ts';

const manifest = new URL('../../packages/capture/package.json', import.meta.url);

describe('capture()', () => {
  it('takes a folder with defaults for everything else, and records its own version', async () => {
    const dir = mkdtempSync(path.join(inject('runFolder'), 'capture-'));
    writeFileSync(
      path.join(dir, 'package-lock.json'),
      '{"lockfileVersion":3,"packages":{"node_modules/zod":{"version":"4.6.7"}}}',
    );
    vi.stubEnv('PATH', fewTools());
    const { snapshot, report } = await capture({ dir, envInclude: ['NOTHING'] });
    expect(snapshot.dependencies['package-lock.json']).toEqual({ zod: '4.6.7' });
    expect(snapshot.envVars).toEqual({});
    expect(snapshot.metadata.capture).toMatchObject({ toolVersion: version });
    expect(report.dependencyFiles).toContainEqual({ file: 'package-lock.json', packages: 1 });
    expect(version).toBe(JSON.parse(readFileSync(manifest, 'utf8')).version);
  });

  it('rejects with a typed error for a folder that cannot be captured', async () => {
    const dir = mkdtempSync(path.join(inject('runFolder'), 'capture-'));
    const file = path.join(dir, 'file');
    writeFileSync(file, '');
    await expect(capture({ dir: path.join(dir, 'gone') })).rejects.toMatchObject({
      name: 'CaptureError',
      code: 'folder_not_found',
    });
    await expect(capture({ dir: file })).rejects.toMatchObject({ code: 'not_a_folder', folder: file });
  });
});
