// Differences that break programs. Of each class (the checkout, packages, Python, the user, the system, the process, variables) every
// other one was looked at while the rules were made (`tuned`); the rest were not (`heldOut`), and show what the rules are worth.

import {
  config,
  type Injection,
  injectionsOf,
  inProject,
  ofMachine,
  overlay,
  startedBy,
  withVariable,
} from './injection.ts';

/** A file in the place of another one. */
const inPlaceOf = (name: string, path: string, content: string, ...seen: string[]): Injection => ({
  name: `project: ${name}`,
  setup: `printf -- '${content}' >"$WORK/file"; mount --bind "$WORK/file" ${path}`,
  seen,
  also: ['facts:net.hosts'],
});

const site = '.venv/lib/python3*/site-packages';

export const tuned: readonly Injection[] = [
  inProject('a changed source', 'echo changed >>src/index.js', 'checkout:changed/src/index.js'),
  inProject('a lost file', 'rm src/index.js', 'checkout:changed/src/index.js'),
  inProject('other line ends', "sed -i 's/$/\\r/' run.sh", 'checkout:changed/run.sh'),
  inProject('a lost executable bit', 'chmod -x run.sh', 'checkout:changed/run.sh'),
  inProject('an output that is gone', 'rm -r dist', 'checkout:output/dist/index.js'),
  inProject('nothing installed', 'rm -rf node_modules', 'installed:package-lock.json'),
  inProject('no programs', 'rm -r node_modules/.bin', 'installed:package-lock.json/.bin'),
  inProject('a package missing', `rm -r ${site}/requests*`, 'installed:requirements.txt/requests'),
  config('$HOME/.npmrc', 'prefix=/opt/global', 'npm.prefix'),
  config('$HOME/.gitconfig', '[user]\n name = t\n email = t@example.org', 'git.identity'),
  config('$HOME/.npmrc', 'https-proxy=http://proxy.example:3128', 'net.proxies'),
  inPlaceOf('no certificates', '/etc/ssl/certs/ca-certificates.crt', '', 'facts:tls.certificates'),
  inPlaceOf('localhost without IPv4', '/etc/hosts', '::1 localhost\\n', 'facts:net.localhost'),
  startedBy('the processor named otherwise', ['setarch', 'i686'], 'facts:process.personality'),
  withVariable('NODE_ENV', 'production'),
  withVariable('PYTHONPATH', '/opt/own'),
  withVariable('LC_ALL', 'C'),
  withVariable('LD_LIBRARY_PATH', '/opt/corp/lib'),
  withVariable('SSL_CERT_FILE', '/etc/corp.pem'),
  withVariable('CI', 'true'),
  { ...config('$PROJECT/.env', 'A=1\r', 'dotenv.lineEnds'), also: ['checkout:changed/.env', 'env:.env:A'] },
  ofMachine('no time zones', 'mount -t tmpfs tmpfs /usr/share/zoneinfo', 'facts:time.tzdata'),
  inProject('a merge that is not finished', 'git rev-parse HEAD >.git/MERGE_HEAD', 'checkout:operation'),
  inProject('a name in other case', 'mv src/index.js src/Index.js', 'checkout:changed/src/index.js'),
  inProject('a program of a package gone', 'rm node_modules/zod/index.js', 'installed:package-lock.json/zod'),
  inProject('a package that no requirement asks for', `cd ${site}; mkdir ghost-1.0.dist-info ghost`, '*'),
  inProject('a module that hides one of Python', 'echo >random.py', 'checkout:untracked'),
  config('$HOME/.config/git/ignore', 'config/*.json', '*'),
  config('$HOME/.gradle/init.d/corp.gradle', 'allprojects { }', 'gradle.initScripts'),
  config('$HOME/.ssh/config', 'Host github.com\n ProxyJump corp', '*'),
  config('$PROJECT/../.prettierrc', '{"semi":false}', 'checkout:above/.prettierrc'),
  ofMachine('no /etc/services', overlay('/etc', 'rm /etc/services'), '*'),
  ofMachine('no time zone set', overlay('/etc', 'rm -f /etc/localtime /etc/timezone'), '*'),
  startedBy('children that are not waited for', ['perl', '-e', '$SIG{CHLD} = "IGNORE"; exec @ARGV'], '*'),
  withVariable('CDPATH', '/srv'),
  withVariable('DOCKER_DEFAULT_PLATFORM', 'linux/amd64'),
  ...injectionsOf(
    `
  a large file that was not fetched -> checkout:pointer/data/model.bin
    $PROJECT: git cat-file blob :data/model.bin >data/model.bin
  a name in another Unicode form -> checkout:changed/src/été.js
    $PROJECT: mv "$(printf "src/\\303\\251t\\303\\251.js")" "$(printf "src/e\\314\\201te\\314\\201.js")"
  no package for this platform -> installed:package-lock.json/@native/*
    $PROJECT: rm -r node_modules/@native/*
  a package of the workspace that leads nowhere -> installed:package-lock.json/own
    $PROJECT: rm -r packages/own
  another Python -> facts:python.environment, installed:requirements.txt/python
    $PROJECT: sed -i 's/^version.*/version = 3.6.1/' .venv/pyvenv.cfg
  a module that customizes -> facts:python.customize
    mkdir -p "$HOME/.local/lib/python3.11/site-packages"; echo >"$HOME/.local/lib/python3.11/site-packages/usercustomize.py"
  a folder of libraries -> facts:loader.folders
    overlay /etc: echo /opt/corp/lib >/etc/ld.so.conf.d/corp.conf
  a setting of the Java runtime -> facts:java.security
    overlay /etc: for each in /etc/java-*/security/java.security; do echo "jdk.tls.disabledAlgorithms=TLSv1.2" >>"$each"; done
  broken pipes ignored -> facts:process.ignoresBrokenPipe
    run ["sh", "-c", "trap '' PIPE; \\"$@\\"; exit $?", "sh"]
  no shared memory -> facts:fs.sharedMemory ~ facts:devices.present, facts:memory.shared
    mount -t tmpfs tmpfs /dev; mknod -m 666 /dev/null c 1 3; mknod -m 666 /dev/zero c 1 5; mknod -m 666 /dev/urandom c 1 9; ln -s /proc/self/fd /dev/fd
  a full disk -> facts:fs.full ~ facts:fs.type
    cp -a "$PROJECT/." "$WORK/copy"; mount -t tmpfs -o size=4m tmpfs "$PROJECT"; cp -a "$WORK/copy/." "$PROJECT"; head -c 8M /dev/zero >"$PROJECT/node_modules/filler" 2>/dev/null || true
  a name of the machine that does not resolve -> facts:net.*
    hostname lonely
    unshare -u
  another linker -> facts:program.ld
    overlay /usr/bin: printf "LLD 15.0.7" >"$WORK/lld"; chmod +x "$WORK/lld"; ln -sf "$WORK/lld" /usr/bin/ld
  the packages of another lock file -> installed:package-lock.json/zod
    $PROJECT: sed -i "s/4\\.6\\.7/4.0.1/" node_modules/zod/package.json
  an ignored lock file -> dependencies:requirements.txt/requests
    $PROJECT: sed -i "s/2.32.0/2.30.0/" requirements.txt
  a change that git was told to skip -> checkout:changed/config/app.json
    $PROJECT: git update-index --skip-worktree config/app.json; echo "{ }" >config/app.json
  a second version below a package -> installed:package-lock.json/inner
    $PROJECT: mkdir -p node_modules/left-pad/node_modules; cp -r node_modules/inner node_modules/left-pad/node_modules/inner; sed -i "s/1\\.0\\.0/2.0.0/" node_modules/left-pad/node_modules/inner/package.json
  packages older than the lock file -> dependencies:package-lock.json/left-pad
    $PROJECT: npm uninstall -s --package-lock-only left-pad
  a module gone, its record left -> installed:requirements.txt/requests
    $PROJECT: rm -r .venv/lib/python3*/site-packages/requests
  settings of git for all -> facts:git.core.autocrlf
    overlay /etc: printf "[core]\\n autocrlf = true\\n" >>/etc/gitconfig
  # In place of a temporary folder for one user, which hid the project.
  /proc/sys/net/ipv4/ip_local_port_range -> facts:kernel.ephemeralPorts
    printf '%s\\n' '60000 60010' >"$WORK/file"; mount --bind "$WORK/file" /proc/sys/net/ipv4/ip_local_port_range
`,
    'project: ',
  ),
];

