// Real commands whose result hangs on the environment: what is planted, and what has to be named. Each passes on this
// machine as it is and fails with what is planted, unless it says `here`: then it is planted here and missing there.

/** A planted difference. */
export interface BisectCase {
  readonly name: string;
  /** Run by `sh -c` in a fresh folder; `$F` is that folder's own copy of the case's files. */
  readonly script: string;
  /** Variables that the snapshot has (null: lacks). Folders under `$F` may be named. */
  readonly env?: Readonly<Record<string, string | null>>;
  /** Variables that only this machine has; the snapshot lacks them. */
  readonly here?: Readonly<Record<string, string>>;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly timezone?: string;
  /** Files made before, by path; those with `#!` become executable. */
  readonly files?: Readonly<Record<string, string>>;
  /** Keys of the cause, all that is planted; a key of a path list may be followed by anything. */
  readonly cause: readonly string[];
}

const node = (script: string) => `node -e '${script}'`;
const python = (script: string) => `/usr/bin/python3 -c '${script}'`;

const planted: readonly Omit<BisectCase, 'cause'>[] = [
  {
    name: 'hours by the time zone (node)',
    script: node('process.exit(new Date(0).getHours())'),
    env: { TZ: 'Asia/Kolkata' },
  },
  {
    name: 'hours by the time zone (date)',
    script: 'test "$(date -d @0 +%H)" = 00',
    env: { TZ: 'America/New_York' },
  },
  {
    name: 'the zone of the machine, no variable',
    script: 'test "$(date -d @0 +%H)" = 00',
    timezone: 'Asia/Tokyo',
  },
  {
    name: 'daylight saving',
    script: python('import time; raise SystemExit(time.daylight)'),
    env: { TZ: 'Europe/Berlin' },
  },
  {
    name: 'decimal comma (Intl)',
    script: node('process.exit((1.5).toLocaleString() === "1.5" ? 0 : 1)'),
    env: { LC_ALL: 'de_DE.UTF-8' },
  },
  {
    name: 'Turkish upper case (Intl)',
    script: node(
      'process.exit("i".toLocaleUpperCase(Intl.NumberFormat().resolvedOptions().locale) === "I" ? 0 : 1)',
    ),
    env: { LANG: 'tr_TR.UTF-8' },
  },
  {
    name: 'sorting by the locale (Intl)',
    script: node('process.exit(["z", "ä"].sort(Intl.Collator().compare)[0] === "ä" ? 0 : 1)'),
    env: { LC_ALL: 'sv_SE.UTF-8' },
  },
  {
    name: 'options after operands',
    script: 'printf "b\\na\\n" > f && sort f -r > /dev/null',
    env: { POSIXLY_CORRECT: '1' },
  },
  {
    name: 'sed -i under POSIX rules',
    script: 'echo a > f && sed -e s/a/b/ f -i && grep -q b f',
    env: { POSIXLY_CORRECT: 'y' },
  },
  {
    name: 'units of du',
    script: 'head -c 20000 /dev/zero > f && du -s f | grep -qE "^[0-9]+\\s"',
    env: { BLOCK_SIZE: 'human-readable' },
  },
  { name: 'quoted names of ls', script: 'touch "a b" && test "$(ls)" = "a b"', env: { QUOTING_STYLE: 'c' } },
  {
    name: 'options of tar',
    script: 'touch a b && tar cf t.tar a b && test "$(tar tf t.tar | wc -l)" = 2',
    env: { TAR_OPTIONS: '--exclude=b' },
  },
  {
    name: 'a temporary folder that is not there',
    script: 'mktemp > /dev/null',
    env: { TMPDIR: '/not/here' },
  },
  {
    name: 'cd that goes elsewhere',
    script: 'mkdir sub && touch sub/x && cd sub && test -e x',
    env: { CDPATH: '$F/other' },
    files: { 'other/sub/y': '' },
  },
  {
    name: 'a start file of bash',
    script: 'bash -c true',
    env: { BASH_ENV: '$F/start' },
    files: { start: 'exit 3\n' },
  },
  {
    name: 'warnings become errors (python)',
    script: python('import warnings; warnings.warn("x")'),
    env: { PYTHONWARNINGS: 'error' },
  },
  {
    name: 'text that ASCII cannot hold (python)',
    script: python('print(chr(233))'),
    env: { PYTHONIOENCODING: 'ascii' },
  },
  {
    name: 'optimised byte code (python)',
    script: python('import sys; sys.exit(sys.flags.optimize)'),
    env: { PYTHONOPTIMIZE: '1' },
  },
  {
    name: 'a module that shadows another (python)',
    script: python('import colorsys'),
    env: { PYTHONPATH: '$F/shadow' },
    files: { 'shadow/colorsys.py': 'raise SystemExit(4)\n' },
  },
  {
    name: 'a home of the interpreter that is not there',
    script: python('pass'),
    env: { PYTHONHOME: '/not/here' },
  },
  { name: 'strict perl', script: "perl -e '$x = 1'", env: { PERL5OPT: '-Mstrict' } },
  {
    name: 'options of Node.js',
    script: node('eval("1")'),
    env: { NODE_OPTIONS: '--disallow-code-generation-from-strings' },
  },
  {
    name: 'deprecations that throw',
    script: node('new Buffer(1)'),
    env: { NODE_OPTIONS: '--throw-deprecation' },
  },
  {
    name: 'a file that Node.js loads first',
    script: node(''),
    env: { NODE_OPTIONS: '--require=$F/first.cjs' },
    files: { 'first.cjs': 'process.exit(5)' },
  },
  {
    name: 'debug output on standard error',
    script: `test -z "$(${node('require("node:fs").readFileSync("/dev/null")')} 2>&1)"`,
    env: { NODE_DEBUG: 'fs,module' },
  },
  {
    name: 'production mode',
    script: node('process.exit(process.env.NODE_ENV === "production" ? 1 : 0)'),
    env: { NODE_ENV: 'production' },
  },
  {
    name: 'modules beside the project',
    script: node('require("beside")'),
    here: { NODE_PATH: '$F/modules' },
    files: { 'modules/beside.js': '' },
  },
  {
    name: 'colour is forced',
    script: node(
      'process.exit(require("node:util").styleText("red", "x", { stream: process.stdout }).length === 1 ? 0 : 1)',
    ),
    facts: { 'terminal.color': ['FORCE_COLOR=1'] },
  },
  {
    name: 'a terminal that nobody knows',
    script: 'tput cols > /dev/null',
    here: {},
    facts: { 'terminal.type': 'no-such-terminal' },
  },
  {
    name: 'a narrow screen (argparse)',
    script: python(
      'import argparse; p = argparse.ArgumentParser(prog="p"); p.add_argument("--option-with-a-long-name", help="words " * 6); raise SystemExit(p.format_help().count(chr(10)) > 9)',
    ),
    facts: { 'terminal.columns': 30 },
  },
  {
    name: 'options of make',
    script: 'printf "x:\\n\\ttouch x\\n" > Makefile && make -s && test -e x',
    facts: { 'make.flags': 'n' },
  },
  {
    name: 'a program that shadows another',
    script: 'date > /dev/null',
    env: { PATH: '$F/first:$PATH' },
    files: { 'first/date': '#!/bin/sh\nexit 1\n' },
  },
  {
    name: 'a program that only one PATH has',
    script: 'helper',
    here: { PATH: '$F/tools:$PATH' },
    files: { 'tools/helper': '#!/bin/sh\nexit 0\n' },
  },
  {
    name: 'the order of PATH',
    script: 'helper',
    here: { PATH: '$F/good:$F/bad:$PATH' },
    env: { PATH: '$F/bad:$F/good:$PATH' },
    files: { 'good/helper': '#!/bin/sh\nexit 0\n', 'bad/helper': '#!/bin/sh\nexit 1\n' },
  },
  {
    name: 'a variable that is missing',
    script: 'test -n "$DATABASE_HOST"',
    here: { DATABASE_HOST: 'db.internal' },
  },
  {
    name: 'a variable with another value',
    script: 'test "$FEATURE_LEVEL" = 3',
    here: { FEATURE_LEVEL: '3' },
    env: { FEATURE_LEVEL: '2' },
  },
  { name: 'a flag that CI sets', script: 'test -z "$CI"', env: { CI: 'true' } },
  {
    name: 'two variables together',
    script: '! { test "$STRICT" = 1 && test "$CACHE_MODE" = off; }',
    env: { STRICT: '1', CACHE_MODE: 'off' },
  },
  {
    name: 'the zone and the locale together',
    script: node('process.exit(new Date(0).toLocaleTimeString().startsWith("5.30") ? 1 : 0)'),
    env: { TZ: 'Asia/Kolkata', LC_ALL: 'fi_FI.UTF-8' },
  },
  {
    name: 'two causes, each by itself',
    script: 'test -z "$BREAK_ONE$BREAK_TWO"',
    env: { BREAK_ONE: '1', BREAK_TWO: '1' },
  },
  {
    name: 'few open files',
    script: python('files = [open("/dev/null") for _ in range(100)]'),
    facts: { 'limits.openFiles': 48 },
  },
  { name: 'small files only', script: 'head -c 100000 /dev/zero > big', facts: { 'limits.fileSize': 4096 } },
  {
    name: 'little memory',
    script: python('bytearray(600_000_000)'),
    facts: { 'limits.addressSpace': 300_000_000 },
  },
  {
    name: 'the umask',
    script: 'touch f && test "$(stat -c %a f)" = 644',
    facts: { 'process.umask': '0077' },
  },
  { name: 'one processor', script: 'test "$(nproc)" -gt 1', facts: { 'cpu.allowed': 1 } },
  { name: 'a home with a blank', script: 'ls $HOME > /dev/null', facts: { 'home.plainPath': false } },
  {
    name: 'line ends by git',
    script:
      'git init -q . && printf "a\\n" > f && git add f && rm f && git checkout -q -- f && test "$(wc -c < f)" = 2',
    facts: { 'git.core.autocrlf': 'true' },
  },
  {
    name: 'the first branch of git',
    script: 'git init -q . && test "$(git symbolic-ref HEAD)" = refs/heads/master',
    facts: { 'git.init.defaultBranch': 'trunk' },
  },
  {
    name: 'another repository',
    script: 'git init -q repo && git -C repo status > /dev/null',
    env: { GIT_DIR: '/not/here' },
  },
  {
    name: 'configuration of OpenSSL',
    script: 'openssl rand -hex 4 > /dev/null',
    env: { OPENSSL_CONF: '$F/openssl.cnf' },
    files: {
      'openssl.cnf':
        'openssl_conf = x\n[x]\nproviders = y\n[y]\nnothing = z\n[z]\nmodule = /not/here.so\nactivate = 1\n',
    },
  },
  {
    name: 'a proxy',
    script: python('import urllib.request as u; raise SystemExit(len(u.getproxies()))'),
    env: { https_proxy: 'http://127.0.0.1:9' },
  },
  {
    name: 'addresses that do not change',
    script: 'test "$(cat /proc/self/personality)" = 00000000',
    facts: { 'process.aslr': 'off' },
  },
];

export const bisectCases: readonly BisectCase[] = planted.map((one) => ({
  ...one,
  cause: [
    ...Object.keys({ ...one.env, ...one.here }).map((name) => `env:${name}`),
    ...Object.keys(one.facts ?? {}).map((name) => `facts.${name}`),
    ...(one.timezone === undefined ? [] : ['system.timezone']),
  ],
}));
