// Whether this platform's fetch can send a stream as a body. Some browsers turn a stream into text instead.

let supported: boolean | undefined;

/** True when a stream can be a request's body. Found out at the first use, not at import. */
export function supportsRequestStreams(): boolean {
  supported ??= probe();
  return supported;
}

function probe(): boolean {
  let sawDuplex = false;
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex(): 'half' {
      sawDuplex = true;
      return 'half';
    },
  };
  try {
    // A platform that does not know streams as bodies sends "[object ReadableStream]", as text.
    return !new Request('https://localhost/', init).headers.has('content-type') && sawDuplex;
  } catch {
    return false;
  }
}
