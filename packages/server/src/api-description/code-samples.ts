// The samples beside an operation: curl with its example, the SDK, the command line.

import type { Operation, OperationName } from '@envsnap/shared';
import { html, type Markup, raw } from './html.ts';
import { samples } from './samples.ts';

/** Ids of the example project, so that a path can be read. */
const exampleIds: Readonly<Record<string, string>> = {
  projectId: '019365a4-6f0e-4cc3-9a5a-000000000001',
  memberId: '019365a4-6f0e-4cc3-9a5a-000000000009',
  deliveryId: '019365a4-6f0e-4cc3-9a5a-000000000016',
  id: '019365a4-6f0e-4cc3-9a5a-000000000012',
};

const exampleQueries: Partial<Record<OperationName, string>> = {
  listSnapshots: '?limit=20',
  listFiles: '?limit=20',
  listMachines: '?keys=runtimes.node',
  getHistory: '?key=runtimes.node',
  getUsageHistory: '?period=day',
};

/** The samples of an operation; `request` is the body of its example. */
export function renderSamples(operation: Operation, request: unknown): Markup {
  const { sdk, cli } = samples[operation.name as OperationName];
  return html`<div class="samples">
${sample('curl', 'curl', curl(operation, request))}
${sample('sdk', 'SDK', sdk)}
${cli === null ? raw('') : sample('cli', 'Command line', cli)}
</div>`;
}

function sample(kind: string, title: string, text: string): Markup {
  return html`<div data-kind="${kind}"><p class="kind">${title}</p><pre tabindex="0"><code>${text}
</code></pre></div>`;
}

function curl(operation: Operation, request: unknown): string {
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => exampleIds[name] ?? name);
  const url = `$ENVSNAP_BASE_URL${path}${exampleQueries[operation.name as OperationName] ?? ''}`;
  const method = operation.method === 'GET' ? '' : ` -X ${operation.method}`;
  const lines = [
    `curl${method} "${url}"`,
    ...(operation.access === 'public' ? [] : ['-H "X-API-Key: $ENVSNAP_API_KEY"']),
    ...(operation.upload ? ['-F file=@compose.yaml'] : []),
    ...(operation.response === 'binary' ? ['-o compose.yaml'] : []),
    ...(operation.body
      ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(request ?? {}, null, 2)}'`]
      : []),
  ];
  return lines.join(' \\\n  ');
}
