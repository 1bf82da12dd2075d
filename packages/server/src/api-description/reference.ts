// The reference page: Scalar's viewer, which is part of this package, over the API description with guides and samples added.

import { type Operation, type OperationName, operations } from '@envsnap/shared';
import type { JsonObject } from '@envsnap/shared/openapi';
import { escapeMarkup, shellWord } from '@envsnap/shared/text/visible';
import { readPackageFile } from '../infra/package-files.ts';
import { type Asset, assetOf } from './asset.ts';
import { samples } from './samples.ts';

const folder = 'dist/reference';

export function readViewer(): Asset {
  return assetOf('text/javascript; charset=utf-8', readPackageFile(`${folder}/viewer.js.gz`));
}

export function readGuides(): string {
  return readPackageFile(`${folder}/guides.md`).toString('utf8');
}

/** The page may only contact this server: for the viewer, the document and the calls that a reader tries. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The guide to limits in the viewer. `docs/limits`, the short address in error messages, redirects to it. */
export const limitsPage = '../docs#api-1/description/limits';

/** The page. Its links are relative, so that it works behind every prefix. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>envsnap API reference</title>
</head>
<body>
<div id="reference"></div>
<noscript><h1>envsnap API</h1>
<p>With JavaScript, this page shows parameters, responses and samples. <a href="openapi.json">openapi.json</a> has them too.</p>
<dl>
${Object.values<Operation>(operations)
  .map(
    ({ method, path, summary }) =>
      `<dt><code>${method} ${escapeMarkup(path)}</code></dt><dd>${escapeMarkup(summary)}</dd>`,
  )
  .join('\n')}
</dl></noscript>
<script src="docs/viewer.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Colours that are too pale on the viewer's backgrounds, replaced by the console's; words of tables and long samples kept whole. */
const readableStyle = `
.light-mode{--scalar-color-green:#116329!important;--scalar-color-blue:#0550ae!important;--scalar-color-red:#a40e26!important}
.light-mode{--scalar-color-orange:#953800!important;--scalar-color-yellow:#7a4e00!important}
.light-mode{--scalar-color-2:#57606a!important;--scalar-color-3:#57606a!important}
.dark-mode{--scalar-color-red:#ff8e86!important;--scalar-color-3:#a4a4a4!important}
.hljs-comment{color:var(--scalar-color-2)!important}
.sidebar-search-placeholder{color:var(--scalar-color-1)!important}
.markdown pre code{white-space:pre-wrap!important;overflow-wrap:anywhere}
@media(min-width:62rem){.markdown :is(td,th,td code){word-break:normal!important;overflow-wrap:normal!important}}`;

/** Starts the viewer. A key that a reader enters stays in the page's memory; nothing is sent elsewhere. */
export const startScript = `Scalar.createApiReference('#reference', ${JSON.stringify({
  url: 'docs/openapi.json',
  proxyUrl: '',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  customCss: readableStyle,
  hiddenClients:
    'c clojure csharp dart fsharp http java js julia kotlin objc ocaml php powershell r ruby rust swift'.split(
      ' ',
    ),
})});
`;

/** The API description with the guides as its introduction, and code samples for each operation. */
export function describeForReaders(description: JsonObject, guides: string): JsonObject {
  const info = description.info as JsonObject;
  const paths = Object.entries(description.paths as Record<string, Record<string, JsonObject>>);
  return {
    ...description,
    info: { ...info, description: `${String(info.description)}\n\n${guides}` },
    paths: Object.fromEntries(
      paths.map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [
            method,
            {
              ...operation,
              ...(Array.isArray(operation.parameters) && {
                parameters: (operation.parameters as JsonObject[]).map(leftToReader),
              }),
              'x-codeSamples': samplesOf(path, method, operation),
            },
          ]),
        ),
      ]),
    ),
  };
}

/** Without this, the viewer would fill optional parameters with their first allowed value when a reader tries a call. */
function leftToReader(parameter: JsonObject): JsonObject {
  const { example, ...rest } = parameter;
  const schema = parameter.schema as JsonObject;
  if (parameter.required === true || (schema.examples ?? schema.enum ?? example) === undefined)
    return parameter;
  return { ...rest, examples: { default: { value: '', 'x-disabled': true } } };
}

function curlOf(path: string, method: string, operation: JsonObject): string {
  const content = (operation.requestBody as JsonObject | undefined)?.content as
    | Record<string, JsonObject>
    | undefined;
  const example = content?.['application/json']?.example;
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$ENVSNAP_BASE_URL${path}"`,
    ...(operation.security === undefined ? ["-H 'X-API-Key: mk_…'"] : []),
    ...(content?.['multipart/form-data'] ? ['-F file=@compose.yaml'] : []),
    ...(example === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${shellWord(JSON.stringify(example))}`]),
  ].join(' \\\n  ');
}

function samplesOf(path: string, method: string, operation: JsonObject): JsonObject[] {
  const { sdk, cli } = samples[operation.operationId as OperationName];
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(path, method, operation) },
    { lang: 'TypeScript', label: 'TypeScript SDK', source: sdk },
    ...(cli === null ? [] : [{ lang: 'Shell', label: 'Command line', source: cli }]),
  ];
}
