// Calls through a custom `fetch`.

import { createHash } from 'node:crypto';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Fetch, NotFoundError } from '@envsnap/sdk';
import { fetch, ProxyAgent } from 'undici';
import { expect, it } from 'vitest';
import { startScriptedServer } from '../support/scripted-server.ts';
import { clientOf, snapshotId } from './support.ts';

it('a fetch of another library leads calls and uploads through a proxy', async () => {
  const stored = { id: snapshotId, filename: 'a', size: 1, checksum: '0'.repeat(64), createdAt: 'now' };
  await using server = await startScriptedServer(
    { status: 200, json: { status: 'ok', version: '1.0.0' } },
    { status: 201, json: stored },
  );
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      target.pipe(socket);
      socket.pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const dispatcher = new ProxyAgent({
    uri: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    proxyTunnel: true,
  });
  try {
    const client = clientOf(server, { fetch: (url, init) => fetch(url, { ...init, dispatcher }) });
    expect((await client.service.health()).status).toBe('ok');
    async function* content() {
      yield Buffer.from('x');
    }
    expect(await client.files.upload({ content, filename: 'a' })).toEqual(stored);
    expect(new Set(tunnels)).toEqual(new Set([new URL(server.baseUrl).host]));
  } finally {
    await dispatcher.destroy();
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  }
});

it("a fetch may give its bodies as Node's streams", async () => {
  const bytes = 'some bytes';
  const created = { id: snapshotId, machineName: 'm', createdAt: 'now' };
  await using server = await startScriptedServer(
    { status: 201, json: created },
    { status: 404, json: { error: 'Snapshot not found', code: 'snapshot_not_found' } },
    {
      status: 200,
      text: bytes,
      headers: {
        'content-length': String(bytes.length),
        etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
      },
    },
  );
  const ofNode: Fetch = (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, headers }, (answer) =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: new Headers(answer.headers as Record<string, string>),
          body: answer,
          text: () => text(answer),
        }),
      );
      sent.on('error', reject).end(body);
    });
  const client = clientOf(server, { fetch: ofNode });
  expect(await client.snapshots.create({ machineName: 'm' })).toEqual(created);
  await expect(client.snapshots.get(snapshotId)).rejects.toThrow(NotFoundError);
  expect(await new Response((await client.files.download(snapshotId)).stream).text()).toBe(bytes);
  expect(server.seen).toHaveLength(3);
});
