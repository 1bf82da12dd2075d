// Downloads the executable of the action's version from the release of the action's repository, and checks its digest. With
// the input `executable`, it downloads nothing.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { input, setting, workFolder } from './program.mjs';

const onWindows = process.platform === 'win32';

/** The path of envsnap. Separate from the job, whose PATH and variables do not change. */
export async function installEnvsnap() {
  const given = input('executable');
  if (given !== '') return path.resolve(setting('GITHUB_WORKSPACE'), given);
  const version = input('version').replace(/^v/, '') || ownVersion();
  const folder = path.join(workFolder(), version);
  mkdirSync(folder, { recursive: true });
  let complaint = '';
  for (const target of targetsOf(process)) {
    const program = path.join(folder, `envsnap-${target}`, onWindows ? 'envsnap.exe' : 'envsnap');
    // An earlier step of this job may have downloaded it.
    if (!existsSync(program)) await unpack(`envsnap-${target}`, folder, releaseUrl(version));
    const { status, stderr, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
    if (status === 0) return program;
    complaint = stderr || error?.message || `it ended with ${status}`;
  }
  throw new Error(`envsnap does not start here: ${complaint}`);
}

/** The archives for this machine, best first: those that install.sh takes. */
function targetsOf({ platform, arch }) {
  const target = `${onWindows ? 'win' : platform}-${arch}`;
  if (target !== 'linux-x64') return [target];
  const hasGlibc = existsSync('/lib64/ld-linux-x86-64.so.2') && !existsSync('/lib/ld-musl-x86_64.so.1');
  // If a library is missing, such as libatomic in a small image, use the archive that includes all of them.
  return hasGlibc ? [target, `${target}-any-libc`] : [`${target}-any-libc`];
}

/** Fetches an archive, checks it and unpacks it. */
async function unpack(name, folder, release) {
  const archive = `${name}.${onWindows ? 'zip' : 'tar.gz'}`;
  const sums = (await download(`${release}/SHA256SUMS`)).toString('utf8');
  const expected = sums
    .split('\n')
    .find((line) => line.endsWith(`  ${archive}`))
    ?.split('  ', 1)[0];
  const bytes = await download(`${release}/${archive}`);
  if (createHash('sha256').update(bytes).digest('hex') !== expected)
    throw new Error(`The digest of ${archive} does not match SHA256SUMS of the release: nothing was run`);
  const file = path.join(folder, archive);
  writeFileSync(file, bytes);
  // Windows' tar unpacks a zip; Git's tar, which may come before it on PATH, does not.
  const tar = onWindows ? `${setting('SystemRoot')}\\System32\\tar.exe` : 'tar';
  const { status } = spawnSync(tar, ['-xf', file, '-C', folder], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`${archive} cannot be unpacked`);
}

/** Pinning the action also pins the program. */
function ownVersion() {
  return JSON.parse(readFileSync(new URL('../packages/cli/package.json', import.meta.url), 'utf8')).version;
}

function releaseUrl(version) {
  const repository = setting('GITHUB_ACTION_REPOSITORY') || 'envsnap/envsnap';
  const server = setting('GITHUB_SERVER_URL') || 'https://github.com';
  return `${server}/${repository}/releases/download/v${version}`;
}

async function download(url) {
  const advice = 'If this runner cannot reach it, give the path of an executable in the input "executable"';
  const response = await fetch(url, { signal: AbortSignal.timeout(300_000) }).catch((error) => {
    throw new Error(`${url} cannot be fetched (${error.cause?.message ?? error.message}). ${advice}`);
  });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}. ${advice}`);
  return Buffer.from(await response.arrayBuffer());
}
