// Healthy machines as they are: laptops of people, CI runners, containers, each with everything that is on it and has
// nothing to do with the project. No value here is a cause of any case.

import { createRandom, type Random } from './random.ts';

/** What a machine brings; the project's own part is added by `environment.ts`. */
export interface Machine {
  readonly machineName: string;
  readonly os: 'linux' | 'darwin';
  readonly arch: 'x64' | 'arm64';
  readonly envVars: Record<string, string>;
  readonly runtimeVersions: Record<string, string>;
  readonly system: Record<string, unknown>;
  readonly locale: string;
  readonly timezone: string;
  readonly ci?: { readonly provider: string; readonly job: string };
  readonly facts: Record<string, string | number | boolean | readonly string[]>;
  readonly machinePackages: Record<string, Record<string, string>>;
}

export const machineKinds = [
  'zsh laptop',
  'fish laptop',
  'mac laptop',
  'wsl laptop',
  'github runner',
  'gitlab runner',
  'circle runner',
  'container',
] as const;
export type MachineKind = (typeof machineKinds)[number];

const people = ['anna', 'ben', 'chidi', 'dora', 'emil', 'farah', 'goran', 'hana', 'ivo', 'jun'];
const places = ['Europe/Berlin', 'Europe/Madrid', 'America/New_York', 'Asia/Kolkata', 'America/Sao_Paulo'];

/** `NAME=value`, separated by blanks. */
function named(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .map((each) => each.split(/=(.*)/s, 2)),
  );
}

/** Tools that are on people's machines whatever they work on; versions are drawn. */
const spareTools: readonly (readonly [name: string, ...versions: string[]])[] = `
  go 1.19.8 1.22.4 1.23.1; python 3.11.2 3.12.3 3.13.1; node 18.19.0 20.11.0 22.11.0 24.1.0;
  ruby 3.0.2 3.2.3; php 8.1.2 8.3.6; java 17.0.9 21.0.2; rustc 1.76.0 1.81.0; perl 5.36.0 5.38.2;
  docker 26.1.3 27.3.1 28.0.1; kubectl 1.28.2 1.31.0; helm 3.14.0 3.16.2; terraform 1.5.7 1.9.5;
  git 2.39.5 2.43.0 2.47.1; gh 2.45.0 2.61.0; jq 1.6 1.7.1; make 4.3 4.4.1; gcc 12.2.0 13.3.0 14.2.1;
  ffmpeg 4.4.2 6.1.1; curl 7.88.1 8.5.0; openssl 3.0.13 3.2.2; bash 5.1.16 5.2.21; sqlite 3.40.1 3.46.0;
  aws 2.15.0 2.18.3; pip 23.0.1 24.0; cmake 3.25.1 3.30.2; vagrant 2.3.7 2.4.1`
  .split(';')
  .map((row) => row.trim().split(/\s+/) as [string, ...string[]]);

/** A person's machine, or a runner, drawn by a seed. `team` people share what a team shares: language, mostly the zone. */
export function createMachine(kind: MachineKind, seed: string, teamZone?: string): Machine {
  const random = createRandom(`${kind}/${seed}`);
  const user = random.pick(people);
  const zone = teamZone ?? random.pick(places);
  switch (kind) {
    case 'zsh laptop':
      return zshLaptop(random, user, zone);
    case 'fish laptop':
      return fishLaptop(random, user, zone);
    case 'mac laptop':
      return macLaptop(random, user, zone);
    case 'wsl laptop':
      return wslLaptop(random, user, zone);
    case 'github runner':
      return githubRunner(random);
    case 'gitlab runner':
      return gitlabRunner(random);
    case 'circle runner':
      return circleRunner(random);
    case 'container':
      return container(random, zone);
  }
}

function tools(random: Random, least: number, most: number): Record<string, string> {
  return Object.fromEntries(
    random.some(spareTools, least, most).map(([name, ...versions]) => [name, random.pick(versions)]),
  );
}

function set(random: Random, probability: number, values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(() => random.chance(probability)));
}

