// The forms of the console, a row each: where they are sent, what they carry, who sees them, what is said when they are done.
// The server routes each row; the pages show those that the caller's role allows.

import { type Access, type ErrorBody, type OperationName, operations, type Role } from '@envsnap/shared';

export interface ConsoleForm {
  /** Address below the console's first page, as Express writes it. Always POST, `application/x-www-form-urlencoded`. */
  readonly action: string;
  /** Names of the fields, as they are sent; one that ends with `[]` may come several times. */
  readonly fields: readonly string[];
  /** Who may send it: the roles of the operation behind it. */
  readonly access: Access;
  /** The operation behind it; null for what only the console has. */
  readonly operation: OperationName | null;
  /** The page to go to when it is done, below the console's first page; null where the answer is a page by itself. */
  readonly next: string | null;
  /** What that page says then. */
  readonly done: string;
  /** The page that the form comes back in when it is refused, below the console's first page. */
  readonly page: string;
  /** Labels of the fields that a reader fills in, by their names. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Makes something that `next` shows once, at an address of its own. Default false. */
  readonly showsOnce?: boolean;
}

/** A form that comes back to its reader: refused, or sent after the session had ended. */
export interface ReturnedForm {
  readonly name: FormName;
  /** What was typed, as it was sent. */
  readonly fields: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Why it was refused; null where nobody has judged it yet. */
  readonly error: ErrorBody | null;
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
    page: 'sign-in',
    labels: { key: 'API key' },
  },
  signOut: {
    action: 'sign-out',
    fields: [],
    access: 'public',
    operation: null,
    next: 'sign-in',
    done: 'You are signed out.',
    page: '',
  },
  endSession: {
    action: 'sessions/:id/end',
    fields: [],
    access: 'any',
    operation: null,
    next: 'keys',
    done: 'The session is ended.',
    page: 'keys',
  },
  showValues: {
    action: 'snapshots/:id',
    fields: [],
    ...behind('getSnapshot'),
    next: null,
    done: '',
    page: 'snapshots/:id',
  },
  showDiagnosis: {
    action: 'why',
    fields: ['of', 'test'],
    ...behind('diagnose'),
    next: null,
    done: '',
    page: 'why',
  },
  deleteSnapshot: {
    action: 'snapshots/:id/delete',
    fields: [],
    ...behind('deleteSnapshot'),
    next: '',
    done: 'The snapshot is deleted.',
    page: 'snapshots/:id',
  },
  createWebhook: {
    action: 'webhooks',
    fields: ['url', 'format', 'events[]'],
    ...behind('createWebhook'),
    next: 'webhooks',
    done: '',
    page: 'webhooks',
    labels: { url: 'Address', format: 'Format', events: 'Events' },
    showsOnce: true,
  },
  updateWebhook: {
    action: 'webhooks/:id/active',
    fields: ['active'],
    ...behind('updateWebhook'),
    next: 'webhooks/:id',
    done: 'The webhook is changed.',
    page: 'webhooks/:id',
  },
  deleteWebhook: {
    action: 'webhooks/:id/delete',
    fields: [],
    ...behind('deleteWebhook'),
    next: 'webhooks',
    done: 'The webhook and its delivery log are deleted.',
    page: 'webhooks/:id',
  },
  testWebhook: {
    action: 'webhooks/:id/test',
    fields: [],
    ...behind('testWebhook'),
    next: 'webhooks/:id',
    done: 'The test was sent. The first attempt below shows how it went.',
    page: 'webhooks/:id',
  },
  redeliverWebhook: {
    action: 'webhooks/:id/deliveries/:deliveryId/redeliver',
    fields: [],
    ...behind('redeliverWebhook'),
    next: 'webhooks/:id',
    done: 'The event was sent again. The first attempt below shows how it went.',
    page: 'webhooks/:id',
  },
  createKey: {
    action: 'keys',
    fields: ['label', 'role', 'expiresAt'],
    ...behind('createKey'),
    next: 'keys',
    done: '',
    page: 'keys',
    labels: { label: 'Purpose', role: 'Role', expiresAt: 'Expires on' },
    showsOnce: true,
  },
  revokeKey: {
    action: 'keys/:id/revoke',
    fields: [],
    ...behind('revokeKey'),
    next: 'keys',
    done: 'The key is revoked. Its sessions are ended.',
    page: 'keys',
  },
  inviteMember: {
    action: 'team',
    fields: ['label', 'role'],
    ...behind('inviteMember'),
    next: 'team',
    done: '',
    page: 'team',
    labels: { label: 'Name', role: 'Role' },
    showsOnce: true,
  },
  updateMember: {
    action: 'team/:memberId/role',
    fields: ['role'],
    ...behind('updateMember'),
    next: 'team',
    done: 'The role is changed.',
    page: 'team',
  },
  removeMember: {
    action: 'team/:memberId/remove',
    fields: [],
    ...behind('removeMember'),
    next: 'team',
    done: 'The member is removed and the key revoked.',
    page: 'team',
  },
  createShare: {
    action: 'shares',
    fields: ['kind', 'snapshotId', 'a', 'b', 'expiresIn'],
    ...behind('createShare'),
    next: 'shares',
    done: '',
    page: 'shares',
    labels: { expiresIn: 'How long' },
    showsOnce: true,
  },
  deleteFile: {
    action: 'files/:id/delete',
    fields: [],
    ...behind('deleteFile'),
    next: 'files',
    done: 'The file is deleted.',
    page: 'files',
  },
  updateProject: {
    action: 'settings',
    fields: ['name', 'description'],
    ...behind('updateProject'),
    next: 'settings',
    done: 'The settings are saved.',
    page: 'settings',
    labels: { name: 'Name', description: 'Description' },
  },
  revokeShare: {
    action: 'shares/:id/revoke',
    fields: [],
    ...behind('deleteShare'),
    next: 'shares',
    done: 'The share is revoked. Its address no longer works.',
    page: 'shares',
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
