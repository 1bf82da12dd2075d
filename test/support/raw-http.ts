// Speaks HTTP as raw bytes, for requests that no HTTP client would send.

import { connect, type Socket } from 'node:net';

/** A response as received. */
export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; of a repeated header the last. */
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface AnswerOptions {
  /** The requests were HEAD: their answers have a length, but have no body. */
  readonly bodyless?: boolean;
}

/** A connection to a server on this machine that collects what arrives. */
export interface RawConnection {
  readonly socket: Socket;
  send(data: string | Uint8Array): void;
  /** The bytes received so far. */
  received(): string;
  /** Waits until `count` complete responses have arrived, or the server closes. */
  answers(count: number, options?: AnswerOptions): Promise<RawAnswer[]>;
  closed: Promise<void>;
  end(): void;
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const chunks: Buffer[] = [];
  let isClosed = false;
  let wake: () => void = () => undefined;
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    wake();
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      wake();
      resolve();
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  // A server that refuses a request that is still being sent resets the connection; its response counts.
  socket.on('error', () => undefined);
  const text = () => Buffer.concat(chunks).toString('latin1');
  return {
    socket,
    send: (data) => void socket.write(data),
    received: text,
    async answers(count, { bodyless = false } = {}) {
      for (;;) {
        const answers = parseAnswers(text(), bodyless);
        if (answers.length >= count || isClosed) return answers;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    closed,
    end: () => socket.destroy(),
  };
}

/** Sends bytes on a new connection and returns the first response; undefined if the server closes without one. */
export async function sendRaw(
  url: string,
  data: string | Uint8Array,
  options?: AnswerOptions,
): Promise<RawAnswer | undefined> {
  const connection = await openRaw(url);
  connection.send(data);
  const [answer] = await connection.answers(1, options);
  connection.end();
  return answer;
}

function parseAnswers(text: string, bodyless: boolean): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return answers;
    const [statusLine = '', ...lines] = rest.slice(0, headEnd).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const status = Number(statusLine.split(' ')[1]);
    const length = bodyless || status < 200 || status === 304 ? 0 : Number(headers['content-length'] ?? 0);
    if (rest.length < headEnd + 4 + length) return answers;
    const body = rest.slice(headEnd + 4, headEnd + 4 + length);
    if (status >= 200) answers.push({ status, headers, body });
    rest = rest.slice(headEnd + 4 + length);
  }
}
