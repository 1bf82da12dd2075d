// Captures this machine as somebody else sees it: another process, a person's shell, a unit of systemd, a container.

import type { CaptureRequest, CaptureResult } from '@envsnap/capture';
import { captureMachine } from '../actions/capture-machine.ts';
import { CliError } from '../errors/cli-error.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { captureRefusal } from '../threads/capture-jobs.ts';
import { processOfContainer, processOfUnit } from './find-process.ts';
import { type ShellKind, shellEnvironment } from './shell-environment.ts';

/** Whose environment is meant. */
export type ProcessReference =
  | { readonly kind: 'pid'; readonly pid: number }
  | { readonly kind: 'shell'; readonly shell: ShellKind }
  | { readonly kind: 'unit' | 'container'; readonly name: string };

/** Reads `pid:4711`, `shell:login`, `shell:interactive`, `unit:NAME`, `container:ID`; undefined for anything else. */
export function parseProcessReference(text: string): ProcessReference | undefined {
  const match = /^(pid|shell|unit|container):(.+)$/s.exec(text);
  if (!match) return undefined;
  const [, kind, name = ''] = match;
  if (kind === 'pid' && /^[1-9]\d{0,9}$/.test(name)) return { kind, pid: Number(name) };
  if (kind === 'shell' && (name === 'login' || name === 'interactive')) return { kind, shell: name };
  if (kind === 'unit' || kind === 'container') return { kind, name };
  throw new CliError(`"${text}" names no process`, {
    code: 'invalid_reference',
    hint: 'pid:4711, shell:login, shell:interactive, unit:NAME or container:ID.',
  });
}

/** Captures it. The folder is that of the process unless the request names one. Exit code 4 where there is none, 7 where it is not ours. */
export async function captureProcess(
  reference: ProcessReference,
  request: Omit<CaptureRequest, 'cacheDir' | 'toolVersion' | 'programId'> & { readonly workspace?: string },
  folder: string | undefined,
): Promise<CaptureResult> {
  const { ProcessViewError, viewProcess } = await import('@envsnap/capture/workspace/system/process-view');
  if (reference.kind === 'shell') {
    const dir = folder ?? '.';
    const env = await shellEnvironment(reference.shell, dir);
    return captureMachine({ ...request, dir, ofProcess: true }, { kind: 'variables', env });
  }
  try {
    const pid =
      reference.kind === 'pid'
        ? reference.pid
        : reference.kind === 'unit'
          ? processOfUnit(reference.name)
          : processOfContainer(reference.name);
    // Looked up here too, so that a missing process is distinguished from a missing folder.
    const view = viewProcess(pid);
    if (folder === undefined && !view.isFolderThere)
      throw new CliError(`the folder of process ${pid} was deleted: ${view.folder}`, {
        code: 'folder_not_found',
        exitCode: exitCodes.notFound,
        hint: '--dir FOLDER names another.',
      });
    const dir = folder ?? view.folder;
    return await captureMachine({ ...request, dir, ofProcess: true }, { kind: 'process', pid });
  } catch (error) {
    if (!(error instanceof ProcessViewError)) throw error;
    throw captureRefusal(error.message, error.code, error);
  }
}
