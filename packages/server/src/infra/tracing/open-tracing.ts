// Sets OpenTelemetry's SDK up. Its exporter and its resource read OpenTelemetry's standard variables themselves.

import { hostname } from 'node:os';
import { context, type DiagLogFunction, DiagLogLevel, diag } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { StartupError } from '../app-error.ts';
import type { Logger } from '../logger.ts';
import { createTracing, type Tracing } from './tracing.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Longest message of the SDK that is logged, in characters: it may contain a collector's response. */
const longestMessage = 500;

/** Starts tracing to the collector that the variables name. Errors: StartupError for a variable with an unusable value. */
export function openTracing(
  env: Env,
  { version, commit, logger }: { version: string; commit: string | undefined; logger: Logger },
): Tracing {
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/json';
  // Collectors for http/protobuf accept JSON on the same port.
  if (!protocol.startsWith('http/')) {
    throw new StartupError(
      'OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: spans are sent as JSON over HTTP, which collectors accept on port 4318',
    );
  }
  const sampler = readSampler(env);
  const warn: DiagLogFunction = (message) =>
    logger.warn({ detail: message.slice(0, longestMessage) }, 'tracing reported a problem');
  const quiet = () => undefined;
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const own = resourceFromAttributes({
    'service.name': 'envsnap-server',
    'service.version': version,
    'service.instance.id': `${hostname()}:${process.pid}`,
    ...(commit !== undefined && { 'vcs.ref.head.revision': commit }),
  });
  const provider = new TracerProvider({
    sampler,
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  return createTracing(provider.getTracer('@envsnap/server', version), () =>
    // If the collector is unavailable, spans are lost, and nothing else.
    provider.shutdown().catch((error: unknown) => warn(String(error))),
  );
}

/** OpenTelemetry's samplers by their names; the default follows the caller, and records what has no caller. */
function readSampler(env: Env): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const [, parentBased, kind] = /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(name) ?? [];
  if (kind === undefined) {
    throw new StartupError(
      'OTEL_TRACES_SAMPLER must be always_on, always_off or traceidratio, or one of them behind parentbased_',
    );
  }
  const fixed = { always_on: new AlwaysOnSampler(), always_off: new AlwaysOffSampler() };
  const root = fixed[kind as keyof typeof fixed] ?? new TraceIdRatioBasedSampler(readShare(env));
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

function readShare(env: Env): number {
  const text = env.OTEL_TRACES_SAMPLER_ARG || '1';
  const share = /^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : -1;
  if (share >= 0 && share <= 1) return share;
  throw new StartupError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
}
