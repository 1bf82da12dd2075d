import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../packages/sdk/src/version.ts';

const root = path.resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'packages/sdk/package.json'), 'utf8'));

describe('the SDK as a package', () => {
  let inputs: string[] = [];
  let main: Uint8Array = new Uint8Array();
  let mainInputs: string[] = [];
  beforeAll(async () => {
    const result = await build({
      entryPoints: [path.join(root, 'packages/sdk/src/index.ts')],
      bundle: true,
      // A Node-only import cannot be resolved for this platform.
      platform: 'browser',
      format: 'esm',
      splitting: true,
      minify: true,
      conditions: ['envsnap-source'],
      metafile: true,
      write: false,
      outdir: 'out',
      absWorkingDir: root,
      logLevel: 'silent',
    });
    inputs = Object.keys(result.metafile.inputs);
    const entry = Object.values(result.metafile.outputs).find((output) => output.entryPoint);
    mainInputs = Object.keys(entry?.inputs ?? {});
    main = result.outputFiles.find((file) => file.path.endsWith(`${path.sep}index.js`))?.contents ?? main;
  });

  it('bundles for browsers, so it imports nothing of Node', () => {
    expect(main.length).toBeGreaterThan(1000);
    expect(inputs.filter((input) => input.startsWith('node:'))).toEqual([]);
  });

  it('loads no zod, and hashing only when a download is verified', () => {
    expect(inputs.filter((input) => input.includes('/zod/'))).toEqual([]);
    expect(inputs.some((input) => input.includes('noble'))).toBe(true);
    expect(mainInputs.filter((input) => input.includes('noble'))).toEqual([]);
  });

  it('stays small: at most 20 kB compressed', () => {
    expect(gzipSync(main).length).toBeLessThan(20_000);
  });

  it('tells the version of its package and does nothing when it is imported', () => {
    expect(version).toBe(manifest.version);
    expect(manifest.sideEffects).toBe(false);
  });
});
