// The verification examples of the webhook guide, run unchanged against deliveries that are signed like the server's.

import { spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { signWebhook } from '@envsnap/shared';
import { describe, expect, inject, it, vi } from 'vitest';
import { cleanUpAfterTest } from '../support/clean-up.ts';

const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/webhooks.md'), 'utf8');
const blockOf = (language: string, holding: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))]
    .map(([, text = '']) => text)
    .find((text) => text.includes(holding)) ?? '';

const has = (command: string, flag = '--version') => spawnSync(command, [flag]).status === 0;
const body = '{"id":"e1","event":"snapshot.created","data":{"machineName":"Zürich"},"timestamp":"x"}';
const secrets = [`whsec_${randomBytes(32).toString('base64')}`, 'a secret of my own'];

async function signed(secret: string) {
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = await signWebhook({
    id: 'e1',
    timestampSeconds: timestamp,
    body: new TextEncoder().encode(body),
    secret,
  });
  return {
    id: 'e1',
    timestamp,
    signature: headers['webhook-signature'],
    plain: headers['x-webhook-signature'],
  };
}

describe('the webhook guide', () => {
  it('verifies in TypeScript with the library, and refuses what was changed', async () => {
    const [secret = ''] = secrets;
    const { id, timestamp, signature } = await signed(secret);
    const cache = path.resolve(import.meta.dirname, '../../node_modules/.cache');
    mkdirSync(cache, { recursive: true });
    const folder = mkdtempSync(path.join(cache, 'webhook-guide-'));
    cleanUpAfterTest(() => rmSync(folder, { recursive: true, force: true }));
    const program = path.join(folder, 'receiver.js');
    writeFileSync(program, stripTypeScriptTypes(blockOf('ts', "from 'standardwebhooks'")));
    vi.stubEnv('WEBHOOK_SECRET', secret);
    const { POST } = (await import(/* @vite-ignore */ program)) as {
      POST(request: Request): Promise<Response>;
    };
    const statusOf = async (sent: string) => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature,
      };
      const url = 'https://ci.example.com/envsnap';
      return (await POST(new Request(url, { method: 'POST', headers, body: sent }))).status;
    };
    expect([await statusOf(body), await statusOf(`${body} `)]).toEqual([204, 400]);
  });

  it.skipIf(!has('python3'))('verifies in Python, and refuses what was changed', async () => {
    const program = `${blockOf('python', 'def verify')}
import json, sys
for given in json.load(sys.stdin):
    try:
        verify(given["secret"], given["headers"], given["body"].encode())
        print("genuine")
    except ValueError as error:
        print(error)
`;
    const received: unknown[] = [];
    for (const secret of secrets) {
      const { id, timestamp, signature } = await signed(secret);
      const add = (sent: string, at = timestamp) => {
        const headers = { 'webhook-id': id, 'webhook-timestamp': String(at) };
        received.push({
          secret,
          headers: { ...headers, 'webhook-signature': `v1,AAAA ${signature}` },
          body: sent,
        });
      };
      add(body);
      add(`${body} `);
      add(body, timestamp - 301);
    }
    const { stdout } = spawnSync('python3', ['-c', program], {
      input: JSON.stringify(received),
      encoding: 'utf8',
    });
    const answers = ['genuine', 'the signature does not match', expect.stringContaining('too old')];
    expect(stdout.trim().split('\n')).toEqual([...answers, ...answers]);
  });

  it.skipIf(!has('openssl', 'version'))('gives the signature with openssl', async () => {
    const [secret = ''] = secrets;
    const { id, timestamp, signature } = await signed(secret);
    const folder = mkdtempSync(path.join(inject('runFolder'), 'guide-'));
    writeFileSync(path.join(folder, 'body.json'), body);
    const { stdout } = spawnSync('sh', ['-c', blockOf('sh', 'openssl dgst')], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        WEBHOOK_SECRET: secret,
        WEBHOOK_ID: id,
        WEBHOOK_TIMESTAMP: String(timestamp),
      },
      encoding: 'utf8',
    });
    expect(`v1,${stdout.trim()}`).toBe(signature);
  });

  it('describes the second signature correctly', async () => {
    expect(guide).toContain('HMAC-SHA256 of the body alone in hex, keyed with the whole');
    for (const secret of secrets)
      expect((await signed(secret)).plain).toBe(createHmac('sha256', secret).update(body).digest('hex'));
  });
});
