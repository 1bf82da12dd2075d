// A project with one of everything and a key of every role, as the basis for tests of many operations.

import type { Operation, operations, Role } from '@envsnap/shared';
import type { ApiAnswer, RequestOptions, TestService } from '../../support/service.ts';

export const unknownId = '01936000-0000-7000-8000-000000000000';

/** The ids that paths and bodies of operations need. */
export interface Targets {
  projectId: string;
  /** A key that is neither an owner's nor one of `World.keys`. */
  keyId: string;
  memberId: string;
  snapshotId: string;
  webhookId: string;
  deliveryId: string;
  fileId: string;
  shareId: string;
}

export interface World extends Targets {
  keys: Record<Role, string>;
  keyIds: Record<Role, string>;
  ownerMemberId: string;
}

async function expectCreated(answer: ApiAnswer, status = 201): Promise<ApiAnswer['body']> {
  if (answer.status !== status)
    throw new Error(`unexpected ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A `multipart/form-data` body with one field `file`, and its headers. */
export function multipart(content: string | Uint8Array, filename = 'notes.txt', field = 'file') {
  const boundary = 'test-boundary-7d1f';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\n`;
  return {
    body: new Uint8Array(
      Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)]),
    ),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const usualKinds: readonly (keyof Targets)[] = ['keyId', 'snapshotId', 'webhookId', 'deliveryId', 'fileId'];

/** The targets that an operation may need: a share only for those of shares, because a service's first share takes a second. */
export function kindsFor({ group }: Operation): readonly (keyof Targets)[] {
  return group === 'shares' ? [...usualKinds, 'shareId'] : usualKinds;
}

/** Makes one more target of each kind in a project; `kinds` names the only ones to make. */
export async function createTargets(
  service: TestService,
  key: string,
  projectId: string,
  kinds: readonly (keyof Targets)[] = [...usualKinds, 'shareId'],
): Promise<Targets> {
  const targets: Targets = {
    projectId,
    keyId: unknownId,
    memberId: unknownId,
    snapshotId: unknownId,
    webhookId: unknownId,
    deliveryId: unknownId,
    fileId: unknownId,
    shareId: unknownId,
  };
  const post = async (path: string, options: RequestOptions, status = 201) =>
    expectCreated(await service.request('POST', path, { key, ...options }), status);
  if (kinds.includes('keyId') || kinds.includes('memberId')) {
    const invited = await post(`/machine/team/${projectId}/members`, { body: { role: 'member' } });
    targets.keyId = invited.apiKeyId;
    targets.memberId = invited.memberId;
  }
  if (kinds.includes('snapshotId') || kinds.includes('shareId'))
    targets.snapshotId = (await post('/machine/snapshots', { body: { machineName: 'm' } })).id;
  if (kinds.includes('webhookId') || kinds.includes('deliveryId')) {
    const body = { url: 'http://127.0.0.1:9/hook', events: ['file.deleted'] };
    targets.webhookId = (await post('/machine/webhooks', { body })).id;
  }
  if (kinds.includes('deliveryId'))
    targets.deliveryId = (await post(`/machine/webhooks/${targets.webhookId}/test`, {}, 200)).delivery.id;
  if (kinds.includes('shareId')) {
    const body = { kind: 'snapshot', snapshotId: targets.snapshotId };
    targets.shareId = (await post('/machine/shares', { body })).id;
  }
  if (kinds.includes('fileId')) targets.fileId = (await post('/machine/files', multipart('bytes'))).id;
  return targets;
}

/** Bootstraps a project with a key of every role and one target of each kind, or of `kinds`. */
export async function createWorld(service: TestService, kinds?: readonly (keyof Targets)[]): Promise<World> {
  const { projectId, apiKey: owner, apiKeyId } = await service.bootstrap();
  const keys: Partial<Record<Role, string>> = { owner };
  const keyIds: Partial<Record<Role, string>> = { owner: apiKeyId };
  for (const role of ['admin', 'member', 'viewer'] as const) {
    const made = await expectCreated(
      await service.send(owner, 'POST', '/machine/keys', { role, label: role }),
    );
    keys[role] = made.apiKey;
    keyIds[role] = made.apiKeyId;
  }
  const targets = await createTargets(service, owner, projectId, kinds);
  const { members } = (await service.send(owner, 'GET', `/machine/team/${projectId}/members`)).body;
  const ownerMemberId = members.find((member: { role: string }) => member.role === 'owner').id;
  return { ...targets, keys: keys as World['keys'], keyIds: keyIds as World['keyIds'], ownerMemberId };
}

/** The path of an operation with its parameters filled in. */
export function pathOf(operation: Operation, targets: Targets): string {
  const idOf: Partial<Record<Operation['group'], string>> = {
    keys: targets.keyId,
    projects: targets.projectId,
    snapshots: targets.snapshotId,
    shares: targets.shareId,
    webhooks: targets.webhookId,
    files: targets.fileId,
  };
  const query = operation.name === 'getHistory' ? '?key=os' : '';
  return `${operation.path}${query}`
    .replace(':projectId', targets.projectId)
    .replace(':memberId', targets.memberId)
    .replace(':deliveryId', targets.deliveryId)
    .replace(':id', idOf[operation.group] ?? unknownId);
}

/** A body that the operation accepts. */
export function validBodyOf(
  name: keyof typeof operations,
  targets: Targets,
): Pick<RequestOptions, 'body' | 'headers'> {
  switch (name) {
    case 'bootstrap':
      return { body: { projectName: 'p' } };
    case 'createProject':
    case 'updateProject':
      return { body: { name: 'p' } };
    case 'createKey':
    case 'inviteMember':
      return { body: { role: 'viewer' } };
    case 'updateMember':
      return { body: { role: 'viewer' } };
    case 'createSnapshot':
      return { body: { machineName: 'm' } };
    case 'compareSnapshots':
      return { body: { snapshotA: targets.snapshotId, snapshotB: targets.snapshotId } };
    case 'createShare':
      return { body: { kind: 'snapshot', snapshotId: targets.snapshotId } };
    case 'diagnose':
      return { body: { passed: [targets.snapshotId], failed: [targets.snapshotId] } };
    case 'createWebhook':
      return { body: { url: 'https://example.com/hook', events: ['snapshot.created'] } };
    case 'updateWebhook':
      return { body: { active: true } };
    case 'uploadFile':
      return multipart('content');
    default:
      return {};
  }
}
