// The work that a policy may cause with other people's data: patterns times entries, names times names.

import { createWorkBudget, TooMuchWorkError } from '@envsnap/shared/work-budget';
import { describe, expect, it } from 'vitest';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { checkPolicy } from '../../../packages/compare/src/policy/check-policy.ts';
import { ignoreTest } from '../../../packages/compare/src/policy/ignore-patterns.ts';
import { parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { reportComparison } from '../../../packages/compare/src/report/report.ts';

const a = { machineName: 'a' };
const packages = Object.fromEntries(Array.from({ length: 20_000 }, (_, place) => [`package-${place}`, '1']));
const b = { machineName: 'b', dependencies: { 'package-lock.json': packages } };
const variables = Object.fromEntries(Array.from({ length: 5000 }, (_, place) => [`NAME_${place}`, 'x']));

function policyWith(lines: readonly string[]) {
  return parsePolicy(lines.join('\n'), '.envsnap.yaml');
}

describe('a policy with 40 patterns that stand for 512 each', () => {
  const patterns = (pattern: string) =>
    policyWith(['ignore:', ...Array.from({ length: 40 }, (_, place) => `  - "${pattern}${place}"`)]);

  const tangled = `*${'{a,b}'.repeat(9)}*`;

  it('is stopped if each of these has to be tried', () => {
    const spend = createWorkBudget(1e7)('matching');
    const ignore = ignoreTest(patterns(tangled).policy.ignore ?? [], spend);
    expect(() => findDifferences(a, b, { ignore })).toThrow(new TooMuchWorkError('matching'));
  });

  it('is stopped so in a comparison', { tags: 'release' }, () => {
    const policy = patterns(tangled);
    expect(() => compareEnvironments(a, b, { policy })).toThrow(
      new TooMuchWorkError('matching 40 ignore patterns'),
    );
  });

  it('is no problem if they are names', { tags: 'release' }, () => {
    const report = compareEnvironments(a, b, { policy: patterns('{a,b}'.repeat(9)) });
    expect(report.differences.length).toBe(20_000);
  });
});

it('a common policy takes a small part of the budget', () => {
  const policy = policyWith([
    'ignore:',
    ...['"**/@types/*"', '"dependencies:**/eslint-*"', '"env:CI_*"', 'package-77'].map(
      (each) => `  - ${each}`,
    ),
    'accepted:',
    ...Array.from({ length: 20 }, (_, place) => `  - {key: "package-${place}", reason: known}`),
  ]);
  const differences = findDifferences(a, b);
  const accepted = policy.policy.accepted;
  const budget = createWorkBudget(1e7);
  expect(reportComparison(differences, { accepted, budget }).accepted).toHaveLength(20);
});

it('acceptances of everything end at the budget', () => {
  const accepted = Array.from({ length: 300 }, () => ({ key: 'dependencies:**', reason: 'all' }));
  const differences = findDifferences(a, b);
  const budget = createWorkBudget(1e7);
  expect(() => reportComparison(differences, { accepted, budget })).toThrow(
    new TooMuchWorkError('matching what the policy accepts with 20000 differences'),
  );
});

it('names that are required and missing are looked for until the budget ends', () => {
  const missing = Array.from({ length: 400 }, (_, place) => `  - NAME_X${place}`);
  const policy = policyWith(['required:', ...missing]);
  const machine = { machineName: 'm', envVars: variables };
  expect(checkPolicy(policyWith(['required:', '  - NAME_X1']), machine)[0]?.message).toContain('is not set');
  expect(() => checkPolicy(policy, machine, createWorkBudget(1e7))).toThrow(
    new TooMuchWorkError('checking what the policy expects'),
  );
});
