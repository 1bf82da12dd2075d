// Text that a share leaves out, planted everywhere in a snapshot.

import { gunzipSync } from 'node:zlib';
import { type ComparisonReport, compareEnvironments } from '@envsnap/compare';
import { carriedPolicy } from '@envsnap/compare/policy';
import type { Snapshot } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { judgeStored } from '../../../packages/compare/src/machines/verdict.ts';
import { createLeaveOut } from '../../../packages/server/src/shares/leave-out.ts';
import { makeSharePage } from '../../../packages/server/src/shares/share-job.ts';
import { readTestData } from '../../support/test-data.ts';

/** Some of the kinds. */
type Planted = Record<
  | 'checkout'
  | 'home'
  | 'ipv4'
  | 'longValue'
  | 'machine'
  | 'mail'
  | 'otherMachine'
  | 'temporary'
  | 'user'
  | 'value',
  string
>;

const { snapshots, leftOut, planted } = readTestData<{
  planted: Planted;
  snapshots: Parameters<typeof createLeaveOut>[0];
  leftOut: [string, string][];
}>(import.meta);

const texts = Object.values(planted);
/** Names of other machines in facts, by fact. */
const otherHost = 'db01.secretco.example';
/** Some fields are short, so each contains one text in turn, with other words around it. */
const everywhere = texts.map((text) => `at ${text} (${text}/x), "${text}"`);
const all = everywhere.join('; ');

function hostileSnapshot(machineName: string, seed: string): Snapshot {
  const map = (value: (text: string, place: number) => string) =>
    Object.fromEntries(everywhere.map((text, place) => [`${text}`, value(text, place)]));
  return {
    id: '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77',
    createdAt: '2026-01-02T03:04:05.000Z',
    machineName,
    os: all.slice(0, 60),
    arch: planted.user,
    runtimeVersions: { node: `22.1.${seed.length}`, ...map((text) => `${seed} ${text}`) },
    dependencies: {
      'package-lock.json': { zod: `4.${seed.length}.0`, ...map((text) => `${seed}+${text}`) },
      [`${planted.checkout}/${planted.user}.lock`]: map((text) => seed + text),
    },
    envVars: {
      SECRET: planted.value,
      LONG: planted.longValue,
      [seed]: planted.value,
      HOSTNAME: planted.otherMachine,
      USER: planted.user,
      HOME: planted.home,
      TMPDIR: planted.temporary,
      PWD: planted.checkout,
      PATH: `${planted.home}/bin:/usr/bin:${seed}:${planted.value}`,
      NODE_ENV: `${planted.value}-${seed}`,
    },
    metadata: {
      hostname: planted.machine,
      anything: { [all]: all },
      user: { name: planted.user, email: planted.mail },
      capture: {
        toolVersion: '0.2.0',
        warnings: everywhere,
        envValues: 'safe',
        unknown: [{ section: 'facts', key: planted.machine, reason: all }],
      },
      timezone: seed,
      locale: `${seed} ${all}`,
      shell: { name: 'bash', path: `${planted.home}/bash`, version: seed },
      system: { distribution: { id: 'debian', version: seed }, kernel: `${seed}-${all}`, container: all },
      facts: {
        ...Object.fromEntries(everywhere.map((text, place) => [`x.${place}.${text}`, `${seed} ${text}`])),
        'net.hosts': [`${seed}-${otherHost} private`, `localhost ${seed}-${otherHost}`],
        'net.searchDomains': [`${seed}.${otherHost}`],
        'net.proxies': [`git ${seed}-${otherHost}:3128`, `npm ${otherHost}`],
        'npm.registry': seed === 'first' ? 'registry.npmjs.org' : `${otherHost}/npm`,
        'go.settings': ['CGO_ENABLED=1', `GOINSECURE=${seed}-${otherHost}/*`],
        'bundler.settings': [`mirror rubygems.org → https://${otherHost}/${seed}`],
        'gradle.jvmArguments': `-Xmx1g -Dhttp.proxyHost=${seed}-${otherHost}`,
        'docker.engine': [`dns=8.8.4.${seed.length}`],
        'docker.context': `ssh://deploy@${seed}-${otherHost}`,
      },
      tools: map(() => ({ path: all, manager: seed, selectedBy: all }) as unknown as string),
      toolchain: { node: { requirement: `${seed} ${all}`, file: all } },
      project: { ecosystems: [all], tools: [all], root: planted.checkout, variables: map(() => all) },
      git: { branch: `${planted.user}/${planted.machine}`, commit: 'abc1234', remote: all, dirty: true },
      outcome: { result: 'failed', of: `${seed} ${all}` },
      installed: { 'package-lock.json': map((text) => `${text}${seed}`) },
      policy: {
        path: `${planted.checkout}/.envsnap.yaml`,
        text: [
          'expect:',
          '  env:',
          `    SECRET: ${planted.value}-expected`,
          `    NODE_ENV: ${planted.value}`,
          '  facts:',
          `    docker.context: ${otherHost}`,
          'accepted:',
          '  - key: env:NODE_ENV',
          `    reason: ${planted.user} said so on ${planted.machine} at ${planted.ipv4}`,
        ].join('\n'),
      },
    },
  };
}

