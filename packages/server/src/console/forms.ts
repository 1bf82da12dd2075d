// The forms of the console: each calls one operation of the API, with its fields as the operation's parameters and body.

import type { FormName } from '@envsnap/console';
import { type Operation, operations } from '@envsnap/shared';

/** Fields of a form, as a browser sends them. */
export type FormFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The operation behind each form that leads to another page. */
export const formOperations = {
  deleteSnapshot: operations.deleteSnapshot,
  updateWebhook: operations.updateWebhook,
  deleteWebhook: operations.deleteWebhook,
  testWebhook: operations.testWebhook,
  redeliverWebhook: operations.redeliverWebhook,
  revokeKey: operations.revokeKey,
  updateMember: operations.updateMember,
  removeMember: operations.removeMember,
  revokeShare: operations.deleteShare,
} as const satisfies Partial<Record<FormName, Operation>>;

/** The body that the fields stand for: blank ones were left out, `name[]` is a list. */
export function bodyOf(fields: FormFields): Record<string, unknown> {
  const body: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (name.endsWith('[]')) body[name.slice(0, -2)] = [value].flat();
    else if (typeof value === 'string' && value.trim() !== '') body[name] = fieldValue(name, value.trim());
  }
  return body;
}

function fieldValue(name: string, text: string): unknown {
  if (name === 'expiresIn') return /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (name === 'active') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}
