// Reads each folder once in a capture: dependency files, untracked files and the project's own are looked for in the
// same folders.

import type { DirectoryEntry, System } from './system.ts';

/** Entries of all folders together that are kept; a capture of a larger tree reads the rest again. */
const maxEntries = 100_000;

/** The same machine, whose `readDirectory` answers from memory what it has read before. Failures are not kept. */
export function rememberFolders(system: System): System {
  const listings = new Map<string, Promise<DirectoryEntry[]>>();
  let kept = 0;
  return {
    ...system,
    readDirectory(path) {
      const known = listings.get(path);
      if (known || kept >= maxEntries) return known ?? system.readDirectory(path);
      const listing = system.readDirectory(path);
      listings.set(path, listing);
      listing.then(
        (entries) => {
          kept += entries.length;
        },
        () => listings.delete(path),
      );
      return listing;
    },
  };
}
