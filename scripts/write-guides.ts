// Writes the guides of docs/guides as HTML into the server's reference page: run it after a change to one of them.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Marked } from 'marked';

const root = path.resolve(import.meta.dirname, '..');

/** The guides in the order of the page. */
const names = ['authentication', 'paging', 'limits', 'idempotency', 'encryption', 'webhooks', 'audit'];

/** The text of the generated file. */
export function guidesFile(): string {
  const guides = names.map((name) => {
    const text = readFileSync(path.join(root, `docs/guides/${name}.md`), 'utf8');
    const [heading = '', ...rest] = text.split('\n');
    // A guide's headings come below the page's own: its title is an h2, its sections are h3.
    const marked = new Marked({
      renderer: {
        heading({ tokens, depth }) {
          const inner = this.parser.parseInline(tokens);
          return `<h${depth + 1}>${inner}</h${depth + 1}>\n`;
        },
        table({ header, rows }) {
          const cells = (row: typeof header, tag: string) =>
            row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
          const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
          return `<div class="wide" tabindex="0"><table>\n<thead><tr>${cells(header, 'th')}</tr></thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
        },
        code({ text: code, lang }) {
          const escaped = code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
          return `<pre tabindex="0"><code data-language="${lang ?? ''}">${escaped}\n</code></pre>\n`;
        },
      },
    });
    const html = marked.parse(rest.join('\n'), { async: false }).trim();
    return { id: `guide-${name}`, title: heading.replace(/^# /, ''), html };
  });
  return `// Made by scripts/write-guides.ts from docs/guides; not to be edited.

/** A guide as a section of the reference page. */
export interface Guide {
  readonly id: string;
  readonly title: string;
  readonly html: string;
}

export const guides: readonly Guide[] = ${JSON.stringify(guides, null, 2)};
`;
}

export const guidesPath = path.join(root, 'packages/server/src/api-description/guides.ts');

if (process.argv[1] === import.meta.filename) writeFileSync(guidesPath, guidesFile());
