import { describe, expect, it } from 'vitest';
import { addressOf } from '../../../packages/capture/src/facts/addresses.ts';
import { collectInstalled } from '../../../packages/capture/src/installed/collect-installed.ts';
import { parseGitConfig } from '../../../packages/capture/src/project/git/config-syntax.ts';
import { openMachine } from '../../../packages/capture/src/system/machine.ts';
import { createFakeSystem } from '../../support/fake-system.ts';
import { readFacts } from './read-facts.ts';

const secrets = ['hunter2', 'npm_AbCdEf', 'ghp_', 'dev@example.com', 'Erika'];

describe('the configuration of tools', () => {
  it('is git’s own order: system, user, includes of the user, repository', async () => {
    const { facts } = await readFacts({
      files: {
        '/etc/gitconfig': '[core]\n autocrlf = true\n[init]\n defaultBranch = trunk\n',
        '/home/dev/.config/git/config': '[core]\n autocrlf = input ; as it should be\n[pull] rebase = true\n',
        '/home/dev/.gitconfig':
          '[user]\n name = Erika\n email = dev@example.com\n[include]\n path = work.inc\n[includeIf "gitdir:/srv/"]\n path = ~/srv.inc\n[includeIf "gitdir:~/private/"]\n path = ~/private.inc\n[url "https://x:hunter2@git.example.com/"]\n insteadOf = gh:\n insteadOf = "work:"\n[http]\n proxy = http://dev:hunter2@proxy.corp:3128\n',
        '/home/dev/work.inc': '[commit]\n gpgSign\n',
        '/home/dev/srv.inc': '[core]\n eol = lf\n',
        '/home/dev/private.inc': '[core]\n eol = crlf\n',
        '/srv/app/.git/config': '[core]\n ignorecase = true\n[include]\n path = ../evil.inc\n',
        '/srv/app/evil.inc': '[core]\n hooksPath = /tmp/evil\n',
        '/srv/app/.git/HEAD': 'ref: refs/heads/main\n',
      },
    });
    expect(facts).toMatchObject({
      'git.core.autocrlf': 'input',
      'git.core.eol': 'lf',
      'git.core.ignoreCase': true,
      'git.init.defaultBranch': 'trunk',
      'git.pull.rebase': 'true',
      'git.commit.gpgSign': true,
      'git.url.insteadOf': 2,
      'net.proxies': ['git proxy.corp:3128'],
    });
    expect(facts).not.toHaveProperty('git.core.hooksPath');
    for (const secret of secrets) expect(JSON.stringify(facts)).not.toContain(secret);
  });

  it('says what PHP’s configuration loads, for the version that the search path leads to', async () => {
    const { facts } = await readFacts({
      env: { PATH: '/usr/bin' },
      files: {
        '/usr/bin/php': { link: 'php8.3' },
        '/usr/bin/php8.3': { executable: true, content: '\x7fELF' },
        '/etc/php/8.2/cli/php.ini': 'memory_limit = 64M\n',
        '/etc/php/8.3/cli/php.ini': '[PHP]\nmemory_limit = 256M\n;extension=ftp\n',
        '/etc/php/8.3/cli/conf.d/20-intl.ini': 'extension=intl.so\n',
        '/etc/php/8.3/cli/conf.d/10-opcache.ini': 'zend_extension=/usr/lib/php/20230831/opcache.so\n',
      },
    });
    expect(facts).toMatchObject({ 'php.extensions': ['intl', 'opcache'], 'php.memoryLimit': '256M' });
  });

  it('names the files of certificates that tools trust, the system’s own as such', async () => {
    const { facts } = await readFacts({
      files: {
        '/home/dev/.gitconfig': '[http]\n sslCAInfo = /home/dev/corp.pem\n',
        '/home/dev/.npmrc': 'cafile=/etc/ssl/certs/ca-certificates.crt\n',
        '/etc/pip.conf': '[global]\ncert = /opt/old.pem\n',
        '/home/dev/.config/pip/pip.conf': '[global]\ncert = /opt/corp.pem\n',
        '/home/dev/.cargo/config.toml': '[http]\ncainfo = "/opt/corp.pem"\n',
        '/home/dev/.condarc': 'ssl_verify: /opt/corp.pem\n',
        '/home/dev/.curlrc': 'cacert = "/opt/corp.pem"\n',
      },
    });
    expect(facts).toMatchObject({
      'tls.toolBundles': [
        'cargo /opt/corp.pem',
        'conda /opt/corp.pem',
        'curl /opt/corp.pem',
        'git /home/dev/corp.pem',
        'npm system',
        'pip /opt/corp.pem',
      ],
    });
  });

  it('is where variables say', async () => {
    const { facts } = await readFacts({
      env: {
        GIT_CONFIG_SYSTEM: '/opt/system.gitconfig',
        GIT_CONFIG_GLOBAL: '/opt/user.gitconfig',
        NPM_CONFIG_USERCONFIG: '/opt/npmrc',
      },
      files: {
        '/etc/gitconfig': '[core]\n eol = crlf\n',
        '/home/dev/.gitconfig': '[core]\n autocrlf = true\n',
        '/opt/system.gitconfig': '[init]\n defaultBranch = trunk\n',
        '/opt/user.gitconfig': '[core]\n autocrlf = input\n',
        '/opt/npmrc': 'ignore-scripts=true\n',
        '/home/dev/.npmrc': 'engine-strict=true\n',
      },
    });
    expect(facts).toMatchObject({
      'git.core.autocrlf': 'input',
      'git.init.defaultBranch': 'trunk',
      'npm.ignoreScripts': true,
    });
    expect(facts).not.toHaveProperty(['git.core.eol']);
    expect(facts).not.toHaveProperty(['npm.engineStrict']);
  });

  it('of a user without a home folder is not that of the working folder', async () => {
    const { facts, system } = await readFacts({ homeDir: '', processState: { accountHome: '' } });
    expect(system.reads.filter((path) => !path.startsWith('/'))).toEqual([]);
    expect(facts['home.writable']).toBe(false);
  });

  it('reads git’s syntax: quotes, comments, continued lines, subsections', () => {
    expect(
      parseGitConfig(
        '[a "B c"]\n\tx = "one;two" # three\n\ty = a\\\nb\n\tz\n[Alpha] beta = 1 ; no\n[bad\nq = 1',
      ),
    ).toEqual([
      { key: 'a.B c.x', value: 'one;two' },
      { key: 'a.B c.y', value: 'ab' },
      { key: 'a.B c.z', value: 'true' },
      { key: 'alpha.beta', value: '1' },
      { key: 'alpha.q', value: '1' },
    ]);
  });

  it('of package managers is reported without credentials', async () => {
    const { facts } = await readFacts({
      files: {
        '/home/dev/.npmrc':
          'registry=https://dev:hunter2@npm.corp.example/repo/npm/\n//npm.corp.example/:_authToken=npm_AbCdEf\n@corp:registry=https://npm.corp.example/corp/\nignore-scripts=true\nomit[]=optional\nhttps-proxy=http://u:hunter2@proxy:8080\n',
        '/srv/app/package.json': '{}',
        '/srv/app/.npmrc': 'engine-strict=true\nlegacy-peer-deps=true\n',
        '/srv/app/pnpm-workspace.yaml': 'nodeLinker: hoisted\n',
        '/home/dev/.yarnrc.yml':
          'npmRegistryServer: "https://npm.corp.example"\nnpmAuthToken: npm_AbCdEf\nnodeLinker: node-modules\n',
        '/etc/pip.conf': '[global]\nindex-url = https://__token__:hunter2@pypi.corp.example/simple\n',
        '/home/dev/.config/pip/pip.conf':
          '[install]\nextra-index-url =\n  https://a.example/simple\n  https://dev:hunter2@b.example/simple\nno-binary = :all:\n',
        '/home/dev/.condarc':
          'channels:\n  - conda-forge\n  - https://dev:hunter2@conda.corp.example/ch\n  - https://conda.corp.example/t/hunter2/own\nchannel_priority: strict\n',
        '/home/dev/.cargo/config.toml':
          '[build]\ntarget = "x86_64-unknown-linux-musl"\nrustflags = ["-C", "target-cpu=native"]\n[registries.corp]\nindex = "sparse+https://dev:hunter2@crates.corp.example/index/"\ntoken = "npm_AbCdEf"\n[source.crates-io]\nreplace-with = "corp"\n',
        '/home/dev/.config/go/env':
          'GOFLAGS=-mod=mod\nGOPROXY=https://u:hunter2@goproxy.corp.example,direct\nCGO_ENABLED=0\n',
        '/srv/go.work':
          'go 1.22\n\nuse (\n\t./app // ours\n\t../lib\n)\nuse(\n"./my mod"\n)\nuse ./tools\nreplace a => ../a\nreplace (\n\tb v1.0.0 => c v1.2.0\n)\n',
        '/home/dev/.m2/settings.xml':
          '<settings><servers><server><username>Erika</username><password>hunter2</password></server></servers><mirrors><mirror><mirrorOf>central</mirrorOf><url>https://u:hunter2@maven.corp.example/central</url></mirror></mirrors><activeProfiles><activeProfile>corp</activeProfile></activeProfiles></settings>',
        '/home/dev/.gradle/gradle.properties':
          'org.gradle.jvmargs=-Xmx512m -Dcorp.password=hunter2\norg.gradle.parallel=false\ncorpPassword=hunter2\nsystemProp.x=1\n',
        '/srv/app/gradle.properties': 'org.gradle.parallel=true\norg.gradle.caching=true\nversion=1\n',
        '/home/dev/.gradle/init.d/corp.gradle': '',
        '/srv/app/.bundle/config':
          '---\nBUNDLE_WITHOUT: "production"\nBUNDLE_GEMS__CORP__EXAMPLE: "dev:hunter2"\n',
        '/home/dev/.docker/config.json':
          '{"currentContext":"remote","auths":{"x":{"auth":"hunter2"}},"proxies":{"default":{"httpProxy":"http://dev:hunter2@proxy:3128"}}}',
        '/home/dev/.curlrc': 'user = "dev:hunter2"\ninsecure\n',
      },
    });
    expect(facts).toMatchObject({
      'npm.registry': 'npm.corp.example/repo/npm',
      'npm.scopedRegistries': ['@corp npm.corp.example/corp'],
      'npm.ignoreScripts': true,
      'npm.engineStrict': true,
      'npm.legacyPeerDeps': true,
      'npm.omit': ['optional'],
      'pnpm.nodeLinker': 'hoisted',
      'yarn.registry': 'npm.corp.example',
      'yarn.nodeLinker': 'node-modules',
      'pip.index': 'pypi.corp.example/simple',
      'pip.extraIndexes': ['a.example/simple', 'b.example/simple'],
      'pip.options': ['no-binary=:all:'],
      'conda.channels': ['conda-forge', 'conda.corp.example/ch', 'conda.corp.example/own'],
      'conda.channelPriority': 'strict',
      'cargo.registries': ['corp crates.corp.example/index', 'crates-io → corp'],
      'cargo.target': 'x86_64-unknown-linux-musl',
      'cargo.flags': ['-C', 'target-cpu=native'],
      'go.flags': '-mod=mod',
      'go.proxy': 'goproxy.corp.example,direct',
      'go.settings': ['CGO_ENABLED=0'],
      'go.workspace': ['../lib', './app', './my mod', './tools', 'a => ../a', 'b v1.0.0 => c v1.2.0'],
      'maven.mirrors': ['central → maven.corp.example/central'],
      'maven.profiles': ['corp'],
      'gradle.jvmArguments': '[redacted]',
      'gradle.properties': ['org.gradle.caching=true', 'org.gradle.parallel=false'],
      'gradle.initScripts': 1,
      'bundler.settings': ['without=production'],
      'docker.context': 'remote',
      'curl.config': ['insecure', 'user'],
      'net.proxies': ['docker proxy:3128', 'npm proxy:8080'],
    });
    for (const secret of secrets) expect(JSON.stringify(facts)).not.toContain(secret);
  });

  it('of Bundler names hosts as they are: two underscores are a dot, three are a dash', async () => {
    const { facts } = await readFacts({
      files: {
        '/srv/app/.bundle/config':
          '---\nBUNDLE_MIRROR__HTTPS://GEMS___OLD__CORP__EXAMPLE/: "https://gems.corp.example"\n',
      },
    });
    expect(facts['bundler.settings']).toEqual(['mirror gems-old.corp.example → gems.corp.example']);
  });

  it('that cannot be parsed is as if it were not there', async () => {
    const { facts, unknown } = await readFacts({
      env: { PATH: '/usr/bin' },
      files: {
        '/home/dev/.cargo/config.toml': '[[[',
        '/home/dev/.m2/settings.xml': '<settings>',
        '/home/dev/.condarc': 'channels: [a',
        '/home/dev/.docker/config.json': '{',
      },
    });
    expect(unknown).toEqual([]);
    expect(Object.keys(facts).filter((name) => /^(?:cargo|maven|conda|docker)\./.test(name))).toEqual([]);
  });
});

