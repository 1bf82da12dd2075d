// A proxy that cuts connections: between a client and a server, it loses requests and responses according to a script.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one attempt: lost on the way there, lost on the way back, or passed through. */
export type Cut = 'request' | 'answer' | 'none';

export interface CuttingProxy extends AsyncDisposable {
  readonly baseUrl: string;
  /** Attempts to which the server responded, whether or not the response was passed on. */
  readonly answered: () => number;
}

/** Starts a proxy. `cuts` says what happens to the attempts of one call, in order; attempts are recognised by `identify`. */
export async function startCuttingProxy(
  target: string,
  cuts: readonly Cut[],
  identify: (request: { method: string; url: string; idempotencyKey: string }) => string,
): Promise<CuttingProxy> {
  const attempts = new Map<string, number>();
  let answered = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '' } = request;
    const call = identify({ method, url, idempotencyKey: String(request.headers['idempotency-key']) });
    const attempt = attempts.get(call) ?? 0;
    attempts.set(call, attempt + 1);
    const cut = cuts[attempt] ?? 'none';
    if (cut === 'request') {
      request.socket.destroy();
      return;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      const hopByHop = ['host', 'connection', 'content-length', 'transfer-encoding'].includes(name);
      if (!hopByHop) headers.set(name, String(value));
    }
    const body = chunks.length > 0 ? { body: new Uint8Array(Buffer.concat(chunks)) } : {};
    const answer = await fetch(`${target}${url}`, { method, headers, redirect: 'manual', ...body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    answered += 1;
    if (cut === 'answer') {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered: () => answered,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
