// Makes one executable: Node.js of the target with the program inside, made by Node.js itself.
// https://nodejs.org/api/single-executable-applications.html

import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fetchNode, run } from './fetch-node.ts';
import { strip } from './linux-file.ts';
import { type ProgramFiles, type ProgramName, programs } from './programs.ts';
import { hostTarget, type Target, targets } from './targets.ts';

/** Writes a program for a target to `file`, and the licences of what is inside to `licences`. */
export async function buildExecutable(
  program: ProgramName,
  target: Target,
  file: string,
  licences: string,
): Promise<void> {
  const host = hostTarget();
  if (!host) throw new Error(`executables cannot be made on ${process.platform}-${process.arch}`);
  const builder = fetchNode(targets[host]);
  const work = mkdtempSync(path.join(tmpdir(), 'envsnap-executable-'));
  try {
    const node = path.join(work, 'node');
    copyFileSync(fetchNode(target), node);
    strip(node, target);
    // Bytecode works only in the program that made it.
    const isHost = target.platform === process.platform && target.arch === process.arch;
    const files = await programs[program](work, target, isHost ? builder : undefined);
    const settings = path.join(work, 'settings.json');
    writeFileSync(settings, JSON.stringify(settingsOf(target, files, node, file)));
    mkdirSync(path.dirname(file), { recursive: true });
    run(builder, ['--build-sea', settings]);
    chmodSync(file, 0o755);
    copyFileSync(files.licences, licences);
    // macOS kills a program that was changed after it was signed, so the program is signed again if possible.
    if (target.platform === 'darwin' && process.platform === 'darwin')
      run('codesign', ['--sign', '-', '--force', file]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function settingsOf(target: Target, { main, assets }: ProgramFiles, node: string, file: string): object {
  return {
    main,
    mainFormat: 'module',
    executable: node,
    output: file,
    assets,
    disableExperimentalSEAWarning: true,
    // A broken OpenSSL configuration of the machine would end the program before its first line.
    execArgv: [`--openssl-config=${target.platform === 'win32' ? 'NUL' : '/dev/null'}`],
    // NODE_OPTIONS is for programs under development.
    execArgvExtension: 'none',
  };
}