/** What people collect over the years; of the last few, that nobody documents, most have none. */
function personal(random: Random, user: string): Record<string, string> {
  const rare = set(random, 0.03, named(`COMPOSE_BAKE=true WORKSPACE=~/work PROJECTS=~/src MY_TEAM=blue`));
  const usual = set(random, 0.35, {
    EDITOR: random.pick(['vim', 'nvim', 'code --wait', 'hx']),
    VISUAL: random.pick(['vim', 'nvim', 'code']),
    PAGER: 'less',
    LESS: '-FRX',
    MANPAGER: 'nvim +Man!',
    BROWSER: random.pick(['firefox', 'google-chrome']),
    ...named(`
      GOPATH=~/go CARGO_HOME=~/.cargo RUSTUP_HOME=~/.rustup BUN_INSTALL=~/.bun DENO_INSTALL=~/.deno
      PNPM_HOME=~/.local/share/pnpm SDKMAN_DIR=~/.sdkman PYENV_ROOT=~/.pyenv RBENV_SHELL=zsh
      ANDROID_HOME=~/Android/Sdk
    `),
    JAVA_HOME: random.pick(['/usr/lib/jvm/java-17-openjdk-amd64', '~/.sdkman/candidates/java/current']),
    FZF_DEFAULT_COMMAND: 'fd --type f',
    FZF_DEFAULT_OPTS: '--height 40%',
    ...named(`
      BAT_THEME=Nord RIPGREP_CONFIG_PATH=~/.ripgreprc HOMEBREW_NO_ANALYTICS=1
      DOTNET_CLI_TELEMETRY_OPTOUT=1 DO_NOT_TRACK=1
    `),
    AWS_PROFILE: `${user}-dev`,
    ...named(`
      KUBE_EDITOR=vim GPG_TTY=/dev/pts/3 OPENAI_API_KEY=hmac:0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f
      GITHUB_TOKEN=hmac:1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f GIT_EDITOR=vim
    `),
    LS_COLORS: `di=${random.hex(4)}`,
    ...named(
      `STARSHIP_CONFIG=~/.config/starship.toml ZDOTDIR=~/.config/zsh DOTFILES=~/dotfiles JQ_COLORS=1;30`,
    ),
  });
  return { ...usual, ...rare };
}

function folders(random: Random, own: readonly string[]): string {
  return [
    ...random.some(own, Math.ceil(own.length / 2), own.length),
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
  ].join(':');
}

function linuxFacts(random: Random, distribution: 'ubuntu' | 'fedora' | 'arch' | 'debian'): Machine['facts'] {
  const isDebian = distribution === 'ubuntu' || distribution === 'debian';
  return {
    'limits.openFiles': random.pick([1024, 1024, 65536]),
    'limits.openFilesHard': random.pick([524288, 1048576]),
    'limits.stack': 8388608,
    'limits.processes': random.pick([62834, 127428, 254912]),
    'process.umask': isDebian ? random.pick(['0002', '0022']) : '0022',
    'process.root': false,
    'cpu.features': cpuFeatures(random),
    'cpu.allowed': random.pick([4, 8, 12, 16]),
    'kernel.inotifyWatches': random.pick([65536, 124898, 524288]),
    'kernel.inotifyInstances': random.pick([128, 512, 1024]),
    'kernel.maxMapCount': random.pick([65530, 1048576]),
    'kernel.overcommit': '0',
    'net.ipv6': true,
    'locale.installed': [
      'C',
      'C.utf8',
      'POSIX',
      'en_US.utf8',
      ...random.some(['de_DE.utf8', 'en_GB.utf8', 'es_ES.utf8'], 0, 3),
    ],
    'time.tzdata': random.pick(['2024a', '2024b', '2025a']),
    'fs.type': random.pick(['ext4', 'btrfs', 'xfs']),
    'fs.caseSensitive': true,
    'fs.symlinks': true,
    'home.default': true,
    'home.writable': true,
    'net.resolvers': [random.pick(['127.0.0.53', '192.168.1.1', '10.0.0.1'])],
    'tls.certificates': random.hex(12),
    'openssl.securityLevel': isDebian ? 2 : 1,
    'program.sh': isDebian ? 'dash' : 'bash',
    'program.awk': isDebian ? random.pick(['mawk', 'GNU']) : 'GNU',
    ...named(
      `program.sed=GNU program.grep=GNU program.tar=GNU program.find=GNU program.date=GNU program.make=GNU`,
    ),
    'fonts.installed': random.hex(12),
    ...(random.chance(0.3) ? { 'git.commit.gpgSign': true } : {}),
    ...(random.chance(0.6) ? { 'git.init.defaultBranch': 'main' } : {}),
    ...(random.chance(0.4) ? { 'git.pull.rebase': 'true' } : {}),
    ...(random.chance(0.2) ? { 'git.core.autocrlf': 'input' } : {}),
    ...(random.chance(0.25) ? { 'git.url.insteadOf': 1 } : {}),
    ...(random.chance(0.4) ? { 'git.lfs': true } : {}),
    ...(random.chance(0.3) ? { 'net.hosts': ['host.docker.internal', `${random.hex(4)}.local`] } : {}),
    ...(random.chance(0.2) ? { 'gpu.driver': 'nvidia 550.90', 'gpu.cuda': '12.4' } : {}),
    ...(random.chance(0.3) ? { 'docker.context': 'desktop-linux' } : {}),
  };
}

