// Sets up a server and a key as a profile: makes a new project, or takes a key that exists.

import { EnvSnap } from '@envsnap/sdk';
import { createClient, maxRetryAfterSeconds, userAgent } from '../../connection/client.ts';
import { saveProfile } from '../../connection/config.ts';
import type { InitResult } from '../../documents/settings-documents.ts';

/** Makes a project with its owner's key on the server and saves it as a profile. */
export async function bootstrapProfile(input: {
  readonly profile: string;
  readonly baseUrl: string;
  readonly projectName: string;
  readonly description: string | undefined;
  readonly bootstrapToken: string | undefined;
}): Promise<InitResult> {
  const { profile, baseUrl, projectName, description, bootstrapToken } = input;
  const made = await EnvSnap.bootstrap({
    userAgent,
    maxRetryAfterSeconds,
    baseUrl,
    projectName,
    description: description ?? null,
    bootstrapToken,
  });
  await saveProfile(profile, { baseUrl, apiKey: made.apiKey, projectId: made.projectId, projectName });
  return {
    profile,
    baseUrl,
    projectId: made.projectId,
    projectName,
    apiKeyId: made.apiKeyId,
    role: 'owner',
    created: true,
  };
}

/** Checks a key with the server and saves it as a profile. */
export async function adoptKey(input: {
  readonly profile: string;
  readonly baseUrl: string;
  readonly apiKey: string;
}): Promise<InitResult> {
  const { profile, baseUrl, apiKey } = input;
  const key = await createClient({ baseUrl, apiKey }).keys.current();
  await saveProfile(profile, { baseUrl, apiKey, projectId: key.projectId, projectName: key.projectName });
  return {
    profile,
    baseUrl,
    projectId: key.projectId,
    projectName: key.projectName,
    apiKeyId: key.id,
    role: key.role,
    created: false,
  };
}
