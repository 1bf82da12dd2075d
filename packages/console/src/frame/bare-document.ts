// The bare HTML document, without the frame of a console page: its style, its script, and the policy that admits only them.

import { createHash } from 'node:crypto';
import { consoleScript } from '../assets/script.ts';
import { consoleStyle } from '../assets/style.ts';
import { html, Markup, type MarkupContent } from '../markup.ts';

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230550ae'/%3E%3Cpath d='M4 5h8M4 8h5M4 11h8' stroke='white' stroke-width='1.6'/%3E%3C/svg%3E";

const integrity = (content: string) => `sha256-${createHash('sha256').update(content).digest('base64')}`;
const [styleDigest, scriptDigest] = [integrity(consoleStyle), integrity(consoleScript)];

/** A policy for the browser: the document's own style and script, and `more`. */
export function documentPolicy(...more: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src '${styleDigest}'`,
    `script-src '${scriptDigest}'`,
    'img-src data:',
    "base-uri 'none'",
    ...more,
  ].join('; ');
}

/** The document. Pass `policy` if no response header can carry it. */
export function bareDocument(parts: {
  readonly title: string;
  readonly policy?: string;
  readonly body: MarkupContent;
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${parts.policy === undefined ? null : html`<meta http-equiv="Content-Security-Policy" content="${parts.policy}">\n`}<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${parts.title} · envsnap</title>
<link rel="icon" href="${icon}">
<style>${new Markup(consoleStyle)}</style>
</head>
<body>
${parts.body}
<script>${new Markup(consoleScript)}</script>
</body>
</html>
`.text;
}
