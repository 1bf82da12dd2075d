// Fields of forms: each with its label, the typed value, and its problem.

import { consoleForms, type FormName, type ReturnedForm } from '../forms.ts';
import { html, type MarkupContent } from '../markup.ts';
import type { PageContext } from '../page.ts';
import { options } from './parts.ts';

interface FieldParts {
  /** The field as it is sent; one that ends with `[]` is a group of boxes. */
  readonly name: string;
  /** A hint for filling it in. */
  readonly hint?: MarkupContent;
  /** Draws the control, with the attributes that it needs, and what was typed before. */
  readonly control: (attributes: MarkupContent, typed: string | undefined) => MarkupContent;
}

/** A field with its label. A problem begins with the label. */
export function formField(context: PageContext, form: FormName, parts: FieldParts): MarkupContent {
  const { name, hint } = parts;
  const id = `${form}-${name}`;
  const problem = problemOf(context, form, name);
  const typed = typedInto(context, form, name);
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  const attributes = html` id="${id}" name="${name}"${described !== '' && html` aria-describedby="${described}"`}${problem && html` aria-invalid="true" autofocus`}${consoleForms[form].required?.includes(name) && html` required`}`;
  const control = parts.control(attributes, typeof typed === 'string' ? typed : undefined);
  return html`<label for="${id}">${labelOf(form, name)}</label>${control}${hint && html`<p class="hint" id="${id}-hint">${hint}</p>`}${problemText(id, problem)}`;
}

/** A field whose value is chosen from a list. `chosen` is the initial value. */
export function selectField(
  context: PageContext,
  form: FormName,
  name: string,
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string,
  hint?: string,
): MarkupContent {
  const control: FieldParts['control'] = (own, typed) =>
    html`<select${own}>${options(choices, typed ?? chosen)}</select> `;
  return formField(context, form, { name, hint, control });
}

/** A group of boxes to tick; all are ticked initially. */
export function boxes(
  context: PageContext,
  form: FormName,
  name: string,
  choices: readonly string[],
): MarkupContent {
  const id = `${form}-${name}`;
  const problem = problemOf(context, form, name);
  const wasSent = context.returned?.name === form;
  const ticked = wasSent ? [typedInto(context, form, `${name}[]`) ?? []].flat() : choices;
  const invalid = problem && html` aria-invalid="true" aria-describedby="${id}-problem"`;
  const items = choices.map(
    (choice) =>
      html`<label class="check"><input type="checkbox" name="${name}[]" value="${choice}"${ticked.includes(choice) && html` checked`}${invalid}> <code>${choice}</code></label>`,
  );
  return html`<fieldset><legend>${labelOf(form, name)}</legend>${items}${problemText(id, problem)}</fieldset>`;
}

/** Problems of a returned form that belong to no field. */
export function problemBesideFields({ name, error }: ReturnedForm): readonly string[] {
  if (error === null) return [];
  const details = error.details ?? [];
  if (details.length === 0) return [error.error];
  return details
    .filter(({ path }) => labelOf(name, path) === undefined)
    .map(({ path, message }) => `${path} ${message}`);
}

function problemText(id: string, problem: string | undefined): MarkupContent {
  return problem && html`<p class="problem" id="${id}-problem" role="alert">${problem}</p>`;
}

function problemOf({ returned }: PageContext, form: FormName, name: string): string | undefined {
  if (returned?.name !== form) return undefined;
  const detail = returned.error?.details?.find(({ path }) => path.split('.')[0] === name);
  return detail && `${labelOf(form, name)} ${detail.message}.`;
}

function typedInto({ returned }: PageContext, form: FormName, name: string) {
  return returned?.name === form && Object.hasOwn(returned.fields, name) ? returned.fields[name] : undefined;
}

/** The label of a field, or of a part of one such as `events.0`. */
function labelOf(form: FormName, path: string): string | undefined {
  const { labels = {} } = consoleForms[form];
  const name = path.split('.')[0] ?? '';
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}
