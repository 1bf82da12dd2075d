import { createSocket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createResolveHost } from '../../../packages/server/src/webhooks/resolve-host.ts';
import { temporaryFolder } from '../../support/databases.ts';

/** A name server: `*.hang.test` gets no reply, `*.good.test` is 127.0.0.1 and ::1, everything else does not exist. */
async function startNameServer() {
  const lookedUp: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end);
    lookedUp.push(name);
    if (name.endsWith('.hang.test')) return;
    const address = type === 1 ? [127, 0, 0, 1] : [...Array(15).fill(0), 1];
    const exists = name.endsWith('.good.test') && (type === 1 || type === 28);
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(exists ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(exists ? 1 : 0, 6);
    head.writeUInt16BE(0, 10);
    const answer = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]);
    const question = query.subarray(12, end + 4);
    socket.send(Buffer.concat([head, question, ...(exists ? [answer] : [])]), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  onTestFinished(() => void socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, asked: lookedUp };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query[offset] ?? 0; length > 0; length = query[offset] ?? 0) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: offset + 1 };
}

test('all addresses of a name are found, those of IPv4 first', async () => {
  const { server } = await startNameServer();
  const resolveHost = createResolveHost({ servers: [server] });
  expect(await resolveHost('hooks.good.test')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  expect(await resolveHost('HOOKS.good.test.')).toHaveLength(2);
});

test('a name that does not exist is refused with a code', async () => {
  const { server } = await startNameServer();
  const resolveHost = createResolveHost({ servers: [server] });
  await expect(resolveHost('absent.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('names whose name servers do not respond delay no other name, however many they are', async () => {
  const { server, asked } = await startNameServer();
  const resolveHost = createResolveHost({ servers: [server] });
  let ended = 0;
  const hanging = Array.from({ length: 40 }, (_, index) =>
    resolveHost(`n${index}.hang.test`).catch((error: NodeJS.ErrnoException) => {
      ended += 1;
      return error.code;
    }),
  );
  await expect.poll(() => new Set(asked).size).toBe(40);
  expect(await resolveHost('hooks.good.test')).toHaveLength(2);
  expect(await resolveHost('localhost')).not.toHaveLength(0);
  expect(ended).toBe(0);
  expect(new Set(await Promise.all(hanging))).toEqual(new Set(['ETIMEOUT']));
});

test('a name of the hosts file and a name without a dot are left to the system', async () => {
  const { server, asked } = await startNameServer();
  const hostsFile = path.join(temporaryFolder(), 'hosts');
  writeFileSync(hostsFile, '# comment\n127.0.0.1\tlocalhost  Pinned.good.test # more\n');
  const resolveHost = createResolveHost({ servers: [server], hostsFile });
  // The system's hosts file does not have it, so the system's result (none, or an error) is not the name server's.
  const pinned = await resolveHost('pinned.good.test').catch(() => 'the system does not know it');
  expect(pinned).not.toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  await resolveHost('localhost');
  expect(asked).toEqual([]);
  // The file is read again after a change.
  writeFileSync(hostsFile, '127.0.0.1 localhost other.test another.test\n');
  expect(await resolveHost('pinned.good.test')).toHaveLength(2);
});