function cpuFeatures(random: Random): string[] {
  const base = ['aes', 'avx', 'avx2', 'bmi1', 'bmi2', 'fma', 'popcnt', 'sse4_1', 'sse4_2', 'ssse3'];
  return [...base, ...random.some(['avx512f', 'sha_ni', 'vaes', 'avx_vnni'], 0, 3)].sort();
}

function linuxSystem(random: Random, id: string, version: string, libc: string): Record<string, unknown> {
  return {
    distribution: { id, version },
    libc: { name: 'glibc', version: libc },
    kernel: random.pick(['6.5.0-44', '6.8.0-45', '6.11.4-300']),
    cpu: {
      model: random.pick(['Intel Core i7-1185G7', 'AMD Ryzen 7 PRO', 'Intel Core Ultra 7']),
      count: random.pick([8, 12, 16]),
    },
    memoryTotal: random.pick([16, 32, 64]),
  };
}

function dpkg(random: Random): Record<string, Record<string, string>> {
  const names = 'libc6 libssl3 ca-certificates tzdata locales vim zsh htop libgtk-3-0 snapd'.split(' ');
  return {
    '/var/lib/dpkg/status': Object.fromEntries(
      names
        .filter((name) => !['libc6', 'libssl3', 'ca-certificates', 'tzdata', 'locales'].includes(name))
        .map((name) => [name, `${random.pick(['1', '2', '3'])}.${random.pick(['0', '1', '2'])}-1`]),
    ),
  };
}

function zshLaptop(random: Random, user: string, zone: string): Machine {
  return {
    machineName: `${user}-thinkpad`,
    os: 'linux',
    arch: 'x64',
    envVars: {
      ...personal(random, user),
      ...named(`
        HOME=~ SHELL=/usr/bin/zsh LANG=en_US.UTF-8 ZSH=~/.oh-my-zsh LSCOLORS=Gxfxcxdx HISTSIZE=50000
        SAVEHIST=50000 NVM_DIR=~/.nvm
      `),
      NVM_BIN: `~/.nvm/versions/node/v${random.pick(['20.11.0', '22.11.0'])}/bin`,
      NVM_INC: '~/.nvm/versions/node/include',
      NVM_CD_FLAGS: '-q',
      XDG_CURRENT_DESKTOP: random.pick(['KDE', 'ubuntu:GNOME']),
      XDG_MENU_PREFIX: 'gnome-',
      XDG_DATA_DIRS: '/usr/local/share:/usr/share:/var/lib/snapd/desktop',
      XDG_CONFIG_DIRS: '/etc/xdg',
      DESKTOP_SESSION: random.pick(['plasma', 'ubuntu']),
      ...named(`GTK_MODULES=gail:atk-bridge QT_ACCESSIBILITY=1 QT_IM_MODULE=ibus XMODIFIERS=@im=ibus`),
      LESSOPEN: '| /usr/bin/lesspipe %s',
      LESSCLOSE: '/usr/bin/lesspipe %s %s',
      PATH: folders(random, [
        ...'~/.nvm/versions/node/v22.11.0/bin ~/.local/bin ~/bin ~/.cargo/bin /snap/bin'.split(' '),
        '~/go/bin',
      ]),
    },
    runtimeVersions: tools(random, 10, 18),
    system: linuxSystem(random, 'ubuntu', '24.04', '2.39'),
    locale: 'en_US.UTF-8',
    timezone: zone,
    facts: linuxFacts(random, 'ubuntu'),
    machinePackages: dpkg(random),
  };
}

