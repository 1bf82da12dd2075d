// Repairs as data: which side is changed, to what, and by which commands.

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import { readFailure } from '../../../packages/compare/src/failure/read-failure.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { readTestData } from '../../support/test-data.ts';

const { weak } = readTestData<{ weak: readonly (readonly [Given, Given])[] }>(import.meta);

type Given = Partial<ComparableEnvironment>;

const safe = { capture: { envValues: 'safe', toolVersion: '1' } };
const ranked = (a: Given, b: Given, rules: Parameters<typeof compareEnvironments>[2] = {}) =>
  compareEnvironments(
    { machineName: 'a', os: 'linux', ...a, metadata: { ...safe, ...a.metadata } },
    { machineName: 'b', os: 'linux', ...b, metadata: { ...safe, ...b.metadata } },
    { showValues: 'safe', ...rules },
  ).causes;
const first = (...given: Parameters<typeof ranked>) => ranked(...given)[0];

describe('a repair', () => {
  it('sets a variable to the value that is known, quoted for a shell', () => {
    const value = `it's $HOME; "x" \`id\``;
    const cause = first({ envVars: { APP_MODE: value } }, { envVars: {} });
    expect(cause?.repair).toMatchObject({ side: 'b', kind: 'set', what: 'APP_MODE', value });
    const script = `${cause?.repair.commands.join('\n')}\nprintf %s "$APP_MODE"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(value);
  });

  it('writes the home folder so that the shell of that side expands it', () => {
    const cause = first({ envVars: { APP_HOME: '~/my app' } }, { envVars: {} });
    const script = `${cause?.repair.commands.join('\n')}\nprintf %s "$APP_HOME"`;
    const env = { ...process.env, HOME: '/home/ben' };
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8', env })).toBe('/home/ben/my app');
  });

  it('has no command for a value that is a secret, hidden, or a place of the other machine', () => {
    const commands = (value: string, rules = {}) =>
      first({ envVars: { APP_KEY: value } }, { envVars: {} }, rules)?.repair.commands;
    expect(commands('[redacted]')).toEqual([]);
    expect(commands(`hmac:${'0'.repeat(32)}`)).toEqual([]);
    expect(commands('<checkout>/bin')).toEqual([]);
    expect(commands('plain', { showValues: false })).toEqual([]);
    expect(commands('plain')).toEqual(['export APP_KEY=plain']);
  });

  it('sets LC_ALL where the side has it, whatever LANG says', () => {
    const cause = first(
      { envVars: { LANG: 'de_DE.UTF-8', LC_ALL: '' }, metadata: { locale: 'de_DE.UTF-8' } },
      { envVars: { LANG: 'C', LC_ALL: 'C' }, metadata: { locale: 'C' } },
    );
    expect(cause?.repair.commands.at(0)).toMatch(/^export LC_ALL=/);
    const hidden = first(
      { envVars: { LANGUAGE: 'en' }, metadata: { locale: 'en_US.UTF-8' } },
      { envVars: { LANGUAGE: 'de' }, metadata: { locale: 'C' } },
      { showValues: false },
    );
    expect(hidden?.repair.commands).toEqual(['export LANG=en_US.UTF-8']);
  });

  it('says that a value is empty where it is not shown', () => {
    const cause = first({ envVars: { APP_MODE: 'x' } }, { envVars: { APP_MODE: '' } }, { showValues: false });
    expect(cause?.what).toBe('APP_MODE is empty on b, and set on a');
  });

  it('changes the side that departs from what the policy expects', () => {
    const policy = parsePolicy('expect:\n  env:\n    TZ: UTC\n', '.envsnap.yaml');
    const zone = (TZ: string) => ({ envVars: { TZ }, metadata: { timezone: TZ } });
    expect(first(zone('Europe/Berlin'), zone('UTC'), { policy })?.repair).toMatchObject({
      side: 'a',
      commands: ['export TZ=UTC'],
    });
    expect(first(zone('UTC'), zone('Europe/Berlin'), { policy })?.repair).toMatchObject({ side: 'b' });
  });

  it('changes the side whose runtime is not the declared one, by its version manager', () => {
    const side = (node: string, satisfied: boolean) => ({
      runtimeVersions: { node },
      envVars: { NVM_DIR: '~/.nvm' },
      metadata: {
        toolchain: { node: { present: node, declared: [{ source: '.nvmrc', version: '22', satisfied }] } },
      },
    });
    expect(first(side('20.1.0', false), side('22.3.0', true))?.repair).toMatchObject({
      side: 'a',
      what: 'node',
      value: '22.3.0',
      commands: ['. "$NVM_DIR/nvm.sh"', 'nvm install 22.3.0'],
    });
  });

  it('never switches a protection off', () => {
    for (const [a, b] of weak) {
      const cause = first(a, b);
      expect(cause?.repair.commands).toEqual([]);
      expect(cause?.advice).toContain('instead of');
    }
    // The other way round the protection is put back.
    expect(first({ envVars: {} }, { envVars: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } })?.repair).toMatchObject({
      side: 'b',
      commands: ['unset NODE_TLS_REJECT_UNAUTHORIZED'],
    });
  });

  it('installs what an installation for production leaves out', () => {
    const project = { dependencies: { 'package-lock.json': { zod: '4.0.0' } } };
    const cause = first(project, { ...project, metadata: { withoutDevelopment: ['package-lock.json'] } });
    expect(cause?.repair.commands).toEqual(['npm ci --include=dev']);
  });
});

describe('the repair of another platform', () => {
  const mac = { os: 'darwin', arch: 'arm64' };
  const alpine = {
    os: 'linux',
    arch: 'x64',
    metadata: { system: { libc: { name: 'musl', version: '1.2' } } },
  };
  const commands = (a: Given, b: Given, files: readonly string[], output?: string) => {
    const dependencies = Object.fromEntries(files.map((file) => [file, { zod: '4.0.0' }]));
    const failure = output === undefined ? {} : { failure: readFailure(output) };
    const causes = ranked({ dependencies, ...a }, { dependencies, ...b }, failure);
    return causes.find(({ section }) => section === 'os' || section === 'arch')?.repair.commands;
  };

  const rows: readonly (readonly [Given, Given, readonly string[], readonly string[], string?])[] = [
    [mac, alpine, ['Gemfile.lock'], ['bundle lock --add-platform x86_64-linux-musl']],
    [{ arch: 'x64' }, { arch: 'arm64' }, ['Gemfile.lock'], ['bundle lock --add-platform aarch64-linux']],
    [alpine, mac, ['Gemfile.lock'], ['bundle lock --add-platform arm64-darwin']],
    [
      mac,
      alpine,
      ['.terraform.lock.hcl'],
      ['terraform providers lock -platform=linux_amd64 -platform=darwin_arm64'],
    ],
    [
      mac,
      { ...alpine, runtimeVersions: { tofu: '1.9.0' } },
      ['.terraform.lock.hcl'],
      ['tofu providers lock -platform=linux_amd64 -platform=darwin_arm64'],
    ],
    [mac, alpine, ['package-lock.json'], ['npm install --os=linux --cpu=x64 --libc=musl']],
    [alpine, mac, ['pnpm-lock.yaml'], ['pnpm install --os=darwin --cpu=arm64']],
    // The nearest lock file of each tool, and the tool of the output alone.
    [
      mac,
      alpine,
      ['web/deep/package-lock.json', "it's/package-lock.json", 'Gemfile.lock'],
      [
        'bundle lock --add-platform x86_64-linux-musl',
        "cd 'it'\\''s' && npm install --os=linux --cpu=x64 --libc=musl",
      ],
    ],
    [
      mac,
      alpine,
      ['package-lock.json', 'Gemfile.lock'],
      ['bundle lock --add-platform x86_64-linux-musl'],
      'Your bundle only supports platforms ["arm64-darwin-22"] but your local platform is x86_64-linux-musl.',
    ],
    // Packages of Cargo are for every platform, and nothing of a snapshot but a known platform gets into a command.
    [mac, alpine, ['Cargo.lock'], []],
    [mac, { os: 'linux', arch: 'x64;id' }, ['package-lock.json', 'Gemfile.lock', '.terraform.lock.hcl'], []],
    [mac, { os: 'constructor', arch: 'constructor' }, ['package-lock.json', 'Gemfile.lock'], []],
    [{ os: '$(id)', arch: 'x64' }, { os: '`id`', arch: 'arm64' }, ['package-lock.json'], []],
  ];
  it('is the command of each tool for that platform', () => {
    for (const [a, b, files, expected, output] of rows)
      expect(commands(a, b, files, output)).toEqual(expected);
  });

  it('asks Docker for the platform of the image', () => {
    const project = {
      metadata: { project: { root: '.', tools: ['docker'], ecosystems: [], variables: {} } },
    };
    expect(
      commands(
        { ...project, arch: 'x64' },
        { ...project, arch: 'arm64' },
        [],
        'no matching manifest for linux/arm64/v8 in the manifest list entries',
      ),
    ).toEqual(['export DOCKER_DEFAULT_PLATFORM=linux/amd64']);
  });
});

describe('the member that the output names', () => {
  it('leads the packages of the system, with the command that installs it', () => {
    const packages = (list: Record<string, string>) => ({ dependencies: { '/var/lib/dpkg/status': list } });
    const cause = first(
      packages({ libnspr4: '4.35', libssl3: '3.0.1', zlib1g: '1.2' }),
      packages({ libssl3: '3.0.2', zlib1g: '1.3' }),
      {
        failure: readFailure(
          'error while loading shared libraries: libnspr4.so: cannot open shared object file',
        ),
      },
    );
    expect(cause).toMatchObject({
      what: expect.stringMatching(/^libnspr4 4\.35 is installed on a, not on b/),
      advice: 'install libnspr4 on b',
      repair: { side: 'b', commands: ['sudo apt-get install -y libnspr4'] },
    });
    expect(cause?.members[0]?.key).toBe('/var/lib/dpkg/status/libnspr4');
  });

  it('is a cause beside its runtime where it does not follow from it', () => {
    const side = (node: string, npm: string, JAVA_HOME?: string, java = '21.0.1') => ({
      runtimeVersions: { node, npm, java },
      envVars: JAVA_HOME === undefined ? {} : { JAVA_HOME },
      dependencies: { 'package-lock.json': { zod: '4.0.0' }, 'pom.xml': { 'a:b': '1' } },
    });
    const keys = (a: Given, b: Given) => ranked(a, b).map((cause) => cause.keys.join(' '));
    expect(keys(side('22.1.0', '10.1.0'), side('24.1.0', '11.0.0'))).toEqual(['node npm']);
    // A patch of Node.js brings no other npm, and an older one no newer npm.
    expect(keys(side('22.1.0', '10.1.0'), side('22.1.1', '11.0.0')).sort()).toEqual(['node', 'npm']);
    expect(keys(side('24.1.0', '10.1.0'), side('22.1.0', '11.0.0')).sort()).toEqual(['node', 'npm']);
    expect(
      keys(side('22.1.0', '10.1.0', '/opt/a', '21.0.1'), side('22.1.0', '10.1.0', '/opt/b', '21.0.2')).sort(),
    ).toEqual(['JAVA_HOME', 'java']);
  });
});
