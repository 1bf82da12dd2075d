// The console judges as envsnap compare does: verdict and causes of 50 pairs, with a policy and without one.

import { gunzipSync } from 'node:zlib';
import { type ComparableEnvironment, compareEnvironments } from '@envsnap/compare';
import { parsePolicy } from '@envsnap/compare/policy';
import { placesOf } from '@envsnap/compare/workspace';
import { expect, it } from 'vitest';
import { cases } from '../../../bench/causes/case.ts';
import { createEnvironment } from '../../../bench/causes/environment.ts';
import { createMachine } from '../../../bench/causes/machines.ts';
import { makePage } from '../../../packages/server/src/console/page-jobs.ts';

const policyText = [
  'failOn: [runtimes:major, env, facts]',
  'ignore: ["dependencies:**"]',
  'expect: {runtimes: {node: ">=20"}, os: [linux, darwin]}',
  'accepted: [{key: "env:*", reason: known}]',
].join('\n');

const context = {
  root: './',
  serverUrl: 'http://envsnap.test',
  caller: null,
  now: new Date('2026-01-02T03:04:05.000Z'),
};

/** The machine-readable part of a comparison's page: its verdict, and its causes in order. */
async function pageOf(a: ComparableEnvironment, b: ComparableEnvironment) {
  const row = (side: ComparableEnvironment) => ({
    machine_name: side.machineName,
    created_at: 0,
    os: side.os ?? null,
    arch: side.arch ?? null,
    runtime_versions: JSON.stringify(side.runtimeVersions),
    metadata: JSON.stringify(side.metadata),
    dependencies: JSON.stringify(side.dependencies),
    env_names: '[]',
    env_vars: JSON.stringify(side.envVars),
  });
  const rows = new Map([
    ['a', row(a)],
    ['b', row(b)],
  ]);
  const request = { page: 'compare', a: 'a', b: 'b', all: true } as const;
  const { packed } = await makePage({ request, context }, async ({ ids }) => ids.map((id) => rows.get(id)));
  const html = gunzipSync(Buffer.from(packed, 'base64')).toString();
  return {
    verdict: /<main[^>]* data-verdict="(\w+)"/.exec(html)?.[1],
    causes: [...html.matchAll(/data-cause="([^"]*)"/g)].map(([, key = '']) =>
      key
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ),
  };
}

it('shows the verdict and the causes of envsnap compare, in their order', async () => {
  const verdicts = new Set<string>();
  for (const one of cases.slice(0, 25)) {
    const [worksOn, failsOn] = one.machines ?? ['zsh laptop', 'github runner'];
    const a = await createEnvironment(createMachine(worksOn, `${one.id}/a`), one.project, one.works);
    const plain = await createEnvironment(createMachine(failsOn, `${one.id}/b`), one.project, one.fails);
    const carrying = {
      ...plain,
      metadata: { ...plain.metadata, policy: { path: '.envsnap.yaml', text: policyText } },
    };
    for (const b of [plain, carrying]) {
      const policy = b === carrying ? parsePolicy(policyText, '.envsnap.yaml') : undefined;
      const report = compareEnvironments(a, b, { policy });
      const page = await pageOf(a, b);
      expect([one.id, page.verdict]).toEqual([one.id, report.verdict]);
      expect(page.causes).toHaveLength(report.causes.length);
      for (const [place, cause] of report.causes.entries()) {
        const keys = [
          ...cause.keys.map((key) => `${cause.section}:${key}`),
          ...placesOf(cause).map(({ section, key }) => `${section}:${key}`),
        ];
        expect(keys).toContain(page.causes[place]);
      }
      verdicts.add(`${b === carrying} ${report.verdict}`);
    }
  }
  // Both ways of judging occurred.
  expect(verdicts.size).toBeGreaterThan(1);
});