function fishLaptop(random: Random, user: string, zone: string): Machine {
  const [id, version, libc] = random.pick([
    ['fedora', '41', '2.40'],
    ['arch', 'rolling', '2.41'],
  ] as const);
  return {
    machineName: `${user}-desk`,
    os: 'linux',
    arch: 'x64',
    envVars: {
      ...personal(random, user),
      ...named(`
        HOME=~ SHELL=/usr/bin/fish LANG=en_US.UTF-8 fish_greeting= FNM_DIR=~/.local/share/fnm FNM_ARCH=x64
        FNM_COREPACK_ENABLED=false FNM_LOGLEVEL=info FNM_NODE_DIST_MIRROR=https://nodejs.org/dist
        FNM_RESOLVE_ENGINES=true FNM_VERSION_FILE_STRATEGY=local XDG_CURRENT_DESKTOP=GNOME
        XDG_MENU_PREFIX=gnome-
        XDG_DATA_DIRS=~/.local/share/flatpak/exports/share:/usr/local/share:/usr/share
        GNOME_SHELL_SESSION_MODE=user GDMSESSION=gnome GDM_LANG=en_US.UTF-8
        GTK2_RC_FILES=/etc/gtk-2.0/gtkrc GDK_BACKEND=wayland,x11 MOZ_ENABLE_WAYLAND=1
        QT_QPA_PLATFORM=wayland QT_IM_MODULES=wayland;ibus
        DEBUGINFOD_URLS=https://debuginfod.fedoraproject.org/
      `),
      LC_PAPER: random.pick(['de_DE.UTF-8', 'en_GB.UTF-8']),
      LC_MEASUREMENT: random.pick(['de_DE.UTF-8', 'en_GB.UTF-8']),
      PATH: folders(random, [
        ...'~/.local/share/fnm/aliases/default/bin ~/.local/bin ~/.cargo/bin'.split(' '),
        ...'/usr/lib64/ccache ~/.deno/bin'.split(' '),
      ]),
    },
    runtimeVersions: tools(random, 10, 20),
    system: linuxSystem(random, id, version, libc),
    locale: 'en_US.UTF-8',
    timezone: zone,
    facts: linuxFacts(random, id),
    machinePackages: {},
  };
}

function macLaptop(random: Random, user: string, zone: string): Machine {
  return {
    machineName: `${user}-mbp`,
    os: 'darwin',
    arch: 'arm64',
    envVars: {
      ...personal(random, user),
      HOME: '~',
      SHELL: '/bin/zsh',
      LANG: 'en_US.UTF-8',
      TMPDIR: `/var/folders/${random.hex(2)}/${random.hex(20)}/T/`,
      ...named(`
        HOMEBREW_PREFIX=/opt/homebrew HOMEBREW_CELLAR=/opt/homebrew/Cellar
        HOMEBREW_REPOSITORY=/opt/homebrew INFOPATH=/opt/homebrew/share/info: OSLogRateLimit=64
        ZSH=~/.oh-my-zsh VOLTA_HOME=~/.volta
      `),
      PATH: folders(random, [
        ...'~/.volta/bin /opt/homebrew/bin /opt/homebrew/sbin ~/.cargo/bin'.split(' '),
        '/Applications/iTerm.app/Contents/Resources',
      ]),
    },
    runtimeVersions: tools(random, 10, 18),
    system: {
      distribution: { id: 'macos', version: random.pick(['14.7', '15.1']) },
      kernel: '24.1.0',
      cpu: { model: 'Apple M3', count: 8 },
    },
    locale: 'en_US.UTF-8',
    timezone: zone,
    facts: {
      'limits.openFiles': 'unlimited',
      'limits.stack': 8372224,
      'process.umask': '0022',
      'process.root': false,
      'cpu.features': ['aes', 'asimd', 'crc32', 'sha2'],
      'fs.type': 'apfs',
      'fs.caseSensitive': false,
      'fs.symlinks': true,
      'home.default': true,
      'home.writable': true,
      'tls.certificates': random.hex(12),
      'program.sh': 'bash',
      'program.awk': 'BSD',
      'program.sed': random.chance(0.08) ? 'GNU' : 'BSD',
      ...named(`program.grep=BSD program.tar=BSD program.find=BSD program.date=BSD program.make=GNU`),
      'fonts.installed': random.hex(12),
      'git.core.ignoreCase': true,
      'git.core.precomposeUnicode': true,
      ...(random.chance(0.5) ? { 'git.init.defaultBranch': 'main' } : {}),
      ...(random.chance(0.3) ? { 'git.core.autocrlf': 'input' } : {}),
    },
    machinePackages: {},
  };
}

