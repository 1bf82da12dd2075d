// How to find and run every tool that a capture looks for. The catalogue describes the tools; `shims/` follows version managers.

import { onlyPostgresqlClient } from './debian-record.ts';
import * as layouts from './installed-versions.ts';
import { mavenCoreJar } from './jar-version.ts';
import { pythonDistribution } from './python-distribution.ts';
import {
  entryName,
  firstOf,
  ownText,
  packageJson,
  pathText,
  type Tool,
  textFile,
  type VersionFromFiles,
} from './tool.ts';
import rows from './tool-table.json' with { type: 'json' };

/** Tools that are found and run in the same way. */
interface ToolRow {
  /** Names: `name=program,program` where the programs have other names. */
  readonly tools: readonly string[];
  readonly args?: readonly string[];
  /**
   * How they are started: `heavy`, `large`, `homeless` (without a home folder), `compiled` (never a script) and `files` (never
   * started) as in {@link Tool}; `deb` where the Debian package of its name has its version, `deb:NAME` for another one. Debian's
   * `chromium` starts ten other programs; `bazel` may be Bazelisk, which downloads the Bazel that is asked for.
   */
  readonly how?: readonly string[];
  /**
   * Where the version is: `npm` and `pip` for the package of the tool's name, `npm:NAME,NAME` for others, `text:` a
   * file beside the program.
   */
  readonly files?: string;
  /** Finds the version in the output. */
  readonly pattern?: string;
}

/** `/usr/bin/x86_64-linux-gnu-gcc-12` is the binary of `gcc-12`. */
const gnuCompiler = {
  debianPackage: (realPath: string) => /-((?:gcc|g\+\+|gfortran)-\d+)$/.exec(realPath)?.[1],
};

/** Where Docker looks for its plugins. */
function dockerPlugin(name: string): Partial<Tool> {
  const roots = ['~/.docker', '/usr/local/lib/docker', '/usr/local/libexec/docker', '/usr/lib/docker'];
  const places = [...roots, '/usr/libexec/docker'].map((root) => `${root}/cli-plugins/${name}`);
  return { places: { linux: places, darwin: places } };
}

/** A script that a shell loads, so it is not on the search path. */
function shellScript(variable: string, home: string, script: string, files: VersionFromFiles): Partial<Tool> {
  const places = [`$${variable}/${script}`, `~/${home}/${script}`];
  return { places: { linux: places, darwin: places }, files };
}

/** rbenv and its relatives have the version in the script that prints it. */
function scriptVersion(name: string): VersionFromFiles {
  const pattern = /^version="v?(\d[^"]*)"/m;
  return firstOf(textFile(`${name}---version`, pattern), textFile(`../libexec/${name}---version`, pattern));
}

function chromiumFamily(macName: string, windowsFolder: string, windowsProgram: string): Partial<Tool> {
  const windowsRoots = ['C:\\Program Files', 'C:\\Program Files (x86)', '~\\AppData\\Local'];
  return {
    places: {
      darwin: [`/Applications/${macName}.app/Contents/MacOS/${macName}`],
      win32: windowsRoots.map((root) => `${root}\\${windowsFolder}\\Application\\${windowsProgram}`),
    },
    files: firstOf(layouts.macApplication, layouts.versionedSibling),
  };
}

/** The JDK's file, also above a `jre` folder. */
const jdkRelease: Partial<Tool> = {
  files: firstOf(
    ...['../release', '../../release'].map((file) => textFile(file, /^JAVA_VERSION="([^"]+)"/m)),
  ),
};

const condaRecord: Partial<Tool> = {
  files: firstOf(
    ...['../conda-meta', 'conda-meta'].map((folder) => entryName(folder, /^conda-(\d[^-]*)-[^-]+\.json$/)),
  ),
};

