// Differences that break programs, by the place in which they lie. Of each class every other one was looked at while the rules
// were made (`tuned`); the rest were not (`heldOut`), and show what the rules are worth.

import {
  config,
  type Injection,
  inProject,
  ofMachine,
  overlay,
  startedBy,
  withVariable,
} from './injection.ts';
import { more } from './more-injections.ts';

/** A file in the place of another one. */
const inPlaceOf = (name: string, path: string, content: string, ...seen: string[]): Injection => ({
  name: `project: ${name}`,
  setup: `printf -- '${content}' >"$WORK/file"; mount --bind "$WORK/file" ${path}`,
  seen,
  also: ['facts:net.hosts'],
});

const checkout: readonly Injection[] = [
  inProject('a changed source', 'echo changed >>src/index.js', 'checkout:changed/src/index.js'),
  inProject('a staged change', 'echo changed >>src/index.js; git add -A', 'checkout:changed/src/index.js'),
  inProject('a lost file', 'rm src/index.js', 'checkout:changed/src/index.js'),
  inProject('a link made a file', 'rm link; cp run.sh link', 'checkout:changed/link'),
  inProject('other line ends', "sed -i 's/$/\\r/' run.sh", 'checkout:changed/run.sh'),
  inProject('a renamed source', 'git mv src/index.js src/main.js', 'checkout:changed/src/main.js'),
  inProject('a lost executable bit', 'chmod -x run.sh', 'checkout:changed/run.sh'),
  inProject('an empty submodule', 'rm -rf theme/.git theme/theme.css', 'checkout:submodule/theme'),
  inProject(
    'a large file that was not fetched',
    'git cat-file blob :data/model.bin >data/model.bin',
    'checkout:pointer/data/model.bin',
  ),
  inProject(
    'a sparse checkout',
    'git update-index -q --refresh; git sparse-checkout set src',
    'checkout:sparse',
  ),
  inProject('an output that is gone', 'rm -r dist', 'checkout:output/dist/index.js'),
  inProject(
    'a submodule at another commit',
    'cd theme; git -c user.name=t -c user.email=t@example.org commit -q --allow-empty -m other',
    'checkout:submodule/theme',
  ),
  inProject(
    'a name in another Unicode form',
    'mv "$(printf "src/\\303\\251t\\303\\251.js")" "$(printf "src/e\\314\\201te\\314\\201.js")"',
    'checkout:changed/src/\u00e9t\u00e9.js',
  ),
];

const modules: readonly Injection[] = [
  inProject('nothing installed', 'rm -rf node_modules', 'installed:package-lock.json'),
  inProject(
    'an emptied package',
    'rm node_modules/left-pad/package.json',
    'installed:package-lock.json/left-pad',
  ),
  inProject('no programs', 'rm -r node_modules/.bin', 'installed:package-lock.json/.bin'),
  inProject(
    'a package that another one needs gone',
    'rm -r node_modules/inner',
    'installed:package-lock.json/inner',
  ),
  inProject(
    'no package for this platform',
    'rm -r node_modules/@native/*',
    'installed:package-lock.json/@native/*',
  ),
  inProject(
    'copied from another platform',
    'cd node_modules/@native; mv linux-* darwin-arm64; sed -i "s/linux[^\\"]*/darwin-arm64/" darwin-arm64/package.json',
    'installed:package-lock.json/@native/*',
  ),
  inProject(
    'a package of the workspace that leads nowhere',
    'rm -r packages/own',
    'installed:package-lock.json/own',
  ),
  inProject(
    'an edited package',
    'sleep 1; echo "// mended" >>node_modules/zod/index.js',
    'installed:package-lock.json/zod',
  ),
];

