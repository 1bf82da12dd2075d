// Writes the examples of the API document: plays every operation against one running service, and keeps what was sent and
// answered, with ids, times and secrets replaced by readable ones. Run it after a change to an operation.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operations } from '@envsnap/shared';
import { ensureBuilt } from './build.ts';

type Name = keyof typeof operations;
type Json = Record<string, unknown>;

const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, 'packages/shared/src/openapi/examples.json');

interface Played {
  readonly request?: unknown;
  readonly answer?: unknown;
}

/** Plays an operation; `params` fill the path. Keeps the first request and answer of each. */
function player(url: string, played: Map<Name, Played>) {
  return async (
    name: Name,
    { key, params = {}, query = '', body }: { key?: string; params?: Json; query?: string; body?: unknown },
  ): Promise<Json> => {
    const { method, path: template, status, response } = operations[name];
    const where = template.replace(/:(\w+)/g, (_, param: string) => String(params[param]));
    const isForm = body instanceof FormData;
    const sent = await fetch(`${url}${where}${query}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await sent.text();
    if (sent.status !== status) throw new Error(`${name}: ${sent.status} ${text}`);
    if (response === 'binary') return {};
    const answer = JSON.parse(text) as Json;
    if (!played.has(name)) played.set(name, { ...(body && !isForm ? { request: body } : {}), answer });
    return answer;
  };
}

async function play(url: string, receiver: string): Promise<Map<Name, Played>> {
  const played = new Map<Name, Played>();
  const call = player(url, played);
  await call('getHealth', {});
  await call('getReadiness', {});
  const owner = await call('bootstrap', { body: { projectName: 'shop', description: 'The web shop' } });
  const key = String(owner.apiKey);
  const id = String(owner.projectId);
  const ci = await call('createKey', { key, body: { label: 'ci', role: 'member' } });
  await call('listKeys', { key });
  await call('getCurrentKey', { key });
  await call('getFingerprintKey', { key });
  await call('rotateFingerprintKey', { key });
  const other = await call('createProject', { key, body: { name: 'billing' } });
  await call('listProjects', { key });
  await call('updateProject', { key, params: { id }, body: { description: 'The web shop and its jobs' } });
  const invited = await call('inviteMember', {
    key,
    params: { projectId: id },
    body: { label: 'Ada', role: 'viewer' },
  });
  const member = { projectId: id, memberId: invited.memberId };
  await call('updateMember', { key, params: member, body: { role: 'member' } });
  await call('listMembers', { key, params: { projectId: id } });
  const capture = (machineName: string, node: string, outcome: string) => ({
    machineName,
    os: 'linux',
    arch: 'x64',
    runtimeVersions: { node, npm: '11.6.0' },
    dependencies: { 'package-lock.json': { zod: node.startsWith('24') ? '4.6.7' : '4.0.1' } },
    envVars: { NODE_ENV: 'test', TZ: 'UTC' },
    metadata: { timezone: 'UTC', outcome, outcomeOf: 'test' },
  });
  const before = await call('createSnapshot', { key, body: capture('build-7', '22.11.0', 'passed') });
  const after = await call('createSnapshot', { key, body: capture('build-8', '24.1.0', 'failed') });
  await call('getProject', { key, params: { id } });
  await call('listSnapshots', { key, query: '?limit=2' });
  await call('getSnapshot', { key, params: { id: before.id } });
  await call('compareSnapshots', { key, body: { snapshotA: before.id, snapshotB: after.id } });
  await call('listMachines', { key, query: '?keys=runtimes.node' });
  await call('getHistory', { key, query: '?key=runtimes.node' });
  await call('diagnose', { key, body: { outcomeOf: 'test' } });
  const share = await call('createShare', {
    key,
    body: { kind: 'comparison', a: before.id, b: after.id, expiresIn: 86_400 },
  });
  await call('listShares', { key });
  await call('createConsoleLink', { key, body: { page: 'runs' } });
  await call('deleteShare', { key, params: { id: share.id } });
  const webhook = await call('createWebhook', {
    key,
    body: { url: receiver, events: ['snapshot.created', 'member.invited'] },
  });
  const params = { id: webhook.id };
  const tested = (await call('testWebhook', { key, params })) as { delivery: Json };
  await call('redeliverWebhook', { key, params: { ...params, deliveryId: tested.delivery.id } });
  await call('getWebhook', { key, params });
  await call('updateWebhook', { key, params, body: { active: false } });
  await call('listWebhooks', { key });
  const form = new FormData();
  form.set(
    'file',
    new Blob(['services:\n  db:\n    image: postgres:18\n'], { type: 'text/yaml' }),
    'compose.yaml',
  );
  const file = await call('uploadFile', { key, body: form });
  await call('listFiles', { key });
  await call('downloadFile', { key, params: { id: file.id } });
  await call('getUsage', { key });
  // The log of requests is written in batches.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await call('getUsageHistory', { key, query: '?period=day' });
  await call('getLiveRequests', { key });
  await call('deleteFile', { key, params: { id: file.id } });
  await call('deleteSnapshot', { key, params: { id: after.id } });
  await call('deleteWebhook', { key, params });
  await call('removeMember', { key, params: member });
  await call('revokeKey', { key, params: { id: ci.apiKeyId } });
  await call('listAuditEntries', { key, query: '?limit=3' });
  await call('deleteProject', { key: String(other.apiKey), params: { id: other.projectId } });
  return played;
}

/** Replaces what differs from run to run by values that are the same in every run and easy to read. */
function normalizer(receiver: string) {
  const ids = new Map<string, string>();
  const hex = (digits: string) => '0'.repeat(digits.length);
  const moment = '2026-02-07T13:05:00.000Z';
  const scalar = (value: unknown, name: string): unknown => {
    if (typeof value === 'number') return /Ms$/.test(name) ? 4 : value;
    if (typeof value !== 'string') return value;
    if (name === 'from') return '2026-01-08T13:05:00.000Z';
    return value
      .replace(
        /http:\/\/127\.0\.0\.1:\d+\/(share\/|console\/sign-in\?link=)[\w-]{43}/,
        `https://envsnap.example.com/$1${'A'.repeat(43)}`,
      )
      .replaceAll(receiver, 'https://ci.example.com/envsnap')
      .replace(/^127\.0\.0\.1$/, '203.0.113.7')
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        const known = ids.get(id) ?? `019365a4-6f0e-4cc3-9a5a-${String(ids.size + 1).padStart(12, '0')}`;
        ids.set(id, known);
        return known;
      })
      .replace(/mk_[0-9a-f]{64}/g, `mk_${hex('0'.repeat(64))}`)
      .replace(/mk_[0-9a-f]{8}/g, 'mk_00000000')
      .replace(/whsec_[A-Za-z0-9+/]{43}=/g, `whsec_${'A'.repeat(43)}=`)
      .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, moment);
  };
  const walk = (value: unknown, name = ''): unknown => {
    if (Array.isArray(value)) return value.slice(0, 3).map((one) => walk(one, name));
    if (typeof value !== 'object' || value === null)
      return name === 'key' && /^[0-9a-f]{64}$/.test(String(value))
        ? hex('0'.repeat(64))
        : scalar(value, name);
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        key.replace(/^\d{4}-\d{2}-\d{2}$/, '2026-02-07'),
        walk(one, key),
      ]),
    );
  };
  return walk;
}

ensureBuilt();
const folder = mkdtempSync(path.join(tmpdir(), 'envsnap-examples-'));
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const program = path.join(root, 'packages/server/bin/envsnap-server.js');
const child = spawn(
  process.execPath,
  [program, 'start', '--port', '0', '--data-dir', path.join(folder, 'data')],
  {
    cwd: folder,
    env: { PATH: process.env.PATH, ENVSNAP_LOG_LEVEL: 'error', ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8' },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
try {
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      const found = /listening on (http:\S+)/.exec(String(chunk))?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with exit code ${code}`)));
  });
  const normalize = normalizer(receiverUrl);
  const played = await play(url, receiverUrl);
  const examples = Object.fromEntries([...played].map(([name, one]) => [name, normalize(one)]));
  writeFileSync(target, `${JSON.stringify(examples, null, 2)}\n`);
} finally {
  child.kill('SIGTERM');
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
}