/** Corepack's cache folder has the version of a Yarn that is a single file without a manifest. */
const corepackFolder = pathText(/\/corepack\/v1\/\w+\/([^/]+)\//);

/** Probes that a row cannot describe. */
const more: Readonly<Record<string, Partial<Tool>>> = {
  node: { files: layouts.nodeHeader },
  rustc: { files: layouts.rustManifest },
  cargo: { files: layouts.rustManifest },
  python: {
    places: { win32: ['$SystemRoot\\py.exe', '~\\AppData\\Local\\Programs\\Python\\Launcher\\py.exe'] },
    files: pathText(/\/\.pyenv\/versions\/(\d+\.\d+\.\d+)\/bin\//),
  },
  go: { files: textFile('../VERSION', /^go(\d\S*)/) },
  java: jdkRelease,
  javac: jdkRelease,
  scala: {
    files: firstOf(
      textFile('../VERSION'),
      entryName('../lib', /^scala3?-compiler(?:_3)?-(.+)\.jar$/),
      entryName('../maven2/org/scala-lang/scala3-compiler_3', /^(\d.+)$/),
    ),
  },
  groovy: { files: entryName('../lib', /^groovy-(\d.+)\.jar$/) },
  clojure: { files: ownText(/^version=(\S+)/m) },
  dotnet: { files: layouts.dotnetSdk },
  julia: { files: pathText(/\/julia-(\d+\.\d+\.\d[^/]*)\/bin\//) },
  erlang: { files: layouts.beamRelease },
  elixir: {
    files: firstOf(
      ...['..', '/usr/lib/elixir', '/usr/local/lib/elixir'].map((root) =>
        textFile(`${root}/lib/elixir/ebin/elixir.app`, /\{vsn, *"([^"]+)"\}/),
      ),
    ),
  },
  flutter: {
    files: firstOf(
      textFile('../version'),
      textFile('cache/flutter.version.json', /"frameworkVersion": *"([^"]+)"/),
    ),
  },
  pnpm: { files: firstOf(packageJson('pnpm', '@pnpm/exe'), corepackFolder) },
  yarn: { files: firstOf(packageJson('yarn', '@yarnpkg/cli-dist'), corepackFolder) },
  conda: condaRecord,
  mamba: condaRecord,
  gem: { files: layouts.rubygemsLibrary },
  bundler: { files: layouts.gemVersion('bundler') },
  cocoapods: { files: layouts.gemVersion('cocoapods') },
  composer: { env: { COMPOSER_ALLOW_SUPERUSER: '1' } },
  mise: { env: { MISE_OFFLINE: '1' } },
  n: { files: ownText(/^VERSION="v?(\d[^"]*)"/m) },
  nvm: shellScript('NVM_DIR', '.nvm', 'nvm.sh', textFile('package.json', /"version": *"([^"]+)"/)),
  sdkman: shellScript('SDKMAN_DIR', '.sdkman', 'bin/sdkman-init.sh', textFile('../var/version')),
  pyenv: { files: scriptVersion('pyenv') },
  rbenv: { files: scriptVersion('rbenv') },
  nodenv: { files: scriptVersion('nodenv') },
  jenv: { files: scriptVersion('jenv') },
  goenv: { files: firstOf(textFile('../APP_VERSION'), scriptVersion('goenv')) },
  // With a writable home folder it would write its settings, and start rustc to print a note.
  rustup: { env: { RUSTUP_HOME: '/dev/null/none', RUSTUP_TOOLCHAIN: 'none', RUSTUP_AUTO_INSTALL: '0' } },
  tfenv: { files: firstOf(textFile('../VERSION'), textFile('../CHANGELOG.md', /^## (\d\S+)/m)) },
  gcc: gnuCompiler,
  'g++': gnuCompiler,
  gfortran: gnuCompiler,
  nvcc: { files: textFile('../version.json', /"cuda_nvcc"\s*:\s*\{[^}]{0,300}"version"\s*:\s*"(\d[\d.]*)/) },
  ld: {
    debianPackage: (realPath) =>
      `binutils-${/(?<![^/])([^/]+)-ld\.bfd$/.exec(realPath)?.[1]?.replaceAll('_', '-')}`,
  },
  maven: { files: firstOf(entryName('../lib', /^maven-core-(.+)\.jar$/), mavenCoreJar) },
  gradle: {
    files: firstOf(
      entryName('../lib', /^gradle-(?:core|launcher|runtime-api-info)-(\d.+)\.jar$/),
      pathText(/\/gradle-(\d[^/]*)\/bin\//),
    ),
  },
  ant: {
    files: firstOf(entryName('../lib', /^ant-(\d.+)\.jar$/), pathText(/\/apache-ant-(\d[^/]*)\/bin\//)),
  },
  sbt: { files: ownText(/^declare (?:-r )?init_sbt_version="?(\d[^"\s]*)/m) },
  leiningen: { files: ownText(/^export LEIN_VERSION="(\d[^"]*)"/m) },
  'docker-compose': dockerPlugin('docker-compose'),
  'docker-buildx': dockerPlugin('docker-buildx'),
  kubectl: {
    files: layouts.googleComponent('kubectl'),
    // Google's dispatcher asks the server even for the client's version: so it gets a port on which nothing listens.
    env: { KUBECONFIG: undefined, KUBERNETES_MASTER: 'http://127.0.0.1:9' },
  },
  vagrant: { files: entryName('../embedded/gems/gems', /^vagrant-(\d.+)$/) },
  aws: { files: firstOf(pathText(/\/aws-cli\/v2\/(\d[^/]*)\//), pythonDistribution('awscli')) },
  az: {
    files: firstOf(
      pythonDistribution('azure-cli'),
      entryName('../lib/python3/site-packages', /^azure_cli-(\d.+)\.dist-info$/),
    ),
  },
  psql: { files: onlyPostgresqlClient },
  postgres: {
    debianPackage: (realPath) => {
      const major = /^\/usr\/lib\/postgresql\/(\d+)\/bin\/postgres$/.exec(realPath)?.[1];
      return major && `postgresql-${major}`;
    },
  },
  chromium: chromiumFamily('Chromium', 'Chromium', 'chrome.exe'),
  chrome: chromiumFamily('Google Chrome', 'Google\\Chrome', 'chrome.exe'),
  edge: chromiumFamily('Microsoft Edge', 'Microsoft\\Edge', 'msedge.exe'),
  brave: chromiumFamily('Brave Browser', 'BraveSoftware\\Brave-Browser', 'brave.exe'),
  firefox: {
    places: {
      darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
      win32: ['C:\\Program Files\\Mozilla Firefox\\firefox.exe'],
    },
    files: firstOf(layouts.macApplication, textFile('application.ini', /^Version=(\S+)/m)),
  },
  safari: {
    places: { darwin: ['/Applications/Safari.app/Contents/MacOS/Safari'] },
    files: layouts.macApplication,
  },
  ripgrep: { env: { RIPGREP_CONFIG_PATH: undefined } },
};

/** Names are unique, and each has its row in the catalogue. */
export const toolTable: readonly Tool[] = (rows as readonly ToolRow[]).flatMap(
  ({ tools, args, how = [], files, pattern }) =>
    tools.map((named): Tool => {
      const [name = '', programs = name] = named.split('=');
      const deb = how.find((word) => /^deb\b/.test(word));
      return {
        name,
        executables: programs.split(',').filter(Boolean),
        ...(args && { args }),
        ...(files && { files: readerOf(files, name) }),
        ...(pattern && { pattern: new RegExp(pattern, 'm') }),
        ...(deb && { debianPackage: deb.split(':')[1] ?? name }),
        filesOnly: how.includes('files'),
        withoutHome: how.includes('homeless'),
        compiled: how.includes('compiled'),
        heavy: how.includes('large') ? 'large' : how.includes('heavy'),
        ...more[name],
      };
    }),
);

function readerOf(cell: string, name: string): VersionFromFiles {
  const [kind, what = name] = cell.split(':');
  if (kind === 'text') return textFile(what);
  return (kind === 'npm' ? packageJson : pythonDistribution)(...what.split(','));
}
