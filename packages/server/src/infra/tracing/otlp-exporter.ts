// Sends spans to a collector by OTLP over HTTP, as JSON. A collector that is away costs spans, never a request.

import type { Logger } from '../logger.ts';
import type { Attributes, EndedSpan } from './tracing.ts';

export interface SpanExporter {
  /** Takes a span; returns at once. */
  add(span: EndedSpan): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

export interface ExporterOptions {
  /** Whole address, `/v1/traces` included. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** What the spans are of: the service's name and version. */
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
  readonly logger: Logger;
}

/** Longest time a span waits, in milliseconds, and most spans that are sent together. */
const sendEveryMs = 2000;
const mostTogether = 512;
/** Spans that wait at most; later ones are dropped. */
const mostWaiting = 4096;
/** Failures are logged this often at most, in milliseconds. */
const complainEveryMs = 60_000;

/** Creates the exporter. Nothing wakes the process while there is nothing to send. */
export function createOtlpExporter(options: ExporterOptions): SpanExporter {
  const { url, headers, timeoutMs, logger } = options;
  let waiting: EndedSpan[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let complainedMs = Number.NEGATIVE_INFINITY;

  async function sendAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostTogether);
      waiting = waiting.slice(mostTogether);
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(toOtlp(batch, options)),
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'error',
        });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`the collector answered ${response.status}`);
      } catch (error) {
        dropped += batch.length;
        complain(error);
      }
    }
  }

  function complain(error: unknown): void {
    if (performance.now() - complainedMs < complainEveryMs) return;
    complainedMs = performance.now();
    logger.warn({ err: error, dropped }, 'spans could not be sent to the collector; they were dropped');
    dropped = 0;
  }

  function send(): Promise<void> {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  return {
    add(span) {
      if (waiting.length >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(span);
      if (waiting.length >= mostTogether) void send();
      else timer ??= setTimeout(() => void send(), sendEveryMs).unref();
    },
    async stop() {
      await sending;
      await send();
    },
  };
}

function toOtlp(spans: readonly EndedSpan[], { resource, scope }: ExporterOptions) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope, spans: spans.map(toSpan) }],
      },
    ],
  };
}

function toSpan({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, failed }: EndedSpan) {
  return {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind,
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: toAttributes(attributes),
    status: failed ? { code: 2 } : {},
  };
}

/** As text: the number is larger than JSON's are exact. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}

function toAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toValue(value) }],
  );
}

function toValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