const site = '.venv/lib/python3*/site-packages';
const python: readonly Injection[] = [
  inProject(
    'another Python',
    "sed -i 's/^version.*/version = 3.6.1/' .venv/pyvenv.cfg",
    'facts:python.environment',
    'installed:requirements.txt/python',
  ),
  inProject('no interpreter', 'rm .venv/bin/python*', 'installed:requirements.txt/python'),
  inProject('a package missing', `rm -r ${site}/requests*`, 'installed:requirements.txt/requests'),
  inProject(
    'packages of the system',
    "sed -i 's/^include.*/include-system-site-packages = true/' .venv/pyvenv.cfg",
    'facts:python.systemPackages',
  ),
  ofMachine(
    'a module that customizes',
    'mkdir -p "$HOME/.local/lib/python3.11/site-packages"; echo >"$HOME/.local/lib/python3.11/site-packages/usercustomize.py"',
    'facts:python.customize',
  ),
  inProject('a .pth file', `echo /opt/own >"$(echo ${site})/own.pth"`, 'facts:python.addedFolders'),
];

const ofUser: readonly Injection[] = [
  config('$HOME/.npmrc', 'prefix=/opt/global', 'npm.prefix'),
  config('$HOME/.config/git/attributes', '*.sh text eol=crlf', 'git.attributes'),
  config('$HOME/.gitconfig', '[user]\n name = t\n email = t@example.org', 'git.identity'),
  config('$HOME/.docker/config.json', '{"credsStore":"desktop"}', 'docker.credentialHelper'),
  config('$HOME/.npmrc', 'https-proxy=http://proxy.example:3128', 'net.proxies'),
  config(
    '$HOME/.cargo/config.toml',
    '[source.crates-io]\nreplace-with = "corp"\n[source.corp]\nregistry = "sparse+https://crates.example/"',
    'cargo.registries',
  ),
];

const ofSystem: readonly Injection[] = [
  inPlaceOf('no certificates', '/etc/ssl/certs/ca-certificates.crt', '', 'facts:tls.certificates'),
  inPlaceOf(
    'cut certificates',
    '/etc/ssl/certs/ca-certificates.crt',
    '-----BEGIN CERTIFICATE-----\\nMIIB\\n',
    'facts:tls.certificates',
  ),
  inPlaceOf('localhost without IPv4', '/etc/hosts', '::1 localhost\\n', 'facts:net.localhost'),
  ofMachine(
    'a preloaded library',
    overlay('/etc', 'echo /lib/none.so >/etc/ld.so.preload'),
    'facts:loader.preload',
  ),
  ofMachine(
    'a folder of libraries',
    overlay('/etc', 'echo /opt/corp/lib >/etc/ld.so.conf.d/corp.conf'),
    'facts:loader.folders',
  ),
  ofMachine(
    'no entry for the account',
    overlay(
      '/etc',
      "sed -i '/^root:/d' /etc/passwd; sed -i 's/^passwd:.*/passwd: files/' /etc/nsswitch.conf",
    ),
    'facts:process.*',
  ),
  ofMachine(
    'a setting of the Java runtime',
    overlay(
      '/etc',
      'for each in /etc/java-*/security/java.security; do echo "jdk.tls.disabledAlgorithms=TLSv1.2" >>"$each"; done',
    ),
    'facts:java.security',
  ),
  ofMachine('no resolvers', overlay('/etc', 'rm -f /etc/resolv.conf; : >/etc/resolv.conf'), 'facts:net.*'),
];

