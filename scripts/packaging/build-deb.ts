// Makes a Debian package of an executable, without root and without scripts that run when it is installed.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../executables/fetch-node.ts';
import type { ProgramName } from '../executables/programs.ts';

const deploy = path.resolve(import.meta.dirname, '../../deploy');

const architectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' } as const;

/** Targets for which a package is made. */
export type DebTarget = keyof typeof architectures;
export const debTargets = Object.keys(architectures) as DebTarget[];

/** Contents of a package besides its program and the licences: path, content, mode. */
const others: Record<ProgramName, () => [file: string, content: string, mode: number][]> = {
  envsnap: () => [],
  // As in docs/hosting.md, with the executable instead of Node.js and a folder of packages.
  'envsnap-server': () => [
    ...['envsnap-server.service', 'envsnap-backup.service', 'envsnap-backup.timer'].map(
      (name): [string, string, number] => [`usr/lib/systemd/system/${name}`, forExecutable(name), 0o644],
    ),
    ['usr/sbin/envsnap-admin', forExecutable('envsnap-admin'), 0o755],
    ['etc/envsnap/server.env', forExecutable('server.env'), 0o640],
    ['usr/lib/sysusers.d/envsnap.conf', 'u envsnap - "envsnap server" /var/lib/envsnap\n', 0o644],
    ['usr/lib/tmpfiles.d/envsnap.conf', 'z /etc/envsnap/server.env 0640 root envsnap\n', 0o644],
    ['DEBIAN/conffiles', '/etc/envsnap/server.env\n', 0o644],
  ],
};

/** A file of deploy/, without the steps that the package does, and with the executable. */
function forExecutable(name: string): string {
  return readFileSync(path.join(deploy, name), 'utf8')
    .replace(/^# {3}(?:useradd|install|systemctl) .*\n/gm, '')
    .replaceAll(
      '/usr/bin/node --env-file="$settings" "$program"',
      '/usr/bin/envsnap-server --env-file="$settings"',
    )
    .replaceAll('/usr/bin/node /opt/envsnap-server/bin/envsnap-server.js', '/usr/bin/envsnap-server')
    .replace(/^program=.*\n/m, '')
    .replaceAll(/^#\n(?=\n)/gm, '');
}

/** Writes `PROGRAM_VERSION_ARCH.deb` into `output` from the folder of an executable, and returns its path. */
export function buildDeb(
  program: ProgramName,
  target: DebTarget,
  folder: string,
  version: string,
  output: string,
): string {
  const architecture = architectures[target];
  const staging = mkdtempSync(path.join(tmpdir(), 'envsnap-deb-'));
  try {
    const put = (to: string, content: string | Uint8Array, mode: number) => {
      const file = path.join(staging, to);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content, { mode });
      // Whatever the umask is.
      for (let at = path.dirname(file); at !== staging; at = path.dirname(at)) chmodSync(at, 0o755);
      chmodSync(file, mode);
    };
    const licences = {
      LICENSE: 'copyright',
      'LICENSE-Node.js': 'LICENSE-Node.js',
      'THIRD-PARTY-LICENSES.txt': 'THIRD-PARTY-LICENSES.txt',
    };
    put(`usr/bin/${program}`, readFileSync(path.join(folder, program)), 0o755);
    for (const [from, to] of Object.entries(licences))
      put(`usr/share/doc/${program}/${to}`, readFileSync(path.join(folder, from)), 0o644);
    for (const file of others[program]()) put(...file);
    const kilobytes = Math.ceil(statSync(path.join(folder, program)).size / 1024);
    put('DEBIAN/control', control(program, version, architecture, kilobytes), 0o644);
    chmodSync(staging, 0o755);
    mkdirSync(output, { recursive: true });
    const file = path.join(output, `${program}_${version}_${architecture}.deb`);
    // xz would save little and take a minute.
    run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', staging, file]);
    return file;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const descriptions: Record<ProgramName, string> = {
  envsnap: `captures a machine's environment and compares it with another
 Answers why something works on one machine and not on another: runtimes,
 packages, variables and settings are captured, stored and compared. Needs
 no Node.js.`,
  'envsnap-server': `keeps the environments that envsnap captured
 Stores the snapshots of a team, encrypted, in its own database or in
 PostgreSQL, with an API and a console. Needs no Node.js. Data in
 /var/lib/envsnap stays when the package is removed or purged.`,
};

function control(program: ProgramName, version: string, architecture: string, kilobytes: number): string {
  return `Package: ${program}
Version: ${version}
Architecture: ${architecture}
Maintainer: envsnap <envsnap@users.noreply.github.com>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, libatomic1
Section: ${program === 'envsnap' ? 'utils' : 'net'}
Priority: optional
Homepage: https://github.com/envsnap/envsnap
Description: ${descriptions[program]}
`;
}
