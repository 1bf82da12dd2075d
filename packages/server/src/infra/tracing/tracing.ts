// Traces of requests, of what the database does for them and of the deliveries that they cause, by OpenTelemetry's data
// model. Loaded only when an endpoint is set.

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SpanExporter } from './otlp-exporter.ts';
import { formatTraceparent, parseTraceparent, type TracePlace } from './traceparent.ts';

/** Values that OpenTelemetry's attributes may have here; undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Kinds of spans, by their numbers in OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4 } as const;

/** A span that has ended; times in milliseconds since the epoch, with fractions. */
export interface EndedSpan extends TracePlace {
  readonly parentId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
}

/** Decides whether a trace is recorded: by the caller's word, or by chance. */
export type Sampler = (parent: TracePlace | undefined, traceId: string) => boolean;

export interface Tracing {
  /** Runs `serve` as the server's span of a request; `describe` is asked at its end. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    serve: () => void,
    describe: () => { readonly name: string; readonly attributes: Attributes; readonly failed: boolean },
  ): void;
  /** Runs `work` as a part of the current span; without one it is not recorded. */
  within<Result>(
    name: string,
    kind: number,
    attributes: Attributes,
    work: () => Promise<Result>,
  ): Promise<Result>;
  /** Runs `work` as a span of the trace that `traceparent` names, or of the current one, or of a new one. */
  follow<Result>(
    traceparent: string | undefined,
    span: { readonly name: string; readonly kind: number; readonly attributes: Attributes },
    work: (traceparent: string) => Promise<Result>,
    describe: (result: Result) => { readonly attributes: Attributes; readonly failed: boolean },
  ): Promise<Result>;
  /** The current span, for whatever continues its trace later; undefined without one. */
  traceparent(): string | undefined;
  /** Sends what is left. */
  stop(): Promise<void>;
}

const hexId = (bytes: number) => randomBytes(bytes).toString('hex');
const nowMs = () => performance.timeOrigin + performance.now();

/** Creates the tracing. */
export function createTracing(exporter: SpanExporter, sample: Sampler): Tracing {
  const current = new AsyncLocalStorage<TracePlace>();

  function begin(parent: TracePlace | undefined): TracePlace {
    const traceId = parent?.traceId ?? hexId(16);
    return { traceId, spanId: hexId(8), sampled: sample(parent, traceId) };
  }

  function end(span: Omit<EndedSpan, 'endMs'>): void {
    if (span.sampled) exporter.add({ ...span, endMs: nowMs() });
  }

  return {
    serve(request, response, serve, describe) {
      const parent = parseTraceparent(request.headers.traceparent);
      const place = begin(parent);
      const startMs = nowMs();
      response.once('close', () => {
        end({ ...place, parentId: parent?.spanId, kind: spanKinds.server, startMs, ...describe() });
      });
      current.run(place, serve);
    },

    async within(name, kind, attributes, work) {
      const parent = current.getStore();
      if (!parent?.sampled) return work();
      const place: TracePlace = { ...parent, spanId: hexId(8) };
      const startMs = nowMs();
      let failed = true;
      try {
        const result = await current.run(place, work);
        failed = false;
        return result;
      } finally {
        end({ ...place, parentId: parent.spanId, name, kind, startMs, attributes, failed });
      }
    },

    async follow(traceparent, { name, kind, attributes }, work, describe) {
      const parent = parseTraceparent(traceparent) ?? current.getStore();
      const place = begin(parent);
      const startMs = nowMs();
      const span = { ...place, parentId: parent?.spanId, name, kind, startMs };
      try {
        const result = await current.run(place, () => work(formatTraceparent(place)));
        const told = describe(result);
        end({ ...span, attributes: { ...attributes, ...told.attributes }, failed: told.failed });
        return result;
      } catch (error) {
        end({ ...span, attributes, failed: true });
        throw error;
      }
    },

    traceparent() {
      const place = current.getStore();
      return place && formatTraceparent(place);
    },

    stop: () => exporter.stop(),
  };
}
