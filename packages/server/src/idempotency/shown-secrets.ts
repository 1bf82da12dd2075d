// Checks that the secret in a stored response is still valid before a replay shows it. Every operation whose response shows a
// secret has its check here; without one, this file does not compile.

import type { operations, ResponseOf } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Features } from '../work.ts';

type Operations = typeof operations;
type ShowsSecret = {
  [Name in keyof Operations]: Operations[Name] extends { readonly idempotency: 'secret' } ? Name : never;
}[keyof Operations];

/** Throws the error that the caller gets in place of a response whose secret is no longer valid. */
type Confirm<Answer> = (features: Features, answer: Answer, callersProject: string) => Promise<unknown>;

const keyOfNewProject: Confirm<{ projectId: string; apiKey: string }> = async (
  { projects, apiKeys },
  { projectId, apiKey },
) => {
  if (!(await projects.exists(projectId)))
    throw new AppError('project_not_found', 'The project that this request created has been deleted');
  await apiKeys.confirm(apiKey);
};

const key: Confirm<{ apiKey: string }> = ({ apiKeys }, { apiKey }) => apiKeys.confirm(apiKey);

const confirmations: { readonly [Name in ShowsSecret]: Confirm<ResponseOf<Operations[Name]>> } = {
  bootstrap: keyOfNewProject,
  createProject: keyOfNewProject,
  createKey: key,
  inviteMember: key,
  createWebhook: ({ webhooks }, { id }, projectId) => webhooks.get(projectId, id),
  createShare: ({ shares }, { id }, projectId) => shares.confirm(projectId, id),
  createConsoleLink: ({ sessions }, { url }) => sessions.confirmLink(url),
  async rotateFingerprintKey({ fingerprintKeys }, { id }, projectId) {
    if ((await fingerprintKeys.get(projectId)).id === id) return;
    const text = 'The fingerprint key that this request created has been replaced';
    throw new AppError('fingerprint_key_not_found', text);
  },
};

/** Throws unless the secret in the stored response of an operation is still valid. Checks nothing for other operations. */
export async function confirmShownSecret(
  features: Features,
  operation: string,
  answer: string,
  callersProject: string,
): Promise<void> {
  if (!Object.hasOwn(confirmations, operation)) return;
  const confirm = confirmations[operation as ShowsSecret] as Confirm<unknown>;
  await confirm(features, JSON.parse(answer), callersProject);
}
