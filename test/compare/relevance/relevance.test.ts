import { describe, expect, it } from 'vitest';
import { findDifferences } from '../../../packages/compare/src/model/find-differences.ts';
import { type ComparableEnvironment, differencesOf } from '../../../packages/compare/src/model/model.ts';
import { countingEntries, defaultFailRules } from '../../../packages/compare/src/policy/fail-on.ts';
import { readTestData } from '../../support/test-data.ts';
import { words } from '../../support/words.ts';

const { service, languages, quietPairs } = readTestData<{
  service: Record<string, string>;
  languages: [string, string, string[]][];
  quietPairs: [Record<string, string>, Record<string, string>][];
}>(import.meta);

const nodeProject = {
  project: {
    ecosystems: ['npm'],
    tools: ['node', 'pnpm', 'docker'],
    variables: { DATABASE_URL: '.env.example', NVM_DIR: 'Makefile' },
  },
};

function machine(part: Partial<ComparableEnvironment> = {}): ComparableEnvironment {
  return {
    machineName: 'm',
    os: 'linux',
    arch: 'x64',
    runtimeVersions: {},
    dependencies: { 'pnpm-lock.yaml': { zod: '4.0.0' } },
    metadata: nodeProject,
    ...part,
  };
}

/** What counts where a failure is being explained, or between machines of which none is said to fail. */
function counted(a: ComparableEnvironment, b: ComparableEnvironment, explains = true): string[] {
  return countingEntries(findDifferences(a, b, { explains }), defaultFailRules).map(({ key }) => key);
}

function countedVariables(
  a: Record<string, string>,
  b: Record<string, string>,
  extra: Partial<ComparableEnvironment> = {},
) {
  return counted(machine({ envVars: a, ...extra }), machine({ envVars: b, ...extra }));
}

describe('a runtime counts', () => {
  const runtimes = (a: Record<string, string>, b: Record<string, string>) =>
    counted(machine({ runtimeVersions: a }), machine({ runtimeVersions: b }));

  it('when the project uses it, from a minor version on', () => {
    expect(runtimes({ node: '22.11.0' }, { node: '22.14.0' })).toEqual(['node']);
    expect(runtimes({ node: '22.11.0' }, { node: '22.11.1' })).toEqual([]);
    expect(runtimes({ node: '22.11.0' }, {})).toEqual(['node']);
    expect(runtimes({ pnpm: '9.1.0' }, { pnpm: '9.4.0' })).toEqual([]);
    expect(runtimes({ pnpm: '9.1.0' }, { pnpm: '10.0.0' })).toEqual(['pnpm']);
  });

  it('not when nothing asks for it, on whichever side it is', () => {
    expect(runtimes({ go: '1.19.8', rustc: '1.80.0' }, { php: '8.2.0' })).toEqual([]);
    expect(runtimes({ docker: '27.1.0' }, { docker: '28.0.0' })).toEqual([]);
    expect(runtimes({ docker: '27.1.0' }, {})).toEqual(['docker']);
  });

  it('when it is a language and nothing says what the project is', () => {
    const bare = { dependencies: {}, metadata: {} };
    const [a, b] = [
      { go: '1.22.0', jq: '1.6' },
      { go: '1.23.0', jq: '1.7' },
    ];
    expect(
      counted(machine({ ...bare, runtimeVersions: a }), machine({ ...bare, runtimeVersions: b })),
    ).toEqual(['go']);
  });
});

