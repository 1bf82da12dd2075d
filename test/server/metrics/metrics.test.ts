// What /metrics shows, and that the dashboard and the alerts use only existing metrics.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresDialect } from '../../../packages/server/src/infra/db/dialect.ts';
import { isDirectCaller } from '../../../packages/server/src/infra/http/direct-caller.ts';
import { recordOperation } from '../../../packages/server/src/operator/operator-audit.ts';
import { createOutboxState } from '../../../packages/server/src/webhooks/outbox.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject, startService, startServiceOn, type TestService } from '../../support/service.ts';

const deploy = path.resolve(import.meta.dirname, '../../../deploy');

async function scrape(service: TestService): Promise<string> {
  return (await fetch(`${service.url}/metrics`)).text();
}

/** The value of a series: its name with its labels as they are written. */
function seriesValue(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** Names of series as an expression may use them: those of a histogram have three suffixes. */
function namesIn(text: string): Set<string> {
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => name + suffix) : [name],
  );
  return new Set(names);
}

/** Names of metrics in expressions: neither functions and keywords nor labels. */
function namesAskedFor(expression: string): string[] {
  return expression.match(/\b(?:envsnap|nodejs|process)_\w+/g) ?? [];
}

async function startReceiver(status: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describeEachDatabase((openDatabase) => {
  describe('the metrics', () => {
    it('are there for callers of this machine alone: through a proxy they are a path like any other', async () => {
      const service = await startService(openDatabase);
      const get = (headers: Record<string, string>) => service.request('GET', '/metrics', { headers });
      expect((await get({})).status).toBe(200);
      const nowhere = await service.request('GET', '/metric', {
        headers: { 'x-forwarded-for': '192.0.2.1' },
      });
      for (const header of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-real-ip']) {
        const { status, body } = await get({ [header]: 'for=192.0.2.1' });
        expect([header, status, body.code]).toEqual([header, 404, 'route_not_found']);
        expect(body.error).toBe(nowhere.body.error);
      }
    });

    it('report on requests, the database, refusals and the program', { tags: 'both-databases' }, async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '3' });
      for (let call = 0; call < 5; call += 1) await service.send(key, 'GET', '/machine/usage');
      await service.send(`mk_${'0'.repeat(64)}`, 'GET', '/machine/usage');
      const text = await scrape(service);
      const requests = (status: number) =>
        seriesValue(
          text,
          `envsnap_http_requests_total{method="GET",route="/machine/usage",status="${status}"}`,
        );
      expect([requests(200), requests(429)]).toEqual([3, 2]);
      expect(seriesValue(text, 'envsnap_rate_limit_refusals_total{window="minute",caller="key"}')).toBe(2);
      expect(
        seriesValue(text, 'envsnap_database_duration_seconds_count{operation="transaction"}'),
      ).toBeGreaterThan(1);
      expect(text).toMatch(
        /^envsnap_build_info\{version="\d+\.\d+\.\d+",commit="[0-9a-f]*(?:-dirty)?",node="[\d.]+"\} 1$/m,
      );
      // Alerts use their increase: a series that begins with 1 has none.
      for (const labels of [
        'webhook_deactivations_total{reason="gone"}',
        'webhook_deactivations_total{reason="failing"}',
      ])
        expect(seriesValue(text, `envsnap_${labels}`)).toBe(0);
      expect(seriesValue(text, 'envsnap_retention_runs_total{result="failed"}')).toBe(0);
      expect(seriesValue(text, 'envsnap_sign_in_refusals_total{reason="unknown"}')).toBe(1);
      expect(seriesValue(text, 'envsnap_sign_in_refusals_total{reason="expired"}')).toBe(0);
      const { max } = service.database.poolUsage();
      expect(seriesValue(text, 'envsnap_database_connections_max')).toBe(max);
      expect(seriesValue(text, 'envsnap_database_connections{state="waiting"}')).toBe(0);
      expect(seriesValue(text, 'envsnap_in_flight_limit_bytes')).toBeGreaterThan(1024 ** 2);
    });

    it('time the lookup and the count of every request, also where requests share a transaction', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '1000' });
      const timed = async () => {
        const text = await scrape(service);
        return ['query', 'transaction'].map(
          (operation) =>
            seriesValue(text, `envsnap_database_duration_seconds_count{operation="${operation}"}`) ?? 0,
        );
      };
      // The first request creates the row of counters.
      await service.send(key, 'GET', '/machine/keys/current');
      const before = await timed();
      const calls = 5;
      for (let call = 0; call < calls; call += 1)
        await service.send(key, 'GET', `/machine/snapshots/${randomUUID()}`);
      const after = await timed();
      const [queries = 0, transactions = 0] = after.map((count, index) => count - (before[index] ?? 0));
      // Recognising and counting is one transaction.
      expect(transactions).toBeGreaterThanOrEqual(calls);
      expect(queries).toBeGreaterThanOrEqual(calls);
    });

    it('report the delay of the event loop without the interval at which it is measured', async () => {
      const service = await startService(openDatabase);
      const least = async () => seriesValue(await scrape(service), 'nodejs_eventloop_lag_min_seconds');
      // Samples are half a second apart; before the first one, the minimum is meaningless.
      await expect.poll(least, { interval: 1500 }).toBeLessThan(0.4);
    });

    it('say how deliveries end, and name the webhook that fails; so does the log', async () => {
      const { service, key, projectId } = await startProject(openDatabase, {
        ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8',
      });
      const subscribe = async (url: string): Promise<string> => {
        const body = { url, events: ['snapshot.created'] };
        return (await service.send(key, 'POST', '/machine/webhooks', body)).body.id;
      };
      await subscribe(await startReceiver(204));
      const failing = await subscribe(await startReceiver(500));
      const goneWebhook = await subscribe(await startReceiver(410));
      await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      const logged = () =>
        service
          .log()
          .split('\n')
          .filter((line) => line.includes('webhook'))
          .map((line) => JSON.parse(line));
      await expect.poll(() => logged().filter(({ level }) => level === 'warn').length).toBe(3);
      expect(logged()).toContainEqual(
        expect.objectContaining({
          msg: 'webhook delivery failed',
          webhookId: failing,
          projectId,
          status: 500,
          reason: 'status',
          attempt: 1,
        }),
      );
      expect(logged()).toContainEqual(
        expect.objectContaining({ msg: 'webhook deactivated', webhookId: goneWebhook, reason: 'gone' }),
      );
      const outcome = (text: string, name: string) =>
        seriesValue(text, `envsnap_webhook_attempt_duration_seconds_count{outcome="${name}"}`);
      await expect.poll(async () => outcome(await scrape(service), 'delivered')).toBe(1);
      const text = await scrape(service);
      expect([outcome(text, 'status'), outcome(text, 'gone')]).toEqual([1, 1]);
      expect(seriesValue(text, 'envsnap_webhook_deactivations_total{reason="gone"}')).toBe(1);
      expect(seriesValue(text, 'envsnap_webhook_outbox_deliveries{state="waiting"}')).toBe(1);
      expect(text).toContain(`envsnap_webhook_failing_seconds{webhook="${failing}"}`);
      expect(text).not.toContain(`webhook="${goneWebhook}"`);
    });

    it('say when the last backup was made, and how much room the data folder has', async () => {
      const database = await openDatabase();
      const masterKey = '11'.repeat(32);
      const none = await startServiceOn(database, {}, masterKey);
      const backup = 'envsnap_backup_last_success_timestamp_seconds';
      expect(seriesValue(await scrape(none), backup)).toBe(0);
      const beforeMs = Date.now();
      await recordOperation(database, 'backup.created', {});
      await recordOperation(database, 'logs.pruned', {});
      const text = await scrape(await startServiceOn(database, {}, masterKey));
      expect(seriesValue(text, backup)).toBeGreaterThanOrEqual(beforeMs / 1000);
      expect(seriesValue(text, backup)).toBeLessThanOrEqual(Date.now() / 1000);
      expect(seriesValue(text, 'envsnap_data_free_bytes')).toBeGreaterThan(0);
    });

    it('have every name that the dashboard and the alerts ask for', async () => {
      const names = namesIn(await scrape(await startService(openDatabase)));
      const dashboard = JSON.parse(readFileSync(path.join(deploy, 'grafana-dashboard.json'), 'utf8'));
      const panels = dashboard.panels as { title: string; targets: { expr: string }[] }[];
      const usedNames = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesAskedFor(expr)));
      const alerts = namesAskedFor(readFileSync(path.join(deploy, 'prometheus-alerts.yml'), 'utf8'));
      expect(panels.length).toBeGreaterThan(10);
      expect(alerts.length).toBeGreaterThan(10);
      expect([...usedNames, ...alerts].filter((name) => !names.has(name))).toEqual([]);
      // The dashboard shows all our own metrics.
      const shown = new Set(usedNames.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
      const unseen = [...names]
        .filter((name) => name.startsWith('envsnap_'))
        .map((name) => name.replace(/_(bucket|sum|count)$/, ''))
        .filter((name) => !shown.has(name));
      expect([...new Set(unseen)]).toEqual(['envsnap_retention_last_success_timestamp_seconds']);
    });
  });

  describe('the log of requests', () => {
    it('has the address, the key, the path without its query, and a mark for slow ones', async () => {
      const { service, key, apiKeyId, projectId } = await startProject(openDatabase, {
        ENVSNAP_SLOW_REQUEST_MS: '1',
        ENVSNAP_TRUST_PROXY: '127.0.0.0/8',
      });
      const headers = { 'x-forwarded-for': '192.0.2.17' };
      const url = '/machine/snapshots/019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';
      await service.request('GET', `${url}?token=not-for-the-log`, { key, headers });
      const line = () =>
        service
          .log()
          .split('\n')
          .filter((one) => one.includes(url))
          .map((one) => JSON.parse(one))[0];
      await expect.poll(line).toMatchObject({
        msg: 'request',
        method: 'GET',
        path: url,
        route: '/machine/snapshots/:id',
        status: 404,
        slow: true,
        apiKeyId,
        projectId,
        clientAddress: '192.0.2.17',
      });
      expect(service.log()).not.toContain('not-for-the-log');
    });

    it('marks no request that was not slow', async () => {
      const service = await startService(openDatabase, { ENVSNAP_SLOW_REQUEST_MS: '600000' });
      await service.bootstrap();
      await expect.poll(() => service.log()).toContain('/machine/keys/bootstrap');
      expect(service.log()).not.toContain('"slow"');
    });
  });
});

