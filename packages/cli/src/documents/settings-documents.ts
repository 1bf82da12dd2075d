// The JSON documents of commands over settings and of the receiver of webhooks, and that of a failure. Never bundled.

import * as z from 'zod';
import { exitCodes } from '../errors/cli-error.ts';
import { idSchema, momentSchema, type Told } from './document-parts.ts';

const init = z.object({
  profile: z.string().describe('Name of the profile.'),
  baseUrl: z.string().describe('Address of the server.'),
  projectId: idSchema.describe('Id of the project.'),
  projectName: z.string().describe('Name of the project.'),
  apiKeyId: idSchema.describe('Id of the key.'),
  role: z.string().describe('What the key may do.'),
  created: z.boolean().describe('Whether the project was made now.'),
  configFile: z.string().describe('File that holds the key.'),
});

export type InitResult = Omit<Told<typeof init>, 'configFile'>;

const current = z.string().nullable().describe('The current profile; null for none.');
const profile = z.object({
  name: z.string().describe('Name of the profile.'),
  current: z.boolean().describe('Whether it is the current one.'),
  baseUrl: z.string().describe('Address of the server.'),
  projectId: z.string().describe('Id of the project.'),
  projectName: z.string().describe('Name of the project.'),
  keyPrefix: z.string().describe('First 11 characters of the key.'),
});

export type ListedProfile = Told<typeof profile>;

const delivery = z.object({
  receivedAt: momentSchema.describe('When it arrived.'),
  id: z.string().nullable().describe('webhook-id: the same on every attempt of one event.'),
  verified: z.boolean().describe('Whether its signature was checked and is right.'),
  problem: z.string().nullable().describe('Why it was refused or not passed on; null when all is well.'),
  payload: z
    .looseObject({ event: z.string(), data: z.unknown(), timestamp: z.string().exactOptional() })
    .nullable()
    .describe('The event; null when it was refused.'),
  forwardedStatus: z.number().int().nullable().describe('Status of the program that it was passed on to.'),
});

export type ReceivedDelivery = Told<typeof delivery>;

const failure = z.object({
  message: z.string().describe('What happened.'),
  code: z.string().describe('The same for programs: a code of the service or of the program.'),
  exitCode: z.literal(Object.values(exitCodes)).describe('The exit code.'),
  status: z.number().int().optional().describe('Status of the answer, when the service refused.'),
  requestId: z.string().optional().describe('The request in the log of the server.'),
  retryAfterSeconds: z.number().optional().describe('When to try again.'),
  details: z
    .array(
      z.object({ path: z.string().describe('The field.'), message: z.string().describe('What is wrong.') }),
    )
    .optional()
    .describe('Which fields were refused.'),
  hint: z.string().optional().describe('What to do.'),
});

/** By the words of the command; `error` is what any command prints when it fails. */
export const settingsDocuments = {
  error: z.object({ error: failure.describe('What went wrong.') }),
  init,
  'profile list': z.object({ profiles: z.array(profile).describe('By name.') }),
  'profile use': z.object({ current: z.string().describe('The current profile.') }),
  'profile remove': z.object({ removed: z.string().describe('Name of the profile that is gone.'), current }),
  'webhook listen': z.object({
    url: z.string().describe('Where it listened.'),
    deliveries: z.array(delivery).describe('In the order in which they came.'),
  }),
  autocomplete: z.object({
    shell: z.string().describe('The shell.'),
    script: z.string().describe('Its completion script.'),
  }),
} as const;
