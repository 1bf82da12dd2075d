// The console behind nginx and Caddy as `deploy/` configures them, under a path of another site. Runs where they are installed.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EnvSnap } from '@envsnap/sdk';
import { expect, it } from 'vitest';
import { writeNginxConfiguration } from '../../../scripts/reliability/nginx-configuration.ts';
import { freePort } from '../../../scripts/reliability/postgres-server.ts';
import { cleanUpAfterTest } from '../../support/clean-up.ts';
import { startServerProcess } from '../../support/programs.ts';

const isHere = (program: string) => spawnSync(program, ['-h'], { stdio: 'ignore' }).error === undefined;

interface Site {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
}

/** Requests from the proxy as a browser of that host does. */
async function ask(
  { host, port, isSecure }: Site,
  target: string,
  fields?: Record<string, string>,
  cookie = '',
) {
  const headers = {
    host: `${host}:${port}`,
    cookie,
    accept: 'text/html',
    // A caller's own headers are ignored.
    'x-forwarded-prefix': '/evil',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  const options = { host: '127.0.0.1', port, path: target, method: fields ? 'POST' : 'GET', headers };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = isSecure
      ? httpsRequest({ ...options, servername: host, rejectUnauthorized: false }, resolve)
      : httpRequest(options, resolve);
    sent.on('error', reject).end(fields && new URLSearchParams(fields).toString());
  });
  const html = Buffer.concat(await answer.toArray()).toString('utf8');
  expect(html).not.toContain('evil');
  const [set = ''] = answer.headers['set-cookie'] ?? [];
  return {
    status: answer.statusCode,
    location: answer.headers.location,
    set,
    html,
    headers: answer.headers,
  };
}

/** Starts the server, and the proxy that `start` gives the command for; uses the console behind it. */
async function walk(
  start: (folder: string, site: { readonly port: number; readonly server: number }) => readonly string[],
  { host, isSecure }: Omit<Site, 'port'>,
): Promise<void> {
  const server = await startServerProcess({ ENVSNAP_TRUST_PROXY: '127.0.0.1' });
  const { apiKey } = await EnvSnap.bootstrap({ baseUrl: server.url, projectName: 'shop' });
  const client = new EnvSnap({ baseUrl: server.url, apiKey });
  for (const node of ['22.1.0', '24.1.0'])
    await client.snapshots.create({ machineName: `m${node}`, runtimeVersions: { node } });
  const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-proxy-'));
  const port = await freePort();
  const [command = '', ...args] = start(folder, { port, server: Number(new URL(server.url).port) });
  const proxy = spawn(command, args, {
    cwd: folder,
    // Caddy keeps what it was given in the home folder.
    env: { ...process.env, XDG_CONFIG_HOME: folder },
    stdio: 'ignore',
  });
  cleanUpAfterTest(async () => {
    const ended = new Promise((resolve) => proxy.once('exit', resolve));
    proxy.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const site = { host, port, isSecure };
  const below = '/envsnap/console/';
  for (let tries = 0; tries < 100; tries += 1) {
    if ((await ask(site, `${below}sign-in`).catch(() => undefined))?.status === 200) break;
    await sleep(100);
  }

  expect(await ask(site, '/envsnap/')).toMatchObject({ status: 303, location: 'console/' });
  expect(await ask(site, `${below}runs`)).toMatchObject({ status: 303, location: './sign-in?next=runs' });
  const { headers } = await ask(site, `${below}sign-in`);
  expect(headers['cross-origin-opener-policy']).toBe(isSecure ? 'same-origin' : undefined);
  // The header would apply to the whole host, which belongs to another site here; the separate host below sends it.
  expect(headers['strict-transport-security']).toBeUndefined();
  if (isSecure) {
    const own = await ask({ ...site, host: 'envsnap.example.com' }, '/console/sign-in');
    expect([own.status, own.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
  }
  const signedIn = await ask(site, `${below}sign-in`, { key: apiKey, next: 'runs' });
  expect(signedIn).toMatchObject({ status: 303, location: './runs' });
  const attributes = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=604800';
  const [cookie = ''] = signedIn.set.split(';');
  expect(signedIn.set).toBe(`${cookie}; ${attributes}${isSecure ? '; Secure' : ''}`);
  expect(cookie.startsWith(isSecure ? '__Host-envsnap=' : 'envsnap=')).toBe(true);

  const compared = await ask(site, `${below}compare?a=latest:m22.1.0&b=latest:m24.1.0`, undefined, cookie);
  expect(compared.html).toContain('data-verdict="failed"');
  const [, a = '', b = ''] =
    /name="a" value="([^"]+)"><input type="hidden" name="b" value="([^"]+)"/.exec(compared.html) ?? [];
  const shared = await ask(site, `${below}shares`, { kind: 'comparison', a, b }, cookie);
  const url = /https?:[^<"\s]+\/share\/[\w-]{43}/.exec(shared.html)?.[0] ?? '';
  expect(url).toMatch(`${isSecure ? 'https' : 'http'}://${host}:${port}/envsnap/share/`);
  expect((await ask(site, new URL(url).pathname)).html).toContain('data-verdict="failed"');
  const large = { url: 'x'.repeat(20_000) };
  expect((await ask(site, `${below}webhooks`, large, cookie)).status).toBe(413);
  const metrics = await ask(site, '/envsnap/metrics');
  // The proxy itself refuses.
  expect([metrics.status, metrics.headers['x-request-id']]).toEqual([404, undefined]);
}

it.skipIf(!isHere('nginx'))('works under a path behind nginx', () =>
  walk(
    (folder, { port, server }) => {
      const file = writeNginxConfiguration(folder, { port, servers: [server, server] });
      return ['nginx', '-c', file, '-p', folder];
    },
    { host: 'envsnap.example.com', isSecure: false },
  ),
);

it.skipIf(!isHere('caddy'))('works under a path behind Caddy, over HTTPS', async () => {
  const plain = await freePort();
  return walk(
    (folder, { port, server }) => {
      const shipped = readFileSync(path.join(import.meta.dirname, '../../../deploy/Caddyfile'), 'utf8');
      const file = path.join(folder, 'Caddyfile');
      writeFileSync(
        file,
        `{
          admin off
          local_certs
          skip_install_trust
          storage file_system ${folder}/caddy
          default_bind 127.0.0.1
          https_port ${port}
          http_port ${plain}
        }
        ${shipped.replaceAll(/127\.0\.0\.1:478[01]/g, `127.0.0.1:${server}`)}`,
      );
      return ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
    },
    { host: 'tools.example.com', isSecure: true },
  );
});
