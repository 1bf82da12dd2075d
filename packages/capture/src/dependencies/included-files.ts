// Reads other files for parsers: parents, workspaces, included requirements. Only inside the captured folder.

import { posix } from 'node:path';
import type { CapturedMachine } from '../system/machine.ts';
import type { ParseContext } from './fields.ts';
import { decodeText } from './text/decode-text.ts';
import type { ReadBudget } from './walk/snapshot-limits.ts';
import { withoutUsers } from './without-credentials.ts';

/** Maximum bytes of files in memory at a time. */
const maxRemembered = 16 * 1024 * 1024;
/** Reusing a result costs a fraction of the file's bytes: less than parsing it again, but not nothing. */
const bytesPerAskedByte = 1 / 16;

/** The result of a reader for a file that another file includes; `from` is relative to the captured folder. */
export function createIncludedFiles(machine: CapturedMachine, folder: string, budget: ReadBudget) {
  const remembered = new Map<string, Map<unknown, unknown>>();
  let bytes = 0;
  return async <T>(from: string, ...[relativePath, read]: Parameters<ParseContext['include']>) => {
    const target = posix.join(posix.dirname(from), relativePath);
    if (posix.isAbsolute(relativePath) || /^[a-z]:/i.test(relativePath) || target.startsWith('..'))
      return undefined;
    const absolute = posix.join(folder, target);
    const found = await locate(absolute).catch(() => undefined);
    if (!found) return undefined;
    const { real, sizeBytes } = found;
    const made = remembered.get(real);
    budget.spend(made?.has(read) ? sizeBytes * bytesPerAskedByte : sizeBytes);
    if (made?.has(read)) return made.get(read) as T;
    const content = await machine.readFile(absolute).catch(() => undefined);
    if (!content) return undefined;
    const answer = read(withoutUsers(decodeText(content).text), real);
    bytes += sizeBytes;
    if (bytes > maxRemembered) {
      remembered.clear();
      bytes = sizeBytes;
    }
    remembered.set(real, (remembered.get(real) ?? new Map()).set(read, answer));
    return answer as T;
  };

  async function locate(absolute: string): Promise<{ real: string; sizeBytes: number } | undefined> {
    const { kind, sizeBytes } = await machine.status(absolute);
    if (kind !== 'file') return undefined;
    const root = await machine.realPath(folder).catch(() => undefined);
    // On a file system without real paths (RAM disks on Windows), the captured folder has none either. If the folder
    // has a real path and the file has none, it may be a link to anywhere, so it is not read.
    if (root === undefined) return { real: absolute, sizeBytes };
    const real = await machine.realPath(absolute);
    const base = root.replaceAll('\\', '/').replace(/\/$/, '');
    return real.replaceAll('\\', '/').startsWith(`${base}/`) ? { real, sizeBytes } : undefined;
  }
}
