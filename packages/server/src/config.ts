// Owns the server's settings, one row each: name, allowed values, default. Flags override the environment. If a setting is
// invalid, the server does not start. The message names the setting and never repeats its value.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { limits } from '@envsnap/shared/catalogue/limits';
import * as z from 'zod';
import { StartupError } from './infra/app-error.ts';
import type { Cidr } from './infra/cidr.ts';
import { logLevels } from './infra/logger.ts';
import {
  basePath,
  choice,
  cidrs,
  fileStore,
  integer,
  origins,
  retrySchedule,
  webAddress,
} from './setting-schemas.ts';

/** Values of command-line flags; undefined for a flag that is not given. */
export interface Flags {
  host?: string | undefined;
  port?: string | undefined;
  dataDir?: string | undefined;
  databaseUrl?: string | undefined;
}

/** Further options of a setting. */
interface Particulars<Value> {
  readonly flag?: keyof Flags;
  /** May also be given as the path of a file, in a variable of the same name that ends with `_FILE`. */
  readonly file?: true;
  readonly hidden?: true;
  /** The value as shown to people, if it differs from the value itself. */
  show?(value: Value): unknown;
}

/** A setting: its variable, the allowed values (described by the schema's message), and the default. */
interface Setting<Value = unknown> extends Particulars<Value> {
  readonly variable: string;
  readonly schema: z.ZodType;
  readonly fallback: Value;
}

function setting<Value, Fallback extends NoInfer<Value> | undefined = undefined>(
  variable: string,
  schema: z.ZodType<Value>,
  fallback?: Fallback,
  particulars?: Particulars<NoInfer<Value>>,
): Setting<Fallback extends undefined ? Value | undefined : Value> {
  return { variable, schema, fallback: fallback as never, ...particulars };
}

const showRanges = (ranges: readonly Cidr[]) => ranges.map(([address, bits]) => `${address}/${bits}`);

const maxInteger = 2_000_000_000;

