import { describe, expect, it } from 'vitest';
import { rankCauses } from '../../../packages/compare/src/causes/causes.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import type { ComparableEnvironment, Entry } from '../../../packages/compare/src/model/model.ts';
import { parseFailOn } from '../../../packages/compare/src/policy/fail-on.ts';
import { notCounted } from '../../../packages/compare/src/report/not-counted.ts';
import { reportComparison, sectionsByWeight } from '../../../packages/compare/src/report/report.ts';
import { countsLine } from '../../../packages/compare/src/report/view.ts';

const causes = (a: Partial<ComparableEnvironment>, b: Partial<ComparableEnvironment>) =>
  rankCauses(findDifferences({ machineName: 'a', ...a }, { machineName: 'b', ...b })).map(
    (cause) => cause.what,
  );

describe('rankCauses', () => {
  it('puts a missing variable of the project and a runtime before what differs between any two machines', () => {
    const ranked = causes(
      {
        runtimeVersions: { node: '22.11.0', git: '2.39.0' },
        envVars: { DATABASE_URL: 'x', USER: 'anna', TERM: 'a' },
        metadata: { project: { variables: { DATABASE_URL: 'compose.yaml' } } },
      },
      {
        runtimeVersions: { node: '22.14.0', git: '2.43.0' },
        envVars: { USER: 'ben', TERM: 'b', EDITOR: 'vi' },
      },
    );
    expect(ranked.slice(0, 2)).toEqual([
      'DATABASE_URL is set on a, not on b (compose.yaml names it)',
      'node is 22.11.0 on a, 22.14.0 on b (minor)',
    ]);
    expect(ranked.slice(-3).sort()).toEqual([
      'EDITOR is set on b, not on a',
      'TERM has a different value on b',
      'USER has a different value on b',
    ]);
  });

  it.each([
    ['docker compose up', 'docker-compose'],
    ['CI=1 sudo docker buildx bake', 'docker-buildx'],
    ['cd web && npx terraform plan', 'terraform'],
    ['test', 'node'],
  ])('puts the tool before others that the failed run starts: %s', (of, tool) => {
    const side = (version: string, outcome: object) => ({
      runtimeVersions: {
        ...{ node: `22.${version}.0`, terraform: `1.${version}.0` },
        ...{ 'docker-compose': `2.${version}.0`, 'docker-buildx': `0.${version}.0` },
      },
      metadata: { project: { ecosystems: ['npm'] }, outcome },
    });
    const found = causes(side('1', {}), side('3', { result: 'failed', of }));
    expect(found.filter((what) => !what.startsWith('node ') || tool === 'node')[0]).toMatch(`${tool} is `);
  });

  it('advises to edit the file that sets a variable', () => {
    const ranked = rankCauses(
      findDifferences(
        { machineName: 'a', envVars: { '.env:API_URL': 'x' } },
        { machineName: 'b', envVars: { '.env.local:DEBUG_SQL': '1' } },
      ),
    );
    expect(ranked.map(({ advice }) => advice).sort()).toEqual([
      'add API_URL to .env on b',
      'remove DEBUG_SQL from .env.local on b',
    ]);
  });

  it('says of a dotenv file that one side lacks that the file is missing', () => {
    const file = { '.env:API_URL': 'x', '.env:PORT': '1', '.env:DEBUG': '0' };
    const causes = (a: Record<string, string>, b: Record<string, string>) =>
      rankCauses(findDifferences({ machineName: 'a', envVars: a }, { machineName: 'b', envVars: b }));
    const [missing, ...others] = causes(file, {});
    expect(missing).toMatchObject({
      kind: 'removed',
      keys: expect.arrayContaining(['.env:API_URL', '.env:PORT', '.env:DEBUG']),
      what: expect.stringMatching(/^\.env is on a, not on b \(.*API_URL/),
      advice: 'use the .env of a on b',
    });
    expect(others).toEqual([]);
    expect(causes({}, file).map(({ what }) => what)).toEqual([
      expect.stringMatching(/^\.env is on b, not on a/),
    ]);
    expect(causes(file, { '.env:PORT': '1' })).toHaveLength(2);
    expect(causes({ '.env:PORT': '1' }, {}).map(({ what }) => what)).toEqual([
      '.env:PORT is set on a, not on b',
    ]);
  });

  it('says of a list that has become empty only what it lacks', () => {
    const [cause] = rankCauses(
      findDifferences(
        { machineName: 'a', metadata: { facts: { 'net.localhost': ['IPv4'] } } },
        { machineName: 'b', metadata: { facts: { 'net.localhost': ['none'] } } },
      ),
    );
    expect(cause?.what).toBe('net.localhost lacks IPv4 on b');
    expect(cause?.advice).toBe('write “127.0.0.1 localhost” into the hosts file on b');
  });

  it('advises what a person can do about facts that nobody can set', () => {
    const advice = (name: string, a: boolean | string, b: boolean | string) =>
      rankCauses(
        findDifferences(
          { machineName: 'a', metadata: { facts: { [name]: a } } },
          { machineName: 'b', metadata: { facts: { [name]: b } } },
        ),
      )[0]?.advice;
    expect(advice('fs.caseSensitive', false, true)).toMatch(
      /^spell file names in imports exactly as on disk/,
    );
    expect(advice('limits.openFiles', '1024', '256')).toBe('run “ulimit -n 1024” on b');
    expect(advice('process.root', false, true)).toBe('run it as a user other than root on b');
    expect(advice('net.ipv6', true, false)).toBe('switch IPv6 on on b');
    expect(advice('fs.full', false, true)).toBe('free space on the file system of the project on b');
    expect(advice('fs.full', true, false)).toBe('rarely the only cause');
    expect(advice('tls.certificates', '140 sha256:0', 'none')).toMatch(
      /^install the same certificates .* on b$/,
    );
    expect(advice('tls.certificates', 'none', '140 sha256:0')).toMatch(
      /^install the same certificates .* on a$/,
    );
    expect(advice('gradle.initScripts', '0', '2')).toBe(
      'use the same scripts in ~/.gradle/init.d and ~/.gradle/init.gradle(.kts) on b',
    );
  });

  it('advises no limit above the hard one', () => {
    const limits = (openFiles: string, hard: string) => ({
      machineName: 'm',
      metadata: { facts: { 'limits.openFiles': openFiles, 'limits.openFilesHard': hard } },
    });
    const advice = (hard: string) =>
      rankCauses(findDifferences(limits('65536', '524288'), limits('256', hard)))
        .map((cause) => cause.advice)
        .join();
    expect(advice('4096')).toMatch(/first raise the hard limit, which is 4096 .* in B$/);
    expect(advice('4096')).not.toContain('ulimit -n');
    expect(advice('524288')).toContain('run “ulimit -n 65536”');
  });

  it('runs the command without CI if only a runner sets it', () => {
    const [cause] = rankCauses(
      findDifferences({ machineName: 'a' }, { machineName: 'b', envVars: { CI: 'true' } }),
    );
    expect(cause?.advice).toBe('unset CI on b');
  });

  it('reports the packages of one file together, worst first, and that no other file drifted', () => {
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
      'api/package-lock.json drifted: 2 packages differ, most notably zod 3.1.0 → 4.0.0 (major); the other dependency files are equal',
    ]);
  });

  it('names first what the project itself asks for, whichever side says so', () => {
    const side = (version: string, asked?: string[]) => ({
      machineName: 'vm',
      dependencies: {
        'package-lock.json': {
          a: `1.0.${version}`,
          b: `${version}.0.0`,
          y: `1.${version}.0`,
          z: `1.0.${version}`,
        },
      },
      ...(asked && { metadata: { direct: { 'package-lock.json': asked } } }),
    });
    for (const [a, b] of [
      [side('1', ['y', 'z']), side('2')],
      [side('1'), side('2', ['y', 'z'])],
    ] as const) {
      const report = reportComparison(findDifferences(a, b));
      expect(report.causes[0]?.keys.map((key) => key.slice(-1))).toEqual(['y', 'z', 'b', 'a']);
      expect(report.causes[0]?.what).toContain('most notably y 1.1.0 → 1.2.0 (minor)');
      const sections = sectionsByWeight(report).map(({ entries }) => entries.map(({ name }) => name));
      expect(sections).toEqual([['y', 'z', 'b', 'a']]);
    }
    const hostile = {
      ...side('2'),
      metadata: { direct: { 'package-lock.json': [{}, null], __proto__: 'y' } },
    };
    expect(causes(side('1'), hostile)[0]).toContain('most notably b');
  });

  it('puts another libc before the distribution and the kernel', () => {
    const system = (distribution: string, libc: string, kernel: string) => ({
      metadata: { system: { distribution, libc, kernel } },
    });
    const ranked = causes(
      system('debian 12', 'glibc 2.36', '6.1'),
      system('alpine 3.20', 'musl 1.2.5', '6.8'),
    );
    expect(ranked[0]).toBe('libc is glibc 2.36 on a, musl 1.2.5 on b');
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
      '.nvmrc asks for node 22, b has 24.1.0',
    );
  });

  it('says that a whole dependency file is missing', () => {
    expect(causes({ dependencies: { 'go.sum': { a: 'v1.0.0', b: 'v1.0.0' } } }, {})).toEqual([
      'go.sum (2 packages) is on a, not on b',
    ]);
  });

  it('names the sides by their machines, or A and B if both are the same machine', () => {
    const ranked = (a: string, b: string) =>
      rankCauses(
        findDifferences({ machineName: a, envVars: { TZ: 'UTC' } }, { machineName: b, envVars: {} }),
      )[0];
    expect(ranked('anna-mbp', 'ci')).toMatchObject({
      what: 'TZ is set on anna-mbp, not on ci',
      advice: 'set TZ on ci',
    });
    expect(ranked('ci', 'ci')?.what).toBe('TZ is set in A, not in B');
    expect(ranked('a machine', 'ci')?.what).toBe('TZ is set in A, not in B');
    expect(ranked('evil\u202e', 'ci')?.what).toBe('TZ is set in A, not in B');
  });
});

