// What a share leaves out, planted everywhere that a snapshot has room for text.

import { gunzipSync } from 'node:zlib';
import { type ComparisonReport, compareEnvironments } from '@envsnap/compare';
import { carriedPolicy } from '@envsnap/compare/policy';
import type { Snapshot } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';
import { createLeaveOut } from '../../../packages/server/src/shares/leave-out.ts';
import { makeSharePage } from '../../../packages/server/src/shares/share-job.ts';
import { judgeStored } from '../../../packages/server/src/snapshots/stored-environment.ts';

/** What must not be found, by what it is. */
const planted = {
  value: 'sesame-open-4711-value',
  longValue: `${'long-winded-'.repeat(8)}end-of-it`,
  machine: 'zeus-build-07',
  otherMachine: 'hera.corp.example',
  user: 'mallory-w',
  ipv4: '203.0.113.77',
  ipv6: '2001:db8:77::beef',
  hardware: '02:42:ac:11:00:02',
  home: '/data/people/zoe',
  homeByName: '/home/quentin/work',
  macHome: '/Users/rosalind/src',
  windowsHome: 'C:\\Users\\Sieglinde\\src',
  temporary: '/scratch/tmp-4f2a',
  temporaryByName: '/tmp/nested-77/file',
  checkout: '/builds/acme/shop',
  mail: 'ada.lovelace@acme.example',
};
const texts = Object.values(planted);
/** What facts call other machines: known by the fact that names it. */
const otherHost = 'db01.secretco.example';
/** Some fields are short: each text once, in turn, with other words around it. */
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
    // The same texts are in what the page is made from.
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
    for (const said of [
      'net.hosts lacks &lt;address&gt;, &lt;address&gt; on B and has &lt;address&gt;, &lt;address&gt; on B only',
      'npm.registry is registry.npmjs.org on A, &lt;address&gt; on B',
      'docker.context is not as expected',
    ])
      expect(page).toContain(said);
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
  const leaveOut = createLeaveOut([
    {
      machineName: 'Hades',
      envVars: {
        HOME: '/root',
        USER: 'node',
        TZ: 'Europe/Berlin',
        HOST: 'janes-book.local',
        HOSTNAME: '10.0.0.7',
        COMPUTERNAME: 'docker.corp.example.com',
        LOGNAME: 'İlker',
        NODE_VERSION: '24.21.10000',
      },
    },
    {
      machineName: 'zeus',
      envVars: { USER: 'ada', HOSTNAME: 'Build-Host-77İ', LOGNAME: 'Some.Long-Person' },
    },
  ]);

  it.each([
    ['ada ran npm on hades, not on ZEUS', '<user> ran npm on A, not on B'],
    ['node 24.21.10000 in Europe/Berlin', 'node 24.21.10000 in Europe/Berlin'],
    ['special, adapter, cipher, zeus2', 'special, adapter, cipher, zeus2'],
    ['/root/.npm, /home/x/.npm, /rooted', '~/.npm, ~/.npm, /rooted'],
    ['git+ssh://git:pw@git.internal:22/x.git', 'git+ssh://<address>:22/x.git'],
    ['https://registry.npmjs.org/zod', 'https://registry.npmjs.org/zod'],
    ['http://nexus:8081/npm', 'http://<address>:8081/npm'],
    ['https://acme.jfrog.example/npm/zod.tgz?token=x1y2', 'https://<address>/npm/zod.tgz'],
    ['git+ssh://git@git.acme.example/o/r#1.2', 'git+ssh://<address>/o/r#1.2'],
    ['git@build:o/r', '<user>:o/r'],
    ['zod@npm:4.1', 'zod@npm:4.1'],
    ['file:\\\\files.acme.example\\tools\\zod', 'file:<address>'],
    ['sha256:90fd301e5a16cdd3 12:30:45', 'sha256:90fd301e5a16cdd3 12:30:45'],
    ['[::1]:80 and fe80::1%eth0', '[<address>]:80 and <address>'],
    ['/usr/lib/tmpfiles.d and /var/tmp', '/usr/lib/tmpfiles.d and <temp>'],
    ['İ BUILD-HOST-77İ.corp, build-host-77İ, Build-Host-7', 'İ B.corp, B, Build-Host-7'],
    ['Janes-Book and İLKER at 10.1.2.3', 'A and <user> at <address>'],
    ['SOME.LONG-PERSON and some.long-person', '<user> and <user>'],
    ['C:\\Users\\Jane Doe\\proj', '~\\proj'],
    ['C:\\bin;C:\\Users\\Jane Doe;C:\\Users\\Jane Doe', 'C:\\bin;~;~'],
    ['docker 27 of docker.corp.example.com', 'docker 27 of A'],
    ['"C:\\\\Users\\\\Jane Doe\\\\proj" C:\\Users/joe D:/Users/Ann van der Berg/x', '"~\\\\proj" ~ ~/x'],
    ["/Users/Bob Smith/dir:/home/pat o'brien/x:/home/Zoë\\ Å. (Work)/y:/var/home/q", '~/dir:~/x:~/y:~'],
    ["/Users/O'Brien/x, '/home/jane' and '/home/joe'", "~/x, '~' and '~'"],
    ['/home/jane is full, see /var/log', '~ is full, see /var/log'],
    ['cp /home/jane /home/joe/x; C:\\Users\\jane src/x', 'cp ~ ~/x; ~ src/x'],
    [
      '-I/home/jane -I/usr/include CC=/usr/bin/cc /home/jane CC=/bin/cc',
      '-I~ -I/usr/include CC=/usr/bin/cc ~ CC=/bin/cc',
    ],
  ])('%s', (text, expected) => {
    expect(leaveOut(text)).toBe(expected);
  });
});
