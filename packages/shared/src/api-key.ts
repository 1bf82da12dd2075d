// API keys: bootstrap, creation, listing, revocation. Spec: Bootstrap and API keys; Decisions §1, §9.

import * as z from 'zod';
import { apiKeyPattern } from './api-key-format.ts';
import { defineOperation } from './operation.ts';
import {
  assignableRole,
  idParams,
  label,
  limits,
  projectDescription,
  projectName,
  role,
  success,
  timestamp,
  uuid,
} from './primitives.ts';

/** A key in clear; returned only once, when it is made. */
export const apiKeySecret = z
  .string()
  .regex(apiKeyPattern)
  .meta({ examples: [`mk_${'0'.repeat(64)}`] });

/** First 11 characters of a key: enough to recognise it, useless to call with. */
export const apiKeyPrefix = z.string().max(11);

/** A label and role for a new key or member. */
export const newKeyBody = z.object({
  label: label.default(null),
  role: assignableRole.default('member'),
});

export const apiKey = z.object({
  id: uuid,
  label: z.string().max(limits.labelLength).nullable(),
  role,
  prefix: apiKeyPrefix,
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

export const bootstrap = defineOperation({
  name: 'bootstrap',
  group: 'keys',
  method: 'POST',
  path: '/machine/keys/bootstrap',
  summary: 'Create a project with its first key',
  access: 'public',
  body: z.object({ projectName, description: projectDescription.nullish() }),
  response: z.object({ projectId: uuid, apiKeyId: uuid, apiKey: apiKeySecret, message: z.string() }),
  status: 201,
  idempotency: 'secret',
  errors: ['bootstrap_closed', 'invalid_bootstrap_token', 'project_quota_exceeded', 'project_not_found'],
});

export const createKey = defineOperation({
  name: 'createKey',
  group: 'keys',
  method: 'POST',
  path: '/machine/keys',
  summary: 'Create a key for the current project',
  access: ['owner', 'admin'],
  body: newKeyBody,
  response: z.object({
    apiKeyId: uuid,
    apiKey: apiKeySecret,
    label: z.string().nullable(),
    role,
    message: z.string(),
  }),
  status: 201,
  idempotency: 'secret',
  errors: ['key_quota_exceeded'],
});

export const listKeys = defineOperation({
  name: 'listKeys',
  group: 'keys',
  method: 'GET',
  path: '/machine/keys',
  summary: 'List the keys of the current project',
  access: ['owner', 'admin'],
  response: z.object({ keys: z.array(apiKey) }),
  status: 200,
  errors: [],
});

export const getCurrentKey = defineOperation({
  name: 'getCurrentKey',
  group: 'keys',
  method: 'GET',
  path: '/machine/keys/current',
  summary: 'Who am I: the calling key and its project',
  access: 'any',
  response: apiKey.extend({ projectId: uuid, projectName: z.string() }),
  status: 200,
  errors: [],
});

export const revokeKey = defineOperation({
  name: 'revokeKey',
  group: 'keys',
  method: 'DELETE',
  path: '/machine/keys/:id',
  summary: 'Revoke a key and remove its membership',
  access: ['owner', 'admin'],
  params: idParams,
  response: success,
  status: 200,
  revokes: true,
  errors: ['api_key_not_found', 'own_key_protected', 'owner_protected'],
});
