// Reads the file name of a Content-Disposition header. RFC 6266, RFC 8187.

/** The name that the header gives: `filename*` before `filename`. Undefined when there is none that can be read. */
export function contentDispositionFilename(header: string): string | undefined {
  const parameters = new Map<string, string>();
  const pattern = /;\s*([!#$&+\-.^_`|~\w]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g;
  for (const [, name = '', quoted, token] of header.matchAll(pattern)) {
    const value = quoted === undefined ? (token ?? '') : quoted.replace(/\\(.)/g, '$1');
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return decodeExtended(parameters.get('filename*')) ?? parameters.get('filename');
}

function decodeExtended(value: string | undefined): string | undefined {
  const match = /^utf-8'[^']*'(.*)$/i.exec(value ?? '');
  if (!match) return undefined;
  try {
    return decodeURIComponent(match[1] ?? '');
  } catch {
    return undefined;
  }
}
