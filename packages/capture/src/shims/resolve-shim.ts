// Finds the real tool behind an entry of `PATH`, following one manager into another.

import type { MachineFiles } from '../system/machine-files.ts';
import { untrustedReason } from '../system/untrusted-tree.ts';
import { envFamilyManagers } from './env-family-shims.ts';
import { corepackManager, voltaManager } from './javascript-shims.ts';
import { rustupManager } from './rustup-shims.ts';
import type { ShimAnswer, ShimCandidate, ShimContext, ShimManager } from './shim.ts';
import { appleStubManager, pythonLauncher, scoopManager } from './system-launchers.ts';
import { asdfManager, miseManager } from './version-shims.ts';

const managers: readonly ShimManager[] = [
  ...envFamilyManagers,
  asdfManager,
  miseManager,
  voltaManager,
  corepackManager,
  rustupManager,
  appleStubManager,
  scoopManager,
  pythonLauncher,
];

/** The program that would run, or why none would. */
export type LocatedTool =
  | {
      readonly kind: 'found';
      /** Shims resolved, links not. */
      readonly path: string;
      readonly realPath: string;
      readonly manager?: string;
      readonly selectedBy?: string;
      /** Why it is never started, if only its files may show its version. */
      readonly forbidden?: string;
      /** The chosen version that is not installed, so this one runs instead: `pyenv: version 3.99.0 (.python-version)`. */
      readonly instead?: string;
    }
  | { readonly kind: 'absent'; readonly manager: string; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'nowhere' };

/** The locator's input: the context of shims, and the folders of `PATH` from which nothing is started. */
interface LocateContext extends ShimContext {
  isForbidden(folder: string): boolean;
}

/** Goes through the places of a program in the order of `PATH` and stops at the one that would run. */
export async function locateTool(
  context: LocateContext,
  name: string,
  candidates: readonly string[],
): Promise<LocatedTool> {
  const { machine } = context;
  let instead: string | undefined;
  for (const path of candidates) {
    const realPath = await machine.files.realPath(path);
    const status = realPath === undefined ? undefined : await machine.files.status(realPath);
    // A store alias of Windows is an empty file that opens the store.
    if (realPath === undefined || status?.kind !== 'file' || !status.executable) continue;
    if (context.machine.platform === 'win32' && status.sizeBytes === 0) continue;
    const found = await locateAt(context, { name, path, realPath });
    if (found.kind !== 'next') return found.kind === 'found' && instead ? { ...found, instead } : found;
    instead ??= found.instead;
  }
  return { kind: 'nowhere' };
}

async function locateAt(
  context: LocateContext,
  candidate: ShimCandidate,
): Promise<Exclude<LocatedTool, { kind: 'nowhere' }> | Extract<ShimAnswer, { kind: 'next' }>> {
  const { machine, tree } = context;
  const { path, realPath } = candidate;
  const isLocal = context.isForbidden(machine.files.paths.dirname(path)) || tree.holds(path);
  // An activated virtual environment of the project links to the system's interpreter, which may be started.
  if (isLocal && path !== realPath && isSystemProgram(candidate) && !tree.holds(realPath))
    return { kind: 'found', path: realPath, realPath };
  if (isLocal || tree.holds(realPath)) return { kind: 'found', path, realPath, forbidden: untrustedReason };
  for (const manager of managers)
    if (await manager.recognises(context, candidate)) return resolved(context, manager, candidate);
  return behindWrapper(context, candidate);
}

async function resolved(context: LocateContext, manager: ShimManager, candidate: ShimCandidate) {
  const answer = await manager.resolve(context, candidate);
  if (answer.kind === 'next' && answer.instead !== undefined)
    return { ...answer, instead: `${manager.name}: ${answer.instead}` };
  if (answer.kind === 'absent') return { ...answer, manager: manager.name };
  if (answer.kind !== 'tool') return answer;
  const { path, selectedBy } = answer;
  const realPath = (await context.machine.files.realPath(path)) ?? path;
  const forbidden = await whyForbidden(context, answer, realPath);
  return {
    kind: 'found' as const,
    path,
    realPath,
    ...(manager !== appleStubManager && { manager: manager.name, selectedBy }),
    ...(forbidden !== undefined && { forbidden }),
  };
}

async function behindWrapper({ machine: { files }, tree }: LocateContext, found: ShimCandidate) {
  const path = (await execWrapperTarget(files, found.realPath)) ?? found.path;
  if (path === found.path) return { kind: 'found' as const, path, realPath: found.realPath };
  const realPath = (await files.realPath(path)) ?? path;
  const forbidden = tree.holds(path) || tree.holds(realPath);
  return { kind: 'found' as const, path, realPath, ...(forbidden && { forbidden: untrustedReason }) };
}

/** After links are followed, a manager's version must be in the manager's folder of versions, or in the system's folders. */
async function whyForbidden(
  { machine: { files }, tree }: LocateContext,
  { path, root }: Extract<ShimAnswer, { kind: 'tool' }>,
  real: string,
): Promise<string | undefined> {
  if (tree.holds(path) || tree.holds(real)) return untrustedReason;
  const realRoot = (await files.realPath(root)) ?? root;
  const isInside = real.startsWith(
    realRoot.endsWith(files.paths.sep) ? realRoot : realRoot + files.paths.sep,
  );
  return isInside || systemFolders.test(real)
    ? undefined
    : 'it leads out of the folder of its version manager, and is not started';
}

/** Folders that only the system's administrator and package managers write to. */
const systemFolders =
  /^\/(?:usr|bin|sbin|lib|lib64|opt|nix\/store|snap|gnu\/store|System|Library|Applications|home\/linuxbrew)\/|^[a-z]:\\(?:Windows|Program Files(?: \(x86\))?)\\/i;

/** A system program with the requested name, or with that name and a version: `python3.11` for `python`. */
function isSystemProgram({ name, realPath }: ShimCandidate): boolean {
  const bare = (text: string): string => text.replace(/\.exe$/i, '').replace(/(?<![\d.-])[\d.-]+$/, '');
  const realName = realPath.slice(Math.max(realPath.lastIndexOf('/'), realPath.lastIndexOf('\\')) + 1);
  return systemFolders.test(realPath) && bare(realName) === bare(name);
}

/** Longest script that is read. */
const maxWrapperBytes = 1024;

/** The program that a script of one `exec /path "$@"` line starts; undefined for any other file. */
async function execWrapperTarget(files: MachineFiles, file: string): Promise<string | undefined> {
  const status = await files.status(file);
  if (!status || status.sizeBytes > maxWrapperBytes || status.sizeBytes < 10) return undefined;
  const text = await files.text(file);
  if (!text?.startsWith('#!/bin/') && !text?.startsWith('#!/usr/bin/')) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const commands = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const target =
    commands.length === 1 ? /^exec "?(\/[\w./+-]+)"? "\$@"$/.exec(commands[0] ?? '')?.[1] : undefined;
  const targetStatus = target === undefined ? undefined : await files.status(target);
  return targetStatus?.executable ? target : undefined;
}
