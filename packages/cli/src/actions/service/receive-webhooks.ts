// A receiver of webhooks on this machine: verifies each delivery, shows it, and may pass it on.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, type WebhookVerificationError } from '@envsnap/sdk';
import type { ReceivedDelivery } from '../../documents/machine-documents.ts';
import { CliError } from '../../errors/cli-error.ts';

const maxBodyBytes = 1024 * 1024;
const forwardTimeoutMs = 9_000;

interface ReceiverOptions {
  /** 0 picks a free port. */
  readonly port: number;
  /** The secret, looked up for each delivery. If undefined, signatures are not verified. */
  readonly secret: () => string | undefined;
  readonly forwardTo: string | undefined;
  readonly onDelivery: (delivery: ReceivedDelivery) => void;
}

export interface Receiver {
  readonly url: string;
  close(): Promise<void>;
}

export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const server = createServer((request, response) => {
    receive(request, response, options).catch((error: unknown) => {
      if (!response.headersSent) respond(response, 500, String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const [message, hint] =
        error.code === 'EADDRINUSE'
          ? [`port ${options.port} is in use`, 'Give another with --port, or --port 0 for any free one.']
          : [`cannot listen: ${error.message}`, 'Give another port with --port.'];
      reject(new CliError(message, { code: 'cannot_listen', hint, cause: error }));
    });
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReceiverOptions,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return respond(response, 405, 'Deliveries are POST requests.');
  }
  const body = await readBody(request);
  if (!body) return respond(response, 413, `A delivery has at most ${maxBodyBytes} bytes.`);
  const delivery = await judge(request, body, options.secret());
  if (delivery.problem !== null || options.forwardTo === undefined) {
    options.onDelivery(delivery);
    return respond(response, delivery.problem === null ? 200 : 400, delivery.problem ?? 'received');
  }
  const forwarded = await forward(request, body, options.forwardTo);
  const [forwardedStatus, problem] = typeof forwarded === 'number' ? [forwarded, null] : [null, forwarded];
  options.onDelivery({ ...delivery, problem, forwardedStatus });
  respond(response, forwardedStatus ?? 502, problem ?? 'passed on');
}

async function judge(
  request: IncomingMessage,
  body: Buffer,
  secret: string | undefined,
): Promise<ReceivedDelivery> {
  const id = request.headers['webhook-id']?.toString() ?? null;
  const base = { receivedAt: new Date().toISOString(), id, forwardedStatus: null };
  try {
    const payload = secret
      ? await verifyWebhook(body, request.headers, secret)
      : JSON.parse(body.toString('utf8'));
    return { ...base, verified: secret !== undefined, problem: null, payload };
  } catch (error) {
    const problem =
      error instanceof SyntaxError ? 'The body is not JSON.' : (error as WebhookVerificationError).message;
    return { ...base, verified: false, problem, payload: null };
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Forwards a delivery byte for byte; returns the status, or why there is none. */
async function forward(request: IncomingMessage, body: Buffer, target: string): Promise<number | string> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && passedHeaders.test(name)) headers.set(name, value);
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(forwardTimeoutMs),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    const cause = (error as { cause?: NodeJS.ErrnoException }).cause;
    return `${target} did not respond: ${cause?.code ?? (error as Error).message}`;
  }
}

const passedHeaders = /^(?:webhook-.*|content-type|user-agent|x-webhook-signature)$/;

function respond(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ message }));
}
