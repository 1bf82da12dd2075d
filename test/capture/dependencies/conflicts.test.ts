// Files with both sides of a merge: the message names the place of the first marker, whatever the parser stumbled over.

import { expect, it } from 'vitest';
import { ParseProblem } from '../../../packages/capture/src/dependencies/parse-problem.ts';
import { parseToml } from '../../../packages/capture/src/dependencies/text/toml.ts';
import { parseYamlMap } from '../../../packages/capture/src/dependencies/text/yaml.ts';

function problemOf(parse: () => unknown): unknown {
  try {
    parse();
  } catch (error) {
    return error;
  }
  return undefined;
}

it.each([
  ['YAML', parseYamlMap, 'packages:\n  a:\n    version: 1\n'],
  ['TOML', parseToml, '[[package]]\nname = "a"\nversion = "1"\n'],
])('%s names the line and column of a conflict', (_, parse, text) => {
  const merged = `${text}<<<<<<< HEAD\n  b: : 2\n=======\n  b: 3\n>>>>>>> other\n`;
  const problem = problemOf(() => parse(merged));
  expect(problem).toBeInstanceOf(ParseProblem);
  expect(problem).toMatchObject({
    message: 'it has unresolved merge conflict markers',
    line: text.split('\n').length,
    column: 1,
  });
});
