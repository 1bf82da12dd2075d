// `envsnap-server config`: the settings in effect and where each comes from. Secrets are named, never shown.

import { type Config, findSource, type SettingName, secretSettings } from '../config.ts';
import { defaultByteBudget } from '../infra/http/byte-budget.ts';
import { loadOperatorConfig, type OperatorFlags } from './operator-session.ts';
import { columns, print } from './print.ts';

/** Where the value of each setting stands. */
const values: { readonly [Name in SettingName]: (config: Config) => unknown } = {
  ENVSNAP_HOST: ({ host }) => host,
  ENVSNAP_PORT: ({ port }) => port,
  ENVSNAP_DATA_DIR: ({ dataDir }) => dataDir,
  DATABASE_URL: ({ databaseUrl }) => databaseUrl && withoutPassword(databaseUrl),
  ENVSNAP_DATABASE_POOL_SIZE: ({ databasePoolSize }) => databasePoolSize,
  ENVSNAP_ENCRYPTION_KEY: ({ encryptionKey }) => encryptionKey,
  ENVSNAP_BOOTSTRAP: ({ bootstrap }) => bootstrap.mode,
  ENVSNAP_BOOTSTRAP_TOKEN: ({ bootstrap }) => (bootstrap.mode === 'token' ? bootstrap.token : undefined),
  ENVSNAP_RATE_PER_MINUTE: ({ projectDefaults }) => projectDefaults.maxRequestsPerMinute,
  ENVSNAP_RATE_PER_DAY: ({ projectDefaults }) => projectDefaults.maxRequestsPerDay,
  ENVSNAP_MAX_SNAPSHOTS: ({ projectDefaults }) => projectDefaults.maxSnapshots,
  ENVSNAP_MAX_RUNS: ({ projectDefaults }) => projectDefaults.maxRuns,
  ENVSNAP_MAX_FILES: ({ projectDefaults }) => projectDefaults.maxFiles,
  ENVSNAP_MAX_STORAGE_BYTES: ({ projectDefaults }) => projectDefaults.maxStorageBytes,
  ENVSNAP_MAX_WEBHOOKS: ({ projectDefaults }) => projectDefaults.maxWebhooks,
  ENVSNAP_MAX_API_KEYS: ({ projectDefaults }) => projectDefaults.maxApiKeys,
  ENVSNAP_PROJECT_CREATION: ({ projectCreation }) => projectCreation,
  ENVSNAP_MAX_PROJECTS: ({ maxProjects }) => maxProjects,
  ENVSNAP_MAX_BODY_BYTES: ({ maxBodyBytes }) => maxBodyBytes,
  ENVSNAP_MAX_BYTES_IN_FLIGHT: ({ maxBytesInFlight }) => maxBytesInFlight ?? defaultByteBudget(),
  ENVSNAP_WEBHOOK_ALLOW: ({ webhooks }) => webhooks.allow.map(([address, bits]) => `${address}/${bits}`),
  ENVSNAP_WEBHOOK_RETRY_SECONDS: ({ webhooks }) => webhooks.retrySeconds,
  ENVSNAP_WEBHOOK_TIMEOUT_MS: ({ webhooks }) => webhooks.timeoutMs,
  ENVSNAP_FILE_STORE: ({ fileStore }) =>
    fileStore.kind === 'disk' ? 'disk' : `s3://${fileStore.bucket}/${fileStore.prefix}`.replace(/\/$/, ''),
  ENVSNAP_S3_ENDPOINT: ({ fileStore }) =>
    fileStore.kind === 's3' && fileStore.endpoint ? withoutPassword(fileStore.endpoint) : undefined,
  ENVSNAP_TRUST_PROXY: ({ trustProxy }) => trustProxy.map(([address, bits]) => `${address}/${bits}`),
  ENVSNAP_CORS_ORIGINS: ({ corsOrigins }) => corsOrigins,
  ENVSNAP_BASE_PATH: ({ basePath }) => basePath || undefined,
  ENVSNAP_DRAIN_SECONDS: ({ drainMs }) => drainMs / 1000,
  ENVSNAP_LOG_LEVEL: ({ logLevel }) => logLevel,
  ENVSNAP_REQUEST_LOG_DAYS: ({ retention }) => retention.requestLogDays,
  ENVSNAP_DELIVERY_LOG_DAYS: ({ retention }) => retention.deliveryLogDays,
  ENVSNAP_AUDIT_LOG_DAYS: ({ retention }) => retention.auditLogDays,
  ENVSNAP_SLOW_REQUEST_MS: ({ slowRequestMs }) => slowRequestMs,
  ENVSNAP_METRICS: ({ metrics }) => metrics,
  ENVSNAP_CONSOLE: ({ console: isServed }) => (isServed ? 'on' : 'off'),
};

/** Prints every setting. Opens no database. Errors: StartupError for one that does not parse. */
export async function runConfig(flags: OperatorFlags): Promise<void> {
  const config = loadOperatorConfig(flags);
  const settings = (Object.keys(values) as SettingName[]).map((name) => {
    const value = values[name](config);
    const secret = secretSettings.has(name) && name !== 'DATABASE_URL';
    return {
      name,
      value: secret ? null : (value ?? null),
      source: findSource(name, process.env, { dataDir: flags.dataDir, databaseUrl: flags.databaseUrl }),
      ...(secret && { secret: value === undefined ? 'not set' : 'set' }),
    };
  });
  const lines = settings.map(({ name, value, secret, source }) => [
    name,
    secret ? `(${secret === 'set' ? 'hidden' : secret})` : show(value),
    source,
  ]);
  print(flags, { settings }, columns([['setting', 'value', 'from'], ...lines]));
}

function show(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '-';
  return Array.isArray(value) ? value.join(',') : String(value);
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password !== '') url.password = 'hidden';
  if (url.searchParams.has('password')) url.searchParams.set('password', 'hidden');
  return url.href;
}