it.each([
  ['https://user:secret@npm.example.com/team/', 'npm.example.com/team'],
  ['https://user:se/cret@npm.example.com/team/', 'npm.example.com/team'],
  ['"https://user:se#cret@npm.example.com/team?token=secret"', 'npm.example.com/team'],
  ['sparse+https://secret@index.example.com:8080/x/@scope', 'index.example.com:8080/x/@scope'],
  ['git+ssh://git@host.example/o/r', 'host.example/o/r'],
  ['user:secret@proxy:3128', 'proxy:3128'],
  ['file:///srv/packages', 'file'],
])('an address is a fact without who signs in: %s', (text, expected) => {
  expect(addressOf(text)).toBe(expected);
});

// Configuration that a stranger's folder brings along: endless lines, endless lists, paths that lead out of it.

/** Patterns that try every split of it never end; ones that look once take milliseconds. */
const blanks = ' '.repeat(1_000_000);

it.each([
  ['.git/config', `[core${blanks}\n autocrlf = input\n[core]\n eol = lf\n`, 'git.core.eol', 'lf'],
  ['.yarnrc', `registry ${blanks}x\nregistry "https://r.example"\n`, 'yarn.registry', 'r.example'],
  ['.npmrc', `a=${blanks}x\n${'omit[]=dev\n'.repeat(100_000)}`, 'npm.omit', ['dev']],
  [
    '.npmrc',
    `b=1\n${`  ${'x'.repeat(20)}\n`.repeat(100_000)}ignore-scripts=true\n`,
    'npm.ignoreScripts',
    true,
  ],
])('%s with much of nothing is read in linear time', async (name, content, fact, value) => {
  const files = { '/srv/app/package.json': '{}', '/srv/app/.git/HEAD': 'x', [`/srv/app/${name}`]: content };
  expect((await readFacts({ files })).facts[fact]).toEqual(value);
});

it('a lock file’s paths lead nowhere else', async () => {
  const packages = { 'node_modules/../../../etc/shadow': { version: '1.0.0' } };
  const system = createFakeSystem({
    files: {
      '/srv/app/package-lock.json': JSON.stringify({ lockfileVersion: 3, packages }),
      '/srv/app/node_modules/x/package.json': '{}',
      '/etc/shadow/package.json': '{"version":"6.6.6"}',
    },
  });
  const { installed } = await collectInstalled(openMachine(system), '/srv/app', {
    direct: {},
    dependencies: { 'package-lock.json': { '../../../etc/shadow': '1.0.0' } },
  });
  expect(installed).toEqual({});
  expect(system.reads).not.toContain('/etc/shadow/package.json');
});