describe('several differences with one cause are one line', () => {
  const project = { dependencies: { 'package-lock.json': { zod: '4.0.0' } } };

  it('a Mac against Linux', () => {
    const ranked = rankCauses(
      findDifferences(
        { machineName: 'mac', os: 'darwin', arch: 'arm64', ...project },
        { machineName: 'box', os: 'linux', arch: 'x64', ...project },
      ),
    );
    expect(ranked).toHaveLength(1);
    expect(ranked[0]).toMatchObject({
      section: 'os',
      keys: ['os'],
      also: [{ section: 'arch', key: 'arch' }],
      what: 'the platform is darwin arm64 on mac, linux x64 on box',
    });
  });

  it('a runtime, its package manager and the declaration that it misses', () => {
    const side = (machineName: string, node: string, npm: string, satisfied: boolean) => ({
      machineName,
      runtimeVersions: { node, npm },
      metadata: {
        toolchain: { node: { present: node, declared: [{ source: '.nvmrc', version: '22', satisfied }] } },
      },
      ...project,
    });
    const ranked = rankCauses(
      findDifferences(side('a', '22.1.0', '10.9.0', true), side('b', '24.1.0', '11.0.0', false)),
    );
    expect(ranked).toHaveLength(1);
    expect(ranked[0]).toMatchObject({ section: 'toolchain', keys: ['node'] });
    expect(ranked[0]?.what).toBe('.nvmrc asks for node 22, b has 24.1.0, and npm with it');
  });

  it('a language, a time zone, a proxy', () => {
    const ranked = rankCauses(
      findDifferences(
        {
          machineName: 'a',
          envVars: { LANG: 'de_DE.UTF-8', TZ: 'UTC', http_proxy: 'x', HTTPS_PROXY: 'x' },
          metadata: { locale: 'de_DE.UTF-8', timezone: 'UTC' },
          ...project,
        },
        {
          machineName: 'b',
          envVars: { LANG: 'C', LC_ALL: 'C', TZ: 'Europe/Berlin' },
          metadata: { locale: 'C', timezone: 'Europe/Berlin' },
          ...project,
        },
        { explains: true },
      ),
    );
    expect(ranked.map(({ section, keys }) => `${section}: ${keys.join(' ')}`).sort()).toEqual([
      'env: HTTPS_PROXY http_proxy',
      'env: LANG LC_ALL',
      'env: TZ',
    ]);
  });

  it('a variable that is missing, with the zone that it chooses', () => {
    const side = (machineName: string, timezone: string, envVars: Record<string, string>) => ({
      machineName,
      envVars,
      metadata: { timezone },
      ...project,
    });
    const [cause] = rankCauses(
      findDifferences(side('a', 'Asia/Tokyo', { TZ: 'Asia/Tokyo' }), side('b', 'Europe/Berlin', {}), {
        explains: true,
      }),
    );
    expect(cause).toMatchObject({
      what: 'TZ is set on a, not on b: the time zone is Asia/Tokyo on a, Europe/Berlin on b',
      advice: 'set TZ=Asia/Tokyo on b',
      also: [{ section: 'system', key: 'timezone' }],
    });
  });

  it('a setting of git that is only set on one machine, with the command that gives the other its default', () => {
    const ranked = rankCauses(
      findDifferences(
        { machineName: 'box', os: 'linux', metadata: { facts: { 'git.core.fileMode': true } }, ...project },
        {
          machineName: 'mac',
          os: 'linux',
          metadata: { facts: { 'git.core.fileMode': true, 'git.core.autocrlf': 'true' } },
          ...project,
        },
      ),
    );
    expect(ranked.map(({ advice }) => advice)).toEqual([
      'run “git config core.autocrlf false && git diff --quiet HEAD && git rm -rq --cached . && git reset -q --hard” on mac',
    ]);
  });

  it('the basic tools of two systems', () => {
    const facts = (flavour: string) => ({
      facts: { 'program.sed': flavour, 'program.grep': flavour, 'program.tar': flavour },
    });
    const ranked = rankCauses(
      findDifferences(
        { machineName: 'box', os: 'linux', metadata: facts('GNU'), ...project },
        { machineName: 'mac', os: 'linux', metadata: facts('BSD'), ...project },
      ),
    );
    expect(ranked.map(({ what }) => what)).toEqual(['grep, sed and tar are GNU on box, BSD on mac']);
  });

  const facts = (machineName: string, values: Record<string, string | boolean | number>) => ({
    machineName,
    os: 'linux',
    metadata: { facts: values },
    ...project,
  });

  it('settings of git, a graphics card and file names that move together', () => {
    const ranked = rankCauses(
      findDifferences(
        facts('a', { 'git.commit.gpgSign': false, 'git.tag.gpgSign': false, 'fs.caseSensitive': true }),
        facts('b', {
          'git.commit.gpgSign': true,
          'git.tag.gpgSign': true,
          'fs.caseSensitive': false,
          'git.core.ignoreCase': true,
          'gpu.driver': 'nvidia 550.90',
          'gpu.cuda': '12.4',
        }),
      ),
    );
    expect(ranked.map(({ keys }) => keys.join(' ')).sort()).toEqual([
      'fs.caseSensitive git.core.ignoreCase',
      'git.commit.gpgSign git.tag.gpgSign',
      'gpu.cuda gpu.driver',
    ]);
  });

  it('a fact and the variable that sets it', () => {
    const side = (machineName: string, flags: string) => ({
      ...facts(machineName, { 'go.flags': flags }),
      dependencies: { 'go.mod': { a: 'v1.0.0' } },
      envVars: { GOFLAGS: flags },
    });
    const ranked = rankCauses(findDifferences(side('a', '-mod=vendor'), side('b', '-mod=mod')));
    expect(ranked).toHaveLength(1);
    expect(ranked[0]).toMatchObject({
      section: 'env',
      keys: ['GOFLAGS'],
      also: [{ section: 'facts', key: 'go.flags' }],
    });
  });

  it('a runner of CI and its time zone, unless somebody chose the zone', () => {
    const laptop = { machineName: 'anna', metadata: { timezone: 'Europe/Berlin' }, ...project };
    const runner = { machineName: 'ci', metadata: { timezone: 'Etc/UTC' }, ...project };
    const [cause] = rankCauses(
      findDifferences(laptop, { ...runner, envVars: { CI: 'true' } }, { explains: true }),
    );
    expect(cause).toMatchObject({
      keys: ['CI'],
      also: [{ section: 'system', key: 'timezone' }],
      what: 'CI is set on ci, not on anna, and the time zone is Europe/Berlin on anna, Etc/UTC on ci',
      advice: 'unset CI on ci',
    });
    const chosen = rankCauses(
      findDifferences(laptop, { ...runner, envVars: { CI: 'true', TZ: 'Etc/UTC' } }, { explains: true }),
    );
    expect(chosen.map(({ keys }) => keys[0])).toEqual(['TZ', 'CI']);
  });
});