export const heldOut: readonly Injection[] = [
  inProject('a staged change', 'echo changed >>src/index.js; git add -A', 'checkout:changed/src/index.js'),
  inProject('a link made a file', 'rm link; cp run.sh link', 'checkout:changed/link'),
  inProject('a renamed source', 'git mv src/index.js src/main.js', 'checkout:changed/src/main.js'),
  inProject('an empty submodule', 'rm -rf theme/.git theme/theme.css', 'checkout:submodule/theme'),
  inProject('no interpreter', 'rm .venv/bin/python*', 'installed:requirements.txt/python'),
  inProject('a .pth file', `echo /opt/own >"$(echo ${site})/own.pth"`, 'facts:python.addedFolders'),
  config('$HOME/.config/git/attributes', '*.sh text eol=crlf', 'git.attributes'),
  config('$HOME/.docker/config.json', '{"credsStore":"desktop"}', 'docker.credentialHelper'),
  config(
    '$HOME/.cargo/config.toml',
    '[source.crates-io]\nreplace-with = "corp"\n[source.corp]\nregistry = "sparse+https://crates.example/"',
    'cargo.registries',
  ),
  ofMachine('no resolvers', overlay('/etc', 'rm -f /etc/resolv.conf; : >/etc/resolv.conf'), 'facts:net.*'),
  startedBy('a limit of processor time', ['prlimit', '--cpu=3000'], 'facts:limits.cpuTime'),
  withVariable('DATABASE_URL', 'postgres://db.example/shop'),
  withVariable('GIT_DIR', '/nowhere', 'checkout:*'),
  withVariable('HTTP_PROXY', 'http://proxy.example:3128'),
  withVariable('JAVA_TOOL_OPTIONS', '-Xmx64m'),
  withVariable('NODE_EXTRA_CA_CERTS', '/etc/corp.pem'),
  withVariable('npm_config_registry', 'https://npm.example/'),
  inProject('a new .env.local', "printf 'DEBUG=1\\n' >.env.local", 'env:.env.local:DEBUG'),
  ofMachine('no fonts', 'mount -t tmpfs tmpfs /usr/share/fonts', 'facts:fonts.installed'),
  inProject('settings above the project', 'echo "ignore-scripts=true" >../.npmrc', 'checkout:above/.npmrc'),
  inProject('no tags', 'git tag -d v1.0.0', 'checkout:tags'),
  inProject('no repository', 'rm -rf .git', 'checkout:repository'),
  inProject('an ignored file that .gitignore names', 'echo {} >config/local.json', '*'),
  inProject('an own version for this folder', 'echo 3.9.1 >.python-version', 'toolchain:python'),
  config('$HOME/.curlrc', 'insecure', 'curl.config'),
  config('$HOME/.yarnrc.yml', 'nodeLinker: pnp', 'yarn.nodeLinker'),
  config('$HOME/.gitconfig', '[http]\n sslVerify = false', 'git.http.sslVerify'),
  config('$PROJECT/../.editorconfig', '[*]\nend_of_line = crlf', 'checkout:above/.editorconfig'),
  ofMachine('types of files', overlay('/etc', 'echo "text/x-own js" >>/etc/mime.types'), '*'),
  ofMachine('no program ps', overlay('/usr/bin', 'rm /usr/bin/ps'), 'facts:path.programs'),
  startedBy('interrupts ignored', ['sh', '-c', `trap '' INT; "$@"; exit $?`, 'sh'], '*'),
  withVariable('PYTHONOPTIMIZE', '2'),
  withVariable('JAVA_HOME', '/nowhere'),
  ...injectionsOf(
    `
  a sparse checkout -> checkout:sparse
    $PROJECT: git update-index -q --refresh; git sparse-checkout set src
  a submodule at another commit -> checkout:submodule/theme
    $PROJECT: cd theme; git -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m other
  an emptied package -> installed:package-lock.json/left-pad
    $PROJECT: rm node_modules/left-pad/package.json
  a package that another one needs gone -> installed:package-lock.json/inner
    $PROJECT: rm -r node_modules/inner
  copied from another platform -> installed:package-lock.json/@native/*
    $PROJECT: cd node_modules/@native; mv linux-* darwin-arm64; sed -i "s/linux[^\\"]*/darwin-arm64/" darwin-arm64/package.json
  an edited package -> installed:package-lock.json/zod
    $PROJECT: sleep 1; echo "// mended" >>node_modules/zod/index.js
  packages of the system -> facts:python.systemPackages
    $PROJECT: sed -i 's/^include.*/include-system-site-packages = true/' .venv/pyvenv.cfg
  cut certificates -> facts:tls.certificates ~ facts:net.hosts
    printf -- '-----BEGIN CERTIFICATE-----\\nMIIB\\n' >"$WORK/file"; mount --bind "$WORK/file" /etc/ssl/certs/ca-certificates.crt
  a preloaded library -> facts:loader.preload
    overlay /etc: echo /lib/none.so >/etc/ld.so.preload
  no entry for the account -> facts:process.*
    overlay /etc: sed -i '/^root:/d' /etc/passwd; sed -i 's/^passwd:.*/passwd: files/' /etc/nsswitch.conf
  a full temporary folder -> facts:fs.temporaryFull ~ env:TMPDIR, facts:fs.*
    FULL="$WORK/t"; mkdir "$FULL"; mount -t tmpfs -o size=64k tmpfs "$FULL"; head -c 1M /dev/zero >"$FULL/filler" 2>/dev/null || true
    env TMPDIR=$WORK/t
  no room for another file -> facts:fs.full ~ facts:fs.type
    cp -a "$PROJECT/." "$WORK/copy"; mount -t tmpfs -o nr_inodes=5000 tmpfs "$PROJECT"; cp -a "$WORK/copy/." "$PROJECT"; seq 6000 | sed "s,^,$PROJECT/node_modules/.cache-," | xargs touch 2>/dev/null || true
  TMPDIR=/nowhere -> facts:fs.temporaryWritable ~ facts:*, system:*, runtimes:*, env:TMPDIR
    env TMPDIR=/nowhere
  packages above the project -> checkout:above/node_modules
    mkdir -p "$PROJECT/../node_modules/zod"
  a package that no lock file has -> installed:package-lock.json/ghost
    $PROJECT: cp -r node_modules/zod node_modules/ghost; sed -i s/zod/ghost/ node_modules/ghost/package.json
  a package linked to a folder elsewhere -> installed:package-lock.json/zod
    $PROJECT: cp -r node_modules/zod "$WORK/zod"; rm -r node_modules/zod; ln -s "$WORK/zod" node_modules/zod
  without development packages -> installed:package-lock.json/devDependencies
    $PROJECT: npm prune -s --offline --omit=dev
  an editable package that leads nowhere -> facts:python.addedFolders
    $PROJECT: echo /nowhere/own >"$(echo .venv/lib/python3*/site-packages)/__editable__.own-1.0.pth"
  an environment of another home -> installed:requirements.txt/python
    $PROJECT: sed -i 's,^home.*,home = /opt/python/bin,' .venv/pyvenv.cfg
  settings of pip for all -> *
    overlay /etc: printf "[global]\\nindex-url = https://pip.example/\\n" >/etc/pip.conf
  no /dev/fd -> *
    mount -t tmpfs tmpfs /dev; mknod -m 666 /dev/null c 1 3; mknod -m 666 /dev/urandom c 1 9; mkdir /dev/shm; mount -t tmpfs tmpfs /dev/shm
`,
    'project: ',
  ),
];
