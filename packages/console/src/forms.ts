// The forms of the console, one row each: address, fields, roles, and the message when the operation is done. The server routes
// each row; the pages show those that the caller's role allows.

import { type Access, type ErrorBody, type OperationName, operations, type Role } from '@envsnap/shared';

export interface ConsoleForm {
  /** Address below the console's first page, as Express writes it. Always POST, `application/x-www-form-urlencoded`. */
  readonly action: string;
  /** Names of the fields, as they are sent; one that ends with `[]` may come several times. */
  readonly fields: readonly string[];
  /** Who may send it: the roles of the operation behind it. */
  readonly access: Access;
  /** The operation behind it; null for an action that only the console has. */
  readonly operation: OperationName | null;
  /** The page to go to when it is done, below the console's first page; null if the response is itself a page. */
  readonly next: string | null;
  /** The message on the next page. */
  readonly done: string;
  /** The page that shows the form again if it is refused, below the console's first page. */
  readonly page: string;
  /** Labels of the fields that a reader fills in, by their names. Default: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Fields that a reader must fill in. Default: none. */
  readonly required?: readonly string[];
  /** Creates something that `next` shows once, at a separate address. Default false. */
  readonly showsOnce?: boolean;
}

/** A form that is shown again: it was refused, or sent after the session had ended. */
export interface ReturnedForm {
  readonly name: FormName;
  readonly fields: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Why it was refused; null if it has not been checked yet. */
  readonly error: ErrorBody | null;
}

/**
 * Makes a form from its row: the operation behind it, or the roles of an action that only the console has; its page, address,
 * fields and message. It leads back to its page unless `more` names another.
 */
function form(row: string, more: Partial<ConsoleForm> = {}): ConsoleForm {
  const [behind = '', page = '', action = '', fields = '', done = ''] = row
    .split('|')
    .map((cell) => cell.trim());
  const operation = behind === 'public' || behind === 'any' ? null : (behind as OperationName);
  const access = operation === null ? (behind as Access) : operations[operation].access;
  return {
    action,
    fields: fields.split(' ').filter(Boolean),
    access,
    operation,
    next: page,
    done,
    page,
    ...more,
  };
}

const keyLabels = { label: 'Purpose', role: 'Role', expiresAt: 'Expires on' };

/**
 * Every form by name. Fields: `key` an API key; `next` the address below the console to go to after signing in; the others
 * are those of the operation, and a blank one was left out: `expiresAt` is a day; `expiresIn` is in seconds; `active` is `true`
 * or `false`; `events[]` comes once for each event.
 */
const rows = {
  signIn: form('public | sign-in | sign-in | key next', {
    next: '',
    labels: { key: 'API key' },
    required: ['key'],
  }),
  signOut: form('public | | sign-out | | You are signed out.', { next: 'sign-in' }),
  endSession: form('any | keys | sessions/:id/end | | The session was ended.'),
  showValues: form('getSnapshot | snapshots/:id | snapshots/:id', { next: null }),
  showDiagnosis: form('diagnose | why | why | of test', { next: null }),
  deleteSnapshot: form(
    'deleteSnapshot | snapshots/:id | snapshots/:id/delete | | The snapshot was deleted.',
    {
      next: '',
    },
  ),
  createWebhook: form('createWebhook | webhooks | webhooks | url format events[]', {
    labels: { url: 'Address', format: 'Format', events: 'Events' },
    required: ['url', 'events[]'],
    showsOnce: true,
  }),
  updateWebhook: form(
    'updateWebhook | webhooks/:id | webhooks/:id/active | active | The webhook was changed.',
  ),
  deleteWebhook: form(
    'deleteWebhook | webhooks/:id | webhooks/:id/delete | | The webhook and its delivery log were deleted.',
    { next: 'webhooks' },
  ),
  testWebhook: form(
    'testWebhook | webhooks/:id | webhooks/:id/test | | The test was sent. The first attempt below shows the result.',
  ),
  redeliverWebhook: form(
    'redeliverWebhook | webhooks/:id | webhooks/:id/deliveries/:deliveryId/redeliver | | The event was sent again. The first attempt below shows the result.',
  ),
  createKey: form('createKey | keys | keys | label role expiresAt', { labels: keyLabels, showsOnce: true }),
  revokeKey: form('revokeKey | keys | keys/:id/revoke | | The key was revoked, and its sessions were ended.'),
  inviteMember: form('inviteMember | team | team | label role', {
    labels: { label: 'Name', role: 'Role' },
    required: ['label'],
    showsOnce: true,
  }),
  updateMember: form('updateMember | team | team/:memberId/role | role | The role was changed.'),
  removeMember: form(
    'removeMember | team | team/:memberId/remove | | The member was removed and the key revoked.',
  ),
  createShare: form('createShare | shares | shares | kind snapshotId a b expiresIn', {
    labels: { expiresIn: 'How long' },
    showsOnce: true,
  }),
  deleteFile: form('deleteFile | files | files/:id/delete | | The file was deleted.'),
  updateProject: form('updateProject | settings | settings | name description | The settings were saved.', {
    labels: { name: 'Name', description: 'Description' },
    required: ['name'],
  }),
  revokeShare: form(
    'deleteShare | shares | shares/:id/revoke | | The share was revoked. Its address no longer works.',
  ),
};

export type FormName = keyof typeof rows;
export const consoleForms: Readonly<Record<FormName, ConsoleForm>> = rows;

export function maySend(caller: { readonly role: Role } | null, name: FormName): boolean {
  return isAllowed(caller?.role ?? null, consoleForms[name].access);
}

/** Whether this access includes this role; null means not signed in. */
export function isAllowed(role: Role | null, access: Access): boolean {
  if (access === 'public') return true;
  return role !== null && (access === 'any' || access.includes(role));
}
