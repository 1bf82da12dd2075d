// Calls a server with one client, 16 calls at once, and prints calls a second of CPU time as JSON.
//
//   node bench/sdk/client.ts fetch|ky|sdk URL CALLS

import { EnvSnap } from '@envsnap/sdk';
import { apiKeyChecksum } from '@envsnap/shared/api-key-format';
import ky from 'ky';

const atOnce = 16;
const [kind = '', url = '', count = ''] = process.argv.slice(2);
const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';
const digits = '0123456789abcdef'.repeat(4).slice(0, 56);
const apiKey = `mk_${digits}${apiKeyChecksum(digits)}`;
const headers = { 'x-api-key': apiKey, accept: 'application/json' };
const path = `/machine/snapshots/${id}`;

const client = new EnvSnap({ apiKey, baseUrl: url });
const instance = ky.create({ headers, retry: 2, timeout: 30_000 });
const calls: Record<string, () => Promise<unknown>> = {
  fetch: async () => (await fetch(url + path, { headers })).json(),
  ky: () => instance(url + path).json(),
  sdk: () => client.snapshots.get(id),
};
const call = calls[kind];
if (!call) throw new Error(`no client ${kind}`);

async function make(total: number): Promise<void> {
  let left = total;
  const loop = async () => {
    while (left > 0) {
      left -= 1;
      await call?.();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
}

const total = Number(count);
await make(Math.ceil(total / 4)); // Until everything is compiled.
const before = process.cpuUsage();
const startedMs = performance.now();
await make(total);
const cpu = process.cpuUsage(before);
const cpuSeconds = (cpu.user + cpu.system) / 1e6;
const wallSeconds = (performance.now() - startedMs) / 1000;
process.stdout.write(
  `${JSON.stringify({ perCpuSecond: total / cpuSeconds, perSecond: total / wallSeconds })}\n`,
);
