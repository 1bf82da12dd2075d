// Names of the platform's types that the public declarations mention. Where the program that uses the SDK has no types of a
// platform (neither DOM nor Node.js), they are empty, so that it compiles all the same.

declare global {
  interface AbortSignal {}
  interface Blob {}
  interface Headers {}
  // biome-ignore lint/suspicious/noExplicitAny: all declarations of one type need the same parameters
  interface ReadableStream<R = any> {}
  interface Request {}
  interface Response {}
  interface URL {}
}

/** What the SDK hands to `fetch`: the part of `RequestInit` that it uses. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  /** In a browser an upload's body is a `Blob`, which this leaves out: libraries have types of their own for it. */
  body?: string | ReadableStream<Uint8Array>;
  signal: AbortSignal;
  redirect: 'manual' | 'error';
  /** Set with a stream as body. */
  duplex?: 'half';
}

/** What the SDK needs of a `Response`: that of any implementation of `fetch` fits. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: {
    get(name: string): string | null;
    has(name: string): boolean;
    forEach(act: (value: string, name: string) => void): void;
  };
  /** A stream of bytes: a web stream, or an async iterable that is read without a limit of bytes. */
  readonly body: object | null;
  text(): Promise<string>;
}

/** A function like the global `fetch`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;
