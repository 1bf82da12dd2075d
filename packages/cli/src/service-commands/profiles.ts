// envsnap profile …: lists, switches and removes saved profiles. Other files see only the first characters of a key.

import { string as argument } from '@oclif/core/args';
import { readProfiles, writeProfiles } from '../connection/config.ts';
import { findProfile } from '../connection/settings.ts';
import type { ListedProfile } from '../documents/machine-documents.ts';
import { yesFlag } from '../flags.ts';
import { renderRows } from '../render/layout/table.ts';
import type { Screen } from '../terminal/terminal.ts';
import { serviceCommand } from './service-command.ts';

const nameArgument = argument({ required: true, description: 'Name of the profile.' });

export const profileCommands = {
  'profile:list': serviceCommand({
    summary: 'List saved profiles; the current one is marked.',
    description: 'Profiles hold the address of a server and a key. envsnap init creates them.',
    isLocal: true,
    ask: async () => ({ profiles: await listProfiles() }),
    show: ({ profiles }, screen) => renderProfiles(profiles, screen),
  }),
  'profile:use': serviceCommand({
    summary: 'Make a profile the current one.',
    examples: ['envsnap profile use staging'],
    args: { name: nameArgument },
    isLocal: true,
    async ask({ args: { name } }) {
      const profiles = await readProfiles();
      findProfile(profiles, name);
      await writeProfiles({ ...profiles, current: name });
      return { current: name };
    },
    show: ({ current }) => `The current profile is ${current}.`,
  }),
  'profile:remove': serviceCommand({
    summary: 'Remove a profile. Deletes its key from this machine, but does not revoke it on the server.',
    args: { name: nameArgument },
    flags: yesFlag,
    isLocal: true,
    async ask({ args: { name }, flags, command }) {
      findProfile(await readProfiles(), name);
      await command.confirm(`Remove profile ${name} and its key?`, flags.yes);
      return { removed: name, current: (await removeProfile(name)) ?? null };
    },
    show: ({ removed, current }) =>
      `Removed profile ${removed}. ${current === null ? 'There is no current profile now.' : `The current profile is ${current}.`}`,
  }),
};

async function listProfiles(): Promise<ListedProfile[]> {
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

/** Removes a profile and returns the current one afterwards: the same as before, or the only one left. */
async function removeProfile(name: string): Promise<string | undefined> {
  const { current, byName } = await readProfiles();
  const remaining = new Map([...byName].filter(([other]) => other !== name));
  const next = current !== name ? current : remaining.size === 1 ? [...remaining.keys()][0] : undefined;
  await writeProfiles({ current: next, byName: remaining });
  return next;
}

function renderProfiles(profiles: readonly ListedProfile[], screen: Screen): string {
  if (profiles.length === 0) return 'No profiles yet. envsnap init creates one.\n';
  return renderRows(screen, profiles, [
    ['', (profile) => (profile.current ? { text: '*', style: 'green' } : '')],
    ['NAME', (profile) => profile.name],
    ['SERVER', (profile) => profile.baseUrl, { shrinks: true }],
    ['PROJECT', (profile) => profile.projectName || profile.projectId, { shrinks: true }],
    ['KEY', (profile) => `${profile.keyPrefix}…`],
  ]);
}
