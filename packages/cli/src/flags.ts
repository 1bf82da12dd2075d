// Flags and arguments that several commands share.

import { type WebhookEvent, webhookEvents, webhookFormats } from '@envsnap/shared/catalogue/webhook-events';
import { string as argument } from '@oclif/core/args';
import { boolean, integer, option, string } from '@oclif/core/flags';

const group = 'CONNECTION';

/** Which server and key: on every command that talks to the service. */
export const connectionFlags = {
  'base-url': string({
    summary: 'Address of the server [variable: ENVSNAP_BASE_URL].',
    helpGroup: group,
    helpValue: 'URL',
  }),
  profile: string({
    summary: 'Profile to use [variable: ENVSNAP_PROFILE].',
    helpGroup: group,
    helpValue: 'NAME',
  }),
  'api-key-stdin': boolean({
    summary: 'Read the API key from standard input [variable: ENVSNAP_API_KEY].',
    helpGroup: group,
  }),
};

export const folderFlags = {
  dir: string({
    summary: 'Folder to capture; by default the root of the project around this folder.',
    helpValue: 'FOLDER',
  }),
  workspace: string({
    summary: 'Capture only one package of the project: its folder below the root, such as packages/web.',
    helpValue: 'FOLDER',
  }),
};

/** How many items of a list are shown. */
export const limitOptions = {
  summary: 'How many to show.',
  default: 50,
  min: 1,
  max: 100,
  exclusive: ['all'],
  helpValue: 'N',
};

export const pageFlags = {
  limit: integer(limitOptions),
  offset: integer({
    summary: 'How many of the newest to skip.',
    default: 0,
    min: 0,
    exclusive: ['all'],
    helpValue: 'N',
  }),
  all: boolean({ summary: 'Show all.' }),
};

/** A flag that is repeated for each of its values. */
export function repeatable(summary: string, helpValue: string, exclusive: string[] = []) {
  return string({
    summary: `${summary}; repeatable.`,
    helpValue,
    multiple: true,
    multipleNonGreedy: true,
    exclusive,
  });
}

/** The argument that names a thing of the project by its id. */
export function idArgument(noun: string) {
  return argument({ required: true, description: `Id of the ${noun}, or its first 8 or more characters.` });
}

export const yesFlag = {
  yes: boolean({ char: 'y', summary: 'Do not ask for confirmation; required without a terminal.' }),
};

export const assignableRoles = ['admin', 'member', 'viewer'] as const;

/** Role and expiry of a new key, also that of a new member. */
export const newKeyFlags = {
  role: option({ options: assignableRoles, default: 'member' as const, summary: 'What the key may do.' })(),
  expires: string({
    summary: 'When the key expires: 12h, 90d, 4w or a date (2027-03-31); by default never.',
    helpValue: 'WHEN',
  }),
};

/** Project of a team command; by default that of the key. */
export const projectFlag = {
  project: string({ summary: "Id of the project; by default the key's own.", helpValue: 'ID' }),
};

/** Shared by the flags that take webhook events: repeatable, one event each time. */
export const eventOptions = {
  char: 'e',
  options: [...webhookEvents],
  multiple: true,
  multipleNonGreedy: true,
  helpValue: 'EVENT',
} as const;

export const webhookFormatFlag = option({
  options: webhookFormats,
  summary:
    'Format of deliveries: the event as JSON, or a message for Slack (and chats with the same format) or Discord.',
});

/** The events that a flag names, each once; all if it is not given. */
export function eventsOf(flag: readonly string[] | undefined): WebhookEvent[] {
  return webhookEvents.filter((event) => flag?.includes(event) ?? true);
}
