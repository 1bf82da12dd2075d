// Names of the platform's types that the public declarations mention. In a program without the types of a platform (neither
// DOM nor Node.js) they are empty, so that it still compiles.

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

/** The part of `RequestInit` that the SDK passes to `fetch`. */
export interface FetchInit {
  method: string;
  headers: Record<string, string>;
  /** Excludes `Blob`, which browsers send as the body of an upload, because libraries have different types for it. */
  body?: string | ReadableStream<Uint8Array>;
  signal: AbortSignal;
  redirect: 'manual' | 'error';
  /** Set with a stream as body. */
  duplex?: 'half';
}

/** The part of `Response` that the SDK needs, which every implementation of `fetch` has. */
export interface FetchResponse {
  readonly status: number;
  readonly headers: {
    get(name: string): string | null;
    has(name: string): boolean;
    forEach(act: (value: string, name: string) => void): void;
  };
  /** A stream of bytes: a web stream, or an async iterable, which is read without a byte limit. */
  readonly body: object | null;
  text(): Promise<string>;
}

/** A function like the global `fetch`. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;
