// HTML as values: text is escaped unless it is markup already.

/** Markup that may stand in a page as it is. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Takes text for markup; only for what the program itself wrote. */
export function raw(text: string): Markup {
  return new Markup(text);
}

type Part = string | number | Markup | readonly Part[];

/** Template tag: every value is escaped, except markup and lists of it. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  let text = strings[0] ?? '';
  parts.forEach((part, index) => {
    text += toText(part) + (strings[index + 1] ?? '');
  });
  return new Markup(text);
}

function toText(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(toText).join('');
  return escapeHtml(String(part));
}
