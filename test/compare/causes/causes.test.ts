import { describe, expect, it } from 'vitest';
import { rankCauses } from '../../../packages/compare/src/causes/causes.ts';
import { compareEnvironments } from '../../../packages/compare/src/model/compare-environments.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';

const causes = (a: Partial<ComparableEnvironment>, b: Partial<ComparableEnvironment>) =>
  rankCauses(compareEnvironments({ machineName: 'a', ...a }, { machineName: 'b', ...b })).map(
    (cause) => cause.what,
  );

describe('rankCauses', () => {
  it('puts a missing variable of the project and a runtime before what differs between any two machines', () => {
    const ranked = causes(
      {
        runtimeVersions: { node: '22.11.0', git: '2.39.0' },
        envVars: { DATABASE_URL: 'x', USER: 'anna', TERM: 'a' },
      },
      {
        runtimeVersions: { node: '22.14.0', git: '2.43.0' },
        envVars: { USER: 'ben', TERM: 'b', EDITOR: 'vi' },
      },
    );
    expect(ranked.slice(0, 2)).toEqual([
      'DATABASE_URL is set in A, not in B',
      'node is 22.11.0 in A, 22.14.0 in B (minor)',
    ]);
    expect(ranked.slice(-3).sort()).toEqual([
      'EDITOR is set in B, not in A',
      'TERM has another value in B',
      'USER has another value in B',
    ]);
  });

  it('tells the packages of one file together, worst first, and that no other file drifted', () => {
    const ranked = causes(
      {
        dependencies: {
          'package-lock.json': { a: '1.0.0' },
          'api/package-lock.json': { zod: '3.1.0', tsx: '1.0.0' },
        },
      },
      {
        dependencies: {
          'package-lock.json': { a: '1.0.0' },
          'api/package-lock.json': { zod: '4.0.0', tsx: '1.0.1' },
        },
      },
    );
    expect(ranked).toEqual([
      'api/package-lock.json drifted: 2 packages differ, first of all zod 3.1.0 → 4.0.0 (major); the other dependency files are equal',
    ]);
  });

  it('puts another libc before the distribution and the kernel', () => {
    const system = (distribution: string, libc: string, kernel: string) => ({
      metadata: { system: { distribution, libc, kernel } },
    });
    const ranked = causes(
      system('debian 12', 'glibc 2.36', '6.1'),
      system('alpine 3.20', 'musl 1.2.5', '6.8'),
    );
    expect(ranked[0]).toBe('libc is glibc 2.36 in A, musl 1.2.5 in B');
    expect(ranked.at(-1)).toContain('kernel');
  });

  it('puts a declared version that only A keeps to before the runtime itself', () => {
    const side = (node: string, satisfied: boolean) => ({
      runtimeVersions: { node },
      metadata: {
        toolchain: { node: { present: node, declared: [{ source: '.nvmrc', version: '22', satisfied }] } },
      },
    });
    expect(causes(side('22.1.0', true), side('24.1.0', false))[0]).toBe(
      '.nvmrc asks for node 22, B has 24.1.0',
    );
  });

  it('says that a whole dependency file is missing', () => {
    expect(causes({ dependencies: { 'go.sum': { a: 'v1.0.0', b: 'v1.0.0' } } }, {})).toEqual([
      'go.sum (2 packages) is in A, not in B',
    ]);
  });
});
