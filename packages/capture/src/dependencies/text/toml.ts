// TOML files through smol-toml, with its errors as `ParseProblem`.

import { parse, TomlError } from 'smol-toml';
import { ParseProblem } from '../parse-problem.ts';
import type { JsonObject } from './json.ts';
import { refuseConflicts, refuseTooManyValues } from './lines.ts';

/** Parses TOML; look into the result with the functions of shared's `plain-object.ts`. Throws `ParseProblem`. */
export function parseToml(text: string): JsonObject {
  // Each part of a dotted key creates a table.
  refuseTooManyValues(text, '\n[{,..');
  try {
    return parse(text, { integersAsBigInt: 'asNeeded' });
  } catch (error) {
    refuseConflicts(text);
    if (error instanceof TomlError) {
      const reason = `it is not valid TOML: ${firstLine(error.message)}`;
      throw new ParseProblem(reason, { line: error.line, column: error.column });
    }
    throw new ParseProblem('it is not valid TOML');
  }
}

/** smol-toml appends an excerpt of the file to its message, which must not be shown. */
function firstLine(message: string): string {
  return (message.split('\n', 1)[0] as string).replace(/^Invalid TOML document: /, '');
}
