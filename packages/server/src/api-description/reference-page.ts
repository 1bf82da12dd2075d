// The reference page: one HTML file made from the operations table, readable without scripts and without any other host.

import { type ErrorCode, errorCodes, type Operation, operationGroups, operations } from '@envsnap/shared';
import { describeApi, errorsByStatus, type JsonObject } from '@envsnap/shared/openapi';
import { escapeHtml, html, type Markup, raw } from './html.ts';
import { describeSchema } from './schema-table.ts';
import { styles } from './styles.ts';

interface DescribedOperation {
  description?: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: JsonObject }[];
  requestBody?: { content: Record<string, { schema: JsonObject }> };
  responses: Record<string, { content?: Record<string, { schema?: JsonObject }> }>;
}

/** The whole page for a version of the service. */
export function renderReference(version: string): string {
  const document = describeApi(version) as unknown as {
    info: { description: string };
    tags: { name: string; description: string }[];
    paths: Record<string, Record<string, DescribedOperation>>;
  };
  const groups = Object.entries(operationGroups).map(([group, title]) => ({
    title,
    description: document.tags.find((tag) => tag.name === title)?.description ?? '',
    operations: Object.values<Operation>(operations).filter((operation) => operation.group === group),
  }));
  const describe = (operation: Operation) =>
    document.paths[operation.path.replace(/:([A-Za-z]+)/g, '{$1}')]?.[
      operation.method.toLowerCase()
    ] as DescribedOperation;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>envsnap API ${version}</title>
<style>${raw(styles)}</style>
</head>
<body>
<nav aria-label="Operations">
<p class="brand"><a href="#top">envsnap API</a> <small>${version}</small></p>
${groups.map(
  (group) => html`<h2>${group.title}</h2>
<ul>${group.operations.map(
    (operation) => html`<li><a href="#${operation.name}">${badge(operation)} ${operation.summary}</a></li>`,
  )}</ul>`,
)}
</nav>
<main id="top">
<h1>envsnap API</h1>
<p>${document.info.description}</p>
<p>Send the key of the project as <code>X-API-Key</code> (or as a bearer token). The same description for programs:
<a href="openapi.json">openapi.json</a>.</p>
${groups.map(
  (group) => html`<section>
<h2>${group.title}</h2>
<p>${group.description}</p>
${group.operations.map((operation) => renderOperation(operation, describe(operation)))}
</section>`,
)}
<section id="errors">
<h2>Errors</h2>
<p>Every error has a text for people (<code>error</code>), a stable <code>code</code> and the <code>requestId</code>.</p>
<table>
<thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead>
<tbody>${Object.entries(errorCodes).map(
    ([code, { status, meaning }]) =>
      html`<tr><td><code>${code}</code></td><td>${status}</td><td>${meaning}</td></tr>`,
  )}</tbody>
</table>
</section>
</main>
</body>
</html>
`.text;
}

function badge(operation: Operation): Markup {
  return html`<span class="method ${operation.method.toLowerCase()}">${operation.method}</span>`;
}

function renderOperation(operation: Operation, described: DescribedOperation): Markup {
  const body = Object.entries(described.requestBody?.content ?? {})[0];
  const answer = described.responses[operation.status]?.content ?? {};
  const [answerType, answerContent] = Object.entries(answer)[0] ?? [];
  return html`<article id="${operation.name}">
<h3>${operation.summary}</h3>
<p class="endpoint">${badge(operation)} <code>${raw(breakable(operation.path))}</code></p>
<p>${described.description ?? ''}</p>
${described.parameters?.length ? renderParameters(described.parameters) : raw('')}
${body ? html`<h4>Body <small>${body[0]}</small></h4>${describeSchema(body[1].schema)}` : raw('')}
<h4>Answer ${operation.status} <small>${answerType ?? ''}</small></h4>
${answerContent?.schema ? describeSchema(answerContent.schema) : html`<p>The bytes of the file.</p>`}
<details><summary>Errors</summary><ul class="errors">${Object.entries(errorsByStatus(operation)).flatMap(
    ([status, codes]) =>
      codes.map(
        (code: ErrorCode) => html`<li>${status} <code>${code}</code> ${errorCodes[code].meaning}</li>`,
      ),
  )}</ul></details>
</article>`;
}

function renderParameters(parameters: NonNullable<DescribedOperation['parameters']>): Markup {
  return html`<h4>Parameters</h4>
<table>
<thead><tr><th>Name</th><th>In</th><th>Type</th><th>Description</th></tr></thead>
<tbody>${parameters.map(
    (parameter) => html`<tr>
<td><code>${parameter.name}</code>${parameter.required ? html` <span class="required">required</span>` : raw('')}</td>
<td>${parameter.in}</td>
<td>${typeName(parameter.schema)}</td>
<td>${parameter.description ?? ''}${
      parameter.schema.default === undefined ? '' : ` Default: ${String(parameter.schema.default)}.`
    }</td>
</tr>`,
  )}</tbody>
</table>`;
}

function typeName(schema: JsonObject): string {
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(', ');
  if (schema.format === 'uuid') return 'UUID';
  return String(schema.type ?? 'text');
}

/** Lets a long path break behind its slashes. */
function breakable(path: string): string {
  return escapeHtml(path).replaceAll('/', '/<wbr>');
}
