// Facts about the configuration of package managers and build tools, as their files set it. Never a credential.

import { by, factTable } from './fact.ts';
import { javascriptToolFacts } from './javascript-tools.ts';
import { everywhere, onLinux } from './origin.ts';
import { pythonToolFacts } from './python-tools.ts';
import { addresses, from, settingOnly, settingsOf } from './tool-setting.ts';

const cargoConfig = '.cargo/config.toml of the folder, those above it, and the home folder';
const goEnv = 'go/env in the user’s configuration folder, as “go env -w” writes it';
const mavenSettings = '~/.m2/settings.xml';
const gradleProperties = 'gradle.properties of the folder and of ~/.gradle';
const bundleConfig = '.bundle/config of the folder and of the home folder';
const go = settingsOf('go', ['go']);

export const toolFacts = factTable({
  ...javascriptToolFacts,
  ...pythonToolFacts,
  'cargo.registries': {
    ...from(cargoConfig, ['cargo']),
    what: 'Registries and replaced sources that cargo downloads crates from.',
    kind: 'set',
    unset: 'crates.io',
    weight: 'likely',
    ...addresses,
  },
  'cargo.target': {
    ...from(cargoConfig, ['cargo'], 'CARGO_BUILD_TARGET'),
    what: 'The platform that cargo builds for by default.',
    unset: 'host',
    weight: 'likely',
  },
  'cargo.flags': {
    ...from(cargoConfig, ['cargo']),
    what: 'Flags of the compiler and linkers that cargo adds to every build.',
    freeText: true,
    kind: 'list',
    unset: 'none',
    weight: 'likely',
  },
  'go.flags': {
    ...go('GOFLAGS', 'GOFLAGS'),
    what: 'Options that every go command takes.',
    freeText: true,
    unset: 'none',
    weight: 'likely',
  },
  'go.proxy': {
    ...from(goEnv, ['go'], 'GOPROXY'),
    what: 'Where go downloads modules from.',
    unset: 'proxy.golang.org,direct',
    weight: 'likely',
    ...addresses,
  },
  'go.private': {
    ...go('GOPRIVATE', 'GOPRIVATE'),
    what: 'Modules that go downloads without proxy and checksum database.',
    unset: 'none',
    weight: 'possible',
    reveals: 'Patterns of private modules’ paths.',
    namesHosts: true,
  },
  'go.settings': {
    ...go(
      'CGO_ENABLED GOTOOLCHAIN GOSUMDB GONOSUMDB GONOPROXY GONOSUMCHECK GOINSECURE GOVCS GOARCH GOOS GOAMD64 GOARM ' +
        'GOEXPERIMENT GO111MODULE GOWORK CC CXX CGO_CFLAGS CGO_LDFLAGS',
    ),
    what: 'Other settings of go, e.g. CGO_ENABLED, GOTOOLCHAIN, GOSUMDB.',
    freeText: true,
    kind: 'set',
    unset: 'none',
    weight: 'possible',
    namesHosts: 'in part',
  },
  'go.workspace': {
    ...from('go.work of the folder or of one above it, or the file that GOWORK names', ['go']),
    what: 'Modules that a go.work puts in place of the versions that go.mod selects.',
    kind: 'set',
    unset: 'none',
    weight: 'likely',
    repair: by('switch the workspace off', 'export GOWORK=off'),
    reveals: 'Paths and names of the modules.',
  },
  'maven.mirrors': {
    ...from(mavenSettings, ['maven']),
    what: 'Repositories that Maven asks in place of others.',
    kind: 'set',
    unset: 'none',
    weight: 'likely',
    ...addresses,
  },
  'maven.profiles': {
    ...from(mavenSettings, ['maven']),
    what: 'Profiles that are active for every build.',
    kind: 'set',
    unset: 'none',
    weight: 'possible',
  },
  'gradle.jvmArguments': {
    ...settingsOf('gradle', ['maven'])('org.gradle.jvmargs'),
    what: 'Options of the Java process that runs builds, such as its memory.',
    counts: { when: 'not sizes alone' },
    freeText: true,
    unset: 'default',
    weight: 'likely',
    namesHosts: 'in part',
  },
  'gradle.properties': {
    ...from(gradleProperties, ['maven']),
    what: 'Other settings of Gradle (org.gradle.*).',
    freeText: true,
    kind: 'set',
    unset: 'none',
    weight: 'possible',
    namesHosts: 'in part',
  },
  'gradle.initScripts': {
    ...from('~/.gradle/init.d and ~/.gradle/init.gradle(.kts)', ['maven']),
    what: 'How many scripts change every build of the user.',
    kind: 'number',
    unset: '0',
    weight: 'possible',
    reveals: 'How many there are, nothing of their content.',
  },
  'bundler.settings': {
    ...from(bundleConfig, ['rubygems']),
    what: 'Settings of Bundler that change what is installed, e.g. without, path, frozen.',
    counts: { when: 'not sizes alone' },
    freeText: true,
    kind: 'set',
    unset: 'none',
    weight: 'likely',
    namesHosts: 'in part',
  },
  'gem.sources': {
    ...from('~/.gemrc and /etc/gemrc', ['rubygems']),
    what: 'Where gem downloads packages from.',
    kind: 'list',
    unset: 'rubygems.org',
    weight: 'likely',
    ...addresses,
  },
  'composer.repositories': {
    ...from('config.json in Composer’s home folder', ['composer']),
    what: 'Where Composer looks for packages besides the project’s own.',
    kind: 'set',
    unset: 'packagist.org',
    weight: 'likely',
    ...addresses,
  },
  'nuget.sources': {
    ...from('NuGet.Config of the user', ['nuget']),
    what: 'Where NuGet looks for packages besides the project’s own.',
    kind: 'set',
    unset: 'api.nuget.org',
    weight: 'likely',
    ...addresses,
  },
  'docker.context': {
    read: everywhere('~/.docker/config.json'),
    what: 'Which Docker engine commands go to, by the name of the context.',
    unset: 'default',
    counts: { when: 'asked for' },
    weight: [{ weight: 'slight' }],
    apply: { by: 'variable', name: 'DOCKER_CONTEXT' },
    reveals: 'The name of the context.',
    namesHosts: true,
  },
  'docker.engine': {
    read: { linux: '/etc/docker/daemon.json', macos: '~/.docker/daemon.json', windows: null },
    what: 'Settings of the Docker engine that change builds and containers, e.g. the storage driver.',
    freeText: true,
    kind: 'set',
    unset: 'none',
    counts: 'never',
    weight: 'possible',
    reveals: settingOnly,
    namesHosts: 'in part',
  },
  'curl.config': {
    read: { linux: '~/.curlrc', macos: '~/.curlrc', windows: '~/_curlrc' },
    what: 'Options that every run of curl takes, by their names.',
    kind: 'set',
    unset: 'none',
    counts: { when: 'asked for' },
    weight: 'possible',
    reveals: 'Names of the options, not their values.',
  },
  'docker.credentialHelper': {
    read: everywhere('credsStore in ~/.docker/config.json, against the search path'),
    repair: {
      true: by('install the program that credsStore names, or take credsStore out of ~/.docker/config.json'),
    },
    reveals: settingOnly,
    what: 'Whether the program is there that Docker asks for passwords; without it, not even public images can be fetched.',
    kind: 'flag',
    unset: 'true',
    weight: 'likely',
  },
  'java.trustStore': {
    read: {
      linux: 'lib/security/cacerts of the Java on the search path',
      macos: 'the same file',
      windows: 'the same file',
    },
    what: 'Certificates that Java trusts: how many where the store says it, else “present”; “none” for an empty store.',
    counts: { when: 'none on one side' },
    weight: [{ counted: false, weight: 'slight' }, { weight: 'strong' }],
    repair: by(
      'give Java the same certificates (the package ca-certificates-java, or the JDK’s own lib/security/cacerts)',
    ),
    reveals: settingOnly,
  },
  'java.security': {
    read: {
      linux: 'conf/security/java.security of the Java on the search path',
      macos: 'the same file',
      windows: 'the same file',
    },
    what: 'Digest of Java’s rules for algorithms and protocols, without comments.',
    kind: 'digest',
    counts: { when: 'one distribution' },
    weight: [{ counted: false, weight: 'slight' }, { weight: 'possible' }],
    follows: 'java',
    reveals: settingOnly,
  },
  'imagemagick.policy': {
    read: onLinux('/etc/ImageMagick-7/policy.xml or /etc/ImageMagick-6/policy.xml'),
    what: 'Digest of what ImageMagick’s policy forbids.',
    kind: 'digest',
    counts: { when: 'one distribution' },
    weight: 'possible',
    reveals: settingOnly,
  },
});