describe('a variable counts', () => {
  it.each([
    'DATABASE_URL',
    'ACME_FLAVOUR',
    'TZ',
    'LC_ALL',
    'NODE_OPTIONS',
    'https_proxy',
    'CI',
    'LD_PRELOAD',
    '.env:SECRET_PLACE',
    'ci:old/.env:SECRET_PLACE',
    ...['APP_ENV', 'APP_DEBUG', 'MIX_APP_URL', 'STACK_NAME', 'GOOGLE_CLIENT_ID', 'FIREBASE_PROJECT_ID'],
    ...words`
      AWS_BUCKET GITHUB_CLIENT_ID AZURE_OPENAI_DEPLOYMENT NOMAD_META_FLAVOUR WEBSITE_FLAVOUR
      CP_FLAVOUR PUB_TOPIC`,
  ])('when it is %s', (name) => {
    expect(countedVariables({ [name]: 'one' }, {})).toEqual([name]);
    expect(countedVariables({ [name]: 'one' }, { [name]: 'two' })).toEqual([name]);
  });

  it.each([
    ...words`
      XDG_CURRENT_DESKTOP GTK_MODULES HISTSIZE ZSH LS_COLORS EDITOR FNM_DIR PYENV_ROOT
      HOMEBREW_PREFIX`,
    ...words`
      ANDROID_HOME JAVA_HOME GOPATH CARGO_HOME GITHUB_REPOSITORY ImageOS RUNNER_OS LC_PAPER
      PYTHONDONTWRITEBYTECODE`,
    ...words`FIG_TERM Q_TERM Q_SHELL QTERM_SESSION_ID GUAKE_TAB_UUID TERMUX_VERSION WAVETERM_TABID`,
    ...['BUNDLED_DEBUGPY_PATH', 'PYDEVD_DISABLE_FILE_VALIDATION', 'VS170COMNTOOLS', 'VS140COMNTOOLS'],
    ...words`MODULEPATH MODULESHOME LOADEDMODULES _LMFILES_ LMOD_CMD LMOD_PKG MODULES_RUN_QUARANTINE`,
    ...words`ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4 ECS_AGENT_URI DYNO NOMAD_ALLOC_ID`,
    ...words`NOMAD_ALLOC_INDEX NOMAD_IP_http NOMAD_HOST_PORT_http WEBSITE_INSTANCE_ID CF_INSTANCE_GUID`,
    ...['K_REVISION', 'FLY_MACHINE_ID', 'FLY_ALLOC_ID', 'RENDER_INSTANCE_ID', 'RAILWAY_DEPLOYMENT_ID'],
    ...['HEROKU_DYNO_ID', 'AWS_LAMBDA_LOG_STREAM_NAME', 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'],
    ...['AZURE_CLIENT_ID', 'ARM_CLIENT_ID', 'AWS_PROFILE', 'GOOGLE_CLOUD_PROJECT'],
    ...['Apple_Something', 'lower_case', 'FOO_PID', 'SPARK_HOME', 'GPG_TTY'],
  ])('not when it is %s', (name) => {
    expect(countedVariables({ [name]: 'one' }, {})).toEqual([]);
    expect(countedVariables({ [name]: 'one' }, { [name]: 'two' })).toEqual([]);
  });

  it.each(['TMPDIR', 'TEMPDIR'])('not when %s is the user’s own folder below that of all', (name) => {
    expect(countedVariables({ [name]: '/tmp/user/1000' }, { [name]: '/tmp/user/1001' })).toEqual([]);
    expect(countedVariables({ [name]: '/tmp/user/1000' }, { [name]: '/data/tmp' })).toEqual([name]);
  });

  it('in each ecosystem that has its name', () => {
    const of = (ecosystem: string) => ({
      dependencies: {},
      metadata: { project: { ecosystems: [ecosystem] } },
    });
    for (const ecosystem of ['npm', 'pypi', 'go', 'composer'])
      expect(countedVariables({ APP_ENV: 'production' }, { APP_ENV: 'staging' }, of(ecosystem))).toEqual([
        'APP_ENV',
      ]);
    for (const ecosystem of ['cran', 'julia', 'pypi', 'c'])
      expect(countedVariables({ OMP_NUM_THREADS: '1' }, {}, of(ecosystem))).toEqual(['OMP_NUM_THREADS']);
    expect(countedVariables({ OMP_NUM_THREADS: '1' }, {}, of('npm'))).toEqual([]);
  });

  it('when the project mentions it, whatever it is elsewhere', () => {
    expect(countedVariables({ NVM_DIR: '~/.nvm' }, {})).toEqual(['NVM_DIR']);
    expect(countedVariables({ RBENV_ROOT: '~/.rbenv' }, {})).toEqual([]);
  });

  it('under a name that Kubernetes gives to services, when the project has it as its own', () => {
    const variables = { AUTH_SERVICE_PORT: '.env.example' };
    const metadata = { project: { ...nodeProject.project, variables } };
    expect(countedVariables({ AUTH_SERVICE_PORT: '3001' }, {}, { metadata })).toEqual(['AUTH_SERVICE_PORT']);
    expect(countedVariables({ AUTH_SERVICE_PORT: '3001' }, {})).toEqual([]);
  });

  it('not when Kubernetes makes it for a service, whatever the protocol, unless the project mentions it', () => {
    expect(countedVariables({}, service)).toEqual([]);
    expect(countedVariables({}, { REDIS_PORT: '6379' })).toEqual(['REDIS_PORT']);
    expect(countedVariables({}, { REDIS_PORT: '6379', REDIS_SERVICE_HOST: 'redis' })).toEqual(['REDIS_PORT']);
    const metadata = { project: { ...nodeProject.project, variables: { REDIS_PORT: '.env.example' } } };
    expect(countedVariables({}, service, { metadata })).toEqual(['REDIS_PORT']);
  });

  it('not when it sets the time zone that is in effect without it', () => {
    const side = (timezone: string, envVars: Record<string, string>) =>
      machine({ envVars, metadata: { ...nodeProject, timezone } });
    expect(counted(side('UTC', {}), side('UTC', { TZ: 'UTC' }))).toEqual([]);
    expect(counted(side('Etc/UTC', {}), side('UTC', { TZ: 'UTC' }))).toEqual([]);
    expect(counted(side('Asia/Calcutta', {}), side('Asia/Kolkata', {}))).toEqual([]);
    expect(counted(side('Europe/Berlin', {}), side('no zone', {}))).toEqual(['timezone']);
    expect(counted(side('UTC', {}), side('Asia/Tokyo', { TZ: 'Asia/Tokyo' }))).toEqual(['timezone', 'TZ']);
  });

  it('not when it is the same language under another spelling', () => {
    expect(countedVariables({ LANG: 'de_DE.UTF-8' }, { LANG: 'de_DE.utf8' })).toEqual([]);
    expect(countedVariables({ LANG: 'de_DE.UTF-8' }, { LANG: 'fr_FR.UTF-8' })).toEqual(['LANG']);
    const all = { LC_ALL: 'C.UTF-8' };
    expect(countedVariables({ LANG: 'de_DE.UTF-8', ...all }, { LANG: 'fr_FR.UTF-8', ...all })).toEqual([]);
  });

  it.each(languages)(
    'LANGUAGE=%s against none with LANG=%s where messages change: %j',
    (LANGUAGE, LANG, expected) => {
      expect(countedVariables({ LANG, LANGUAGE }, { LANG })).toEqual(expected);
      expect(countedVariables({ LANG }, { LANG, LANGUAGE })).toEqual(expected);
    },
  );

  it('LC_MESSAGES where the language of messages changes, LANGUAGE aside', () => {
    const LANG = 'fr_FR.UTF-8';
    expect(countedVariables({ LANG }, { LANG, LC_MESSAGES: 'fr_FR.utf8' })).toEqual([]);
    expect(countedVariables({ LANG }, { LANG, LC_MESSAGES: 'C' })).toEqual(['LC_MESSAGES']);
    expect(countedVariables({ LANG }, { LANG, LC_COLLATE: 'C' })).toEqual(['LC_COLLATE']);
  });

  it('not when it is empty and nobody documents it, nor when it exempts from a proxy that nobody has', () => {
    expect(countedVariables({ PROFILEHOME: '', A: 'x' }, { A: 'x' })).toEqual([]);
    expect(countedVariables({ DATABASE_URL: '', A: 'x' }, { A: 'x' })).toEqual(['DATABASE_URL']);
    // Names without values: what is empty is unknown.
    expect(countedVariables({ APP_MODE: '', A: '' }, { A: '' })).toEqual(['APP_MODE']);
    expect(countedVariables({ no_proxy: 'localhost' }, {})).toEqual([]);
    expect(
      countedVariables({ no_proxy: 'localhost', http_proxy: 'http://p:1' }, { http_proxy: 'http://p:1' }),
    ).toEqual(['no_proxy']);
  });

  it('when it points to another version, not to another place', () => {
    const java = { dependencies: { 'pom.xml': { 'junit:junit': '4.13' } }, metadata: {} };
    const at = (place: string) => ({ JAVA_HOME: place });
    expect(
      countedVariables(at('/usr/lib/jvm/java-17-openjdk'), at('~/.sdkman/candidates/java/17.0.9-tem'), java),
    ).toEqual([]);
    expect(
      countedVariables(at('/usr/lib/jvm/java-17-openjdk'), at('/usr/lib/jvm/java-11-openjdk'), java),
    ).toEqual(['JAVA_HOME']);
    expect(
      countedVariables(at('/usr/lib/jvm/java-1.8.0-openjdk'), at('/usr/lib/jvm/java-8-openjdk'), java),
    ).toEqual([]);
  });

  it('when it is PATH of nearly the same folders, with one that is not a version manager’s', () => {
    const base = '/usr/local/bin:/usr/bin:/bin';
    expect(countedVariables({ PATH: base }, { PATH: `/opt/tool/bin:${base}` })).toEqual(['PATH']);
    expect(countedVariables({ PATH: base }, { PATH: '/usr/bin:/usr/local/bin:/bin' })).toEqual(['PATH']);
    expect(countedVariables({ PATH: base }, { PATH: `~/.nvm/versions/node/v22/bin:${base}` })).toEqual([]);
    expect(countedVariables({ PATH: base }, { PATH: '/opt/homebrew/bin:/a:/b:/c:/usr/bin' })).toEqual([]);
  });
});

describe('the system counts', () => {
  const of = (a: Record<string, unknown>, b: Record<string, unknown>) =>
    counted(
      machine({ metadata: { ...nodeProject, system: a } }),
      machine({ metadata: { ...nodeProject, system: b } }),
    );

  it('with another C library, or an older one', () => {
    expect(of({ libc: 'glibc 2.36' }, { libc: 'musl 1.2.5' })).toEqual(['libc']);
    expect(of({ libc: 'glibc 2.36' }, { libc: 'glibc 2.31' })).toEqual(['libc']);
    expect(of({ libc: 'glibc 2.31' }, { libc: 'glibc 2.36' })).toEqual([]);
  });

  it('with another release of one distribution, not with another distribution alone', () => {
    expect(of({ distribution: 'debian 11' }, { distribution: 'debian 13' })).toEqual(['distribution']);
    expect(of({ distribution: 'ubuntu 24.04' }, { distribution: 'fedora 41' })).toEqual([]);
    expect(of({ kernel: '6.1' }, { kernel: '6.8' })).toEqual([]);
  });
});

it('says why a difference is context', () => {
  const comparison = findDifferences(
    machine({ envVars: { GTK_MODULES: 'x', ANDROID_HOME: '~/a' }, runtimeVersions: { go: '1.22.0' } }),
    machine({ envVars: { PYTHONUTF8: '1' } }),
  );
  expect(
    Object.fromEntries(differencesOf(comparison).map(({ key, contextReason }) => [key, contextReason])),
  ).toEqual({
    ANDROID_HOME: 'of java, which the project does not use',
    GTK_MODULES: 'of the desktop',
    PYTHONUTF8: 'of python, which the project does not use',
    go: 'nothing in the project asks for it',
  });
});

describe('the size of memory pages counts', () => {
  it('between machines of one architecture, since each architecture brings its own', () => {
    const side = (arch: string, size: number) =>
      machine({ arch, metadata: { ...nodeProject, facts: { 'memory.pageSize': size } } });
    expect(counted(side('arm64', 4096), side('arm64', 65_536))).toEqual(['memory.pageSize']);
    expect(counted(side('arm64', 16_384), side('x64', 4096))).toEqual(['arch']);
  });
});

describe('a package of the operating system counts', () => {
  const packages = { libssl3: '3.0.15', vim: '9.1' };
  const debian = (own: Record<string, string>) => ({
    dependencies: { 'pnpm-lock.yaml': { zod: '4.0.0' }, '/var/lib/dpkg/status': own },
  });

  it('where both sides have its package manager and programs load it', () => {
    expect(counted(machine(debian(packages)), machine(debian({ libssl3: '3.2.0', vim: '8.2' })))).toEqual([
      '/var/lib/dpkg/status/libssl3',
    ]);
    expect(counted(machine(debian(packages)), machine(debian({ vim: '9.1' })))).toEqual([
      '/var/lib/dpkg/status/libssl3',
    ]);
  });

  it('not where the other side has another package manager, or none that can be read', () => {
    const fedora = {
      dependencies: {
        'pnpm-lock.yaml': { zod: '4.0.0' },
        '/usr/lib/sysimage/rpm/rpmdb.sqlite': { 'openssl-libs': '3.2.2' },
      },
    };
    expect(counted(machine(debian(packages)), machine(fedora))).toEqual([]);
    expect(counted(machine(debian(packages)), machine())).toEqual([]);
  });
});

describe('a variable of AWS counts', () => {
  it('in projects that use its SDK, as a person’s setting nowhere else', () => {
    const withBoto = {
      metadata: { project: { ecosystems: ['pypi'], tools: ['python'], variables: {} } },
      dependencies: { 'requirements.txt': { boto3: '1.35.36' } },
    };
    expect(countedVariables({}, { AWS_PROFILE: 'work' }, withBoto)).toEqual(['AWS_PROFILE']);
    expect(countedVariables({}, { AWS_PROFILE: 'work' })).toEqual([]);
  });
});

describe('between healthy machines', () => {
  const quiet = (a: Partial<ComparableEnvironment>, b: Partial<ComparableEnvironment>) =>
    counted(machine(a), machine(b), false);
  const mentioning = (variables: Record<string, string>, settings: string[] = []) => ({
    project: { ...nodeProject.project, variables, settings },
  });

  it.each(quietPairs)('%j against %j counts only where a failure is being explained', (a, b) => {
    expect(quiet({ envVars: a }, { envVars: b })).toEqual([]);
  });

  it.each([
    ...words`
      HF_ENDPOINT TODOIST_TOKEN BEMENU_OPTS DOCKER_CHANNEL NPM_TOKEN CARGO_TARGET_DIR CONTINUOUS_INTEGRATION
      GOPROXY ORYX_SDK_STORAGE_BASE_URL OPENCL_PROFILE`,
  ])('%s counts where the project mentions it, or where both have it', (name) => {
    const of = (...values: (string | undefined)[]) =>
      quiet(
        ...(values.map((value) => ({ envVars: value === undefined ? {} : { [name]: value } })) as [
          object,
          object,
        ]),
      );
    expect(of('one', undefined)).toEqual([]);
    const metadata = mentioning({ [name]: 'src/settings.ts' });
    expect(quiet({ envVars: { [name]: 'one' }, metadata }, { metadata })).toEqual([name]);
    expect(
      counted(
        machine({ metadata: {}, dependencies: {}, envVars: { ACME_FLAVOUR: '1' } }),
        machine({ metadata: {}, dependencies: {} }),
        false,
      ),
    ).toEqual(['ACME_FLAVOUR']);
  });

  it.each(
    words`DATABASE_URL DATABASE_POOL APP_FLAVOUR PAYMENT_MODE NODE_ENV LD_PRELOAD STRIPE_KEY NODE_PATH`,
  )('%s counts on one side, mentioned or not', (name) => {
    expect(quiet({ envVars: { [name]: 'one' } }, {})).toEqual([name]);
    const ci = { metadata: { ...nodeProject, ci: { provider: 'gitlab-ci' } } };
    const ofTests = quiet({ ...ci, envVars: { [name]: 'test' } }, {});
    expect(ofTests).toEqual(name === 'NODE_ENV' ? [] : [name]);
    expect(quiet({ envVars: { ACME_FLAVOUR: '1' } }, { envVars: { ACME_FLAVOUR: '2' } })).toEqual([
      'ACME_FLAVOUR',
    ]);
  });

  it('compilers, libraries and releases of the distributions of two people do not', () => {
    const side = (release: string, gcc: string) => ({
      runtimeVersions: { gcc },
      dependencies: { 'CMakeLists.txt': {}, '/var/lib/dpkg/status': { libssl3: gcc } },
      metadata: {
        project: { ecosystems: ['c'], tools: ['gcc', 'make'] },
        system: { distribution: `ubuntu ${release}` },
        facts: {
          'process.root': gcc === '9.4.0',
          'locale.installed': [gcc === '9.4.0' ? 'C.UTF-8' : 'C.utf8'],
        },
      },
      envVars: { LANG: 'C.UTF-8', PATH: gcc === '9.4.0' ? '/a:/b:/c:/opt/jdk/bin' : '/a:/b:/c' },
    });
    expect(quiet(side('20.04', '9.4.0'), side('24.04', '13.3.0'))).toEqual([]);
    expect(counted(machine(side('20.04', '9.4.0')), machine(side('24.04', '13.3.0'))).sort()).toEqual(
      words`/var/lib/dpkg/status/libssl3 PATH distribution gcc process.root`,
    );
  });

  it('other options of Node.js count, and so does a heap size that the project sets', () => {
    const heap = { NODE_OPTIONS: '--max-old-space-size=8192' };
    expect(quiet({ envVars: { NODE_OPTIONS: '--require=./a.js' } }, {})).toEqual(['NODE_OPTIONS']);
    const metadata = mentioning({ NODE_OPTIONS: 'package.json' });
    expect(quiet({ envVars: heap, metadata }, { metadata })).toEqual(['NODE_OPTIONS']);
  });

  it('the time zone and the language count where the project mentions a variable of the kind', () => {
    const metadata = (timezone: string) => ({ ...mentioning({ TZ: 'vitest.config.ts' }), timezone });
    const sides = [{ metadata: metadata('Europe/Berlin') }, { metadata: metadata('Asia/Tokyo') }] as const;
    expect(quiet(...sides)).toEqual(['timezone']);
    const german = { envVars: { LANG: 'de_DE.UTF-8' }, metadata: mentioning({ LC_ALL: 'Dockerfile' }) };
    expect(quiet(german, { envVars: { LANG: 'fr_FR.UTF-8' } })).toEqual(['LANG']);
  });

  it('a setting of git counts where a script or a submodule needs it', () => {
    const facts = { 'git.protocol.fileAllow': 'always' };
    const side = (own: object, settings: string[]) => ({
      metadata: { ...mentioning({}, settings), facts: own },
    });
    expect(quiet(side(facts, []), side({}, []))).toEqual([]);
    expect(quiet(side(facts, ['protocol.file.allow']), side({}, []))).toEqual(['git.protocol.fileAllow']);
  });

  it('a Mac and Linux are both fine for a project that does not ask for a platform', () => {
    const facts = (own: object) => ({ metadata: { ...nodeProject, facts: own } });
    const mac = {
      os: 'darwin',
      arch: 'arm64',
      ...facts({ 'fs.caseSensitive': false, 'limits.openFiles': 256, 'program.sed': 'BSD' }),
    };
    const linux = facts({ 'fs.caseSensitive': true, 'limits.openFiles': 1024, 'program.sed': 'GNU' });
    expect(quiet(linux, mac)).toEqual([]);
    expect(counted(machine(linux), machine(mac))).toEqual(
      words`os arch fs.caseSensitive limits.openFiles program.sed`,
    );
    expect(quiet({ metadata: {} }, { os: 'darwin', metadata: {} })).toEqual(['os']);
  });

  it('none at all counts', () => {
    const facts = (own: object) => ({ metadata: { ...nodeProject, facts: own } });
    const healthy = {
      'tls.certificates': '140 aa',
      'time.tzdata': '2024b',
      'fonts.installed': '12 bb',
      'fs.temporaryFull': false,
    };
    const bare = {
      'tls.certificates': 'none',
      'time.tzdata': 'none',
      'fonts.installed': 'none',
      'fs.temporaryFull': true,
    };
    expect(quiet(facts(healthy), facts(bare)).sort()).toEqual(Object.keys(healthy).sort());
  });
});
