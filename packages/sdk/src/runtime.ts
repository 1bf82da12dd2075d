// Detects the JavaScript runtime, which decides how a request is made. It does so at the first use, not at import.

/** `unknown` is everything else, such as an engine that a server embeds. */
export type Runtime = 'node' | 'bun' | 'deno' | 'workerd' | 'browser' | 'unknown';

interface Globals {
  readonly Bun?: unknown;
  readonly Deno?: unknown;
  readonly XMLHttpRequest?: unknown;
  readonly navigator?: { readonly userAgent?: string };
  readonly process?: {
    readonly type?: string;
    readonly versions?: { readonly node?: string };
    readonly env?: Readonly<Record<string, string | undefined>>;
  };
}

let found: Runtime | undefined;

/** The runtime that this program runs in. */
export function currentRuntime(): Runtime {
  found ??= detectRuntime(globalThis as Globals);
  return found;
}

function detectRuntime({ Bun, Deno, navigator, process, XMLHttpRequest }: Globals): Runtime {
  if (Bun) return 'bun';
  if (Deno) return 'deno';
  if (navigator?.userAgent === 'Cloudflare-Workers') return 'workerd';
  // Electron's windows have both, but use the browser's fetch.
  if (process?.versions?.node && process.type !== 'renderer') return 'node';
  return typeof XMLHttpRequest === 'function' ? 'browser' : 'unknown';
}

/** An environment variable; undefined if it is missing or empty, or if reading it is not allowed. */
export function environmentVariable(name: string): string | undefined {
  try {
    return (globalThis as Globals).process?.env?.[name] || undefined;
  } catch {
    // Deno without the permission to read it.
    return undefined;
  }
}

/** A random UUID of version 4, also in a page over plain http, where `crypto.randomUUID` is missing. */
export function randomId(): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    (crypto.getRandomValues(new Uint8Array(1)).at(0) as number).toString(16).slice(-1),
  );
}
