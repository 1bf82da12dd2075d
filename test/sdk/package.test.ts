import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Plugin } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../packages/sdk/src/version.ts';

const root = path.resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'packages/sdk/package.json'), 'utf8'));

describe('the SDK as a package', () => {
  let inputs: string[] = [];
  let whole: Uint8Array = new Uint8Array();
  const late: string[] = [];
  let atStart: Uint8Array = new Uint8Array();
  let inputsAtStart: string[] = [];

  /** The SDK for a browser; a Node-only import cannot be resolved for this platform. */
  async function bundle(plugins: Plugin[] = []) {
    return build({
      entryPoints: [path.join(root, 'packages/sdk/src/index.ts')],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      minify: true,
      conditions: ['envsnap-source'],
      metafile: true,
      write: false,
      outdir: 'out',
      absWorkingDir: root,
      logLevel: 'silent',
      plugins,
    });
  }

  beforeAll(async () => {
    const unsplit = await bundle();
    inputs = Object.keys(unsplit.metafile.inputs);
    whole = unsplit.outputFiles[0]?.contents ?? whole;
    const leaveOutLate: Plugin = {
      name: 'leave-out-what-is-loaded-on-use',
      setup: ({ onResolve }) =>
        onResolve({ filter: /.*/ }, ({ kind, path: name }) => {
          if (kind !== 'dynamic-import') return undefined;
          late.push(name);
          return { path: name, external: true };
        }),
    };
    const result = await bundle([leaveOutLate]);
    inputsAtStart = Object.keys(result.metafile.inputs);
    atStart = result.outputFiles[0]?.contents ?? atStart;
  });

  it('bundles for browsers, so it imports nothing of Node', () => {
    expect(atStart.length).toBeGreaterThan(1000);
    expect(inputs.filter((input) => input.startsWith('node:'))).toEqual([]);
  });

  it('contains ky and no zod, and loads what few programs use on use', () => {
    expect(inputs.some((input) => input.includes('/ky/'))).toBe(true);
    expect(inputs.filter((input) => input.includes('/zod/'))).toEqual([]);
    expect(inputs.some((input) => input.includes('noble'))).toBe(true);
    expect(inputsAtStart.filter((input) => /noble|multipart|upload|walk|download\.ts/.test(input))).toEqual(
      [],
    );
    expect(late).toContain('../files/upload.ts');
  });

  it('stays small: at most 20 kB compressed at its start, ky included', () => {
    expect(gzipSync(atStart).length).toBeLessThan(20_000);
  });

  it('is as small in a bundle without splitting as its README says', () => {
    const readme = readFileSync(path.join(root, 'packages/sdk/README.md'), 'utf8');
    const [, kilobytes] = /(\d+) kB compressed in one bundle/.exec(readme) ?? [];
    expect(gzipSync(whole).length).toBeLessThan(Number(kilobytes) * 1000);
  });

  it('is there for TypeScript that reads no exports', () => {
    expect(manifest.main).toBe(manifest.exports['.'].require.default);
    expect(manifest.types).toBe(manifest.exports['.'].require.types);
  });

  it('shows the version of its package and does nothing when it is imported', () => {
    expect(version).toBe(manifest.version);
    expect(manifest.sideEffects).toBe(false);
  });
});
