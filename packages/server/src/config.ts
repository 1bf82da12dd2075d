// Owns the server's settings: names, what is allowed, defaults. Flags win over the environment; a setting that does
// not parse stops the start with one line that names it and never repeats its value.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '@envsnap/shared/catalogue/limits';
import * as z from 'zod';
import { StartupError } from './infra/app-error.ts';
import { type Cidr, parseCidr } from './infra/cidr.ts';
import { basePathPattern } from './infra/http/base-path.ts';
import { logLevels } from './infra/logger.ts';

/** Values of command-line flags; undefined for a flag that is not given. */
export interface Flags {
  host?: string | undefined;
  port?: string | undefined;
  dataDir?: string | undefined;
  databaseUrl?: string | undefined;
}

const maxInteger = 2_000_000_000;

function wholeNumber(minimum: number, maximum: number) {
  const allowed = `a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, allowed)
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, allowed);
}

function listOf<Item>(allowed: string, parse: (text: string) => Item | undefined) {
  return z.string().transform((text, context) => {
    const items: Item[] = [];
    for (const part of text.split(',')) {
      const item = parse(part.trim());
      if (item === undefined) {
        context.addIssue({ code: 'custom', message: allowed });
        return z.NEVER;
      }
      items.push(item);
    }
    return items;
  });
}

const cidrs = listOf('network ranges such as 10.0.0.0/8,fd00::/8', parseCidr);

const origins = listOf('origins such as https://app.example.com, or *', (text) => {
  if (text === '*') return text;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text
    ? text
    : undefined;
});

const retrySchedule = listOf('seconds separated by commas, each from 0 to 604800', (text) => {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : -1;
  return seconds >= 0 && seconds <= 604_800 ? seconds : undefined;
});

/** Where uploaded files are kept. */
export type FileStoreConfig =
  | { kind: 'disk' }
  | { kind: 's3'; bucket: string; prefix: string; endpoint: string | undefined };

const fileStore = z.string().transform((text, context): { bucket: string; prefix: string } | 'disk' => {
  if (text === 'disk') return 'disk';
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? [];
  if (bucket !== undefined) return { bucket, prefix: prefix.replace(/^\/+|(?<!\/)\/+$/g, '') };
  context.addIssue({ code: 'custom', message: 'disk or s3://bucket/prefix' });
  return z.NEVER;
});

/** Where `/metrics` is answered: with the API to callers of this machine, nowhere, or on a port of its own. */
export type MetricsConfig = 'on' | 'off' | number;

const metrics = z.union([z.enum(['on', 'off']), wholeNumber(1, 65_535)], {
  error: 'on, off, or a port number',
});

function webAddress(...protocols: string[]) {
  const allowed = `an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
  return z
    .string()
    .refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), allowed);
}

