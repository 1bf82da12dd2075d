// Forms that change something. A form is shown only to roles that may send it; a destructive one asks for confirmation.

import { consoleForms, type FormName, maySend } from '../forms.ts';
import { html, type MarkupContent } from '../markup.ts';
import { linkTo, type PageContext } from '../page.ts';

interface PostFormParts {
  readonly label: string;
  /** Values of the `:names` in the form's address. */
  readonly params?: Readonly<Record<string, string>>;
  /** Fields that the reader does not fill in. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly fields?: MarkupContent;
  /** The effect of the button if it cannot be undone: the button is then behind a fold that says so. */
  readonly warning?: MarkupContent;
}

/** Shown on responses that show values of variables. */
export const valuesShown = html`<p class="notice caution">This page shows values of variables. The audit log records that you opened it.</p>`;

export function formSection(
  context: PageContext,
  name: FormName,
  title: string,
  parts: PostFormParts,
): MarkupContent {
  return (
    maySend(context.caller, name) &&
    html`<section><h2>${title}</h2>${postForm(context, name, parts)}</section>`
  );
}

/** A form as markup; empty if the caller may not send it. */
export function postForm(context: PageContext, name: FormName, parts: PostFormParts): MarkupContent {
  if (!maySend(context.caller, name)) return null;
  const { action } = consoleForms[name];
  const path = action
    .split('/')
    .map((part) => (part.startsWith(':') ? (parts.params?.[part.slice(1)] ?? '') : part));
  const hidden = Object.entries(parts.hidden ?? {}).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`,
  );
  const style = parts.warning === undefined ? null : html` class="danger"`;
  const form = html`<form method="post" action="${linkTo(context, path)}">${hidden}${parts.fields}<button${style}>${parts.label}</button></form>`;
  if (parts.warning === undefined) return form;
  return html`<details class="confirm"><summary>${parts.label}…</summary><p>${parts.warning}</p>${form}</details>`;
}
