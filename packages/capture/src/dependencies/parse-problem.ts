// The errors that a dependency parser throws: the file as a whole cannot be read, or is more than a snapshot can hold.

/** Where in a file something is wrong; 1-based. */
interface Position {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A file that cannot be read as its format. The message names what is wrong and never quotes the file's content. */
export class ParseProblem extends Error {
  override readonly name = 'ParseProblem';
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, position: Position = {}) {
    super(message);
    this.line = position.line;
    this.column = position.column;
  }
}

/** Thrown if a snapshot cannot hold the packages of a file, or a capture has read as many bytes as it may. */
export class NothingLeft extends Error {}

export function positionAt(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: Math.max(1, Math.min(offset, text.length) - lineStart + 1) };
}
