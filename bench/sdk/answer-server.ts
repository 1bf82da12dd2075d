// A server that answers every request with one snapshot at once, so that what is measured is the client.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const answer = Buffer.from(
  JSON.stringify({
    id: '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77',
    machineName: 'build-7',
    os: 'linux',
    arch: 'x64',
    runtimeVersions: { node: '24.1.0', npm: '11.0.0', python: '3.13.1' },
    dependencies: { 'package-lock.json': { zod: '4.6.7', semver: '7.8.6' } },
    envVars: { LANG: 'C.UTF-8', TZ: 'UTC' },
    metadata: {},
    createdAt: '2026-02-07T13:05:00.000Z',
  }),
);

const server = createServer((_, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': answer.length,
    'x-request-id': '8c1f2a34-0c57-4f0e-9d6e-0f2b9a7c1d55',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-ratelimit-reset': '1',
  });
  response.end(answer);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => process.exit(0));
