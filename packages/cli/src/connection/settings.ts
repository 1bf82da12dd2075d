// Which server and key a command uses: from flags, else from variables, else from the profile.

import { isWellFormedApiKey } from '@envsnap/shared/api-key-format';
import { shellWord } from '@envsnap/shared/text/visible';
import { CliError, exitCodes } from '../errors/cli-error.ts';
import { readSecretFromStdin } from '../terminal/stdin.ts';
import { type Profile, type Profiles, readProfiles } from './config.ts';

export const defaultBaseUrl = 'http://127.0.0.1:4780';

export interface ConnectionFlags {
  readonly 'base-url'?: string | undefined;
  readonly profile?: string | undefined;
  readonly 'api-key-stdin'?: boolean | undefined;
}

/** The flags that name a profile or a server, as words of the next command. */
export function connectionWords(flags: ConnectionFlags): string[] {
  return (['profile', 'base-url'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}`, flags[name]],
  );
}

export type SettingSource = 'flag' | 'variable' | 'profile' | 'default';

export interface Connection {
  readonly baseUrl: string;
  readonly baseUrlSource: SettingSource;
  readonly apiKey: string;
  readonly apiKeySource: Exclude<SettingSource, 'default'>;
  /** Name of the profile that was used, if any. */
  readonly profileName: string | undefined;
  /** Project of the key, if the key is the profile's; otherwise unknown until the server is asked. */
  readonly projectId: string | undefined;
}

/** The profile of a name. Exit code 4 if there is none. */
export function findProfile({ byName }: Profiles, name: string): Profile {
  const profile = byName.get(name);
  if (profile) return profile;
  throw new CliError(`there is no profile "${name}"`, {
    code: 'profile_not_found',
    exitCode: exitCodes.notFound,
    hint:
      byName.size > 0
        ? `Profiles: ${[...byName.keys()].join(', ')}.`
        : `envsnap init --profile ${name} creates it.`,
  });
}

function chooseProfile(profiles: Profiles, asked: string | undefined) {
  const name = asked ?? (process.env.ENVSNAP_PROFILE || profiles.current);
  return name === undefined ? undefined : { name, profile: findProfile(profiles, name) };
}

/** The server and key to use, or undefined if no key is configured anywhere. */
export async function findConnection(flags: ConnectionFlags): Promise<Connection | undefined> {
  const { env } = process;
  const piped = flags['api-key-stdin'] && (await readSecretFromStdin('--api-key-stdin', 'API key'));
  const keyFromFlag = piped ? requireApiKey(piped, 'standard input') : undefined;
  const inVariable = env.ENVSNAP_API_KEY;
  const keyFromVariable = inVariable ? requireApiKey(inVariable, 'ENVSNAP_API_KEY') : undefined;
  const urlFromFlag = flags['base-url'];
  const urlFromVariable = env.ENVSNAP_BASE_URL || undefined;
  // A mistyped address is reported before a key is asked for.
  if (urlFromFlag !== undefined) requireBaseUrl(urlFromFlag, '--base-url');
  // If key and address are given, the profile is not needed, so a damaged config file does no harm.
  const complete = (keyFromFlag ?? keyFromVariable) && (urlFromFlag ?? urlFromVariable);
  const chosen =
    complete && flags.profile === undefined ? undefined : chooseProfile(await readProfiles(), flags.profile);
  const profileKey = chosen ? requireApiKey(chosen.profile.apiKey, `profile "${chosen.name}"`) : undefined;
  const apiKey = keyFromFlag ?? keyFromVariable ?? profileKey;
  if (apiKey === undefined) return undefined;
  const baseUrl = urlFromFlag ?? urlFromVariable ?? chosen?.profile.baseUrl ?? defaultBaseUrl;
  const source = urlFromFlag ? '--base-url' : urlFromVariable ? 'ENVSNAP_BASE_URL' : 'the profile';
  return {
    baseUrl: requireBaseUrl(baseUrl, source),
    baseUrlSource: urlFromFlag ? 'flag' : urlFromVariable ? 'variable' : chosen ? 'profile' : 'default',
    apiKey,
    apiKeySource: keyFromFlag ? 'flag' : keyFromVariable ? 'variable' : 'profile',
    profileName: chosen?.name,
    projectId: keyFromFlag || keyFromVariable ? undefined : chosen?.profile.projectId,
  };
}

/** The server and key to use; an error that says how to get one when there is none. */
export async function getConnection(flags: ConnectionFlags, hint?: string): Promise<Connection> {
  const connection = await findConnection(flags);
  if (connection) return connection;
  const setUp =
    'envsnap init connects to one. In scripts, set ENVSNAP_API_KEY and ENVSNAP_BASE_URL, or use --api-key-stdin and --base-url.';
  throw new CliError('no server is configured: there is no profile and no API key', {
    code: 'not_configured',
    hint: hint ?? setUp,
  });
}

/** Checks that an address is an absolute http or https URL without credentials; a trailing slash is dropped. */
export function requireBaseUrl(value: string, source: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const refused = (reason: string, hint?: string) =>
    new CliError(`${source}: ${reason}`, { code: 'invalid_base_url', ...(hint !== undefined && { hint }) });
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const suggestion = withScheme(value);
    const looks = `An address looks like ${defaultBaseUrl} or https://envsnap.example.com.`;
    throw refused(
      `"${value}" is not an http or https address`,
      suggestion ? `Did you mean ${suggestion}?` : looks,
    );
  }
  if (url.username || url.password) throw refused('the address must not contain a user name or password');
  if (url.search || url.hash) throw refused('the address must not contain a query or fragment');
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** The address that a host without a scheme probably means: plain http on this machine, https elsewhere. */
function withScheme(value: string): string | undefined {
  if (!/^[\w.-]+(:\d{1,5})?(\/[\w./-]*)?$/.test(value) || !/[.:]|^localhost/.test(value)) return undefined;
  const scheme = /^(localhost|127\.|[^.]*:\d)/.test(value) ? 'http' : 'https';
  return `${scheme}://${value}`.replace(/(?<!\/)\/+$/, '');
}

/** Whether keys and snapshots would cross a network unencrypted: plain http to an address that is not this machine. */
export function isUnencrypted(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === 'http:' && !loopback && !hostname.endsWith('.localhost');
}

/** Refuses a key that is cut off or mistyped, as the server would: its check digits are wrong. The text is not shown. */
export function requireApiKey(value: string, source: string): string {
  const key = value.trim();
  if (isWellFormedApiKey(key)) return key;
  throw new CliError(`${source} does not hold a valid API key`, {
    code: 'invalid_api_key',
    exitCode: exitCodes.refused,
    hint: 'A key is "mk_" and 64 hexadecimal digits; this one is cut off or mistyped. Copy the whole key again.',
  });
}

export function envsnapCommand(...words: readonly string[]): string {
  return ['envsnap', ...words].map(shellWord).join(' ');
}