/** Every setting; the schema's message says what is allowed. */
const schemas = {
  ENVSNAP_HOST: z.string().regex(/^[A-Za-z0-9.:_-]{1,255}$/, 'a host name or an address'),
  ENVSNAP_PORT: wholeNumber(0, 65_535),
  ENVSNAP_DATA_DIR: z.string().refine((text) => !text.includes('\0'), 'the path of a folder'),
  DATABASE_URL: webAddress('postgres:', 'postgresql:'),
  ENVSNAP_DATABASE_POOL_SIZE: wholeNumber(1, 1000),
  ENVSNAP_ENCRYPTION_KEY: z.string(),
  ENVSNAP_BOOTSTRAP: z.enum(['open', 'token', 'closed'], { error: 'open, token or closed' }),
  ENVSNAP_BOOTSTRAP_TOKEN: z
    .string()
    .min(16, 'at least 16 characters, such as the output of: openssl rand -hex 24'),
  ENVSNAP_RATE_PER_MINUTE: wholeNumber(1, maxInteger),
  ENVSNAP_RATE_PER_DAY: wholeNumber(1, maxInteger),
  ENVSNAP_MAX_SNAPSHOTS: wholeNumber(0, maxInteger),
  ENVSNAP_MAX_RUNS: wholeNumber(1, maxInteger),
  ENVSNAP_MAX_FILES: wholeNumber(0, maxInteger),
  ENVSNAP_MAX_STORAGE_BYTES: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  ENVSNAP_MAX_WEBHOOKS: wholeNumber(0, maxInteger),
  ENVSNAP_MAX_API_KEYS: wholeNumber(0, maxInteger),
  ENVSNAP_PROJECT_CREATION: z.enum(['any', 'owner', 'closed'], { error: 'any, owner or closed' }),
  ENVSNAP_MAX_PROJECTS: wholeNumber(0, maxInteger),
  ENVSNAP_MAX_BODY_BYTES: wholeNumber(1, 1024 ** 3),
  ENVSNAP_MAX_BYTES_IN_FLIGHT: wholeNumber(1024 ** 2, 1024 ** 4),
  ENVSNAP_WEBHOOK_ALLOW: cidrs,
  ENVSNAP_WEBHOOK_RETRY_SECONDS: retrySchedule,
  ENVSNAP_WEBHOOK_TIMEOUT_MS: wholeNumber(1, 600_000),
  ENVSNAP_FILE_STORE: fileStore,
  ENVSNAP_S3_ENDPOINT: webAddress('http:', 'https:'),
  ENVSNAP_TRUST_PROXY: cidrs,
  ENVSNAP_CORS_ORIGINS: origins,
  ENVSNAP_BASE_PATH: z
    .string()
    .transform((text) => text.replace(/(?<!\/)\/+$/, ''))
    .refine((text) => basePathPattern.test(text), 'a path such as /envsnap'),
  ENVSNAP_DRAIN_SECONDS: wholeNumber(0, 3600),
  ENVSNAP_LOG_LEVEL: z.enum(logLevels, { error: `one of ${logLevels.join(', ')}` }),
  ENVSNAP_REQUEST_LOG_DAYS: wholeNumber(1, 36_500),
  ENVSNAP_DELIVERY_LOG_DAYS: wholeNumber(1, 36_500),
  ENVSNAP_AUDIT_LOG_DAYS: wholeNumber(1, 36_500),
  ENVSNAP_SLOW_REQUEST_MS: wholeNumber(1, 3_600_000),
  ENVSNAP_METRICS: metrics,
  ENVSNAP_CONSOLE: z.enum(['on', 'off'], { error: 'on or off' }),
};

/** Name of a setting. */
export type SettingName = keyof typeof schemas;

const flagOf: Partial<Record<SettingName, { name: string; key: keyof Flags }>> = {
  ENVSNAP_HOST: { name: '--host', key: 'host' },
  ENVSNAP_PORT: { name: '--port', key: 'port' },
  ENVSNAP_DATA_DIR: { name: '--data-dir', key: 'dataDir' },
  DATABASE_URL: { name: '--database-url', key: 'databaseUrl' },
};

/** Settings that may also be given as the path of a file, in a setting of the same name with `_FILE` behind it. */
export const secretSettings: ReadonlySet<SettingName> = new Set<SettingName>([
  'DATABASE_URL',
  'ENVSNAP_ENCRYPTION_KEY',
  'ENVSNAP_BOOTSTRAP_TOKEN',
]);

