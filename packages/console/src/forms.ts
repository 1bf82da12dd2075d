// The forms of the console, a row each: where they are sent, what they carry, who sees them, what is said when they are done.
// The server routes each row; the pages show those that the caller's role allows.

import { type Access, type OperationName, operations, type Role } from '@envsnap/shared';

export interface ConsoleForm {
  /** Address below the console's first page, as Express writes it. Always POST, `application/x-www-form-urlencoded`. */
  readonly action: string;
  /** Names of the fields, as they are sent; one that ends with `[]` may come several times. */
  readonly fields: readonly string[];
  /** Who may send it: the roles of the operation behind it. */
  readonly access: Access;
  /** The operation behind it; null for what only the console has. */
  readonly operation: OperationName | null;
  /** The page to go to when it is done, below the console's first page; null where the answer is a page of its own. */
  readonly next: string | null;
  /** What that page says then. */
  readonly done: string;
}

/** A form that may be sent by whoever may ask for an operation. */
function behind<Name extends OperationName>(operation: Name) {
  return { operation, access: operations[operation].access } as const;
}

/**
 * Every form by name. Fields: `key` an API key; `next` the address below the console to go to after signing in; the others
 * are those of the operation, and a blank one was left out: `expiresAt` is a day; `expiresIn` is in seconds; `active` is `true`
 * or `false`; `events[]` comes once for each event.
 */
export const consoleForms = {
  signIn: {
    action: 'sign-in',
    fields: ['key', 'next'],
    access: 'public',
    operation: null,
    next: '',
    done: '',
  },
  signOut: {
    action: 'sign-out',
    fields: [],
    access: 'public',
    operation: null,
    next: 'sign-in',
    done: 'You are signed out.',
  },
  endSession: {
    action: 'sessions/:id/end',
    fields: [],
    access: 'any',
    operation: null,
    next: 'keys',
    done: 'The session is ended.',
  },
  showValues: {
    action: 'snapshots/:id',
    fields: [],
    ...behind('getSnapshot'),
    next: null,
    done: '',
  },
  showDiagnosis: {
    action: 'why',
    fields: ['of'],
    ...behind('diagnose'),
    next: null,
    done: '',
  },
  deleteSnapshot: {
    action: 'snapshots/:id/delete',
    fields: [],
    ...behind('deleteSnapshot'),
    next: '',
    done: 'The snapshot is deleted.',
  },
  createWebhook: {
    action: 'webhooks',
    fields: ['url', 'events[]'],
    ...behind('createWebhook'),
    next: null,
    done: '',
  },
  updateWebhook: {
    action: 'webhooks/:id/active',
    fields: ['active'],
    ...behind('updateWebhook'),
    next: 'webhooks/:id',
    done: 'The webhook is changed.',
  },
  deleteWebhook: {
    action: 'webhooks/:id/delete',
    fields: [],
    ...behind('deleteWebhook'),
    next: 'webhooks',
    done: 'The webhook and its delivery log are deleted.',
  },
  testWebhook: {
    action: 'webhooks/:id/test',
    fields: [],
    ...behind('testWebhook'),
    next: 'webhooks/:id',
    done: 'The test was sent. The first attempt below shows how it went.',
  },
  redeliverWebhook: {
    action: 'webhooks/:id/deliveries/:deliveryId/redeliver',
    fields: [],
    ...behind('redeliverWebhook'),
    next: 'webhooks/:id',
    done: 'The event was sent again. The first attempt below shows how it went.',
  },
  createKey: {
    action: 'keys',
    fields: ['label', 'role', 'expiresAt'],
    ...behind('createKey'),
    next: null,
    done: '',
  },
  revokeKey: {
    action: 'keys/:id/revoke',
    fields: [],
    ...behind('revokeKey'),
    next: 'keys',
    done: 'The key is revoked. Its sessions are ended.',
  },
  inviteMember: {
    action: 'team',
    fields: ['label', 'role'],
    ...behind('inviteMember'),
    next: null,
    done: '',
  },
  updateMember: {
    action: 'team/:memberId/role',
    fields: ['role'],
    ...behind('updateMember'),
    next: 'team',
    done: 'The role is changed.',
  },
  removeMember: {
    action: 'team/:memberId/remove',
    fields: [],
    ...behind('removeMember'),
    next: 'team',
    done: 'The member is removed and the key revoked.',
  },
  createShare: {
    action: 'shares',
    fields: ['kind', 'snapshotId', 'a', 'b', 'expiresIn'],
    ...behind('createShare'),
    next: null,
    done: '',
  },
  revokeShare: {
    action: 'shares/:id/revoke',
    fields: [],
    ...behind('deleteShare'),
    next: 'shares',
    done: 'The share is revoked. Its address no longer works.',
  },
} as const satisfies Record<string, ConsoleForm>;

export type FormName = keyof typeof consoleForms;

/** Whether this role may send a form; null is somebody who is not signed in. */
export function maySend(role: Role | null, form: FormName): boolean {
  return isAllowed(role, consoleForms[form].access);
}

/** Whether what has this access is for this role; null is somebody who is not signed in. */
export function isAllowed(role: Role | null, access: Access): boolean {
  if (access === 'public') return true;
  return role !== null && (access === 'any' || access.includes(role));
}
