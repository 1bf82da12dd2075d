// The policy of the captured folder: the nearest .envsnap.yaml at or above it, not above the root of its repository. A capture
// contains it, so that a comparison elsewhere applies the project's rules.

import { limits } from '@envsnap/shared/catalogue/limits';
import type { CapturedMachine } from '../system/machine.ts';
import type { CaptureWarning } from '../warning.ts';

export interface PolicyFile {
  readonly path: string;
  readonly text: string;
}

/** Names of policy files; if a folder has two, the first is used. */
const fileNames = ['.envsnap.yaml', '.envsnap.yml'];

/** Reads the policy. Links are not followed, because they may lead out of the project. */
export async function readPolicy(
  { files }: CapturedMachine,
  folder: string,
): Promise<{ readonly policy?: PolicyFile; readonly warnings: readonly CaptureWarning[] }> {
  for (const above of files.upward(folder)) {
    const entries = await files.entries(above);
    const regular = entries.filter(({ kind }) => kind === 'file').map(({ name }) => name);
    const name = fileNames.find((each) => regular.includes(each));
    if (name !== undefined) {
      const path = files.paths.join(above, name);
      const text = await files.text(path);
      if (text === undefined) return { warnings: [] };
      if (Buffer.byteLength(text) <= limits.carriedPolicyBytes)
        return { policy: { path, text }, warnings: [] };
      const message = `${name} has more than 32 KiB: it is not stored with the snapshot, so other machines compare without it.`;
      return { warnings: [{ code: 'policy_not_carried', message }] };
    }
    if (entries.some((entry) => entry.name === '.git')) break;
  }
  return { warnings: [] };
}
