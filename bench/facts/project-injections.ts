// Differences in the checkout, in what is installed and in what is missing altogether. `tuned` ones were looked at while the
// rules were made; `heldOut` ones were not, and show what the rules are worth.

import { config, type Injection, overlay } from './injection.ts';

const inProject = (name: string, setup: string, ...seen: string[]): Injection => ({
  name: `project: ${name}`,
  setup: `cd "$PROJECT"; ${setup}`,
  seen,
  also: ['installed:requirements.txt/python', 'checkout:untracked'],
});

/** A file in the place of another one. */
const inPlaceOf = (name: string, path: string, content: string, ...seen: string[]): Injection => ({
  name: `project: ${name}`,
  setup: `printf -- '${content}' >"$WORK/file"; mount --bind "$WORK/file" ${path}`,
  seen,
  also: ['facts:net.hosts'],
});

export const tuned: readonly Injection[] = [
  inProject('a changed source', 'echo changed >>src/index.js', 'checkout:changed/src/index.js'),
  inProject('a lost file', 'rm src/index.js', 'checkout:changed/src/index.js'),
  inProject('other line ends', "sed -i 's/$/\\r/' run.sh", 'checkout:changed/run.sh'),
  inProject('a lost executable bit', 'chmod -x run.sh', 'checkout:changed/run.sh'),
  inProject('nothing installed', 'rm -rf node_modules', 'installed:package-lock.json'),
  inProject('a package gone', 'rm -rf node_modules/zod', 'installed:package-lock.json/zod'),
  inProject('another Python', "sed -i 's/3.12.1/3.11.9/' .venv/pyvenv.cfg", 'facts:python.environment'),
  inPlaceOf('no certificates', '/etc/ssl/certs/ca-certificates.crt', '', 'facts:tls.certificates'),
  inPlaceOf('localhost without IPv4', '/etc/hosts', '::1 localhost\\n', 'facts:net.localhost'),
  config('$PROJECT/.env', 'A=1\r', 'dotenv.lineEnds'),
];

export const heldOut: readonly Injection[] = [
  inProject('a staged change', 'echo changed >>src/index.js; git add -A', 'checkout:changed/src/index.js'),
  inProject('a link made a file', 'rm link; cp run.sh link', 'checkout:changed/link'),
  inProject('a new tracked file', 'echo x >new.js; git add new.js', 'checkout:changed/new.js'),
  inProject(
    'a renamed source',
    'git mv src/index.js src/main.js',
    'checkout:changed/src/index.js',
    'checkout:changed/src/main.js',
  ),
  inProject('another branch', 'git checkout -q -b topic', 'checkout:branch'),
  inProject(
    'an emptied package',
    'rm node_modules/left-pad/package.json',
    'installed:package-lock.json/left-pad',
  ),
  inProject(
    'packages of the system',
    "sed -i 's/^include.*/include-system-site-packages = true/' .venv/pyvenv.cfg",
    'facts:python.systemPackages',
  ),
  inProject(
    'a .pth file',
    'echo /opt/own >.venv/lib/python3.12/site-packages/own.pth',
    'facts:python.addedFolders',
  ),
  inPlaceOf(
    'cut certificates',
    '/etc/ssl/certs/ca-certificates.crt',
    '-----BEGIN CERTIFICATE-----\\nMIIB\\n',
    'facts:tls.certificates',
  ),
  {
    name: 'project: a limit of processor time',
    run: ['prlimit', '--cpu=3000'],
    seen: ['facts:limits.cpuTime'],
  },
  {
    name: 'project: a preloaded library',
    setup: overlay('/etc', 'echo /lib/none.so >/etc/ld.so.preload'),
    seen: ['facts:loader.preload'],
  },
  config('$HOME/.docker/config.json', '{"credsStore":"desktop"}', 'docker.credentialHelper'),
  config('$HOME/.config/git/attributes', '*.sh text eol=crlf', 'git.attributes'),
];
