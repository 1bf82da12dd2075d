// Makes the SDK's client for a connection. The only file that loads the SDK for the commands.

import { type BootstrapOptions, EnvSnap } from '@envsnap/sdk';
import type { InitResult } from '../documents/machine-documents.ts';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { describeError } from '../errors/error-report.ts';
import { version } from '../program.ts';
import { waitingFor } from '../terminal/interrupt.ts';
import { saveProfile } from './config.ts';
import type { Connection } from './settings.ts';

const userAgent = `envsnap/${version}`;

/** The program waits only for shorter times. For longer ones, a person at a terminal sees how long, and decides. */
const maxRetryAfterSeconds = 3;

export function createClient(connection: Pick<Connection, 'baseUrl' | 'apiKey'>): EnvSnap {
  const { apiKey, baseUrl } = connection;
  return new EnvSnap({
    apiKey,
    baseUrl,
    userAgent,
    maxRetryAfterSeconds,
    fetch: (input, init) => waitingFor(() => fetch(input, init)),
  });
}

const timeoutMs = 10_000;
/** Milliseconds to try whether the server uses the other scheme (http or https). */
const guessTimeoutMs = 2_000;

interface ServerAnswer {
  readonly version: string;
  /** The `Date` header of the response, if it has one. */
  readonly date: string | null;
  readonly tookMs: number;
}

/** Exit code 6 if no envsnap server responds. If one responds with the other scheme, the error suggests that. */
export async function probeServer(baseUrl: string): Promise<ServerAnswer> {
  try {
    return await askHealth(baseUrl, timeoutMs);
  } catch (error) {
    const report = describeError(error);
    const other = await otherScheme(baseUrl);
    const fallback = 'Check the address. envsnap-server start starts a server on this machine.';
    const { message } = report;
    throw new CliError(message.includes(baseUrl) ? message : `${baseUrl}: ${message}`, {
      code: report.code,
      exitCode: exitCodes.unreachable,
      hint: other ? `An envsnap server responds at ${other}. Did you mean that?` : fallback,
      cause: error,
    });
  }
}

async function askHealth(baseUrl: string, limitMs: number): Promise<ServerAnswer> {
  // Sent without a key, so that nothing secret goes to an address that may not be an envsnap server.
  const client = new EnvSnap({ baseUrl, userAgent, retries: 0, timeoutMs: limitMs });
  const startedAt = performance.now();
  const { data, headers } = await client.service.health().withResponse();
  const tookMs = Math.round(performance.now() - startedAt);
  if (data.status !== 'ok' || typeof data.version !== 'string')
    throw new CliError(`${baseUrl} responds, but is not an envsnap server: check the address`, {
      code: 'unexpected_response',
      exitCode: exitCodes.unreachable,
    });
  return { version: data.version, date: headers.get('date'), tookMs };
}

async function otherScheme(baseUrl: string): Promise<string | undefined> {
  const other = baseUrl.startsWith('https:')
    ? baseUrl.replace(/^https:/, 'http:')
    : baseUrl.replace(/^http:/, 'https:');
  const answer = await askHealth(other, guessTimeoutMs).catch(() => undefined);
  return answer && other;
}

/** Makes a project with its owner's key on the server and saves it as a profile. */
export async function bootstrapProfile(
  profile: string,
  given: Pick<BootstrapOptions, 'projectName' | 'description' | 'bootstrapToken'> & { baseUrl: string },
): Promise<InitResult> {
  const { baseUrl, projectName, description = null } = given;
  const made = await EnvSnap.bootstrap({ ...given, description, userAgent, maxRetryAfterSeconds });
  const { apiKey, apiKeyId, projectId } = made;
  await saveProfile(profile, { baseUrl, apiKey, projectId, projectName });
  return { profile, baseUrl, projectId, projectName, apiKeyId, role: 'owner', created: true };
}

/** Checks a key with the server and saves it as a profile. */
export async function adoptKey(profile: string, baseUrl: string, apiKey: string): Promise<InitResult> {
  const { id, projectId, projectName, role } = await createClient({ baseUrl, apiKey }).keys.current();
  await saveProfile(profile, { baseUrl, apiKey, projectId, projectName });
  return { profile, baseUrl, projectId, projectName, apiKeyId: id, role, created: false };
}