const fill = 'head -c 1M /dev/zero >"$FULL/filler" 2>/dev/null || true';
const ofProcess: readonly Injection[] = [
  startedBy(
    'broken pipes ignored',
    ['sh', '-c', `trap '' PIPE; "$@"; exit $?`, 'sh'],
    'facts:process.ignoresBrokenPipe',
  ),
  startedBy('a limit of processor time', ['prlimit', '--cpu=3000'], 'facts:limits.cpuTime'),
  {
    ...ofMachine(
      'no shared memory',
      'mount -t tmpfs tmpfs /dev; mknod -m 666 /dev/null c 1 3; mknod -m 666 /dev/zero c 1 5; mknod -m 666 /dev/urandom c 1 9; ln -s /proc/self/fd /dev/fd',
      'facts:fs.sharedMemory',
    ),
    also: ['facts:devices.present', 'facts:memory.shared'],
  },
  {
    ...ofMachine(
      'a full temporary folder',
      `FULL="$WORK/t"; mkdir "$FULL"; mount -t tmpfs -o size=64k tmpfs "$FULL"; ${fill}`,
      'facts:fs.temporaryFull',
    ),
    env: { TMPDIR: '$WORK/t' },
    also: ['env:TMPDIR', 'facts:fs.*'],
  },
  {
    ...ofMachine(
      'a full disk',
      `cp -a "$PROJECT/." "$WORK/copy"; mount -t tmpfs -o size=4m tmpfs "$PROJECT"; cp -a "$WORK/copy/." "$PROJECT"; head -c 8M /dev/zero >"$PROJECT/node_modules/filler" 2>/dev/null || true`,
      'facts:fs.full',
    ),
    also: ['facts:fs.type'],
  },
  {
    ...ofMachine(
      'no room for another file',
      `cp -a "$PROJECT/." "$WORK/copy"; mount -t tmpfs -o nr_inodes=5000 tmpfs "$PROJECT"; cp -a "$WORK/copy/." "$PROJECT"; seq 6000 | sed "s,^,$PROJECT/node_modules/.cache-," | xargs touch 2>/dev/null || true`,
      'facts:fs.full',
    ),
    also: ['facts:fs.type'],
  },
  {
    ...ofMachine('a name of the machine that does not resolve', 'hostname lonely', 'facts:net.*'),
    namespaces: ['-u'],
  },
  { ...withVariable('TMPDIR', '/nowhere'), seen: ['facts:fs.temporaryWritable'] },
  startedBy('the processor named otherwise', ['setarch', 'i686'], 'facts:process.personality'),
];

const variables: readonly Injection[] = [
  withVariable('NODE_ENV', 'production'),
  withVariable('DATABASE_URL', 'postgres://db.example/shop'),
  withVariable('PYTHONPATH', '/opt/own'),
  withVariable('GIT_DIR', '/nowhere', 'checkout:*'),
  withVariable('LC_ALL', 'C'),
  withVariable('HTTP_PROXY', 'http://proxy.example:3128'),
  withVariable('LD_LIBRARY_PATH', '/opt/corp/lib'),
  withVariable('JAVA_TOOL_OPTIONS', '-Xmx64m'),
  withVariable('SSL_CERT_FILE', '/etc/corp.pem'),
  withVariable('NODE_EXTRA_CA_CERTS', '/etc/corp.pem'),
  withVariable('CI', 'true'),
  withVariable('npm_config_registry', 'https://npm.example/'),
];

const others: readonly Injection[] = [
  { ...config('$PROJECT/.env', 'A=1\r', 'dotenv.lineEnds'), also: ['checkout:changed/.env', 'env:.env:A'] },
  inProject('a new .env.local', "printf 'DEBUG=1\\n' >.env.local", 'env:.env.local:DEBUG'),
  ofMachine('no time zones', 'mount -t tmpfs tmpfs /usr/share/zoneinfo', 'facts:time.tzdata'),
  ofMachine('no fonts', 'mount -t tmpfs tmpfs /usr/share/fonts', 'facts:fonts.installed'),
  ofMachine(
    'another linker',
    overlay(
      '/usr/bin',
      'printf "LLD 15.0.7" >"$WORK/lld"; chmod +x "$WORK/lld"; ln -sf "$WORK/lld" /usr/bin/ld',
    ),
    'facts:program.ld',
  ),
  ofMachine(
    'packages above the project',
    'mkdir -p "$PROJECT/../node_modules/zod"',
    'checkout:above/node_modules',
  ),
  inProject(
    'the packages of another lock file',
    'sed -i "s/4\\.6\\.7/4.0.1/" node_modules/zod/package.json',
    'installed:package-lock.json/zod',
  ),
  inProject('settings above the project', 'echo "ignore-scripts=true" >../.npmrc', 'checkout:above/.npmrc'),
  inProject(
    'an ignored lock file',
    'sed -i "s/2.32.0/2.30.0/" requirements.txt',
    'dependencies:requirements.txt/requests',
  ),
];

const all = [checkout, modules, python, ofUser, ofSystem, ofProcess, variables, others, ...more];
export const tuned = all.flatMap((group) => group.filter((_, index) => index % 2 === 0));
export const heldOut = all.flatMap((group) => group.filter((_, index) => index % 2 === 1));
