// The tag `html`, which escapes all values. Nothing else in this package makes markup from data.

import { escapeMarkup } from '@envsnap/shared/text/visible';

/** HTML that is safe to send: made by {@link html} from parts in the code and escaped data. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Values in a template: text is escaped, markup stays, `null`, `undefined` and `false` are empty. */
export type MarkupContent = Markup | string | number | null | undefined | false | readonly MarkupContent[];

/** Markup from a template. Data becomes text or the value of a quoted attribute. */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupContent[]): Markup {
  let text = parts[0] ?? '';
  for (let place = 0; place < values.length; place += 1)
    text += textOf(values[place]) + (parts[place + 1] ?? '');
  return new Markup(text);
}

/** Parts with the same markup between them. */
export function joined(parts: readonly MarkupContent[], between: MarkupContent): Markup {
  return new Markup(parts.map(textOf).join(textOf(between)));
}

function textOf(value: MarkupContent): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(textOf).join('');
  return escapeMarkup(String(value));
}
