// The profiles of the user: their location, and how they are read and written. They are one JSON file, mode 0600, in the user's
// config folder. It is written under another name and renamed, so it is never incomplete.

import { readFileSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { homeFolder } from '../../plain/cache-folder.js';
import { makeFolder } from '../../plain/make-folder.js';
import { CliError, refusalReason } from '../errors/cli-error.ts';

export interface Profile {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly projectId: string;
  readonly projectName: string;
}

export interface Profiles {
  readonly current: string | undefined;
  readonly byName: ReadonlyMap<string, Profile>;
}

const profileNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The folder of the config file: `$XDG_CONFIG_HOME/envsnap`, by default `~/.config/envsnap` (`%APPDATA%` on Windows). */
function configFolder(env: NodeJS.ProcessEnv = process.env): string {
  const xdg = env.XDG_CONFIG_HOME;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'envsnap');
  if (process.platform === 'win32' && env.APPDATA) return path.join(env.APPDATA, 'envsnap');
  return path.join(homeFolder(), '.config', 'envsnap');
}

export function configFile(env: NodeJS.ProcessEnv = process.env): string {
  return path.join(configFolder(env), 'profiles.json');
}

/** Refuses names that could not be typed without quoting. 1 to 64 letters, digits, `.`, `_`, `-`. */
export function checkProfileName(name: string): string {
  if (profileNamePattern.test(name)) return name;
  throw new CliError('a profile name has 1 to 64 letters, digits, dots, dashes or underscores', {
    code: 'invalid_profile_name',
  });
}

/** Reads the profiles; none if the file does not exist. Throws `config_unreadable` if it is damaged. */
export async function readProfiles(env: NodeJS.ProcessEnv = process.env): Promise<Profiles> {
  const file = configFile(env);
  let text: string;
  try {
    // The promise-based functions load a dozen modules, for one small file.
    text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: undefined, byName: new Map() };
    throw unreadable(file, (error as NodeJS.ErrnoException).code ?? 'unreadable', error);
  }
  return parseProfiles(text, file);
}

function parseProfiles(text: string, file: string): Profiles {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw unreadable(file, 'it is not JSON', error);
  }
  const { current, profiles } = (document ?? {}) as { current?: unknown; profiles?: unknown };
  if (typeof profiles !== 'object' || profiles === null) throw unreadable(file, '"profiles" is missing');
  const byName = new Map<string, Profile>();
  for (const [name, value] of Object.entries(profiles as Record<string, Partial<Profile> | null>)) {
    const { baseUrl, apiKey, projectId, projectName } = value ?? {};
    if (typeof baseUrl !== 'string' || typeof apiKey !== 'string' || typeof projectId !== 'string') {
      throw unreadable(file, `profile "${name}" lacks baseUrl, apiKey or projectId`);
    }
    byName.set(name, { baseUrl, apiKey, projectId, projectName: projectName ?? '' });
  }
  return { current: typeof current === 'string' && byName.has(current) ? current : undefined, byName };
}

function unreadable(file: string, reason: string, cause?: unknown): CliError {
  return new CliError(`the config file cannot be read: ${file}: ${reason}`, {
    code: 'config_unreadable',
    hint: 'Repair or remove the file; envsnap init writes a new one.',
    cause,
  });
}

/** Writes all profiles: folder 0700, file 0600, atomically and flushed to the disk. */
export async function writeProfiles(profiles: Profiles, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const folder = configFolder(env);
  const document = {
    version: 1,
    current: profiles.current ?? null,
    profiles: Object.fromEntries([...profiles.byName].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  const temporary = path.join(folder, `.profiles-${process.pid}-${Date.now()}.tmp`);
  try {
    makeFolder(folder);
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(document, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, configFile(env));
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new CliError(
      `the config file cannot be written: ${configFile(env)}: ${refusalReason((error as NodeJS.ErrnoException).code)}`,
      { code: 'config_unwritable', cause: error },
    );
  }
}

export async function saveProfile(name: string, profile: Profile): Promise<void> {
  const { byName } = await readProfiles();
  await writeProfiles({ current: name, byName: new Map([...byName, [checkProfileName(name), profile]]) });
}

/** Fails when the config file could not be written, before anything is done that needs it. */
export async function checkConfigWritable(): Promise<void> {
  await writeProfiles(await readProfiles());
}

/** Whether others than the user may read the config file; false if there is none, and on Windows. */
export async function isConfigExposed(): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const status = await stat(configFile()).catch(() => undefined);
  return status !== undefined && (status.mode & 0o077) !== 0;
}
