// Lists, switches and removes saved profiles. Keys never leave this module but for their first characters.

import { type Profile, readProfiles, writeProfiles } from '../../connection/config.ts';
import type { ListedProfile } from '../../documents/settings-documents.ts';
import { CliError, exitCodes } from '../../errors/cli-error.ts';

/** All profiles by name. */
export async function listProfiles(): Promise<ListedProfile[]> {
  const { current, byName } = await readProfiles();
  return [...byName].map(([name, { baseUrl, projectId, projectName, apiKey }]) => ({
    name,
    current: name === current,
    baseUrl,
    projectId,
    projectName,
    keyPrefix: apiKey.slice(0, 11),
  }));
}

/** The profile of a name; exit code 4 when there is none. */
export async function findProfile(name: string): Promise<Profile> {
  const { byName } = await readProfiles();
  const profile = byName.get(name);
  if (profile) return profile;
  throw new CliError(`there is no profile "${name}"`, {
    code: 'profile_not_found',
    exitCode: exitCodes.notFound,
    hint: byName.size > 0 ? `Profiles: ${[...byName.keys()].join(', ')}.` : 'envsnap init makes one.',
  });
}

/** Makes a profile the current one. */
export async function useProfile(name: string): Promise<void> {
  await findProfile(name);
  await writeProfiles({ ...(await readProfiles()), current: name });
}

/** Removes a profile and returns the one that is current then: the same as before, or the only one left. */
export async function removeProfile(name: string): Promise<string | undefined> {
  await findProfile(name);
  const { current, byName } = await readProfiles();
  const left = new Map([...byName].filter(([other]) => other !== name));
  const next = current !== name ? current : left.size === 1 ? [...left.keys()][0] : undefined;
  await writeProfiles({ current: next, byName: left });
  return next;
}