/** The server's settings, parsed. */
export interface Config {
  host: string;
  /** 0 lets the system pick a free port. */
  port: number;
  /** Absolute path. */
  dataDir: string;
  /** Undefined for the embedded database. */
  databaseUrl: string | undefined;
  /** Most connections to PostgreSQL at the same time. */
  databasePoolSize: number;
  /** The text of the master key setting; undefined when it is not set. */
  encryptionKey: string | undefined;
  bootstrap: { mode: 'open' | 'closed' } | { mode: 'token'; token: string };
  /** Quotas and rate limits of new projects; the rates also count for callers without a key. */
  projectDefaults: {
    maxSnapshots: number;
    maxRuns: number;
    maxFiles: number;
    maxStorageBytes: number;
    maxWebhooks: number;
    maxApiKeys: number;
    maxRequestsPerMinute: number;
    maxRequestsPerDay: number;
  };
  /** Who may make further projects with a key, and how many there may be; undefined for no limit. */
  projectCreation: 'any' | 'owner' | 'closed';
  maxProjects: number | undefined;
  /** Largest JSON body of a snapshot, counted after decompression. */
  maxBodyBytes: number;
  /** Bytes of large bodies and answers that are in work at once; undefined for a share of the machine's memory. */
  maxBytesInFlight: number | undefined;
  webhooks: { allow: readonly Cidr[]; retrySeconds: readonly number[]; timeoutMs: number };
  fileStore: FileStoreConfig;
  /** Proxies whose `X-Forwarded-For` counts. */
  trustProxy: readonly Cidr[];
  /** Origins whose pages may call the API; `*` for all. */
  corsOrigins: readonly string[];
  /** Under which path of a reverse proxy the server is published; empty for none. */
  basePath: string;
  /** How long the server goes on listening once it is asked to stop; milliseconds. */
  drainMs: number;
  logLevel: (typeof logLevels)[number];
  retention: { requestLogDays: number; deliveryLogDays: number; auditLogDays: number };
  /** Requests that take this long are marked in the log; milliseconds. */
  slowRequestMs: number;
  metrics: MetricsConfig;
  /** Whether the console is served. */
  console: boolean;
  /** OpenTelemetry's variables, where they name a collector of traces; undefined for no traces. */
  telemetry: Readonly<Record<string, string | undefined>> | undefined;
}

/** Variables that look like settings of the server and are none: misspelled, or another program's. */
export function listUnknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set([...Object.keys(schemas), ...[...secretSettings].map((name) => `${name}_FILE`)]);
  return Object.keys(env)
    .filter((name) => name.startsWith('ENVSNAP_') && env[name]?.trim() && !known.has(name))
    .sort();
}

/** Reads the settings. Errors: StartupError. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, flags: Flags = {}): Config {
  function read<Name extends SettingName>(name: Name): z.output<(typeof schemas)[Name]> | undefined {
    const found = findSetting(name, env, flags);
    if (!found) return undefined;
    const parsed = schemas[name].safeParse(found.text);
    if (parsed.success) return parsed.data as z.output<(typeof schemas)[Name]>;
    throw new StartupError(`${found.label} must be ${parsed.error.issues[0]?.message}`);
  }

  const mode = read('ENVSNAP_BOOTSTRAP') ?? 'open';
  const token = read('ENVSNAP_BOOTSTRAP_TOKEN');
  if (mode === 'token' && token === undefined) {
    throw new StartupError('ENVSNAP_BOOTSTRAP_TOKEN must be set when ENVSNAP_BOOTSTRAP is token');
  }
  const host = read('ENVSNAP_HOST') ?? '127.0.0.1';
  const store = read('ENVSNAP_FILE_STORE') ?? 'disk';
  const endpoint = read('ENVSNAP_S3_ENDPOINT');
  return {
    host,
    port: read('ENVSNAP_PORT') ?? 4780,
    dataDir: path.resolve(read('ENVSNAP_DATA_DIR') ?? './envsnap-data'),
    databaseUrl: read('DATABASE_URL'),
    databasePoolSize: read('ENVSNAP_DATABASE_POOL_SIZE') ?? 10,
    encryptionKey: read('ENVSNAP_ENCRYPTION_KEY'),
    bootstrap: mode === 'token' ? { mode, token: token ?? '' } : { mode },
    projectDefaults: {
      maxSnapshots: read('ENVSNAP_MAX_SNAPSHOTS') ?? 50,
      maxRuns: read('ENVSNAP_MAX_RUNS') ?? 1000,
      maxFiles: read('ENVSNAP_MAX_FILES') ?? 100,
      maxStorageBytes: read('ENVSNAP_MAX_STORAGE_BYTES') ?? 104_857_600,
      maxWebhooks: read('ENVSNAP_MAX_WEBHOOKS') ?? 100,
      maxApiKeys: read('ENVSNAP_MAX_API_KEYS') ?? 1000,
      maxRequestsPerMinute: read('ENVSNAP_RATE_PER_MINUTE') ?? 60,
      maxRequestsPerDay: read('ENVSNAP_RATE_PER_DAY') ?? 10_000,
    },
    projectCreation: read('ENVSNAP_PROJECT_CREATION') ?? 'any',
    maxProjects: read('ENVSNAP_MAX_PROJECTS'),
    maxBodyBytes: read('ENVSNAP_MAX_BODY_BYTES') ?? limits.snapshotBodyBytes,
    maxBytesInFlight: read('ENVSNAP_MAX_BYTES_IN_FLIGHT'),
    webhooks: {
      allow: read('ENVSNAP_WEBHOOK_ALLOW') ?? [],
      retrySeconds: read('ENVSNAP_WEBHOOK_RETRY_SECONDS') ?? [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
      timeoutMs: read('ENVSNAP_WEBHOOK_TIMEOUT_MS') ?? 10_000,
    },
    fileStore: store === 'disk' ? { kind: 'disk' } : { kind: 's3', ...store, endpoint },
    trustProxy: read('ENVSNAP_TRUST_PROXY') ?? [],
    corsOrigins: read('ENVSNAP_CORS_ORIGINS') ?? [],
    basePath: read('ENVSNAP_BASE_PATH') ?? '',
    drainMs: 1000 * (read('ENVSNAP_DRAIN_SECONDS') ?? (isLoopback(host) ? 0 : defaultDrainSeconds)),
    logLevel: read('ENVSNAP_LOG_LEVEL') ?? 'info',
    retention: {
      requestLogDays: read('ENVSNAP_REQUEST_LOG_DAYS') ?? 90,
      deliveryLogDays: read('ENVSNAP_DELIVERY_LOG_DAYS') ?? 30,
      auditLogDays: read('ENVSNAP_AUDIT_LOG_DAYS') ?? 365,
    },
    slowRequestMs: read('ENVSNAP_SLOW_REQUEST_MS') ?? 1000,
    metrics: read('ENVSNAP_METRICS') ?? 'on',
    console: read('ENVSNAP_CONSOLE') !== 'off',
    telemetry: isTraced(env) ? env : undefined,
  };
}

/** Long enough for a load balancer to see that `/ready` refuses; on loopback there is none to wait for. */
const defaultDrainSeconds = 5;

