// Sets tracing up by OpenTelemetry's standard variables.

import { hostname } from 'node:os';
import { StartupError } from '../app-error.ts';
import type { Logger } from '../logger.ts';
import { createOtlpExporter } from './otlp-exporter.ts';
import { type Attributes, createTracing, type Sampler, type Tracing } from './tracing.ts';

type Env = Readonly<Record<string, string | undefined>>;

const defaultTimeoutMs = 10_000;

/** Starts tracing to the collector that the variables name. Errors: StartupError for one that cannot be read. */
export function openTracing(
  env: Env,
  { version, commit, logger }: { version: string; commit: string | undefined; logger: Logger },
): Tracing {
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/json';
  if (!protocol.startsWith('http/')) {
    throw new StartupError(
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: spans are sent as JSON over HTTP, which collectors take on port 4318',
    );
  }
  const exporter = createOtlpExporter({
    url: readUrl(env),
    headers: {
      ...readPairs(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...readPairs(env, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    timeoutMs: readTimeout(env),
    resource: readResource(env, version, commit),
    scope: { name: '@envsnap/server', version },
    logger,
  });
  return createTracing(exporter, readSampler(env));
}

function readUrl(env: Env): string {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const text = own || `${(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '').replace(/(?<!\/)\/+$/, '')}/v1/traces`;
  const name = own ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT';
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new StartupError(`${name} must be an address that starts with http:// or https://`);
}

/** `name=value,name=value`, the values percent-encoded. */
function readPairs(env: Env, name: string): Record<string, string> {
  const pairs: Record<string, string> = Object.create(null);
  for (const part of (env[name] ?? '').split(',')) {
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    try {
      if (equals < 1) throw new Error('no name');
      pairs[part.slice(0, equals).trim()] = decodeURIComponent(part.slice(equals + 1).trim());
    } catch {
      throw new StartupError(`${name} must be name=value pairs separated by commas`);
    }
  }
  return pairs;
}

function readTimeout(env: Env): number {
  const text = env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || env.OTEL_EXPORTER_OTLP_TIMEOUT;
  if (!text) return defaultTimeoutMs;
  const ms = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (ms > 0) return ms;
  throw new StartupError('OTEL_EXPORTER_OTLP_TIMEOUT must be a number of milliseconds');
}

function readResource(env: Env, version: string, commit: string | undefined): Attributes {
  return {
    'service.name': 'envsnap-server',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    'vcs.ref.head.revision': commit,
    ...readPairs(env, 'OTEL_RESOURCE_ATTRIBUTES'),
    ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
  };
}

/** OpenTelemetry's samplers by their names; the default records what the caller records, and all that has no caller. */
function readSampler(env: Env): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const [, parentBased, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  if (kind === undefined) {
    throw new StartupError(
      'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, or one of them behind parentbased_',
    );
  }
  const share = kind === 'always_on' ? 1 : kind === 'always_off' ? 0 : readShare(env);
  // The trace's own digits decide, so that all who see it decide alike.
  const byChance = (traceId: string) => Number.parseInt(traceId.slice(-13), 16) < share * 2 ** 52;
  return (parent, traceId) => (parentBased && parent ? parent.sampled : byChance(traceId));
}

function readShare(env: Env): number {
  const text = env.OTEL_TRACES_SAMPLER_ARG || '1';
  const share = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : -1;
  if (share >= 0 && share <= 1) return share;
  throw new StartupError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
}
