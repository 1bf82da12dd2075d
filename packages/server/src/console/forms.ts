// The forms of the console: each calls one operation of the API, with its fields as the operation's parameters and body.

import { type ConsoleForm, consoleForms, type FormName } from '@envsnap/console';
import { type Operation, operations } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';

export type FormFields = Readonly<Record<string, string | readonly string[] | undefined>>;

export const operationForms = (Object.keys(consoleForms) as FormName[]).flatMap((name) => {
  const { operation, next }: ConsoleForm = consoleForms[name];
  return operation === null || next === null ? [] : [{ name, operation: operations[operation] as Operation }];
});

/** Whether an error is about the input. The page then shows the form again, so that the reader can correct it. */
export function isAboutForm({ code }: AppError): boolean {
  return code === 'validation_failed' || /_(?:quota_exceeded|protected)$/.test(code);
}

/** Throws `validation_failed` if a required field is blank. */
export function checkFilled(name: FormName, fields: FormFields): void {
  const isFilled = (text = '') => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text);
  const details = (consoleForms[name].required ?? [])
    .filter((field) => ![fields[field]].flat().some(isFilled))
    .map((field) => ({ path: field.replace('[]', ''), message: 'must not be empty' }));
  if (details.length > 0) throw new AppError('validation_failed', 'A field is empty', details);
}

/** An address of a form or a page, with the parameters of a request in place of its `:names`. */
export function filledPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(String(params[param])));
}

/** Builds the body from the fields: `name[]` is a list. Blank fields are left out, or empty if the form changes something. */
export function bodyOf(fields: FormFields, isChange = false): Record<string, unknown> {
  const body: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (name.endsWith('[]')) body[name.slice(0, -2)] = [value].flat();
    else if (typeof value === 'string' && (isChange || value.trim() !== ''))
      body[name] = fieldValue(name, value.trim());
  }
  return body;
}

function fieldValue(name: string, text: string): unknown {
  if (name === 'expiresIn') return /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (name === 'active') return text === 'true' ? true : text === 'false' ? false : text;
  return name === 'description' && text === '' ? null : text;
}
