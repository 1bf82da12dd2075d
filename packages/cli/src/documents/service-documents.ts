// The JSON documents of commands over the service: the response of its operation, and what the command adds. Never bundled.

import { natural, objects, operations, string, stringOrNull } from '@envsnap/shared';
import * as z from 'zod';
import { idSchema } from './document-parts.ts';

const sizeBytes = natural('Size in bytes.');

/** The id of the resource that a command worked on, under the name that lists use. */
const idOf = (what: string) => ({ id: idSchema.describe(`Id of the ${what}.`) });

const answerOf = <Name extends keyof typeof operations>(name: Name): (typeof operations)[Name]['response'] =>
  operations[name].response;

/** The id of a removed resource, and the same id under the name of the action. */
const gone = (what: string, deed: 'deleted' | 'revoked' | 'removed' | 'updated') =>
  z.object({ ...idOf(what), [deed]: idSchema.describe('The same as id.') });

const upload = answerOf('uploadFile');
const health = answerOf('getProjectHealth');
const currentKey = answerOf('getCurrentKey');
const settingSource = z.enum(['flag', 'variable', 'profile', 'default']);

export const serviceDocuments = {
  'project create': answerOf('createProject').extend({
    ...idOf('project'),
    apiKey: answerOf('createProject').shape.apiKey.optional().describe('Absent with --save-profile.'),
    profile: z.string().optional().describe('Only with --save-profile: the profile that holds the key.'),
  }),
  'project list': answerOf('listProjects'),
  'project show': answerOf('getProject'),
  'project update': gone('project', 'updated'),
  'project delete': gone('project', 'deleted').extend({ message: string('What was deleted.') }),
  'key create': answerOf('createKey').extend(idOf('key')),
  'key list': answerOf('listKeys'),
  'key revoke': gone('key', 'revoked'),
  'team list': answerOf('listMembers'),
  'team invite': answerOf('inviteMember').extend(idOf('member')),
  'team role': answerOf('updateMember').extend({
    ...idOf('member'),
    role: answerOf('updateMember').shape.newRole.describe('The same as newRole.'),
  }),
  'team remove': gone('member', 'removed'),
  share: answerOf('createShare').extend({
    stored: objects('The sides that were stored on the server for this page.', {
      reference: string('The side as you gave it.'),
      id: idSchema.describe('Id of the snapshot that was stored for it.'),
    }),
  }),
  'share list': answerOf('listShares'),
  'share delete': gone('share', 'deleted'),
  open: answerOf('createConsoleLink'),
  'webhook create': answerOf('createWebhook'),
  'webhook list': answerOf('listWebhooks'),
  'webhook show': answerOf('getWebhook'),
  'webhook update': answerOf('updateWebhook'),
  'webhook delete': gone('webhook', 'deleted'),
  'webhook test': answerOf('testWebhook'),
  'webhook redeliver': answerOf('redeliverWebhook'),
  'file upload': upload.extend({ sizeBytes, size: sizeBytes.describe('The same as sizeBytes.') }),
  'file list': answerOf('listFiles').extend({
    limit: natural('How many files a page has; with --all, the number of all files.'),
  }),
  'file download': z.object({
    ...idOf('file'),
    filename: string('Name that it has on the server.'),
    contentType: string('Media type that was given with the upload.'),
    sizeBytes: sizeBytes.nullable().describe('Size in bytes; null if the server does not say.'),
    checksum: stringOrNull('SHA-256 of the bytes, hex.'),
    savedAs: stringOrNull('Where it was written; null for standard output.'),
  }),
  'file delete': gone('file', 'deleted'),
  'snapshot list': answerOf('listSnapshots').extend({
    limit: natural('How many snapshots a page has; with --all, the number of all snapshots.'),
  }),
  'snapshot show': answerOf('getSnapshot'),
  'snapshot delete': z.object({
    id: z.uuid().nullable().describe('Id of the snapshot; null if several or none were deleted.'),
    deleted: z.uuid().nullable().describe('The same as id.'),
    ids: z.array(z.uuid()).describe('Ids of all that were deleted.'),
  }),
  audit: answerOf('listAuditEntries').extend({
    limit: natural('How many entries a page has; with --all, the number of all entries.'),
  }),
  status: health.extend({
    quotas: health.shape.quotas
      .partial()
      .required({ runs: true })
      .describe('Used and allowed amounts. Without a server, only those of runs.'),
  }),
  usage: answerOf('getUsage'),
  'usage requests': answerOf('getUsageHistory'),
  'usage live': answerOf('getLiveRequests'),
  whoami: currentKey.extend({
    baseUrl: string('Address of the server.'),
    profile: stringOrNull('The profile that was used; null for none.'),
    apiKeySource: settingSource.describe('Where the key came from.'),
    baseUrlSource: settingSource.describe('Where the address came from.'),
  }),
  why: answerOf('diagnose'),
} as const;
