// Finds and reads the policy of a folder: the nearest .envsnap.yaml, up to the root of the repository.

import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { LoadedPolicy } from '@envsnap/compare/policy';
import { CliError } from '../../errors/cli-error.ts';
import { workTreeOf } from '../../runs/find-program.ts';
import { interruptible } from '../../terminal/interrupt.ts';
import { readInputFile } from '../documents/read-input-file.ts';

/** Names of policy files; if a folder has both, the first is used. */
const fileNames = ['.envsnap.yaml', '.envsnap.yml'];

/** How a policy file is read: largest size in bytes, and the code of the error. */
export const policyInput = { errorCode: 'policy_unreadable', maxBytes: 1024 * 1024 } as const;

export interface FoundPolicy {
  readonly loaded: LoadedPolicy;
  readonly folder: string;
}

/**
 * Reads the policy in `file`, or by default the nearest one at or above `folder`, up to the root of the repository. `optional`:
 * the command also works without a policy, and the error says so. Undefined if there is none. Exit code 2 if it cannot be used, 4
 * if `file` does not exist.
 */
export async function loadPolicy(
  folder: string,
  file: string | undefined,
  { optional = true }: { readonly optional?: boolean } = {},
): Promise<FoundPolicy | undefined> {
  const start = file === undefined ? resolveExisting(folder) : undefined;
  const found = file === undefined ? start && findPolicyFile(start) : path.resolve(file);
  if (found === undefined) return undefined;
  const text = await readInputFile(found, policyInput);
  const { parsePolicy } = await import('@envsnap/compare/policy');
  const shown = path.relative(process.cwd(), found);
  const name = shown.startsWith(`..${path.sep}..`) ? found : shown;
  try {
    const loaded = interruptible(() => parsePolicy(text, name));
    return { loaded, folder: path.dirname(found) };
  } catch (error) {
    throw describePolicyError(error, optional);
  }
}

/** The absolute path of the folder; undefined if the working folder was deleted. */
function resolveExisting(folder: string): string | undefined {
  try {
    return path.resolve(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Turns mistakes in a policy file into an error with exit code 2; returns any other error unchanged. */
export function describePolicyError(error: unknown, optional: boolean): unknown {
  if (!(error instanceof Error) || error.name !== 'PolicyError') return error;
  return new CliError(error.message, {
    code: 'invalid_policy',
    hint: `docs/policy.md describes the format.${optional ? ' --no-policy ignores it.' : ''}`,
  });
}

/** The nearest policy file at or above a folder, up to the root of the repository. Exit code 2 for a link that leads out of it. */
export function findPolicyFile(folder: string): string | undefined {
  for (let current = folder; ; current = path.dirname(current)) {
    for (const name of fileNames) {
      const file = path.join(current, name);
      const entry = lstatSync(file, { throwIfNoEntry: false });
      if (entry?.isSymbolicLink()) refuseOutside(file, workTreeOf(current) ?? current);
      // Even a folder or pipe with that name is found: a gate must not pass because its policy cannot be read.
      if (entry) return file;
    }
    const isRoot = statSync(path.join(current, '.git'), { throwIfNoEntry: false }) !== undefined;
    if (isRoot || path.dirname(current) === current) return undefined;
  }
}

/** Refuses a link out of the repository: errors quote a policy, and nobody named the file that the link leads to. Exit code 2. */
function refuseOutside(link: string, root: string): void {
  if (!existsSync(link)) return;
  const target = path.relative(realpathSync(root), realpathSync(link));
  if (target !== '..' && !target.startsWith(`..${path.sep}`) && !path.isAbsolute(target)) return;
  throw new CliError(`${link} is a link that leads out of the project, so it is not read`, {
    code: policyInput.errorCode,
    hint: '--policy FILE reads a policy from anywhere.',
  });
}

/** The policy's baseline as one side of a comparison; a file is relative to the policy. */
export function baselineOf(policy: FoundPolicy | undefined): string | undefined {
  const baseline = policy?.loaded.policy.baseline;
  if (baseline === undefined || policy === undefined) return undefined;
  const file = path.resolve(policy.folder, baseline);
  if (/[/\\]|\.json$/.test(baseline) || statSync(file, { throwIfNoEntry: false })?.isFile()) {
    return path.relative(process.cwd(), file) || file;
  }
  return baseline;
}
