// The reference page: one HTML file made from the operations table and the guides, readable without scripts and without any
// other host.

import { errorCodes, type Operation, operationGroups, operations } from '@envsnap/shared';
import { describeApi, errorsByStatus, type JsonObject } from '@envsnap/shared/openapi';
import { renderSamples } from './code-samples.ts';
import { guides } from './guides.ts';
import { escapeHtml, html, type Markup, raw } from './html.ts';
import { pageScript } from './page-script.ts';
import { describeSchema, type NamedSchemas } from './schema-table.ts';
import { styles } from './styles.ts';

interface Content {
  readonly schema?: JsonObject;
  readonly example?: unknown;
}

interface DescribedOperation {
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: JsonObject;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Content>> }>
  >;
}

/** The whole page for a version of the service. */
export function renderReference(version: string): string {
  const document = describeApi(version) as unknown as {
    info: { description: string };
    tags: { name: string; description: string }[];
    paths: Record<string, Record<string, DescribedOperation>>;
    components: { schemas: NamedSchemas };
  };
  const { schemas } = document.components;
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
<a class="skip" href="#top">Skip to the content</a>
<nav aria-label="Contents">
<p class="brand"><a href="#top">envsnap API</a> <small>${version}</small></p>
<div class="search" hidden><label for="search">Search</label>
<input id="search" type="search" placeholder="Press / to search" autocomplete="off">
<output id="found" for="search"></output></div>
<div class="group"><h2>Guides</h2>
<ul>${guides.map((guide) => html`<li><a href="#${guide.id}">${guide.title}</a></li>`)}</ul></div>
${groups.map(
  (group) => html`<div class="group"><h2>${group.title}</h2>
<ul>${group.operations.map(
    (operation) =>
      html`<li><a href="#${operation.name}"><span>${operation.summary}</span>
<span class="route">${badge(operation)} <code>${raw(breakable(operation.path))}</code></span></a></li>`,
  )}</ul></div>`,
)}
<div class="group"><h2>Errors</h2><ul><li><a href="#errors">All error codes</a></li></ul></div>
</nav>
<main id="top">
<h1>envsnap API</h1>
<p>${document.info.description}</p>
<p>The same for programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${guides.map(
  (guide) => html`<section id="${guide.id}" class="guide">
<h2>${guide.title}</h2>
${raw(guide.html)}
</section>`,
)}
${groups.map(
  (group) => html`<section>
<h2>${group.title}</h2>
<p>${group.description}</p>
${group.operations.map((operation) => renderOperation(operation, describe(operation), schemas))}
</section>`,
)}
<section id="errors">
<h2>Errors</h2>
<p>Every error has a text for people (<code>error</code>), a stable <code>code</code> and the <code>requestId</code>.
Validation errors name each wrong field in <code>details</code>.</p>
<div class="wide" tabindex="0"><table>
<thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead>
<tbody>${Object.entries(errorCodes).map(
    ([code, { status, meaning }]) =>
      html`<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${meaning}</td></tr>`,
  )}</tbody>
</table></div>
</section>
</main>
<script>${raw(pageScript)}</script>
</body>
</html>
`.text;
}

function badge(operation: Operation): Markup {
  return html`<span class="method ${operation.method.toLowerCase()}">${operation.method}</span>`;
}

function renderOperation(operation: Operation, described: DescribedOperation, schemas: NamedSchemas): Markup {
  const [bodyType, body] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  const success = described.responses[operation.status];
  const [answerType, answer] = Object.entries(success?.content ?? {})[0] ?? [];
  return html`<article id="${operation.name}">
<h3>${operation.summary}</h3>
<p class="endpoint">${badge(operation)} <code>${raw(breakable(operation.path))}</code></p>
<div class="sides">
<div class="words">
<p>${described.description ?? ''}</p>
${described.parameters?.length ? renderParameters(described.parameters) : raw('')}
${body?.schema ? html`<h4>Body <small>${bodyType ?? ''}</small></h4>${describeSchema(body.schema, schemas)}` : raw('')}
<h4>Answer ${operation.status} <small>${answerType ?? ''}</small></h4>
<p>${success?.description ?? ''}</p>
${answer?.schema && operation.response !== 'binary' ? describeSchema(answer.schema, schemas) : raw('')}
<details><summary>Errors</summary><ul class="errors">${Object.entries(errorsByStatus(operation)).flatMap(
    ([status, codes]) =>
      codes.map(
        (code) =>
          html`<li>${status} <a href="#error-${code}"><code>${code}</code></a> ${errorCodes[code].meaning}</li>`,
      ),
  )}</ul></details>
</div>
<div class="code-side">
${renderSamples(operation, body?.example)}
${answer?.example === undefined ? raw('') : renderExample(operation.status, answer.example)}
</div>
</div>
</article>`;
}

function renderExample(status: number, example: unknown): Markup {
  return html`<p class="kind">Answer ${status}</p><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}
</code></pre>`;
}

function renderParameters(parameters: NonNullable<DescribedOperation['parameters']>): Markup {
  return html`<h4>Parameters</h4>
<div class="wide" tabindex="0"><table>
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
</table></div>`;
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
