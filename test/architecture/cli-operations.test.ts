// Every operation of the table is reachable from the command line: each command is run for real against a server that
// writes down what is asked of it.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type OperationName, operations } from '@envsnap/shared';
import { expect, it } from 'vitest';
import { testKey } from '../sdk/support.ts';
import { createSandbox } from '../support/programs.ts';

const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';

/** The command of each operation, or why it has none. */
const commands: Record<OperationName, readonly string[] | { readonly exempt: string }> = {
  bootstrap: ['init', '--project-name', 'p'],
  createKey: ['key', 'create'],
  listKeys: ['key', 'list'],
  getCurrentKey: ['whoami'],
  revokeKey: ['key', 'revoke', id, '--yes'],
  getFingerprintKey: { exempt: 'capture will ask for it by itself, to fingerprint secrets' },
  rotateFingerprintKey: { exempt: 'not on the command line yet' },
  createProject: ['project', 'create', 'p'],
  listProjects: ['project', 'list'],
  getProject: ['project', 'show', id],
  updateProject: ['project', 'update', id, '--name', 'n'],
  deleteProject: ['project', 'delete', id, '--yes'],
  listAuditEntries: ['audit'],
  listMembers: ['team', 'list', '--project', id],
  inviteMember: ['team', 'invite', '--project', id],
  updateMember: ['team', 'role', id, 'viewer', '--project', id],
  removeMember: ['team', 'remove', id, '--yes', '--project', id],
  createSnapshot: ['capture', '--no-env'],
  listSnapshots: ['snapshot', 'list'],
  getSnapshot: ['snapshot', 'show', id],
  deleteSnapshot: ['snapshot', 'delete', id, '--yes'],
  listMachines: ['matrix'],
  getHistory: ['history', 'runtimes.node'],
  diagnose: ['why'],
  compareSnapshots: {
    exempt:
      'compare loads both snapshots, because it compares more than the operation does: declared versions, lists, distances',
  },
  createShare: ['share', id],
  createConsoleLink: ['open'],
  listShares: { exempt: 'the console lists them, and the SDK' },
  deleteShare: { exempt: 'the console revokes them, and the SDK' },
  createWebhook: ['webhook', 'create', 'https://example.com'],
  listWebhooks: ['webhook', 'list'],
  getWebhook: ['webhook', 'show', id],
  updateWebhook: ['webhook', 'update', id, '--no-active'],
  deleteWebhook: ['webhook', 'delete', id, '--yes'],
  testWebhook: ['webhook', 'test', id],
  redeliverWebhook: ['webhook', 'redeliver', id, id],
  uploadFile: ['file', 'upload', 'a.txt'],
  listFiles: ['file', 'list'],
  downloadFile: ['file', 'download', id],
  deleteFile: ['file', 'delete', id, '--yes'],
  getUsage: ['usage'],
  getUsageHistory: ['usage', 'requests'],
  getLiveRequests: ['usage', 'live'],
  getHealth: ['doctor'],
  getReadiness: { exempt: 'for load balancers and orchestrators; doctor asks for health' },
};

it('every operation has a command that asks for it, or a listed exemption', {
  timeout: 120_000,
}, async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${new URL(request.url ?? '', 'http://x').pathname}`);
    request.resume();
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      // Enough of an answer for the commands that ask something else first.
      response.end(
        JSON.stringify({
          status: 'ok',
          version: '0.1.0',
          projectId: id,
          id,
          name: 'p',
          counts: { members: 1 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const reached: Record<string, boolean> = {};
  for (const [name, args] of Object.entries(commands)) {
    if (!Array.isArray(args)) continue;
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, 'a.txt'), 'content');
    asked.length = 0;
    const env: Record<string, string> = { ENVSNAP_BASE_URL: `http://127.0.0.1:${port}` };
    if (name !== 'bootstrap') env.ENVSNAP_API_KEY = testKey;
    await sandbox.run(args, { env });
    const { method, path: route } = operations[name as OperationName];
    const pattern = new RegExp(`^${method} ${route.replace(/:\w+/g, id)}$`);
    reached[name] = asked.some((line) => pattern.test(line));
  }
  await new Promise((resolve) => server.close(resolve));
  expect(reached).toEqual(Object.fromEntries(Object.keys(reached).map((name) => [name, true])));
});
