// Traces by OpenTelemetry: a real server, a real collector on loopback, and a receiver of webhooks.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';
import { openTracing } from '../../../packages/server/src/infra/tracing/open-tracing.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startServerProcess } from '../../support/programs.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

async function listen(answer: (request: IncomingMessage, body: string) => number): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.writeHead(answer(request, Buffer.concat(chunks).toString())).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A collector; `spans` are the received ones. */
async function startCollector() {
  const spans: Span[] = [];
  const requests: { url: string | undefined; headers: IncomingMessage['headers'] }[] = [];
  const resources: unknown[] = [];
  const url = await listen((request, body) => {
    requests.push({ url: request.url, headers: request.headers });
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      resources.push(resource);
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    return 200;
  });
  return { url, spans, requests, resources };
}

const attributesOf = (span: Span | undefined) =>
  Object.fromEntries(span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []);

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';

describeEachDatabase((openDatabase) => {
  it('a request is traced through the database to the webhook that it causes', {
    tags: 'both-databases',
    timeout: 60_000,
  }, async () => {
    const collector = await startCollector();
    const delivered: IncomingMessage['headers'][] = [];
    const receiver = await listen((request) => {
      delivered.push(request.headers);
      return 204;
    });
    const { url: databaseUrl } = await openDatabase.target('migrated');
    const server = await startServerProcess({
      ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
      OTEL_SERVICE_NAME: 'envsnap-of-the-test',
      ...(databaseUrl !== undefined && {
        DATABASE_URL: databaseUrl,
        ENVSNAP_ENCRYPTION_KEY: 'a1'.repeat(32),
      }),
    });
    const post = async (target: string, body: unknown, headers: Record<string, string> = {}) => {
      const response = await fetch(`${server.url}${target}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(201);
      return (await response.json()) as { apiKey: string; projectId: string };
    };
    const { apiKey, projectId } = await post('/machine/keys/bootstrap', { projectName: 'p' });
    const key = { 'x-api-key': apiKey };
    await post('/machine/webhooks', { url: `${receiver}/secret-path`, events: ['snapshot.created'] }, key);
    const traceparent = `00-${traceId}-${callerSpan}-01`;
    await post(
      '/machine/snapshots',
      { machineName: 'm', envVars: { A: 'a-value' } },
      { ...key, traceparent },
    );
    await expect.poll(() => delivered.length).toBe(1);
    // A span is sent once it has ended, which a parent does after its children: a stopping server sends all of them.
    server.running.child.kill('SIGTERM');
    await server.running.finished;
    const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId);
    expect(ofTrace().map(({ name }) => name)).toEqual(
      expect.arrayContaining(['webhook delivery', 'POST /machine/snapshots']),
    );

    const request = ofTrace().find(({ kind }) => kind === 2);
    expect(request).toMatchObject({ name: 'POST /machine/snapshots', parentSpanId: callerSpan, status: {} });
    expect(attributesOf(request)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/machine/snapshots',
      'http.response.status_code': 201,
      'envsnap.project.id': projectId,
    });
    expect(BigInt(request?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(request?.startTimeUnixNano ?? 0));

    const byId = new Map(ofTrace().map((span) => [span.spanId, span]));
    const transactions = ofTrace().filter(({ name }) => name === 'transaction');
    expect(transactions.some(({ parentSpanId }) => parentSpanId === request?.spanId)).toBe(true);
    const queries = ofTrace().filter(({ attributes }) =>
      attributes.some(({ key: name }) => name === 'db.query.text'),
    );
    expect(queries.length).toBeGreaterThan(1);
    for (const query of queries) expect(byId.has(query.parentSpanId ?? '')).toBe(true);
    // Recognising the caller and counting the request use the database too, even if requests share a transaction for this.
    const tables = queries.map((query) => attributesOf(query)['db.query.text']).join('\n');
    expect(tables).toMatch(/from api_keys/);

    const delivery = ofTrace().find(({ name }) => name === 'webhook delivery');
    expect(delivery?.parentSpanId).toBeDefined();
    expect(delivered[0]?.traceparent).toBe(`00-${traceId}-${delivery?.spanId}-01`);
    expect(attributesOf(delivery)).toMatchObject({ 'http.response.status_code': 204 });

    expect(collector.requests[0]).toMatchObject({
      url: '/v1/traces',
      headers: { authorization: 'Bearer collector-token', 'content-type': 'application/json' },
    });
    expect(JSON.stringify(collector.resources[0])).toContain('envsnap-of-the-test');
    expect(JSON.stringify(collector.spans)).not.toMatch(/secret-path|a-value|mk_[0-9a-f]{8}/);
  });
});

describe('tracing', () => {
  const logger = createLogger({ level: 'silent', destination: { write: () => undefined } });
  const open = (variables: Record<string, string>) => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ...variables };
    // The SDK reads the process's variables.
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    return openTracing(env, { version: '1.2.3', commit: undefined, logger });
  };

  it.each([
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ])('refuses %s that it cannot follow', (name, value) => {
    expect(() => open({ [name]: value })).toThrow(name);
  });

  it('records nothing that the caller does not record, but still passes the trace on', async () => {
    const collector = await startCollector();
    const tracing = open({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    const span = { name: 's', attributes: {} };
    const details = () => ({ attributes: {}, failed: false });
    const follow = (parent: string) => tracing.follow(parent, span, async (passed) => passed, details);
    expect(await follow(`00-${traceId}-${callerSpan}-00`)).toMatch(
      new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`),
    );
    expect(await follow(`00-${traceId}-${callerSpan}-01`)).toMatch(
      new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`),
    );
    await tracing.stop();
    expect(collector.spans).toMatchObject([{ traceId, parentSpanId: callerSpan }]);
  });

  it('loses nothing but spans while the collector is unavailable', async () => {
    const tracing = open({ OTEL_EXPORTER_OTLP_TIMEOUT: '500' });
    const result = tracing.follow(
      undefined,
      { name: 's', attributes: {} },
      async () => 'done',
      () => ({ attributes: {}, failed: false }),
    );
    expect(await result).toBe('done');
    await tracing.stop();
  });

  it('is loaded by main.ts alone, and only when it is switched on', () => {
    const source = path.resolve(import.meta.dirname, '../../../packages/server/src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const loads = files.filter((name) => {
      if (name === 'traces.ts' || name.startsWith('infra/tracing/')) return false;
      const text = readFileSync(path.join(source, name), 'utf8');
      return /^import (?!type\b)[^;]*from '[^']*(?:\/traces|\/tracing\/[\w-]+|\/trace-delivery)\.ts'/m.test(
        text,
      );
    });
    expect(loads).toEqual([]);
    expect(readFileSync(path.join(source, 'main.ts'), 'utf8')).toContain(
      "config.telemetry && (await import('./traces.ts'))",
    );
  });
});
