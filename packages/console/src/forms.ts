// The forms of the console, one row each: address, fields, roles, and the message when the operation is done. The server routes
// each row; the pages show those that the caller's role allows.

import { type Access, type ErrorBody, type OperationName, operations, type Role } from '@envsnap/shared';
import rows from './forms.json' with { type: 'json' };

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

type FormRow = Pick<ConsoleForm, 'page' | 'action'> & Partial<ConsoleForm>;

/**
 * Makes a form from its row. A form without an operation says who may send it, by default everyone who is signed in. It leads
 * back to its page unless `next` names another.
 */
function form(row: FormRow): ConsoleForm {
  const { operation = null, access = 'any' } = row;
  return {
    fields: [],
    done: '',
    next: row.page,
    ...row,
    operation,
    access: operation === null ? access : operations[operation].access,
  };
}

export type FormName = keyof typeof rows;

/**
 * Every form by name. Fields: `key` an API key; `next` the address below the console to go to after signing in; the others
 * are those of the operation, and a blank one was left out: `expiresAt` is a day; `expiresIn` is in seconds; `active` is `true`
 * or `false`; `events[]` comes once for each event.
 */
export const consoleForms = Object.fromEntries(
  Object.entries(rows as Record<FormName, FormRow>).map(([name, row]) => [name, form(row)]),
) as Readonly<Record<FormName, ConsoleForm>>;

export function maySend(caller: { readonly role: Role } | null, name: FormName): boolean {
  return isAllowed(caller?.role ?? null, consoleForms[name].access);
}

/** Whether this access includes this role; null means not signed in. */
export function isAllowed(role: Role | null, access: Access): boolean {
  if (access === 'public') return true;
  return role !== null && (access === 'any' || access.includes(role));
}
