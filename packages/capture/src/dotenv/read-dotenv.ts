// Dotenv files that programs load from the captured folder: `.env`, `.env.local`, `.env.<mode>`. docs/specification.md §11.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import type { CapturedMachine } from '../system/machine.ts';
import type { CaptureWarning } from '../warning.ts';

// Importing node:util takes 6 ms at startup.
const { parseEnv } = process.getBuiltinModule('node:util');

export interface DotenvVariable {
  /** As the snapshot holds it: `.env.local:DATABASE_URL`. */
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

/** Samples, encrypted vaults with their keys, and backups of editors: no program loads them. */
const notLoaded =
  /\.(?:example|sample|template|tmpl|dist|schema|vault|keys|bak|backup|old|orig|save|sw[a-p])$/i;
const maxFileBytes = 1024 * 1024;
/** Maximum number of variables in all files; a snapshot has at most 10,000. */
const maxVariables = 5000;

/** Whether programs load a file with this name, such as `.env.local`. */
export function isDotenvFile(name: string): boolean {
  return /^\.env(?:\.[\w.-]+)?$/.test(name) && !notLoaded.test(name);
}

/**
 * Parses files as Node.js does. Nothing is loaded, and `$NAME` is not replaced. `isOwn` tests whether a file belongs
 * to the folder and its repository; otherwise a link could put any file of the user into the snapshot.
 */
export async function readDotenv(machine: CapturedMachine, folder: string, isOwn: (path: string) => boolean) {
  const variables: DotenvVariable[] = [];
  /** Files whose variables could not be determined. */
  const unknown: UnknownEntry[] = [];
  const warnings: CaptureWarning[] = [];
  const refuse = (file: string, code: string, reason: string) => {
    warnings.push({ code, message: `The variables of ${file} are not recorded: ${reason}.`, file });
    unknown.push({ section: 'env', key: file, reason });
  };
  for (const file of await machine.files.names(folder)) {
    if (!isDotenvFile(file)) continue;
    const path = machine.files.paths.join(folder, file);
    const status = await machine.files.status(path);
    // A virtual environment may have this name.
    if (status?.kind === 'directory') continue;
    if (status?.kind !== 'file') {
      refuse(file, 'dotenv_unreadable', await machine.files.whyUnread(path));
      continue;
    }
    if (!isOwn((await machine.files.realPath(path)) ?? path)) {
      refuse(file, 'dotenv_outside', 'it is a link to a file outside of the folder');
      continue;
    }
    try {
      if (status.sizeBytes > maxFileBytes) throw new Error('it is larger than 1 MiB');
      const parsed = parseEnv(await machine.readTextFile(path));
      const entries = Object.entries(parsed);
      if (variables.length + entries.length > maxVariables) throw new Error('too many variables');
      for (const [name, value] of entries)
        if (value !== undefined) variables.push({ key: `${file}:${name}`, name, value });
    } catch {
      refuse(file, 'dotenv_unreadable', 'it cannot be read');
    }
  }
  return { variables, unknown, warnings };
}