/** Every setting of the server, one row each. */
const settings = {
  host: setting(
    'ENVSNAP_HOST',
    z.string().regex(/^[A-Za-z0-9.:_-]{1,255}$/, 'a host name or an address'),
    '127.0.0.1',
    { flag: 'host' },
  ),
  /** 0 lets the system pick a free port. */
  port: setting('ENVSNAP_PORT', integer(0, 65_535), 4780, { flag: 'port' }),
  dataDir: setting(
    'ENVSNAP_DATA_DIR',
    z.string().refine((text) => !text.includes('\0'), 'the path of a folder'),
    './envsnap-data',
    { flag: 'dataDir' },
  ),
  databaseUrl: setting('DATABASE_URL', webAddress('postgres:', 'postgresql:'), undefined, {
    flag: 'databaseUrl',
    file: true,
    show: withoutPassword,
  }),
  databasePoolSize: setting('ENVSNAP_DATABASE_POOL_SIZE', integer(1, 1000), 10),
  /** The text of the master key setting; undefined if it is not set. */
  encryptionKey: setting('ENVSNAP_ENCRYPTION_KEY', z.string(), undefined, { file: true, hidden: true }),
  bootstrap: {
    mode: setting('ENVSNAP_BOOTSTRAP', choice('open', 'token', 'closed'), 'open'),
    /** Always set if the mode is `token`. */
    token: setting(
      'ENVSNAP_BOOTSTRAP_TOKEN',
      z.string().min(16, 'at least 16 characters, such as the output of: openssl rand -hex 24'),
      undefined,
      { file: true, hidden: true },
    ),
  },
  /** Quotas and rate limits of new projects; the rates also apply to callers without a key. */
  projectDefaults: {
    maxRequestsPerMinute: setting('ENVSNAP_RATE_PER_MINUTE', integer(1, maxInteger), 60),
    maxRequestsPerDay: setting('ENVSNAP_RATE_PER_DAY', integer(1, maxInteger), 10_000),
    maxSnapshots: setting('ENVSNAP_MAX_SNAPSHOTS', integer(0, maxInteger), 50),
    maxRuns: setting('ENVSNAP_MAX_RUNS', integer(1, maxInteger), 1000),
    maxSnapshotBytes: setting('ENVSNAP_MAX_SNAPSHOT_BYTES', integer(0, Number.MAX_SAFE_INTEGER), 268_435_456),
    maxFiles: setting('ENVSNAP_MAX_FILES', integer(0, maxInteger), 100),
    maxStorageBytes: setting('ENVSNAP_MAX_STORAGE_BYTES', integer(0, Number.MAX_SAFE_INTEGER), 104_857_600),
    maxWebhooks: setting('ENVSNAP_MAX_WEBHOOKS', integer(0, maxInteger), 100),
    maxApiKeys: setting('ENVSNAP_MAX_API_KEYS', integer(0, maxInteger), 1000),
  },
  /** Who may create more projects with a key, and the maximum number of projects; undefined for no limit. */
  projectCreation: setting('ENVSNAP_PROJECT_CREATION', choice('any', 'owner', 'closed'), 'any'),
  maxProjects: setting('ENVSNAP_MAX_PROJECTS', integer(0, maxInteger)),
  /** Largest JSON body of a snapshot, counted after decompression. */
  maxBodyBytes: setting('ENVSNAP_MAX_BODY_BYTES', integer(1, 1024 ** 3), limits.snapshotBodyBytes),
  /** Bytes of large bodies and responses in progress at once; undefined for a share of the machine's memory. */
  maxBytesInFlight: setting('ENVSNAP_MAX_BYTES_IN_FLIGHT', integer(1024 ** 2, 1024 ** 4)),
  jobSeconds: setting('ENVSNAP_JOB_SECONDS', integer(1, 3600), 10),
  webhooks: {
    allow: setting('ENVSNAP_WEBHOOK_ALLOW', cidrs, [], { show: showRanges }),
    retrySeconds: setting(
      'ENVSNAP_WEBHOOK_RETRY_SECONDS',
      retrySchedule,
      [5, 300, 1800, 7200, 18_000, 36_000, 36_000],
    ),
    timeoutMs: setting('ENVSNAP_WEBHOOK_TIMEOUT_MS', integer(1, 600_000), 10_000),
  },
  fileStore: setting('ENVSNAP_FILE_STORE', fileStore, { kind: 'disk' } as const, {
    show: (store) =>
      store.kind === 'disk' ? 'disk' : `s3://${store.bucket}/${store.prefix}`.replace(/\/$/, ''),
  }),
  s3Endpoint: setting('ENVSNAP_S3_ENDPOINT', webAddress('http:', 'https:'), undefined, {
    show: withoutPassword,
  }),
  /** Proxies whose `X-Forwarded-For` counts. */
  trustProxy: setting('ENVSNAP_TRUST_PROXY', cidrs, [], { show: showRanges }),
  /** Origins whose pages may call the API; `*` for all. */
  corsOrigins: setting('ENVSNAP_CORS_ORIGINS', origins, []),
  /** The path under which a reverse proxy publishes the server; empty for none. */
  basePath: setting('ENVSNAP_BASE_PATH', basePath, '', { show: (path) => path || null }),
  /** How long a stopping server keeps listening. */
  drainSeconds: setting('ENVSNAP_DRAIN_SECONDS', integer(0, 3600)),
  logLevel: setting(
    'ENVSNAP_LOG_LEVEL',
    z.enum(logLevels, { error: `one of ${logLevels.join(', ')}` }),
    'info',
  ),
  retention: {
    requestLogDays: setting('ENVSNAP_REQUEST_LOG_DAYS', integer(1, 36_500), 90),
    deliveryLogDays: setting('ENVSNAP_DELIVERY_LOG_DAYS', integer(1, 36_500), 30),
    auditLogDays: setting('ENVSNAP_AUDIT_LOG_DAYS', integer(1, 36_500), 365),
  },
  /** Requests that take this long are marked in the log; milliseconds. */
  slowRequestMs: setting('ENVSNAP_SLOW_REQUEST_MS', integer(1, 3_600_000), 1000),
  /** Where `/metrics` is served: with the API to callers of this machine, nowhere, or on its own port. */
  metrics: setting(
    'ENVSNAP_METRICS',
    z.union([z.enum(['on', 'off']), integer(1, 65_535)], { error: 'on, off, or a port number' }),
    'on',
  ),
  console: setting(
    'ENVSNAP_CONSOLE',
    choice('on', 'off').transform((text) => text === 'on'),
    true,
    { show: (isServed) => (isServed ? 'on' : 'off') },
  ),
  /** The command that installs envsnap here, for the readers of shares. */
  installHint: setting(
    'ENVSNAP_INSTALL_HINT',
    z.string().regex(/^[^\p{Cc}]{1,500}$/u, 'one line of at most 500 characters'),
  ),
};

type ValuesOf<Rows> = {
  readonly [Name in keyof Rows]: Rows[Name] extends Setting<infer Value> ? Value : ValuesOf<Rows[Name]>;
};

