// Differences that were written down before any of them was tried, from public reports of what works on one machine only.

import {
  config,
  type Injection,
  inProject,
  kernelFile,
  ofMachine,
  overlay,
  startedBy,
  withVariable,
} from './injection.ts';

const site = '.venv/lib/python3*/site-packages';

const checkout: readonly Injection[] = [
  inProject(
    'a change that git was told to skip',
    'git update-index --skip-worktree config/app.json; echo "{ }" >config/app.json',
    'checkout:changed/config/app.json',
  ),
  inProject('no tags', 'git tag -d v1.0.0', 'checkout:tags'),
  inProject('a merge that is not finished', 'git rev-parse HEAD >.git/MERGE_HEAD', 'checkout:operation'),
  inProject('no repository', 'rm -rf .git', 'checkout:repository'),
  inProject('a name in other case', 'mv src/index.js src/Index.js', 'checkout:changed/src/index.js'),
  inProject('an ignored file that .gitignore names', 'echo {} >config/local.json', '*'),
];

const modules: readonly Injection[] = [
  inProject('a program of a package gone', 'rm node_modules/zod/index.js', 'installed:package-lock.json/zod'),
  inProject(
    'a package that no lock file has',
    'cp -r node_modules/zod node_modules/ghost; sed -i s/zod/ghost/ node_modules/ghost/package.json',
    'installed:package-lock.json/ghost',
  ),
  inProject(
    'a second version below a package',
    'mkdir -p node_modules/left-pad/node_modules; cp -r node_modules/inner node_modules/left-pad/node_modules/inner; sed -i "s/1\\.0\\.0/2.0.0/" node_modules/left-pad/node_modules/inner/package.json',
    'installed:package-lock.json/inner',
  ),
  inProject(
    'a package linked to a folder elsewhere',
    'cp -r node_modules/zod "$WORK/zod"; rm -r node_modules/zod; ln -s "$WORK/zod" node_modules/zod',
    'installed:package-lock.json/zod',
  ),
  inProject(
    'packages older than the lock file',
    'npm uninstall -s --package-lock-only left-pad',
    'dependencies:package-lock.json/left-pad',
  ),
  inProject(
    'without development packages',
    'npm prune -s --offline --omit=dev',
    'installed:package-lock.json/devDependencies',
  ),
];

const python: readonly Injection[] = [
  inProject(
    'a module gone, its record left',
    `rm -r ${site}/requests`,
    'installed:requirements.txt/requests',
  ),
  inProject(
    'an editable package that leads nowhere',
    `echo /nowhere/own >"$(echo ${site})/__editable__.own-1.0.pth"`,
    'facts:python.addedFolders',
  ),
  inProject('a package that no requirement asks for', `cd ${site}; mkdir ghost-1.0.dist-info ghost`, '*'),
  inProject(
    'an environment of another home',
    "sed -i 's,^home.*,home = /opt/python/bin,' .venv/pyvenv.cfg",
    'installed:requirements.txt/python',
  ),
  inProject('a module that hides one of Python', 'echo >random.py', 'checkout:untracked'),
  inProject('an own version for this folder', 'echo 3.9.1 >.python-version', 'toolchain:python'),
];

const ofUser: readonly Injection[] = [
  config('$HOME/.config/git/ignore', 'config/*.json', '*'),
  config('$HOME/.curlrc', 'insecure', 'curl.config'),
  config('$HOME/.gradle/init.d/corp.gradle', 'allprojects { }', 'gradle.initScripts'),
  config('$HOME/.yarnrc.yml', 'nodeLinker: pnp', 'yarn.nodeLinker'),
  config('$HOME/.ssh/config', 'Host github.com\n ProxyJump corp', '*'),
  config('$HOME/.gitconfig', '[http]\n sslVerify = false', 'git.http.sslVerify'),
  config('$PROJECT/../.prettierrc', '{"semi":false}', 'checkout:above/.prettierrc'),
  config('$PROJECT/../.editorconfig', '[*]\nend_of_line = crlf', 'checkout:above/.editorconfig'),
];

const ofSystem: readonly Injection[] = [
  ofMachine('no /etc/services', overlay('/etc', 'rm /etc/services'), '*'),
  ofMachine('types of files', overlay('/etc', 'echo "text/x-own js" >>/etc/mime.types'), '*'),
  ofMachine(
    'settings of git for all',
    overlay('/etc', 'printf "[core]\\n autocrlf = true\\n" >>/etc/gitconfig'),
    'facts:git.core.autocrlf',
  ),
  ofMachine(
    'settings of pip for all',
    overlay('/etc', 'printf "[global]\\nindex-url = https://pip.example/\\n" >/etc/pip.conf'),
    '*',
  ),
  ofMachine('no time zone set', overlay('/etc', 'rm -f /etc/localtime /etc/timezone'), '*'),
  ofMachine('no program ps', overlay('/usr/bin', 'rm /usr/bin/ps'), 'facts:path.programs'),
];

const ofProcess: readonly Injection[] = [
  startedBy('children that are not waited for', ['perl', '-e', '$SIG{CHLD} = "IGNORE"; exec @ARGV'], '*'),
  startedBy('interrupts ignored', ['sh', '-c', `trap '' INT; "$@"; exit $?`, 'sh'], '*'),
  // In place of a temporary folder for one user, which hid the project.
  kernelFile('/proc/sys/net/ipv4/ip_local_port_range', '60000 60010', 'kernel.ephemeralPorts'),
  ofMachine(
    'no /dev/fd',
    'mount -t tmpfs tmpfs /dev; mknod -m 666 /dev/null c 1 3; mknod -m 666 /dev/urandom c 1 9; mkdir /dev/shm; mount -t tmpfs tmpfs /dev/shm',
    '*',
  ),
];

const variables: readonly Injection[] = [
  withVariable('CDPATH', '/srv'),
  withVariable('PYTHONOPTIMIZE', '2'),
  withVariable('DOCKER_DEFAULT_PLATFORM', 'linux/amd64'),
  withVariable('JAVA_HOME', '/nowhere'),
];

export const more = [checkout, modules, python, ofUser, ofSystem, ofProcess, variables];
