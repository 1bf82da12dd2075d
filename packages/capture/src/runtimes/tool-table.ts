// How to find and run every tool that a capture looks for. The catalogue describes the tools; `shims/` follows version managers.

import { tableRows } from '@envsnap/shared/text/table-rows';
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

/**
 * Names (`name=program,program` where the programs are called otherwise), arguments, how it is started, where its
 * version is, and the pattern of its output. How: `heavy`, `large`, `homeless` (without a home folder) and `files`
 * (never started) as in {@link Tool}; `deb` where the Debian package of its name has its version, `deb:NAME` for
 * another one. Debian's `chromium` starts ten other programs; `bazel` may be Bazelisk, which downloads the Bazel that
 * is asked for. Where: `npm` and `pip` for the package of its name, `npm:NAME,NAME` for others, `text:` a file beside
 * the program.
 */
const rows = tableRows(String.raw`
  node=node,nodejs bun deno ruby python=python3,python julia gleam nim crystal racket sbcl pnpm
    yarn=yarn,yarnpkg cargo uv pixi opam flatpak rpm direnv protoc autoconf automake bison ccache just dune
    runc qemu=qemu-img,qemu-system-x86_64 memcached nu ripgrep=rg
  apt make=make,gmake cmake=cmake,cmake3 bash zsh jq | | deb
  ninja=ninja,ninja-build | | deb:ninja-build
  pkg-config=pkg-config,pkgconf | | deb:pkgconf-bin
  groovy clojure=clojure,clj dotnet erlang=erl elixir flutter conda mamba cocoapods=pod nuget vcpkg choco
    scoop n nvm= sdkman= pyenv rbenv nodenv jenv goenv tfenv gradle sbt leiningen=lein rebar3 fastlane
    vagrant az safari= | | files
  rustc gem maven=mvn | | heavy
  rye micromamba zypper winget mise volta fnm juliaup proto wasm-pack sccache buf git-lfs jj podman buildah
    skopeo nerdctl containerd lima=limactl colima flux terragrunt packer gh glab duckdb redis-cli
    geckodriver fish pandoc | | homeless
  git gpg | | homeless deb
  sqlite=sqlite3 | | homeless deb:sqlite3
  bundler=bundle,bundler dnf=dnf,dnf5 docker aws clickhouse=clickhouse-client,clickhouse
    chrome=google-chrome,google-chrome-stable edge=microsoft-edge,microsoft-edge-stable
    brave=brave-browser,brave firefox=firefox,firefox-esr chromedriver powershell=pwsh | | homeless heavy
  chromium=chromium,chromium-browser | | homeless heavy deb
  ghc | --numeric-version
  graphviz=dot | -V
  php | -n -v
  lua=lua,lua5.4,lua5.3,lua5.1 luajit nasm | -v
  ocaml swig | -version
  zig | version
  curl | --disable --version | deb
  wget | --no-config --version | deb
  nginx | -v | deb
  scala=scala,scalac,scala3 ant | -version | heavy
  stack cabal ghcup | --numeric-version | homeless
  subversion=svn | --version --quiet | homeless
  devbox docker-buildx kustomize skaffold tilt k3d vault consul nomad pulumi doctl flyctl=flyctl,fly eksctl
    | version | homeless
  argocd | version --client --short | homeless
  minikube | version --short | homeless
  caddy | version | homeless deb
  etcdctl | version | homeless deb:etcd-client
  docker-compose helm | version --short | homeless heavy

  npm | | | npm
  coffeescript=coffee corepack heroku lerna nx serverless=serverless,sls turbo typescript=tsc
    vercel=vercel,vc wrangler | | files | npm
  mongosh | | homeless heavy | npm
  meson scons yq | | | pip
  conan | | files | pip
  pip=pip3,pip | | heavy | pip
  pipenv pipx | | homeless | pip
  mercurial=hg | --version --quiet | homeless | pip
  hatch pdm poetry | | homeless heavy | pip
  cdk | | files | npm:aws-cdk
  firebase | | files | npm:firebase-tools
  netlify=netlify,ntl | | files | npm:netlify-cli
  ansible | | files | pip:ansible-core,ansible-base
  sam | | files | pip:aws-sam-cli
  gcloud | | files | text:../VERSION
  kotlin=kotlinc,kotlin | | files | text:../build.txt
  dart | | files | text:../version
  asdf | | homeless | text:../version.txt
  emcc | | files | text:emscripten-version.txt

  apk | | | | apk-tools (\d[^,\s]*)
  clang | | | | clang version (\d[\w.]*)
  cpanm | | | | version (\d\S+)
  flex | | | | flex (\d\S+)
  gcc g++ gfortran | | | | ^\S+ \(.*\) (\d+(?:\.\d+)+)
  ld | | | | ^GNU ld .{0,200}?(\d+\.\d[\d.]*)$
  libtool | | | | libtool\) (\d\S+)
  lld=ld.lld,lld | | | | LLD (\d[\w.]*)
  m4 | | | | m4[^\n]{0,100} (\d\S+)
  nix | | | | \) (\d\S+)
  nvcc | | | | release [\d.]+, V(\d[\d.]*)
  pacman | | | | Pacman v(\d\S+)
  postgres | | | | PostgreSQL\) (\d+(?:\.\d+)*\w*)
  pypy=pypy3,pypy | | | | PyPy (\d[\w.]+)
  python2=python2 | | | | ^Python (2\.\S+)
  redis-server | | | | v=(\d\S+)
  shellcheck | | | | version: (\d\S+)
  task | | | | Task version: v?(\d\S+)
  dpkg rsync | | deb | | version (\d\S+)
  brew | | heavy | | Homebrew (\d\S+)
  psql | | heavy | | PostgreSQL\) (\d+(?:\.\d+)*\w*)
  r=Rscript,R | | heavy | | version (\d+\.\d+\.\d+)
  adb | | homeless | | Version (\d[\d.]*)
  guix | | homeless | | \) (\d\S+)
  luarocks | | homeless | | luarocks\S{0,40} (\d\S+)
  mariadb | | homeless | | (?:Distrib|from) (\d+\.\d+\.\d+)
  mongod | | homeless | | db version v(\d\S+)
  mysql | | homeless | | (?:Ver|Distrib) (\d+\.\d+\.\d[^\s,]*)[, ]
  rustup | | homeless | | ^rustup (\d\S+)
  virtualbox=VBoxManage,vboxmanage | | homeless | | ^(\d+\.\d+\.\d+)
  watchman | | homeless | | ^(\d\S+)$
  valgrind | | homeless deb | | valgrind-(\d\S*)
  bazel | | homeless heavy | | ^bazel (\d\S+)
  swift | | homeless heavy | | Swift version (\d[\w.-]*)
  apache=apache2,httpd | -v | | | Apache\/(\d\S+)
  ffmpeg | -version | | | ffmpeg version n?(\d[^\s-]*)
  port | version | | | Version: (\d\S+)
  gdb | --nx --version | deb | | ^GNU gdb .{0,200}?(\d+\.\d[\d.]*)$
  openssl | version | deb | | SSL (\d[\w.]*)
  openssh=ssh | -V | deb:openssh-client | | OpenSSH_(?:for_Windows_)?(\d+\.\d+\w*)
  perl | -v | deb:perl-base | | \(v(\d[\d.]+)\)
  java | -version | heavy | | version "([^"]+)"
  javac | -version | heavy | | javac (\d\S*)
  xcodebuild | -version | heavy | | Xcode (\d[\d.]*)
  imagemagick=magick,identify | -version | homeless | | ImageMagick (\d\S+)
  go | version | homeless | | \bgo(\d+\.\d+\S*)
  hugo | version | homeless | | v(\d+\.\d+\.\d+)
  kind | version | homeless | | kind v(\d\S+)
  composer | --version --no-ansi --no-interaction --no-plugins | homeless heavy
    | | Composer (?:version )?(\d\S+)
  kubectl | version --client | homeless heavy | | v(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)[.\d]*)?)
  terraform | version | homeless large | | Terraform v(\d\S+)
  tofu | version | homeless large | | OpenTofu v(\d\S+)
`);

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
export const toolTable: readonly Tool[] = rows.flatMap(([names = '', args, how = '', files, ...pattern]) =>
  names.split(' ').map((named): Tool => {
    const [name = '', programs = name] = named.split('=');
    const words = how.split(' ');
    const deb = words.find((word) => /^deb\b/.test(word));
    const printed = pattern.join('|');
    return {
      name,
      executables: programs.split(',').filter(Boolean),
      ...(args && { args: args.split(' ') }),
      ...(files && { files: readerOf(files, name) }),
      ...(printed && { pattern: new RegExp(printed, 'm') }),
      ...(deb && { debianPackage: deb.split(':')[1] ?? name }),
      filesOnly: words.includes('files'),
      withoutHome: words.includes('homeless'),
      heavy: words.includes('large') ? 'large' : words.includes('heavy'),
      ...more[name],
    };
  }),
);

function readerOf(cell: string, name: string): VersionFromFiles {
  const [kind, what = name] = cell.split(':');
  if (kind === 'text') return textFile(what);
  return (kind === 'npm' ? packageJson : pythonDistribution)(...what.split(','));
}
