// Two environments with differences of every kind, ordinary and hostile, for the tests of all formats.

import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { checkPolicy } from '../../../packages/compare/src/policy/check-policy.ts';
import { parseFailOn } from '../../../packages/compare/src/policy/fail-on.ts';
import { parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { type ComparisonReport, reportComparison } from '../../../packages/compare/src/report/report.ts';

/** Text that tries to break out of every format. */
export const hostile =
  '</script><img src=x onerror=alert(1)> | `a` ``b`` ]]> %0A::error::x "q" \'s\' & @someone \u001b[31m \u202e \r\n::warning::y #1 &#64;';

const packages = (count: number, version: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`package-${index}`, version(index)]));

const sideA: ComparableEnvironment = {
  id: '0b6f6f0e-1111-4222-8333-444455556666',
  createdAt: '2026-11-20T10:11:12.000Z',
  machineName: 'anna',
  os: 'linux',
  arch: 'x64',
  runtimeVersions: { node: '22.11.0', npm: '10.9.0', git: '2.39.5', [hostile]: '1.0.0' },
  dependencies: {
    'package-lock.json': packages(300, (index) => `1.0.${index}`),
    'packages/api/package-lock.json': { zod: '3.24.1', express: '5.0.0', hono: '4.1.0', [hostile]: hostile },
    'only-a/go.sum': { 'example.com/a': 'v1.0.0', 'example.com/b': 'v1.0.0' },
  },
  envVars: {
    DATABASE_URL: 'canary-secret-a',
    PATH: '/canary-a:/bin',
    SAME: 'canary-same',
    [hostile]: 'canary',
  },
  metadata: {
    git: { branch: 'main', commit: '1a2b3c4d5e6f' },
    toolchain: {
      node: { present: '22.11.0', declared: [{ source: '.nvmrc', version: '22', satisfied: true }] },
    },
    system: { distribution: 'debian 12', libc: 'glibc 2.36', kernel: '6.1.0', cpu: { count: 8 } },
  },
};

const sideB: ComparableEnvironment = {
  machineName: hostile,
  os: 'linux',
  arch: 'arm64',
  runtimeVersions: { node: '24.1.0', npm: '11.0.0', deno: '2.0.0' },
  dependencies: {
    'package-lock.json': packages(290, (index) => (index % 9 === 0 ? `1.1.${index}` : `1.0.${index}`)),
    'packages/api/package-lock.json': {
      zod: '4.0.2',
      express: '5.0.1',
      hono: '4.1.0, 4.2.0',
      [hostile]: '2',
    },
  },
  envVars: { PATH: '/bin:/canary-b', SAME: 'canary-same', NODE_OPTIONS: 'canary', API_TOKEN: '[redacted]' },
  metadata: {
    system: { distribution: 'alpine 3.20', libc: 'musl 1.2.5', kernel: '6.8.0', cpu: { count: 4 } },
  },
};

const policy = parsePolicy(
  'expect:\n  runtimes:\n    node: ">=22 <23"\nrequired: [API_KEY]\n',
  '.envsnap.yaml',
);

/** A report with everything in it. */
export function sampleReport(
  part: { failOn?: string; showValues?: boolean; a?: ComparableEnvironment; b?: ComparableEnvironment } = {},
): ComparisonReport {
  const a = part.a ?? sideA;
  const b = part.b ?? sideB;
  const comparison = findDifferences(a, b, {
    labels: { a: 'latest:anna', b: 'local' },
    showValues: part.showValues ?? false,
  });
  return reportComparison(comparison, {
    failRules: parseFailOn(part.failOn ?? 'os,arch,runtimes,dependencies:minor,env'),
    policy: { file: policy.file, checks: checkPolicy(policy, b) },
  });
}

/** A report without any difference. */
export function equalReport(): ComparisonReport {
  return reportComparison(findDifferences(sideA, sideA, { labels: { a: 'one.json', b: 'two.json' } }));
}

/** A report with tens of thousands of differences with long names. */
export function hugeReport(count = 30_000): ComparisonReport {
  const known = hugeReports.get(count) ?? makeHugeReport(count);
  hugeReports.set(count, known);
  return known;
}

const hugeReports = new Map<number, ComparisonReport>();

function makeHugeReport(count: number): ComparisonReport {
  const name = (index: number) => `@a-rather-long-scope/and-a-rather-long-name-of-a-package-${index}`;
  const lock = (version: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), version]));
  const side = (version: string) => ({
    machineName: 'm',
    dependencies: { 'package-lock.json': lock(version) },
  });
  return reportComparison(findDifferences(side('1.0.0'), side('2.0.0')));
}