export interface Config extends ValuesOf<typeof settings> {
  readonly drainSeconds: number;
  /** OpenTelemetry's variables, where they name a collector of traces; undefined for no traces. */
  readonly telemetry: Environment | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Rows {
  readonly [name: string]: Setting | Rows;
}

function isSetting(row: Setting | Rows): row is Setting {
  return typeof row.variable === 'string';
}

/** The rows of a table and of the tables in it, each with its path. */
function listRows(rows: Rows, place: readonly string[] = []): { row: Setting; place: readonly string[] }[] {
  return Object.entries(rows).flatMap(([name, row]) =>
    isSetting(row) ? { row, place: [...place, name] } : listRows(row, [...place, name]),
  );
}

function readRows(rows: Rows, read: (row: Setting) => unknown): object {
  return Object.fromEntries(
    Object.entries(rows).map(([name, row]) => [name, isSetting(row) ? read(row) : readRows(row, read)]),
  );
}

/** Variables that look like settings but are not: misspelled, or another program's. Excludes those of a Kubernetes Service. */
export function listUnknownSettings(env: Environment): string[] {
  const known = new Set(
    listRows(settings).flatMap(({ row: { variable, file } }) => [
      variable,
      ...(file ? [`${variable}_FILE`] : []),
    ]),
  );
  return Object.keys(env)
    .filter((name) => name.startsWith('ENVSNAP_') && env[name]?.trim() && !known.has(name))
    .filter((name) => !/^ENVSNAP_(?:SERVICE_(?:HOST$|PORT)|PORT_\d)/.test(name))
    .sort();
}

export function loadConfig(env: Environment, flags: Flags = {}): Config {
  const values = readRows(settings, (row) => {
    const found = findSetting(row, env, flags);
    if (!found) return row.fallback;
    const parsed = row.schema.safeParse(found.text);
    if (parsed.success) return parsed.data;
    throw new StartupError(`${found.label} must be ${parsed.error.issues[0]?.message}`);
  }) as ValuesOf<typeof settings>;
  const { host, bootstrap, dataDir, drainSeconds } = values;
  if (bootstrap.mode === 'token' && bootstrap.token === undefined) {
    throw new StartupError('ENVSNAP_BOOTSTRAP_TOKEN must be set when ENVSNAP_BOOTSTRAP is token');
  }
  return {
    ...values,
    dataDir: path.resolve(dataDir),
    drainSeconds: drainSeconds ?? (isLoopback(host) ? 0 : defaultDrainSeconds),
    telemetry: isTraced(env) ? env : undefined,
  };
}

/** Every setting in effect, as shown to people, and its source; a hidden value is null. Errors: StartupError. */
export function showSettings(env: Environment, flags: Flags) {
  const config = loadConfig(env, flags);
  return listRows(settings).map(({ row, place }) => {
    const { variable: name, hidden, show = (value) => value } = row;
    const value = place.reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], config);
    return {
      name,
      value: hidden || value === undefined ? null : show(value),
      source: findSetting(row, env, flags)?.source ?? 'default',
      ...(hidden && { secret: value === undefined ? 'not set' : 'set' }),
    };
  });
}

/** Long enough for a load balancer to see that `/ready` returns 503. On loopback there is no load balancer. */
const defaultDrainSeconds = 5;

/** Whether other machines can reach the server and everybody may create projects without a key. */
export function isBootstrapExposed({ host, bootstrap }: Pick<Config, 'host' | 'bootstrap'>): boolean {
  return bootstrap.mode === 'open' && !isLoopback(host);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether the server keeps something in its data folder. */
export function usesDataDir(config: Pick<Config, 'databaseUrl' | 'fileStore'>): boolean {
  return config.databaseUrl === undefined || config.fileStore.kind === 'disk';
}

/** The source of the master keys: the setting, or with the embedded database a file in the data folder. */
export function keyringOptions({ encryptionKey, databaseUrl, dataDir }: Config) {
  return { setting: encryptionKey, generatedIn: databaseUrl === undefined ? dataDir : undefined };
}

/** Whether OpenTelemetry's standard variables ask for traces. */
function isTraced(env: Environment): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  return Boolean(endpoint) && !isOff;
}

/** A setting's text, its source and its name there; an empty variable counts as not set. */
function findSetting(
  { variable, flag, file: mayBeFile }: Setting,
  env: Environment,
  flags: Flags,
): { label: string; text: string; source: 'flag' | 'variable' | 'file' } | undefined {
  const flagText = flag && flags[flag];
  if (flagText !== undefined) {
    return { label: `--${flag?.replace(/[A-Z]/g, '-$&').toLowerCase()}`, text: flagText, source: 'flag' };
  }
  // Beside a Service named envsnap, Kubernetes sets ENVSNAP_PORT to its address, such as tcp://10.0.0.1:4780.
  const settingText = env[variable]?.trim();
  const text =
    variable === 'ENVSNAP_PORT' && /^(?:tcp|udp|sctp):/.test(settingText ?? '') ? undefined : settingText;
  const file = mayBeFile ? env[`${variable}_FILE`]?.trim() : undefined;
  if (!file) return text ? { label: variable, text, source: 'variable' } : undefined;
  if (text) throw new StartupError(`${variable} and ${variable}_FILE are both set; keep one`);
  try {
    return {
      label: `the content of ${variable}_FILE`,
      text: readFileSync(file, 'utf8').trim(),
      source: 'file',
    };
  } catch (error) {
    const { message } = error as Error;
    throw new StartupError(`${variable}_FILE names a file that cannot be read: ${message}`, { cause: error });
  }
}

function withoutPassword(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = new URL(text);
  if (url.password !== '') url.password = 'hidden';
  if (url.searchParams.has('password')) url.searchParams.set('password', 'hidden');
  return url.href;
}
