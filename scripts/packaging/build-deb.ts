// Makes a Debian package of an executable, without root and without scripts that run when it is installed.

import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../executables/fetch-node.ts';

const architectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' } as const;

/** Targets that a package is made for. */
export type DebTarget = keyof typeof architectures;
export const debTargets = Object.keys(architectures) as DebTarget[];

/** Writes `envsnap_VERSION_ARCH.deb` into `output` from the folder of an executable, and returns its path. */
export function buildDeb(target: DebTarget, folder: string, version: string, output: string): string {
  const architecture = architectures[target];
  const staging = mkdtempSync(path.join(tmpdir(), 'envsnap-deb-'));
  try {
    const put = (from: string, to: string, mode: number) => {
      const file = path.join(staging, to);
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o755 });
      cpSync(path.join(folder, from), file, { mode: 0 });
      run('chmod', [mode.toString(8), file]);
    };
    put('envsnap', 'usr/bin/envsnap', 0o755);
    put('LICENSE', 'usr/share/doc/envsnap/copyright', 0o644);
    for (const name of ['LICENSE-Node.js', 'THIRD-PARTY-LICENSES.txt'])
      put(name, `usr/share/doc/envsnap/${name}`, 0o644);
    mkdirSync(path.join(staging, 'DEBIAN'), { mode: 0o755 });
    const kilobytes = Math.ceil(statSync(path.join(folder, 'envsnap')).size / 1024);
    writeFileSync(path.join(staging, 'DEBIAN/control'), control(version, architecture, kilobytes), {
      mode: 0o644,
    });
    run('chmod', ['0755', staging]);
    mkdirSync(output, { recursive: true });
    const file = path.join(output, `envsnap_${version}_${architecture}.deb`);
    // xz takes a minute for what it saves.
    run('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', staging, file]);
    return file;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function control(version: string, architecture: string, kilobytes: number): string {
  return `Package: envsnap
Version: ${version}
Architecture: ${architecture}
Maintainer: envsnap <envsnap@users.noreply.github.com>
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libstdc++6, libatomic1
Section: utils
Priority: optional
Homepage: https://github.com/envsnap/envsnap
Description: captures a machine's environment and compares it with another
 Answers why something works on one machine and not on another: runtimes,
 packages, variables and settings are captured, stored and compared. Needs
 no Node.js.
`;
}
