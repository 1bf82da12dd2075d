// A scanner for Cargo.lock as Cargo writes it: a tenth of the time and memory of a TOML parser. It knows the lines that
// Cargo's own writer makes and gives up on anything else, so that a TOML parser can judge the file.

/** One `[[package]]`, as far as it matters. */
export interface CargoPackage {
  /** 1-based line that it begins on, where known. */
  line?: number;
  name?: string;
  version?: string;
  source?: string;
}

/** Keys with text in `[[package]]`, numbers, and the strings of lists; texts without escapes. */
const pairLine =
  /^(?:([A-Za-z_-]+)|"[^"\\]*") = (?:"([^"\\]*)"|\d+|(\[(?:"[^"\\]*"(?:, "[^"\\]*")*)?\])|(\[))$/;
const itemLine = /^ "[^"\\]*",?$/;
const tableLine = /^\[(?:metadata|root)\]$|^\[\[(?:package|patch\.unused)\]\]$/;

/** All packages of a lock file; undefined when the text is not laid out as Cargo writes it. */
export function scanCargoLock(source: string): CargoPackage[] | undefined {
  const packages: CargoPackage[] = [];
  let current: CargoPackage | undefined;
  let inList = false;
  let number = 0;
  for (let start = 0; start < source.length; ) {
    let end = source.indexOf('\n', start);
    if (end === -1) end = source.length;
    const line = source.slice(start, source.charCodeAt(end - 1) === 13 && end > start ? end - 1 : end);
    start = end + 1;
    number += 1;
    const first = line.charCodeAt(0);
    if (inList) {
      if (first === 93 /* ] */ && line === ']') inList = false;
      else if (!itemLine.test(line)) return undefined;
    } else if (line === '' || first === 35 /* # */) {
      // Nothing on this line.
    } else if (first === 91 /* [ */) {
      if (!tableLine.test(line)) return undefined;
      current = line === '[[package]]' ? { line: number } : undefined;
      if (current) packages.push(current);
    } else {
      const match = pairLine.exec(line);
      if (!match) return undefined;
      inList = match[4] !== undefined;
      const key = match[1];
      if (!current || (key !== 'name' && key !== 'version' && key !== 'source')) continue;
      // A repeated key is a mistake that the TOML parser can point at.
      if (match[2] === undefined || current[key] !== undefined) return undefined;
      current[key] = match[2];
    }
  }
  return inList ? undefined : packages;
}
