// Samples of each operation for the SDK and the command line, for the reference page.

import type { OperationName } from '@envsnap/shared';
import { tableRows } from '@envsnap/shared/text/table-rows';

interface Sample {
  readonly sdk: string;
  readonly cli: string | null;
}

/** The samples of every operation. `id` and similar names are values from an earlier call. */
export const samples = Object.fromEntries(
  tableRows(`
  bootstrap | const { apiKey } = await EnvSnap.bootstrap({ baseUrl, projectName: 'shop' }); |
    envsnap init --project-name shop
  createKey | const { apiKey } = await client.keys.create({ label: 'ci', role: 'member' }); |
    envsnap key create --label ci --role member
  listKeys | const { keys } = await client.keys.list(); | envsnap key list
  getCurrentKey | const { role, projectName } = await client.keys.current(); | envsnap whoami
  revokeKey | await client.keys.revoke(id); | envsnap key revoke ID
  getFingerprintKey | const { key } = await client.fingerprintKey.get(); |
  rotateFingerprintKey | const { key } = await client.fingerprintKey.rotate(); |
  createProject | const { projectId, apiKey } = await client.projects.create({ name: 'billing' }); |
    envsnap project create billing
  listProjects | const { projects } = await client.projects.list(); | envsnap project list
  getProject | const { name, counts } = await client.projects.get(id); | envsnap project show ID
  updateProject | await client.projects.update(id, { description: 'The web shop' }); |
    envsnap project update ID --description 'The web shop'
  deleteProject | await client.projects.delete(id); | envsnap project delete ID
  listAuditEntries |
    for await (const { action, actor } of client.audit.iterate({ action: 'key.revoked' })) console.log(actor.label); | envsnap audit --action key.revoked
  listMembers | const { members } = await client.team.list(projectId); | envsnap team list
  inviteMember | const { apiKey } = await client.team.invite(projectId, { label: 'Ada', role: 'viewer' }); |
    envsnap team invite --label Ada --role viewer
  updateMember | await client.team.updateRole(projectId, memberId, 'member'); |
    envsnap team role MEMBER member
  removeMember | await client.team.remove(projectId, memberId); | envsnap team remove MEMBER
  createSnapshot |
    const { id } = await client.snapshots.create({ machineName: 'build-7', runtimeVersions: { node: '24.1.0' } }); | envsnap capture
  listSnapshots | for await (const { id } of client.snapshots.iterate({ machineName: 'build-7' })) console.log(id); |
    envsnap snapshot list --machine build-7
  getSnapshot | const { envVars } = await client.snapshots.get(id); | envsnap snapshot show ID
  deleteSnapshot | await client.snapshots.delete(id); | envsnap snapshot delete ID
  compareSnapshots | const { verdict, causes } = await client.snapshots.compare({ snapshotA: before, snapshotB: after }); |
    envsnap compare BEFORE AFTER
  diagnose | const { findings } = await client.snapshots.diagnose({ outcomeOf: 'test' }); |
    envsnap why --outcome-of test
  listMachines | const { machines } = await client.snapshots.machines({ keys: 'runtimes.node' }); |
    envsnap matrix
  getHistory | const { series } = await client.snapshots.history({ key: 'runtimes.node' }); |
    envsnap history runtimes.node
  createShare | const { url } = await client.shares.create({ kind: 'comparison', a: works, b: fails }); |
    envsnap share A B
  createConsoleLink | const { url } = await client.shares.consoleLink({ page: 'runs' }); | envsnap open runs
  listShares | const { shares } = await client.shares.list(); | envsnap share list
  deleteShare | await client.shares.delete(id); | envsnap share delete ID
  createWebhook | const { secret } = await client.webhooks.create({ url, events: ['snapshot.created'] }); |
    envsnap webhook create https://ci.example.com/envsnap --event snapshot.created
  listWebhooks | const { webhooks } = await client.webhooks.list(); | envsnap webhook list
  getWebhook | const { recentDeliveries } = await client.webhooks.get(id); | envsnap webhook show ID
  updateWebhook | await client.webhooks.update(id, { active: false }); | envsnap webhook update ID --no-active
  deleteWebhook | await client.webhooks.delete(id); | envsnap webhook delete ID
  testWebhook | const { delivery } = await client.webhooks.test(id); | envsnap webhook test ID
  redeliverWebhook | const { delivery } = await client.webhooks.redeliver(id, deliveryId); |
    envsnap webhook redeliver ID DELIVERY
  uploadFile | const { checksum } = await client.files.upload({ content: new Blob([bytes]), filename: 'compose.yaml' }); |
    envsnap file upload compose.yaml
  listFiles | const { files } = await client.files.list({ limit: 20 }); | envsnap file list
  downloadFile | const file = await client.files.download(id); |
    envsnap file download ID --output compose.yaml
  deleteFile | await client.files.delete(id); | envsnap file delete ID
  getUsage | const { resources, quotas } = await client.usage.get(); | envsnap usage
  getUsageHistory | const { data } = await client.usage.history({ period: 'day' }); |
    envsnap usage requests --period day
  getLiveRequests | const { requests } = await client.usage.live(); | envsnap usage live
  getProjectHealth | const { machines, runs } = await client.health.get(); | envsnap status
  getHealth | const { version } = await client.service.health(); | envsnap doctor
  getReadiness | await client.service.ready({ retries: 0 }); |
`).map(([name, sdk, cli]) => [name, { sdk, cli: cli || null }]),
) as Record<OperationName, Sample>;