function wslLaptop(random: Random, user: string, zone: string): Machine {
  return {
    machineName: `DESKTOP-${random.hex(7).toUpperCase()}`,
    os: 'linux',
    arch: 'x64',
    envVars: {
      ...personal(random, user),
      HOME: '~',
      SHELL: '/bin/bash',
      LANG: random.pick(['en_US.UTF-8', 'C.UTF-8']),
      WSL_DISTRO_NAME: 'Ubuntu',
      WSLENV: 'VSCODE_WSL_EXT_LOCATION/up',
      NAME: `DESKTOP-${random.hex(7)}`,
      HISTCONTROL: 'ignoredups:ignorespace',
      LESSOPEN: '| /usr/bin/lesspipe %s',
      XDG_DATA_DIRS: '/usr/local/share:/usr/share:/var/lib/snapd/desktop',
      PATH: folders(random, [
        ...'~/.nvm/versions/node/v22.11.0/bin ~/.local/bin /mnt/c/Windows/system32'.split(' '),
        ...'/mnt/c/Windows /usr/lib/wsl/lib'.split(' '),
      ]),
    },
    runtimeVersions: tools(random, 8, 15),
    system: { ...linuxSystem(random, 'ubuntu', '24.04', '2.39'), wsl: 'WSL2' },
    locale: 'en_US.UTF-8',
    timezone: zone,
    facts: { ...linuxFacts(random, 'ubuntu'), 'fs.type': random.pick(['ext4', '9p']) },
    machinePackages: dpkg(random),
  };
}

const runnerTools: Record<string, string> = {
  ...named(`
    git=2.47.1 docker=26.1.3 kubectl=1.31.2 helm=3.16.2 terraform=1.9.8 aws=2.19.0 az=2.66.0
    gcloud=501.0.0 gh=2.61.0 jq=1.7.1 cmake=3.31.0 gcc=13.2.0 clang=18.1.3 make=4.3 python=3.12.3
    node=20.18.0 npm=10.8.2 ruby=3.2.3 php=8.3.6 java=17.0.13 maven=3.8.8 gradle=8.11 go=1.21.13
    rustc=1.82.0 cargo=1.82.0 perl=5.38.2 openssl=3.0.13 sqlite=3.45.1 pip=24.0 yarn=1.22.22 swift=6.0.2
    julia=1.11.1 bash=5.2.21 ffmpeg=6.1.1
  `),
};

const runnerFacts = (random: Random): Machine['facts'] => ({
  ...linuxFacts(random, 'ubuntu'),
  'limits.openFiles': 65536,
  'process.umask': '0022',
  'git.init.defaultBranch': 'master',
  'git.commit.gpgSign': false,
  'git.pull.rebase': 'false',
  'git.core.autocrlf': 'false',
  'git.url.insteadOf': 0,
  'git.lfs': true,
  'net.hosts': [],
});

