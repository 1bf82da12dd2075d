// Spans of requests, of what the database does for them and of the deliveries that they cause. Loaded only when a collector
// is set.

import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Attributes,
  type Context,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

interface SpanEnd {
  readonly attributes: Attributes;
  readonly failed: boolean;
}

export interface Tracing {
  /** Runs `serve` as the server's span of a request; `describe` is called at its end. */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    serve: () => void,
    describe: () => SpanEnd & { readonly name: string },
  ): void;
  /** Runs `work` as a part of the current span; without one it is not recorded. */
  within<Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result>;
  /** Runs `work` as a span of the trace that `traceparent` names, or of the current one, or of a new one. */
  follow<Result>(
    traceparent: string | undefined,
    span: { readonly name: string; readonly attributes: Attributes },
    work: (traceparent: string | undefined) => Promise<Result>,
    describe: (result: Result) => SpanEnd,
  ): Promise<Result>;
  /** The current span, for whatever continues its trace later; undefined without one. */
  traceparent(): string | undefined;
  stop(): Promise<void>;
}

/** Creates the tracing; `stop` flushes and ends the exporter. */
export function createTracing(tracer: Tracer, stop: () => Promise<void>): Tracing {
  const propagator = new W3CTraceContextPropagator();

  function contextOf(traceparent: string | undefined, otherwise: Context): Context {
    if (traceparent === undefined) return otherwise;
    return propagator.extract(otherwise, { traceparent }, defaultTextMapGetter);
  }

  function traceparentOf(current: Context): string | undefined {
    const carrier: { traceparent?: string } = {};
    propagator.inject(current, carrier, defaultTextMapSetter);
    return carrier.traceparent;
  }

  return {
    serve(request, response, serve, describe) {
      const { traceparent } = request.headers;
      const parent = contextOf(typeof traceparent === 'string' ? traceparent : undefined, ROOT_CONTEXT);
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
      response.once('close', () => {
        const { name, ...described } = describe();
        end(span.updateName(name), described);
      });
      context.with(trace.setSpan(parent, span), serve);
    },

    async within(name, attributes, work) {
      const parent = context.active();
      if (!trace.getSpan(parent)) return work();
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
      return during(span, parent, work, () => ({ attributes: {}, failed: false }));
    },

    async follow(traceparent, { name, attributes }, work, describe) {
      const parent = contextOf(traceparent, context.active());
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
      return during(span, parent, () => work(traceparentOf(context.active())), describe);
    },

    traceparent: () => traceparentOf(context.active()),
    stop,
  };
}

async function during<Result>(
  span: Span,
  parent: Context,
  work: () => Promise<Result>,
  describe: (result: Result) => SpanEnd,
): Promise<Result> {
  try {
    const result = await context.with(trace.setSpan(parent, span), work);
    end(span, describe(result));
    return result;
  } catch (error) {
    end(span, { attributes: {}, failed: true });
    throw error;
  }
}

function end(span: Span, { attributes, failed }: SpanEnd): void {
  span.setAttributes(attributes);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