const a = hostileSnapshot(planted.machine, 'first');
const b = hostileSnapshot(planted.otherMachine, 'second-side');

const moments = { sharedAt: '2026-01-26T03:04:05.000Z', expiresAt: '2026-02-02T03:04:05.000Z' };

async function pageOf(...snapshots: Snapshot[]): Promise<string> {
  const rows = new Map(
    snapshots.map((each, place) => [
      String(place),
      {
        machine_name: each.machineName,
        created_at: Date.parse(each.createdAt),
        os: each.os,
        arch: each.arch,
        runtime_versions: JSON.stringify(each.runtimeVersions),
        metadata: JSON.stringify(each.metadata),
        dependencies: JSON.stringify(each.dependencies),
        env_names: '[]',
        env_vars: JSON.stringify(each.envVars),
      },
    ]),
  );
  const made = await makeSharePage(
    { snapshots: [...rows.keys()], serverUrl: 'http://envsnap.test', installHint: undefined, ...moments },
    async ({ ids }) => ids.map((id) => rows.get(id)),
  );
  return gunzipSync(Buffer.from(made.packed, 'base64')).toString();
}

function found(page: string): string[] {
  // Markup escapes some of the characters.
  const plain = page
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .toLowerCase();
  const parts = [
    ...texts,
    ...texts.flatMap((text) => [encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]),
  ];
  return [
    ...new Set([
      ...parts,
      otherHost,
      planted.longValue.slice(0, 40),
      'zoe',
      'quentin',
      'rosalind',
      'Sieglinde',
    ]),
  ].filter((text) => plain.includes(text.toLowerCase()));
}

describe('the page of a share', () => {
  it('holds nothing of what is left out, of a comparison and of a snapshot', async () => {
    // The same texts are in the page's source data.
    expect(found(JSON.stringify([a, b])).length).toBeGreaterThan(texts.length);
    expect(found(await pageOf(a, b))).toEqual([]);
    expect(found(await pageOf(a))).toEqual([]);
  });

  it('has the verdict and the order of causes of the whole comparison', async () => {
    const { report } = judgeStored(a, b);
    const page = await pageOf(a, b);
    expect(page).toContain(`data-verdict="${report.verdict}"`);
    const whole: ComparisonReport = compareEnvironments(a, b, { policy: carriedPolicy(b) });
    expect(report.causes.map(({ section, keys }) => [section, ...keys])).toEqual(
      whole.causes.map(({ section, keys }) => [section, ...keys]),
    );
    expect(report.policy?.checks.map(({ outcome }) => outcome)).toEqual(['violated', 'violated', 'accepted']);
    for (const text of [
      'net.hosts lacks &lt;address&gt;, &lt;address&gt; on B and has &lt;address&gt;, &lt;address&gt; on B only',
      'npm.registry is registry.npmjs.org on A, &lt;address&gt; on B',
      'docker.context is not as expected',
    ])
      expect(page).toContain(text);
  });
});

it.each(['ci', 'Node', 'linux', 'github', 'limits'])(
  'leaves keys and systems what they are beside a machine named %s',
  (machineName) => {
    const text = 'CI and GITHUB_CI on linux with node 22, see limits.openFiles';
    expect(createLeaveOut([{ machineName }])(text)).toBe(text);
  },
);

describe('the texts that are left out', () => {
  const leaveOut = createLeaveOut(snapshots);

  it.each(leftOut)('%s', (text, expected) => {
    expect(leaveOut(text)).toBe(expected);
  });
});
