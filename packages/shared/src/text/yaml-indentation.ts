// Reads YAML with lines in brackets that are indented too little, which every reader except js-yaml accepts.

/** How much text may be parsed again after repairs, in UTF-16 units. */
const maxRepairWork = 16 * 1024 * 1024;
const indentation = ' '.repeat(40);

/** A parsed text, and the text as it was when it parsed: the same lines, some of them further to the right. */
export interface Indented<T> {
  readonly value: T;
  readonly text: string;
}

/**
 * Parses YAML. If the parser finds a line within brackets too far to the left, moves the lines up to the closing bracket and
 * parses again. Many people close a list below its key, as they would in JSON.
 *
 * @param deficientLine The line, from 0, of an error that says so; undefined for all other errors.
 * @throws The parser's first error, if moving lines does not help.
 */
export function parseIndented<T>(
  source: string,
  parse: (text: string) => T,
  deficientLine: (error: unknown) => number | undefined,
): Indented<T> {
  let text = source;
  let first: unknown;
  for (let work = source.length; ; work += text.length) {
    try {
      return { value: parse(text), text };
    } catch (error) {
      first ??= error;
      const line = deficientLine(error);
      if (line === undefined || work > maxRepairWork) throw first;
      text = moveRight(text.split('\n'), line);
    }
  }
}

function moveRight(lines: readonly string[], from: number): string {
  const end = lines.findIndex((content, at) => at >= from && /^\s*[\]}]/.test(content));
  return lines
    .map((content, at) => (at === from || (at > from && at <= end) ? indentation + content : content))
    .join('\n');
}
