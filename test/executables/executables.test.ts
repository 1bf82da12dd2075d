// The executable for this machine does the same as the package, needs nothing else, and survives the faults that it diagnoses.
//
// @module-tag release

import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fewTools } from '../support/few-tools.ts';
import { programs } from '../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const archives = path.join(root, 'dist/executables');
const ownLibraries = path.join(archives, 'envsnap-linux-x64-any-libc/envsnap');
const isHere = process.platform === 'linux' && process.arch === 'x64';
/** Without it, an executable finds its libraries as every program does. */
const hasOwnSearchPath = spawnSync('patchelf', ['--version']).status === 0;

/** Only an administrator can change what is mounted. */
const canMount = spawnSync('/usr/bin/unshare', ['--mount', '/bin/true']).status === 0;
const hasCompiler = spawnSync('cc', ['--version']).status === 0;

interface Place {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  /** A shell line that sets up the fault; it ends with `exec "$@"`. */
  readonly scene?: string;
  /** The message, if there can be no result. */
  readonly says?: string;
  /** Nobody reads the output. */
  readonly silent?: true;
}

/** Unusual file systems; the line changes mounts for this program only. */
const mounted = (line: string): Place => ({
  scene: `exec /usr/bin/unshare --mount /bin/sh -c '${line} && exec "$@"' sh "$@"`,
});

/** Builds the executable of a target with its archive. */
function build(target: string): void {
  const args = ['--conditions=envsnap-source', 'scripts/executables/run.ts', '--target', target];
  // Archives for a release are smaller and take more than twice the time.
  execFileSync(process.execPath, args, { cwd: root, stdio: 'ignore', env: { ...process.env, GZIP: '-1' } });
}

/** A library that makes every program believe that it is one second after the start of 1970. */
function stoppedClock(folder: string): string {
  const library = path.join(folder, 'clock.so');
  if (existsSync(library)) return library;
  const source = `#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
long syscall(long, ...);
int clock_gettime(clockid_t id, struct timespec *at) {
  long ended = syscall(SYS_clock_gettime, id, at);
  if (id == CLOCK_REALTIME) at->tv_sec = 1;
  return ended;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) { at->tv_sec = 1; at->tv_usec = 0; return 0; }
time_t time(time_t *at) { if (at) *at = 1; return 1; }
`;
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, '-x', 'c', '-'], { input: source });
  return library;
}

