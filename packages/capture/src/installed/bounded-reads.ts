// What all readers of installed packages may read together, so that no folder keeps a capture busy for hours.

import type { CapturedMachine } from '../system/machine.ts';
import { parseObject } from '../system/machine-files.ts';

/** Characters and bytes, as often as they are asked for. */
const maxRead = 512 * 1024 * 1024;
/** What an entry of a folder counts for. */
const entrySize = 256;

/** A machine whose reads end when they were too many, and whether they were. */
export function boundReads(
  machine: CapturedMachine,
  most = maxRead,
): { readonly machine: CapturedMachine; readonly isSpent: () => boolean } {
  let left = most;
  const counted =
    <Args extends unknown[], T extends { readonly length: number } | undefined>(
      read: (...args: Args) => Promise<T>,
      size = 1,
    ) =>
    async (...args: Args): Promise<T> => {
      if (left < 0) throw new Error('too much was read');
      const answer = await read(...args);
      left -= (answer?.length ?? 0) * size;
      return answer;
    };
  const { files } = machine;
  const text = counted(files.text);
  const whole = counted((path: string) => machine.readFile(path));
  return {
    machine: {
      ...machine,
      readFile: (path, part) => (part === undefined ? whole(path) : machine.readFile(path, part)),
      readTextFile: counted(machine.readTextFile),
      files: {
        ...files,
        text,
        json: async (file) => parseObject(await text(file)),
        entries: counted(files.entries, entrySize),
        names: counted(files.names, entrySize),
      },
    },
    isSpent: () => left < 0,
  };
}