describe('a direct caller', () => {
  it.each([
    [true, '127.0.0.1', '127.0.0.1'],
    [true, '::ffff:127.8.0.1', '::ffff:127.0.0.1'],
    [true, '::1', '::1'],
    [true, '10.0.0.5', '10.0.0.5'],
    [false, '10.0.0.6', '10.0.0.5'],
    [false, '::ffff:192.0.2.1', '::ffff:10.0.0.5'],
    [false, undefined, undefined],
  ])('is one: %s, from %s at %s', (expected, remoteAddress, localAddress) => {
    expect(isDirectCaller({ socket: { remoteAddress, localAddress }, headers: {} } as never)).toBe(expected);
  });
});

describe('the files in deploy', () => {
  const read = (name: string) => readFileSync(path.join(deploy, name), 'utf8');

  it('publish no metrics, and let no caller speak for the proxy', () => {
    expect(read('nginx.conf')).toMatch(/location = \/metrics \{ return 404; \}/);
    expect(read('nginx.conf')).toContain('proxy_set_header X-Forwarded-Prefix "";');
    for (const name of ['Caddyfile', 'compose.Caddyfile']) {
      const sites = read(name).split('reverse_proxy').length - 1;
      expect(read(name).match(/respond \S*\/metrics 404/g)).toHaveLength(sites);
      expect(read(name).match(/header_up -?X-Forwarded-Prefix/g)).toHaveLength(sites);
    }
  });

  it('name each image by its version, and keep secrets from other users', () => {
    const images = [...read('compose.yaml').matchAll(/^\s+image: (\S+)$/gm)].map(([, image]) => image);
    const bases = [...read('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(images.length).toBeGreaterThan(3);
    for (const image of [...images, ...bases]) expect(image).toMatch(/:v?\d+\.\d+/);
    expect(read('compose.yaml')).toContain('mkdir -m 700 deploy/secrets');
    expect(read('compose.yaml')).toContain('umask 077');
  });
});

it('the metrics do not wait for a database that is busy', async () => {
  const never = () => new Promise<never>(() => undefined);
  const busy = { dialect: postgresDialect, get: never, all: never, run: never, write: () => undefined };
  expect(await createOutboxState(busy, { nowMs: () => 0 })()).toBeUndefined();
});
