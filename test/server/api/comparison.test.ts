// The comparison of the API equals that of envsnap compare, and shows no value that was not requested.

import { type ComparableEnvironment, compareEnvironments } from '@envsnap/compare';
import { comparisonToDocument } from '@envsnap/compare/formats/json';
import { carriedPolicy } from '@envsnap/compare/policy';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../bench/causes/case.ts';
import { createEnvironment } from '../../../bench/causes/environment.ts';
import { createMachine } from '../../../bench/causes/machines.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, type TestService } from '../../support/service.ts';

const policyText = [
  'failOn: [runtimes:major, env]',
  'expect: {runtimes: {node: ">=90"}}',
  'accepted: [{key: "env:LANG", reason: known}]',
].join('\n');

const carrying = (side: ComparableEnvironment, text: string) => ({
  ...side,
  metadata: { ...side.metadata, policy: { path: '.envsnap.yaml', text } },
});

/** The same packages on both sides, so that each is too large to be compared at once. */
const padded = (side: ComparableEnvironment) => ({
  ...side,
  dependencies: {
    ...side.dependencies,
    'padding/package-lock.json': Object.fromEntries(
      Array.from({ length: 9_500 }, (_, index) => [`padding-package-${index}`, '1.0.0']),
    ),
  },
});

type Pair = readonly [a: ComparableEnvironment, b: ComparableEnvironment];

function commandSays(a: ComparableEnvironment, b: ComparableEnvironment) {
  const document = comparisonToDocument(compareEnvironments(a, b, { policy: carriedPolicy(b) }));
  const causes = document.causes.map(({ also, evidence, ...cause }) => cause);
  const counting = Object.values(document.summary).reduce((sum, section) => sum + section.counting, 0);
  return { verdict: document.verdict, counting, causes: causes.slice(0, 20) };
}

async function apiSays(service: TestService, key: string, [a, b]: Pair, options: object = {}) {
  const ids: string[] = [];
  for (const { machineName, os, arch, runtimeVersions, dependencies, envVars, metadata } of [a, b]) {
    const body = { machineName, os, arch, runtimeVersions, dependencies, envVars, metadata };
    const stored = await service.send(key, 'POST', '/machine/snapshots', body);
    expect(stored.status).toBe(201);
    ids.push(stored.body.id);
  }
  const [snapshotA, snapshotB] = ids;
  const answer = await service.send(key, 'POST', '/machine/snapshots/compare', {
    snapshotA,
    snapshotB,
    ...options,
  });
  expect(answer.status).toBe(200);
  return answer.body;
}

describeEachDatabase((openDatabase) => {
  describe('a comparison', () => {
    it('has the verdict, the differences that count and the causes of the command', async () => {
      const { service, key } = await startProject(openDatabase);
      const verdicts = new Set<string>();
      for (const one of cases.slice(0, 3)) {
        const [worksOn, failsOn] = one.machines ?? ['zsh laptop', 'github runner'];
        const a = await createEnvironment(createMachine(worksOn, `${one.id}/a`), one.project, one.works);
        const b = await createEnvironment(createMachine(failsOn, `${one.id}/b`), one.project, one.fails);
        const pairs: Pair[] = [
          [a, b],
          [a, a],
          [a, carrying(b, policyText)],
        ];
        if (one === cases[0]) pairs.push([padded(a), padded(b)]);
        for (const pair of pairs) {
          const { verdict, counting, causes } = await apiSays(service, key, pair);
          expect({ verdict, counting, causes }).toEqual(commandSays(...pair));
          verdicts.add(verdict);
        }
      }
      expect([...verdicts].sort()).toEqual(expect.arrayContaining(['equal', 'failed']));
    });

    it('fails where the policy of B is not met or cannot be used, and says so', async () => {
      const { service, key } = await startProject(openDatabase);
      const side = { machineName: 'm', os: 'linux', runtimeVersions: { node: '24.1.0' }, envVars: {} };
      const plain = side as unknown as ComparableEnvironment;
      const unmet = await apiSays(service, key, [plain, carrying(plain, policyText)]);
      expect(unmet).toMatchObject({ verdict: 'failed', counting: 0 });
      expect(unmet.notes).toContainEqual({
        code: 'expectation_unmet',
        message: expect.stringContaining('node'),
      });
      const unusable = await apiSays(service, key, [plain, carrying(plain, 'failOn: [nothing-like-it]')]);
      expect(unusable.verdict).toBe('failed');
      expect(unusable.notes[0]).toMatchObject({ code: 'policy_unusable' });
    });

    it('shows no value of a variable, whether the others show values or not', async () => {
      const { service, key } = await startProject(openDatabase);
      const side = (envVars: Record<string, string>) =>
        ({ machineName: 'm', os: 'linux', envVars }) as unknown as ComparableEnvironment;
      const pair: Pair = [
        side({ NODE_ENV: 'canary-one', TZ: 'Canary/One', PATH: '/canary/one:/bin', LANG: 'canary' }),
        side({ NODE_ENV: 'canary-two', TZ: 'Canary/Two', PATH: '/canary/two:/bin' }),
      ];
      for (const options of [{}, { compareEnvValues: true }, { includeEnvValues: true }]) {
        const { diff, ...judged } = await apiSays(service, key, pair, options);
        expect(judged.verdict).toBe('failed');
        expect(judged.causes.flatMap((cause: { keys: string[] }) => cause.keys)).toContain('NODE_ENV');
        expect(JSON.stringify(judged)).not.toMatch(/canary/i);
        const [first] = diff.envVars;
        expect('a' in first).toBe('includeEnvValues' in options);
      }
    });
  });
});
