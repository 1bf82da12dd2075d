// Repairs as data: which side is changed, to what, and by which commands.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { factCatalogue, factNames } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { describe, expect, it } from 'vitest';
import { checkSnapshot } from '../../../packages/cli/src/actions/comparison/check-machine.ts';
import { factRepair } from '../../../packages/compare/src/causes/fact-repair.ts';
import { compareEnvironments } from '../../../packages/compare/src/compare-environments.ts';
import { readFailure } from '../../../packages/compare/src/failure/read-failure.ts';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import type { ComparableEnvironment } from '../../../packages/compare/src/model/model.ts';
import { parsePolicy } from '../../../packages/compare/src/policy/policy-file.ts';
import { nextStepOf } from '../../../packages/compare/src/report/report.ts';
import { cleanUpAfterTest } from '../../support/clean-up.ts';
import { readTestData } from '../../support/test-data.ts';

const { weak, platforms } = readTestData<{
  weak: [Given, Given][];
  platforms: [a: Given, b: Given, files: string[], commands: string[], output?: string][];
}>(import.meta);

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

  it('sets LC_ALL if the side has it, whatever LANG says', () => {
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

  it('says that a value is empty if it is not shown', () => {
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
    expect(first(zone('Asia/Tokyo'), zone('Europe/Berlin'), { policy })?.advice).toBe(
      'set TZ as the policy says on b',
    );
  });

  it.each([
    ['24.1.0', '22.0.0', 'use node 24.1.0 on b'],
    ['20.0.0', '22.0.0', 'install node >=24 on b'],
  ])('of a violated expectation is one in all answers, with %s on A and %s on B', (onA, onB, advice) => {
    const policy = parsePolicy('expect:\n  runtimes:\n    node: ">=24"\n', '.envsnap.yaml');
    const side = (node: string) => ({ machineName: 'b', os: 'linux', runtimeVersions: { node } });
    const report = compareEnvironments({ ...side(onA), machineName: 'a' }, side(onB), { policy });
    expect([nextStepOf(report)?.advice, report.causes[0]?.advice, report.policy?.checks[0]?.advice]).toEqual([
      advice,
      advice,
      advice,
    ]);
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
    // In the other direction, the protection is restored.
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

describe('the commands of every repair', () => {
  const locks =
    'package-lock.json pnpm-lock.yaml yarn.lock requirements.txt poetry.lock uv.lock Gemfile.lock composer.lock go.sum'.split(
      ' ',
    );
  const states =
    'missing,content,not tracked,not checked out,line ends,executable bit,not a link,overlooked'.split(',');
  const from = <T>(names: readonly string[], value: (name: string, place: number) => T) =>
    Object.fromEntries(names.map((name, place) => [name, value(name, place)]));

  /** A machine on which `text` is every value that others can choose. */
  function named(text: string, version: string) {
    const value = text.startsWith('-') ? `${text}${version}` : `${version}${text}`;
    const folders = locks.flatMap((lock) => [lock, `${text}/${lock}`]);
    const packages = from([text, 'zod'], () => value);
    return {
      runtimeVersions: from([text, 'node', 'pnpm', 'yarn', 'poetry', 'java'], () => value),
      dependencies: from([...folders, '/var/lib/dpkg/status'], () => packages),
      envVars: {
        ...from([text, 'APP', 'PATH', 'TZ'], () => value),
        [`.env:${text}`]: value,
        [`${text}/.env:A`]: text,
      },
      metadata: {
        facts: from(factNames, () => value),
        system: from(['libc', 'distribution', 'kernel'], () => value),
        timezone: value,
        locale: value,
        toolchain: from([text, 'node'], () => ({
          present: value,
          declared: [{ source: text, version: text, satisfied: version === '1.0.0' }],
        })),
        installed: from(folders, (_, place) =>
          from([text, 'zod', 'python'], () =>
            version === '1.0.0'
              ? ''
              : [`9${text}`, `${text} without files`, `in ${text}, the project's is ${text}`][place % 3],
          ),
        ),
        drift: from(folders, () => ({ requiredBy: {}, folders: from(['zod', 'python', text], () => text) })),
        git: { commit: text, branch: value },
        checkout: {
          changed: {
            count: 9,
            files:
              version === '1.0.0'
                ? {}
                : Object.fromEntries(states.map((state) => [`${text}${state}`, state])),
          },
          ...(version !== '1.0.0' && {
            pointers: { count: 1, files: [text] },
            submodules: { [text]: 'missing' },
          }),
          untracked: 1,
          tags: version === '1.0.0',
          operation: text,
        },
      },
    };
  }

  /** Requirements that nobody meets. */
  const policyOf = (text: string) => ({
    expect: { env: { APP: text }, runtimes: { node: '>99 || >100' }, os: text, system: { libc: text } },
    forbidden: ['*'],
  });

  const quotes = ["'; : > ran #", '"; : > ran #', '\n: > ran\n'];
  const nothingElse = 'run nothing else where names and values are %j';
  it.each(['$(: > ran)`: > ran`; : > ran & : > ran | : > ran #\'"', '-n', 'PATH=x'])(
    nothingElse,
    runNothingElse,
  );
  it.each(quotes)(nothingElse, { tags: 'release' }, runNothingElse);

  function runNothingElse(text: string): void {
    const [a, b] = [named(text, '1.0.0'), named(text, '2.0.0')];
    const mac = { os: 'darwin' };
    const causes = [
      ranked(a, b),
      ranked(b, a),
      ranked(a, {}),
      ranked({ ...a, ...mac }, { ...b, ...mac }),
    ].flat();
    const own = [a, b].flatMap((each) => {
      const policy = parsePolicy(JSON.stringify(policyOf(text)), '.envsnap.yaml');
      const check = checkSnapshot({ machineName: 'a', ...each }, { loaded: policy, folder: '.' });
      const { declared, installed, notInstalled, checkout, checks } = check;
      return [
        ...declared,
        ...installed,
        ...notInstalled,
        ...checkout,
        ...checks.map((one) => ({ ...one, repair: null })),
      ];
    });
    // Sentences that begin like a command, which options do no harm.
    const said = [
      ...own.map(({ advice }) => advice ?? ''),
      ...causes.flatMap(({ advice, repair }) =>
        /^(?:set|unset|install|use)$/.test(repair.kind) ? advice : [],
      ),
    ].map((advice) => `say:${advice}`);
    const phrases = causes.flatMap(({ advice, repair }) =>
      /^(?:configure|ask)$/.test(repair.kind) && repair.commands.length === 0 ? advice : [],
    );
    const unquoted = phrases.filter((advice) => advice.replaceAll(/'(?:[^']|'\\'')*'/g, '').includes(': >'));
    expect(unquoted).toEqual([]);
    const repairs = [...causes, ...own].flatMap(({ repair }) => repair?.commands ?? []);
    const commands = [...new Set([...repairs, ...said])];
    expect(commands.length).toBeGreaterThan(5);
    const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-repairs-'));
    cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
    // Programs only record a captured text that became an option; words after `-r` and `--` are not options.
    const note = `command_not_found_handle() {
      for each; do
        case $each in -- | -r) break ;; "$text"*) case $text in -*) echo "$*" >> "$HOME/ran" ;; esac ;; esac
      done
    }
    for builtin in cd . umask; do eval "$builtin() { command_not_found_handle $builtin "\\$@"; }"; done
    for each; do
      case $each in say:*) text=x ;; esac
      eval "\${each#say:}"
    done`;
    const env = { PATH: '/nowhere', HOME: folder, NVM_DIR: folder, text };
    const { stderr } = spawnSync('/bin/bash', ['-c', note, 'bash', ...commands], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    expect(stderr).not.toContain('syntax error');
    expect({
      ran: existsSync(path.join(folder, 'ran')) ? readFileSync(path.join(folder, 'ran'), 'utf8') : null,
    }).toEqual({ ran: null });
  }
});

describe('the repair of another platform', () => {
  const commands = (a: Given, b: Given, files: readonly string[], output?: string) => {
    const dependencies = Object.fromEntries(files.map((file) => [file, { zod: '4.0.0' }]));
    const failure = output === undefined ? {} : { failure: readFailure(output) };
    const causes = ranked({ dependencies, ...a }, { dependencies, ...b }, failure);
    return causes.find(({ section }) => section === 'os' || section === 'arch')?.repair.commands;
  };

  it('is the command of each tool for that platform', () => {
    for (const [a, b, files, expected, output] of platforms)
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

describe('the repair of a fact', () => {
  const names = { a: { name: 'a', at: 'on a' }, b: { name: 'b', at: 'on b' } };
  const comparison = findDifferences({ machineName: 'a', os: 'linux' }, { machineName: 'b', os: 'linux' });
  const adviceFor = (key: string, a: string, b: string) => {
    const entry = { section: 'facts', key, a, b, status: 'changed', distance: null } as const;
    const { kind, what } = factRepair(entry, 'a', comparison, names);
    return kind === 'set' || kind === 'unset' ? '' : what;
  };

  it('says what to do, and where in configuration only that a setting has another value', () => {
    const vague = Object.entries(factCatalogue).filter(([key, { kind, unset }]) => {
      const [some, other] =
        kind === 'flag' ? ['true', 'false'] : /set|list/.test(kind) ? ['x, y', 'x'] : ['8', '4'];
      const values = [
        [some, other],
        [other, some],
        [unset ?? some, other],
        [some, unset ?? other],
      ] as const;
      return values.some(([a, b]) => adviceFor(key, a, b).startsWith(`set ${key} `));
    });
    // Two have values that this test does not use; the others are files.
    const ofMachines = vague.filter(([, { ecosystems }]) => ecosystems === undefined).map(([key]) => key);
    expect(ofMachines).toEqual([
      'kernel.overcommit',
      'kernel.ptraceScope',
      'net.addressPreference',
      'docker.context',
      'curl.config',
    ]);
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

  it('is a separate cause beside its runtime if it does not follow from it', () => {
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
