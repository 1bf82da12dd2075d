// The forms of the console: each calls one operation of the API, with its fields as the operation's parameters and body.

import { type ConsoleForm, consoleForms, type FormName } from '@envsnap/console';
import { describeIssue, type Operation, operations } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import { problemsOf } from '../infra/http/validate.ts';

export type FormFields = Readonly<Record<string, string | readonly string[] | undefined>>;

export const operationForms = (Object.keys(consoleForms) as FormName[]).flatMap((name) => {
  const { operation, next }: ConsoleForm = consoleForms[name];
  return operation === null || next === null ? [] : [{ name, operation: operations[operation] as Operation }];
});

/** Whether an error is about the input. The page then shows the form again, so that the reader can correct it. */
export function isAboutForm({ code }: AppError): boolean {
  return code === 'validation_failed' || /_(?:quota_exceeded|protected)$/.test(code);
}

/** Builds the body of a form's operation. Throws `validation_failed`, with all problems, if a required field is blank. */
export function filledBody(name: FormName, operation: Operation, fields: FormFields) {
  const body = bodyOf(fields, operation.method === 'PATCH');
  const isFilled = (text = '') => /[^\s\p{Default_Ignorable_Code_Point}]/u.test(text);
  const blank = (consoleForms[name].required ?? [])
    .filter((field) => ![fields[field]].flat().some(isFilled))
    .map((field) => field.replace('[]', ''));
  // If none is blank, the operation finds the other problems.
  if (blank.length === 0) return body;
  const { error } = operation.body?.safeParse(body, { error: describeIssue }) ?? {};
  const others = error ? problemsOf(error) : [];
  throw new AppError('validation_failed', 'A field is empty', [
    ...blank.map((path) => ({ path, message: 'must not be empty' })),
    ...others.filter(({ path }) => !blank.includes(path)),
  ]);
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
