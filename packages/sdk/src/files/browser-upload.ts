// Sends an upload with XMLHttpRequest, because a browser's fetch can neither stream a body over HTTP/1.1 nor report progress.
// XMLHttpRequest follows redirects, so they are detected afterwards; see docs/decisions/0017.

import { redirectError } from '../call/failure.ts';
import type { FetchResponse } from '../platform-types.ts';

interface BrowserRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly signal: AbortSignal;
}

/** Sends the request. `sent` gets the number of bytes sent; a response of more than `maxAnswerBytes` fails. */
export function sendByBrowser(
  url: string,
  { method, headers, body, signal }: BrowserRequest,
  sent: (bytes: number) => void,
  maxAnswerBytes: number,
): Promise<FetchResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', stop);
      act();
    };
    const fail = (reason: string) => settle(() => reject(new TypeError(reason)));
    request.open(method, url);
    request.responseType = 'arraybuffer';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded }) => sent(loaded));
    request.upload.addEventListener('load', () => sent(body.size));
    request.addEventListener('progress', ({ loaded }) => {
      sent(body.size);
      if (loaded > maxAnswerBytes) request.abort();
    });
    request.addEventListener('load', () =>
      settle(() => {
        if (request.responseURL !== '' && request.responseURL !== new URL(url).href) {
          reject(redirectError(new URL(request.responseURL).origin));
        } else resolve(toResponse(request));
      }),
    );
    request.addEventListener('error', () => fail('the browser could not send the request'));
    request.addEventListener('abort', () => fail('the request was aborted'));
    if (signal.aborted) {
      fail('the request was aborted');
      return;
    }
    signal.addEventListener('abort', stop);
    request.send(body);
  });
}

function toResponse(request: XMLHttpRequest): FetchResponse {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split(/\r\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const { status, response } = request;
  const body = status === 204 || status === 304 ? null : (response as ArrayBuffer | null);
  return new Response(body, { status, headers });
}