/** Whether everybody who reaches the server's address may make projects without a key, and that is not this machine alone. */
export function isBootstrapExposed({ host, bootstrap }: Pick<Config, 'host' | 'bootstrap'>): boolean {
  return bootstrap.mode === 'open' && !isLoopback(host);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether the server keeps something in its data folder. */
export function usesDataDir({
  databaseUrl,
  fileStore: store,
}: Pick<Config, 'databaseUrl' | 'fileStore'>): boolean {
  return databaseUrl === undefined || store.kind === 'disk';
}

/** Whether OpenTelemetry's standard variables ask for traces. */
function isTraced(env: Readonly<Record<string, string | undefined>>): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  return Boolean(endpoint) && !isOff;
}

/** Where a setting comes from. */
export function findSource(
  name: SettingName,
  env: Readonly<Record<string, string | undefined>>,
  flags: Flags,
): 'flag' | 'variable' | 'file' | 'default' {
  const found = findSetting(name, env, flags);
  if (!found) return 'default';
  if (found.label.startsWith('--')) return 'flag';
  return found.label === name ? 'variable' : 'file';
}

/** A setting's text and the name under which it was given; an empty variable counts as not set. */
function findSetting(
  name: SettingName,
  env: Readonly<Record<string, string | undefined>>,
  flags: Flags,
): { label: string; text: string } | undefined {
  const flag = flagOf[name];
  const flagText = flag && flags[flag.key];
  if (flag && flagText !== undefined) return { label: flag.name, text: flagText };
  const text = env[name]?.trim();
  const file = secretSettings.has(name) ? env[`${name}_FILE`]?.trim() : undefined;
  if (!file) return text ? { label: name, text } : undefined;
  if (text) throw new StartupError(`${name} and ${name}_FILE are both set; keep one`);
  try {
    return { label: `the content of ${name}_FILE`, text: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    throw new StartupError(`${name}_FILE names a file that cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