function githubRunner(random: Random): Machine {
  return {
    machineName: `fv-az${random.hex(4)}-${random.hex(3)}`,
    os: 'linux',
    arch: 'x64',
    envVars: named(`
        CI=true HOME=~ SHELL=/bin/bash LANG=C.UTF-8 GITHUB_ACTIONS=true
        GITHUB_API_URL=https://api.github.com GITHUB_GRAPHQL_URL=https://api.github.com/graphql
        GITHUB_JOB=test GITHUB_REPOSITORY=acme/app GITHUB_REPOSITORY_ID=8120 GITHUB_REPOSITORY_OWNER=acme
        GITHUB_REPOSITORY_OWNER_ID=99 GITHUB_RETENTION_DAYS=90 GITHUB_SERVER_URL=https://github.com
        GITHUB_WORKFLOW=CI GITHUB_WORKSPACE=~/work/app/app RUNNER_ARCH=X64
        RUNNER_ENVIRONMENT=github-hosted RUNNER_OS=Linux RUNNER_TOOL_CACHE=/opt/hostedtoolcache
        RUNNER_USER=runner RUNNER_WORKSPACE=~/work/app ImageOS=ubuntu24 ImageVersion=20241112.1.0
        ACCEPT_EULA=Y AGENT_TOOLSDIRECTORY=/opt/hostedtoolcache ANDROID_HOME=/usr/local/lib/android/sdk
        ANDROID_NDK=/usr/local/lib/android/sdk/ndk/27 ANDROID_NDK_HOME=/usr/local/lib/android/sdk/ndk/27
        ANDROID_NDK_LATEST_HOME=/usr/local/lib/android/sdk/ndk/27
        ANDROID_NDK_ROOT=/usr/local/lib/android/sdk/ndk/27 ANDROID_SDK_ROOT=/usr/local/lib/android/sdk
        ANT_HOME=/usr/share/ant AZURE_EXTENSION_DIR=/opt/az/azcliextensions
        BOOTSTRAP_HASKELL_NONINTERACTIVE=1 CHROMEWEBDRIVER=/usr/local/share/chromedriver-linux64
        CHROME_BIN=/usr/bin/google-chrome CONDA=/usr/share/miniconda DEBIAN_FRONTEND=noninteractive
        DOTNET_MULTILEVEL_LOOKUP=0 DOTNET_NOLOGO=1 DOTNET_SKIP_FIRST_TIME_EXPERIENCE=1
        EDGEWEBDRIVER=/usr/local/share/edge_driver ENABLE_RUNNER_TRACING=true
        GECKOWEBDRIVER=/usr/local/share/gecko_driver GHCUP_INSTALL_BASE_PREFIX=/usr/local
        GOROOT_1_21_X64=/opt/hostedtoolcache/go/1.21.13/x64
        GOROOT_1_22_X64=/opt/hostedtoolcache/go/1.22.9/x64
        GOROOT_1_23_X64=/opt/hostedtoolcache/go/1.23.3/x64 GRADLE_HOME=/usr/share/gradle-8.11
        HOMEBREW_CLEANUP_PERIODIC_FULL_DAYS=3650 HOMEBREW_NO_AUTO_UPDATE=1
        JAVA_HOME=/usr/lib/jvm/temurin-17-jdk-amd64 JAVA_HOME_11_X64=/usr/lib/jvm/temurin-11-jdk-amd64
        JAVA_HOME_17_X64=/usr/lib/jvm/temurin-17-jdk-amd64
        JAVA_HOME_21_X64=/usr/lib/jvm/temurin-21-jdk-amd64
        JAVA_HOME_8_X64=/usr/lib/jvm/temurin-8-jdk-amd64 LEIN_HOME=/usr/local/lib/lein
        LEIN_JAR=/usr/local/lib/lein/self-installs/leiningen.jar NVM_DIR=~/.nvm PIPX_BIN_DIR=/opt/pipx_bin
        PIPX_HOME=/opt/pipx POWERSHELL_DISTRIBUTION_CHANNEL=GitHub-Actions-ubuntu24
        PSModulePath=~/.local/share/powershell/Modules
        SELENIUM_JAR_PATH=/usr/share/java/selenium-server.jar SGX_AESM_ADDR=1
        SWIFT_PATH=/usr/share/swift/usr/bin USE_BAZEL_FALLBACK_VERSION=silent:
        VCPKG_INSTALLATION_ROOT=/usr/local/share/vcpkg XDG_CONFIG_HOME=~/.config
        PATH=/snap/bin:~/.local/bin:/opt/pipx_bin:~/.cargo/bin:/usr/local/bin:/usr/bin:/bin
      `),
    runtimeVersions: { ...runnerTools },
    system: { ...linuxSystem(random, 'ubuntu', '24.04', '2.39'), virtualisation: 'hyperv' },
    locale: 'C.UTF-8',
    timezone: 'Etc/UTC',
    ci: { provider: 'github-actions', job: 'test' },
    facts: runnerFacts(random),
    machinePackages: dpkg(random),
  };
}

