// API keys: bootstrap, creation, listing, revocation. docs/specification.md §1, §9.

import * as z from 'zod';
import { apiKeyPattern } from './api-key-format.ts';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

/** A key in clear text; returned only once, when it is created. */
export const apiKeySecret = z
  .string()
  .regex(apiKeyPattern)
  .describe('The API key. Only this response contains it, so store it now.')
  .meta({ examples: [`mk_${'0'.repeat(64)}`] });

/** First 11 characters of a key: enough to recognise it, not enough to use it. */
export const apiKeyPrefix = z
  .string()
  .max(11)
  .describe('The first characters of the key, so that people can recognise it.');

/** Role, label and expiry of a new key, or of the key of a new member. */
export const newKeyBody = p.object('CreateKeyBody', {
  label: p.label.default(null).describe('Label that says what the key is for, at most 100 characters.'),
  // Not nullable: a null from an unset variable must not select a role, because roles grant rights.
  role: p.assignableRole.default('member').describe('Role of the key.'),
  expiresAt: p
    .maybe(p.queryMoment)
    .describe('When the key expires: a time in the future. By default, it does not expire.'),
});

export const keyExpiry = p.timestamp.nullable();

export const issuedKey = z.object({
  apiKey: apiKeySecret,
  label: p.stringOrNull('Label of the key.'),
  role: p.role.describe('Role of the key.'),
  expiresAt: keyExpiry.describe('When the key expires; null if it does not expire.'),
});

export const apiKey = p.object('ApiKey', {
  id: p.uuid.describe('Id of the key.'),
  apiKeyId: p.uuid.describe('The same as `id`, under the name that `POST /machine/keys` returns.'),
  label: z.string().max(p.limits.labelLength).nullable().describe('Label of the key.'),
  role: p.role.describe('Role of the key.'),
  prefix: apiKeyPrefix,
  createdAt: p.timestamp.describe('When the key was created.'),
  lastUsedAt: p.orNull(
    p.timestamp,
    'When the key was last used, to the minute; null if it has never been used.',
  ),
  expiresAt: keyExpiry.describe('When the key expires; null if it does not expire.'),
});
export type ApiKey = z.infer<typeof apiKey>;

export const apiKeyOperations = defineOperations('keys', {
  bootstrap: {
    route: 'POST /machine/keys/bootstrap',
    summary: 'Create a project with its first key',
    access: 'public',
    body: z.object({
      projectName: p.projectName.describe('Name of the project, 1 to 200 characters after trimming.'),
      description: p
        .maybe(p.projectDescription)
        .describe('Description of the project, at most 2,000 characters.'),
    }),
    response: z.object({
      projectId: p.uuid.describe('Id of the new project.'),
      apiKeyId: p.uuid.describe('Id of its first key, the owner.'),
      id: p.uuid.describe('The same as `apiKeyId`, under the name that lists use.'),
      apiKey: apiKeySecret,
      message: p.string('A reminder to store the key.'),
    }),
    status: 201,
    answer: 'The new project and its first key, which has the role owner.',
    idempotency: 'secret',
    errors: [
      'bootstrap_closed',
      'invalid_bootstrap_token',
      'project_quota_exceeded',
      'project_not_found',
      'api_key_not_found',
    ],
  },

  createKey: {
    route: 'POST /machine/keys',
    summary: 'Create a key for the current project',
    access: ['owner', 'admin'],
    body: newKeyBody,
    response: issuedKey.extend({
      apiKeyId: p.uuid.describe('Id of the new key.'),
      id: p.uuid.describe('The same as `apiKeyId`, under the name that lists use.'),
      message: p.string('A reminder to store the key.'),
    }),
    status: 201,
    answer: 'The new key. It is shown only once.',
    idempotency: 'secret',
    errors: ['key_quota_exceeded', 'api_key_not_found'],
  },

  listKeys: {
    route: 'GET /machine/keys',
    summary: 'List the keys of the current project',
    access: ['owner', 'admin'],
    query: p.partQuery,
    response: p.partInfo.extend({ keys: p.list(apiKey, 'The keys of the project.') }),
    answer: 'The keys of the project, without their secrets.',
  },

  getCurrentKey: {
    route: 'GET /machine/keys/current',
    summary: 'Show the calling key and its project',
    access: 'any',
    response: p.named(
      'CurrentApiKey',
      apiKey.extend({
        projectId: p.uuid.describe('Id of the project that the key belongs to.'),
        projectName: p.string('Name of that project.'),
      }),
    ),
    answer: 'The calling key, and its project.',
  },

  revokeKey: {
    route: 'DELETE /machine/keys/:id',
    summary: 'Revoke a key and remove its membership',
    access: ['owner', 'admin'],
    params: p.idParams,
    response: p.success,
    answer: 'The key was revoked. Its next request will be refused.',
    isSweeping: true,
    revokes: true,
    errors: ['api_key_not_found', 'own_key_protected', 'owner_protected'],
  },
});
