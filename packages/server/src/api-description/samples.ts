// How each operation is called with the SDK and on the command line, for the reference page.

import type { OperationName } from '@envsnap/shared';

/** One way in code, one in a terminal; null where the command line has none. */
interface Sample {
  readonly sdk: string;
  readonly cli: string | null;
}

/** The samples of every operation. `id` and its like stand for values that an earlier call gave. */
export const samples: Record<OperationName, Sample> = {
  bootstrap: {
    sdk: "const { apiKey } = await EnvSnap.bootstrap({ baseUrl, projectName: 'shop' });",
    cli: 'envsnap init --project-name shop',
  },
  createKey: {
    sdk: "const { apiKey } = await client.keys.create({ label: 'ci', role: 'member' });",
    cli: 'envsnap key create --label ci --role member',
  },
  listKeys: { sdk: 'const { keys } = await client.keys.list();', cli: 'envsnap key list' },
  getCurrentKey: { sdk: 'const { role, projectName } = await client.keys.current();', cli: 'envsnap whoami' },
  revokeKey: { sdk: 'await client.keys.revoke(id);', cli: 'envsnap key revoke ID' },
  getFingerprintKey: { sdk: 'const { key } = await client.fingerprintKey.get();', cli: null },
  rotateFingerprintKey: { sdk: 'const { key } = await client.fingerprintKey.rotate();', cli: null },
  createProject: {
    sdk: "const { projectId, apiKey } = await client.projects.create({ name: 'billing' });",
    cli: 'envsnap project create billing',
  },
  listProjects: { sdk: 'const { projects } = await client.projects.list();', cli: 'envsnap project list' },
  getProject: {
    sdk: 'const { name, counts } = await client.projects.get(id);',
    cli: 'envsnap project show ID',
  },
  updateProject: {
    sdk: "await client.projects.update(id, { description: 'The web shop' });",
    cli: "envsnap project update ID --description 'The web shop'",
  },
  deleteProject: { sdk: 'await client.projects.delete(id);', cli: 'envsnap project delete ID' },
  listAuditEntries: {
    sdk: "for await (const { action, actor } of client.audit.iterate({ action: 'key.revoked' })) console.log(actor.label);",
    cli: 'envsnap audit --action key.revoked',
  },
  listMembers: { sdk: 'const { members } = await client.team.list(projectId);', cli: 'envsnap team list' },
  inviteMember: {
    sdk: "const { apiKey } = await client.team.invite(projectId, { label: 'Ada', role: 'viewer' });",
    cli: 'envsnap team invite --label Ada --role viewer',
  },
  updateMember: {
    sdk: "await client.team.updateRole(projectId, memberId, 'member');",
    cli: 'envsnap team role MEMBER member',
  },
  removeMember: { sdk: 'await client.team.remove(projectId, memberId);', cli: 'envsnap team remove MEMBER' },
  createSnapshot: {
    sdk: "const { id } = await client.snapshots.create({ machineName: 'build-7', runtimeVersions: { node: '24.1.0' } });",
    cli: 'envsnap capture',
  },
  listSnapshots: {
    sdk: "for await (const { id } of client.snapshots.iterate({ machineName: 'build-7' })) console.log(id);",
    cli: 'envsnap snapshot list --machine build-7',
  },
  getSnapshot: {
    sdk: 'const { envVars } = await client.snapshots.get(id);',
    cli: 'envsnap snapshot show ID',
  },
  deleteSnapshot: { sdk: 'await client.snapshots.delete(id);', cli: 'envsnap snapshot delete ID' },
  compareSnapshots: {
    sdk: 'const { verdict, causes } = await client.snapshots.compare({ snapshotA: before, snapshotB: after });',
    cli: 'envsnap compare BEFORE AFTER',
  },
  diagnose: {
    sdk: "const { findings } = await client.snapshots.diagnose({ outcomeOf: 'test' });",
    cli: 'envsnap why --outcome-of test',
  },
  listMachines: {
    sdk: "const { machines } = await client.snapshots.machines({ keys: 'runtimes.node' });",
    cli: 'envsnap matrix',
  },
  getHistory: {
    sdk: "const { series } = await client.snapshots.history({ key: 'runtimes.node' });",
    cli: 'envsnap history runtimes.node',
  },
  createShare: {
    sdk: "const { url } = await client.shares.create({ kind: 'comparison', a: works, b: fails });",
    cli: 'envsnap share A B',
  },
  createConsoleLink: {
    sdk: "const { url } = await client.shares.consoleLink({ page: 'runs' });",
    cli: 'envsnap open runs',
  },
  listShares: { sdk: 'const { shares } = await client.shares.list();', cli: 'envsnap share list' },
  deleteShare: { sdk: 'await client.shares.delete(id);', cli: 'envsnap share delete ID' },
  createWebhook: {
    sdk: "const { secret } = await client.webhooks.create({ url, events: ['snapshot.created'] });",
    cli: 'envsnap webhook create https://ci.example.com/envsnap --event snapshot.created',
  },
  listWebhooks: { sdk: 'const { webhooks } = await client.webhooks.list();', cli: 'envsnap webhook list' },
  getWebhook: {
    sdk: 'const { recentDeliveries } = await client.webhooks.get(id);',
    cli: 'envsnap webhook show ID',
  },
  updateWebhook: {
    sdk: 'await client.webhooks.update(id, { active: false });',
    cli: 'envsnap webhook update ID --no-active',
  },
  deleteWebhook: { sdk: 'await client.webhooks.delete(id);', cli: 'envsnap webhook delete ID' },
  testWebhook: {
    sdk: 'const { delivery } = await client.webhooks.test(id);',
    cli: 'envsnap webhook test ID',
  },
  redeliverWebhook: {
    sdk: 'const { delivery } = await client.webhooks.redeliver(id, deliveryId);',
    cli: 'envsnap webhook redeliver ID DELIVERY',
  },
  uploadFile: {
    sdk: "const { checksum } = await client.files.upload({ content: new Blob([bytes]), filename: 'compose.yaml' });",
    cli: 'envsnap file upload compose.yaml',
  },
  listFiles: { sdk: 'const { files } = await client.files.list({ limit: 20 });', cli: 'envsnap file list' },
  downloadFile: {
    sdk: 'const file = await client.files.download(id);',
    cli: 'envsnap file download ID --output compose.yaml',
  },
  deleteFile: { sdk: 'await client.files.delete(id);', cli: 'envsnap file delete ID' },
  getUsage: { sdk: 'const { resources, quotas } = await client.usage.get();', cli: 'envsnap usage' },
  getUsageHistory: {
    sdk: "const { data } = await client.usage.history({ period: 'day' });",
    cli: 'envsnap usage requests --period day',
  },
  getLiveRequests: { sdk: 'const { requests } = await client.usage.live();', cli: 'envsnap usage live' },
  getProjectHealth: {
    sdk: 'const { machines, runs } = await client.health.get();',
    cli: 'envsnap status',
  },
  getHealth: { sdk: 'const { version } = await client.service.health();', cli: 'envsnap doctor' },
  getReadiness: { sdk: 'await client.service.ready({ retries: 0 });', cli: null },
};