function gitlabRunner(random: Random): Machine {
  return {
    machineName: `runner-${random.hex(8)}-project-1`,
    os: 'linux',
    arch: 'x64',
    envVars: named(`
        CI=true GITLAB_CI=true HOME=~ CI_API_V4_URL=https://gitlab.com/api/v4
        CI_CONFIG_PATH=.gitlab-ci.yml CI_DEFAULT_BRANCH=main CI_JOB_NAME=test CI_JOB_STAGE=test
        CI_JOB_IMAGE=node:22 CI_NODE_TOTAL=1 CI_PAGES_DOMAIN=gitlab.io CI_PROJECT_DIR=/builds/acme/app
        CI_PROJECT_ID=1 CI_PROJECT_NAME=app CI_PROJECT_NAMESPACE=acme CI_PROJECT_PATH=acme/app
        CI_PROJECT_URL=https://gitlab.com/acme/app CI_REGISTRY=registry.gitlab.com
        CI_REGISTRY_IMAGE=registry.gitlab.com/acme/app CI_RUNNER_EXECUTABLE_ARCH=linux/amd64
        CI_RUNNER_VERSION=17.5.0 CI_SERVER=yes CI_SERVER_HOST=gitlab.com CI_SERVER_NAME=GitLab
        CI_SERVER_URL=https://gitlab.com CI_SERVER_VERSION=17.6.0-pre GITLAB_FEATURES=audit_events
        FF_USE_FASTZIP=true PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
      `),
    runtimeVersions: named(
      `git=2.39.5 bash=5.2.15 perl=5.36.0 python=3.11.2 gcc=12.2.0 make=4.3 openssl=3.0.15 curl=7.88.1`,
    ),
    system: { ...linuxSystem(random, 'debian', '12', '2.36'), container: 'docker' },
    locale: 'C',
    timezone: 'Etc/UTC',
    ci: { provider: 'gitlab-ci', job: 'test' },
    facts: { ...runnerFacts(random), 'process.root': true, 'limits.openFiles': 1048576 },
    machinePackages: dpkg(random),
  };
}

function circleRunner(random: Random): Machine {
  return {
    machineName: random.hex(12),
    os: 'linux',
    arch: 'x64',
    envVars: named(`
        CI=true CIRCLECI=true HOME=~ CIRCLE_BRANCH=main CIRCLE_JOB=test CIRCLE_NODE_INDEX=0
        CIRCLE_NODE_TOTAL=1 CIRCLE_PROJECT_REPONAME=app CIRCLE_PROJECT_USERNAME=acme
        CIRCLE_REPOSITORY_URL=git@github.com:acme/app.git CIRCLE_WORKING_DIRECTORY=~/project LANG=C.UTF-8
        LC_ALL=C.UTF-8 PATH=~/bin:~/.yarn/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
      `),
    runtimeVersions: named(
      `git=2.47.0 docker=27.3.1 jq=1.7.1 make=4.3 gcc=13.2.0 bash=5.2.21 openssl=3.0.13 curl=8.5.0`,
    ),
    system: { ...linuxSystem(random, 'ubuntu', '24.04', '2.39'), container: 'docker' },
    locale: 'C.UTF-8',
    timezone: 'Etc/UTC',
    ci: { provider: 'circleci', job: 'test' },
    facts: { ...runnerFacts(random), 'limits.openFiles': 1048576 },
    machinePackages: dpkg(random),
  };
}

function container(random: Random, zone: string): Machine {
  return {
    machineName: random.hex(12),
    os: 'linux',
    arch: 'x64',
    envVars: {
      HOME: '~',
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      LANG: 'C.UTF-8',
      ...set(random, 0.6, {
        NODE_VERSION: '22.11.0',
        YARN_VERSION: '1.22.22',
        GPG_KEY: random.hex(12),
        PYTHON_SHA256: random.hex(16),
        PYTHON_VERSION: '3.12.7',
      }),
    },
    runtimeVersions: { git: '2.39.5', bash: '5.2.15', perl: '5.36.0', openssl: '3.0.15', curl: '7.88.1' },
    system: { ...linuxSystem(random, 'debian', '12', '2.36'), container: 'docker' },
    locale: 'C.UTF-8',
    timezone: random.chance(0.7) ? 'Etc/UTC' : zone,
    facts: {
      ...linuxFacts(random, 'debian'),
      'process.root': true,
      'limits.openFiles': 1048576,
      'git.commit.gpgSign': false,
    },
    machinePackages: dpkg(random),
  };
}
