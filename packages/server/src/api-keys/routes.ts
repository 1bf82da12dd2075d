// Binds the operations of keys to their service.

import { hash } from 'node:crypto';
import { operations } from '@envsnap/shared';
import type { NoteWrongToken } from '../audit/sign-in-failures.ts';
import { AppError } from '../infra/app-error.ts';
import type { Mount } from '../infra/http/mount.ts';
import { contextOf } from '../infra/http/request-context.ts';
import { partOf } from '../infra/list-parts.ts';
import type { Work } from '../work.ts';
import { type BootstrapPolicy, refuseBootstrap } from './bootstrap-policy.ts';
import { storeKeyMessage } from './service.ts';

export function mountApiKeys(
  mount: Mount<Work>,
  bootstrapPolicy: BootstrapPolicy,
  noteWrongToken: NoteWrongToken,
): void {
  mount(
    operations.bootstrap,
    async ({ body, request, work }) =>
      work.transact(async ({ projects }) => {
        const { projectId, apiKeyId, apiKey } = await projects.create({
          name: body.projectName,
          description: body.description ?? null,
          ownerLabel: 'bootstrap',
          // The address itself is not kept.
          payer: hash('sha256', contextOf(request).clientAddress, 'base64url'),
        });
        return { projectId, apiKeyId, id: apiKeyId, apiKey, message: storeKeyMessage };
      }),
    {
      check(request) {
        const token = request.headers['x-bootstrap-token'];
        const refusal = refuseBootstrap(bootstrapPolicy, token);
        if (refusal?.code === 'invalid_bootstrap_token' && token !== undefined)
          noteWrongToken(contextOf(request).origin);
        if (refusal) throw new AppError(refusal.code, refusal.message);
      },
    },
  );

  mount(operations.createKey, async ({ body, principal, work }) => {
    return work.transact(async ({ apiKeys }) => {
      const { apiKeyId, apiKey, expiresAt } = await apiKeys.create({
        projectId: principal.projectId,
        role: body.role,
        label: body.label,
        invitedBy: principal.apiKeyId,
        expiresAt: body.expiresAt,
      });
      const { label, role } = body;
      return { apiKeyId, id: apiKeyId, apiKey, label, role, expiresAt, message: storeKeyMessage };
    });
  });

  mount(operations.listKeys, async ({ query, principal, work }) => {
    const { part, info } = partOf(await work.read.apiKeys.list(principal.projectId), query);
    return { keys: part, ...info };
  });

  mount(operations.getCurrentKey, async ({ principal, work }) => work.read.apiKeys.current(principal));

  mount(operations.revokeKey, async ({ params, principal, work }) => {
    await work.transact(({ apiKeys }) => apiKeys.revoke(principal, params.id));
    return { success: true as const };
  });
}