describe.skipIf(!isHere)('the executable for Linux on x64', () => {
  let folder: string;
  let program: string;
  let env: Record<string, string>;

  beforeAll(() => {
    build('linux-x64');
    folder = mkdtempSync(path.join(tmpdir(), 'envsnap-executables-'));
    const installed = run('/bin/sh', ['install.sh', '--from', archives, '--to', path.join(folder, 'bin')], {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    });
    expect(installed.stderr).toBe('');
    expect(installed.stdout).toContain(`Installed envsnap/`);
    program = path.join(folder, 'bin/envsnap');
    for (const name of ['home', 'work', 'tmp']) mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, 'work/package.json'), '{ "engines": { "node": ">=18" } }');
    env = {
      PATH: fewTools(),
      HOME: path.join(folder, 'home'),
      TMPDIR: path.join(folder, 'tmp'),
      LANG: 'C.UTF-8',
    };
    expect(asExecutable(['capture', '--output', 'same.json']).status).toBe(0);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(file: string, args: readonly string[], { cwd, env: given, scene }: Place = {}) {
    const [first, ...rest] =
      scene === undefined ? [file, ...args] : ['/bin/sh', '-c', scene, 'sh', file, ...args];
    const options = {
      cwd: cwd ?? path.join(folder, 'work'),
      env: given ?? env,
      encoding: 'utf8',
      timeout: 60_000,
      maxBuffer: 64 * 1024 ** 2,
    } as const;
    const { status, stdout, stderr } = spawnSync(first as string, rest, options);
    return { status, stdout, stderr };
  }
  const asPackage = (args: readonly string[], place: Place = {}) =>
    run(process.execPath, [programs.cli, ...args], place);
  const asExecutable = (args: readonly string[], place: Place = {}) => run(program, args, place);

  it('captures what the package captures, byte for byte but for the duration', () => {
    const withoutDuration = ({ stdout }: { stdout: string }) => {
      const snapshot = JSON.parse(stdout);
      delete snapshot.metadata.capture.durationMs;
      return JSON.stringify(snapshot);
    };
    const args = ['capture', '--dry-run', '--json'];
    expect(withoutDuration(asExecutable(args))).toBe(withoutDuration(asPackage(args)));
  });

  it.each([
    ['--help'],
    ['compare', '--help'],
    ['no-such-command'],
    ['compare', 'missing.json', 'missing.json'],
  ])('answers %s as the package does', (...args) => {
    expect(asExecutable(args)).toEqual(asPackage(args));
  });

  it('runs a command, and records the run', () => {
    const state = path.join(folder, 'state');
    const place = { env: { ...env, XDG_STATE_HOME: state } };
    expect(asExecutable(['run', '--', 'sh', '-c', 'exit 3'], place).status).toBe(3);
    expect(asExecutable(['run', '--', 'sh', '-c', 'exit 0'], place)).toMatchObject({ status: 0, stdout: '' });
    const stateFiles = readdirSync(state, { recursive: true, encoding: 'utf8' });
    expect(
      stateFiles.filter((file) => file.endsWith('.json') || file.includes('run')).length,
    ).toBeGreaterThan(0);
  });

  it('leaves no file beside it or among temporary files', () => {
    expect(asExecutable(['capture', '--output', 'other.json']).status).toBe(0);
    expect(asExecutable(['compare', 'other.json', 'other.json']).status).toBe(0);
    expect(readdirSync(path.join(folder, 'bin'))).toEqual(['envsnap']);
    expect(readdirSync(path.join(folder, 'tmp'))).toEqual([]);
  });

  describe('in a broken environment', () => {
    const nowhere = '/dev/null/folder';
    const nodeOptions = [
      `--require ${nowhere}.js`,
      `--import ${nowhere}.mjs`,
      '--no-such-flag',
      '--max-old-space-size=1',
      '--inspect=127.0.0.1:0',
      `--env-file=${nowhere}`,
      '--disallow-code-generation-from-strings',
      '"unclosed',
      '--max-old-space-size=8',
    ];
    const places: Record<string, (folder: string) => Place> = {
      ...Object.fromEntries(
        nodeOptions.map((value) => [`NODE_OPTIONS=${value}`, () => ({ env: { NODE_OPTIONS: value } })]),
      ),
      'NODE_PATH leads nowhere': () => ({ env: { NODE_PATH: nowhere } }),
      'OPENSSL_CONF is missing': () => ({ env: { OPENSSL_CONF: nowhere } }),
      'OPENSSL_CONF is damaged': (at) => {
        writeFileSync(
          path.join(at, 'openssl.cnf'),
          'openssl_conf = x\n[x]\nproviders = y\n[y]\ndefault = z\n[z\n',
        );
        return { env: { OPENSSL_CONF: path.join(at, 'openssl.cnf') } };
      },
      'SSL_CERT_FILE is missing': () => ({ env: { SSL_CERT_FILE: nowhere, NODE_EXTRA_CA_CERTS: nowhere } }),
      'LD_LIBRARY_PATH leads nowhere': () => ({ env: { LD_LIBRARY_PATH: nowhere } }),
      'LD_LIBRARY_PATH leads to another library of that name': (at) => {
        const foreign = path.join(at, 'foreign');
        mkdirSync(foreign, { recursive: true });
        cpSync('/lib/x86_64-linux-gnu/libm.so.6', path.join(foreign, 'libstdc++.so.6'), {
          dereference: true,
        });
        return { env: { LD_LIBRARY_PATH: foreign } };
      },
      'TZ is nonsense': () => ({ env: { TZ: 'Nowhere/Else' } }),
      'the language is nonsense': () => ({ env: { LANG: 'xx_YY.NONE', LC_ALL: '???' } }),
      'PATH is empty': () => ({ env: { PATH: '' } }),
      'nothing is set': () => ({ scene: 'exec env -i "$@"' }),
      'HOME is missing': () => ({ scene: 'unset HOME; exec "$@"' }),
      'HOME leads nowhere': () => ({ env: { HOME: nowhere } }),
      'TMPDIR leads nowhere': () => ({ env: { TMPDIR: nowhere } }),
      'standard input is closed': () => ({ scene: 'exec "$@" <&-' }),
      'standard output is closed': () => ({ scene: 'exec "$@" >&-', silent: true }),
      'standard error is closed': () => ({ scene: 'exec "$@" 2>&-' }),
      'the umask takes everything': () => ({ scene: 'umask 777; exec "$@"' }),
      '64 descriptors are left': () => ({ scene: 'ulimit -n 64; exec "$@"' }),
      'the working folder was deleted': (at) => {
        const missingPath = path.join(at, 'gone');
        mkdirSync(missingPath, { recursive: true });
        return { scene: `cd '${missingPath}' && /bin/rmdir '${missingPath}' && exec "$@"` };
      },
      'the working folder is deeper than a path may be': (at) => {
        mkdirSync(path.join(at, 'deep'), { recursive: true });
        const step = 'd'.repeat(200);
        return {
          scene: `cd '${at}/deep'; for i in $(/usr/bin/seq 25); do /bin/mkdir -p ${step} && cd -P ${step} || exit 9; done; exec "$@"`,
          says: 'the path of the working folder is longer than the system allows; change to a folder nearer to the root',
        };
      },
      'LD_PRELOAD leads nowhere': () => ({ env: { LD_PRELOAD: nowhere } }),
      'Node.js is asked to explain itself': () => ({ env: { NODE_DEBUG: '*', NODE_DEBUG_NATIVE: 'none' } }),
      'the terminal is unknown': () => ({ env: { TERM: 'none', COLUMNS: '-1' } }),
      ...(canMount && {
        'nothing can be written': () => mounted('/bin/mount -o remount,ro,bind / /'),
        'there is no /proc': () => mounted('/bin/mount -t tmpfs none /proc'),
        'there is no /dev': () => mounted('/bin/mount -t tmpfs none /dev'),
      }),
      ...(hasCompiler && { 'the clock stands at 1970': (at) => ({ env: { LD_PRELOAD: stoppedClock(at) } }) }),
    };
    const cases = Object.entries(places);

    const packageAnswers = (_: string, make: (folder: string) => Place) => {
      const file = path.join(folder, 'work/same.json');
      const made = make(folder);
      const place = { ...made, env: { ...env, ...made.env } };
      const { status, stdout, stderr } = asPackage(['compare', file, file], place);
      if (status === 0) expect(stdout).toContain(made.silent ? '' : 'No difference');
      else if (made.says !== undefined) expect(stderr).toBe(`Error: ${made.says}\n`);
      else if (/^envsnap (?:cannot start|needs)/.test(stderr)) expect(stderr).toContain('NODE_OPTIONS');
      else expect(run(process.execPath, ['-e', '0'], place).status).not.toBe(0);
    };
    it.each(cases)('%s: the package answers, or says why, wherever its Node.js starts', packageAnswers);

    const comparesFiles = (executable: string, make: (folder: string) => Place) => {
      const file = path.join(folder, 'work/same.json');
      const place = make(folder);
      const ended = run(executable, ['compare', file, file], { ...place, env: { ...env, ...place.env } });
      expect(ended).toMatchObject(
        place.says === undefined
          ? { status: 0, stdout: expect.stringContaining(place.silent ? '' : 'No difference') }
          : { status: 7, stderr: `Error: ${place.says}\n` },
      );
    };
    const isForeign = (name: string) => name.startsWith('LD_LIBRARY_PATH leads to another');
    it.each(cases.filter(([name]) => hasOwnSearchPath || !isForeign(name)))(
      '%s: compares two files',
      (_, make) => comparesFiles(program, make),
    );

    describe('with its own libraries', () => {
      beforeAll(() => build('linux-x64-any-libc'), 300_000);
      const hasBusyBox = existsSync('/bin/busybox');

      it.each(cases)('%s: compares two files', (_, make) => comparesFiles(ownLibraries, make));

      it.skipIf(process.getuid?.() !== 0 || !hasBusyBox)('runs where nothing but BusyBox is', () => {
        const bare = path.join(folder, 'bare');
        mkdirSync(path.join(bare, 'bin'), { recursive: true });
        cpSync('/bin/busybox', path.join(bare, 'bin/busybox'));
        for (const file of ['envsnap-linux-x64-any-libc.tar.gz', 'SHA256SUMS'])
          cpSync(path.join(archives, file), path.join(bare, file));
        cpSync(path.join(root, 'install.sh'), path.join(bare, 'install.sh'));
        cpSync(path.join(folder, 'work/same.json'), path.join(bare, 'same.json'));
        const lines = [
          'for name in sh tar gunzip gzip sha256sum readlink uname mkdir mktemp cp sed cut mv ln rm cat; do ln -s busybox /bin/$name; done',
          'sh install.sh --from . --to /usr/local/bin',
          'PATH= /usr/local/bin/envsnap compare same.json same.json',
          '/usr/local/bin/envsnap capture --output captured.json',
          // The name resolves, but nothing listens there.
          'mkdir /etc && echo "127.0.0.1 known.test" >/etc/hosts',
          '/usr/local/bin/envsnap init --base-url http://known.test:4789 --project-name x 2>&1 || [ $? = 6 ]',
        ];
        const env = { PATH: '/bin' };
        const { status, stdout, stderr } = run(
          '/usr/sbin/chroot',
          [bare, '/bin/busybox', 'sh', '-ec', lines.join('\n')].map(String),
          { cwd: bare, env: { ...env, PATH: '/bin' }, scene: 'exec env PATH=/bin APP_MODE=test "$@"' },
        );
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
        expect(stdout).toContain('No difference');
        expect(stdout).toContain('No response from http://known.test:4789');
        expect(stdout).not.toMatch(/could not be looked up|bad port/);
        expect(JSON.parse(readFileSync(path.join(bare, 'captured.json'), 'utf8')).os).toBe('linux');
      });
    });
  });
});