describe('several differences with one cause count once', () => {
  const side = (machineName: string, flavour: string, node: string, npm: string) => ({
    machineName,
    os: 'linux',
    runtimeVersions: { node, npm },
    dependencies: { 'package-lock.json': { zod: '4.0.0' } },
    metadata: { facts: { 'program.sed': flavour, 'program.grep': flavour, 'program.tar': flavour } },
  });
  const comparison = findDifferences(
    side('box', 'GNU', '22.1.0', '10.9.0'),
    side('mac', 'BSD', '24.1.0', '11.0.0'),
    { explains: true },
  );
  const keys = (entries: Iterable<{ key: string }>) => [...entries].map(({ key }) => key).sort();

  it('by default, with the reason beside the others', () => {
    const report = reportComparison(comparison);
    expect(keys(report.counting)).toEqual(['node', 'program.grep']);
    const npm = comparison.sections.runtimes.find(({ key }) => key === 'npm') as Entry;
    expect(notCounted(report, npm)?.text).toBe('follows from node');
    expect(countsLine(report)).toBe('2 differences count (1 fact, 1 runtime), 3 follow from them');
  });

  it('but each difference that a rule names, or that is left when one is accepted', () => {
    const asked = reportComparison(comparison, { failRules: parseFailOn('facts,runtimes') });
    expect(asked.counting.size).toBe(5);
    const accepted = reportComparison(comparison, {
      accepted: [{ key: 'facts:program.grep', reason: 'scripts use no grep' }],
    });
    expect(keys(accepted.counting)).toEqual(['node', 'program.sed']);
  });
});
