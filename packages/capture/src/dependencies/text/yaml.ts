// Parses YAML files with js-yaml. Every scalar stays text (`1.10` is a version, not a number), and maps are `Map`s.

import { parseIndented } from '@envsnap/shared/text/yaml-indentation';
import {
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  FAILSAFE_SCHEMA,
  loadAll,
  mergeTag,
  realMapTag,
  YAMLException,
} from 'js-yaml';
import { ParseProblem } from '../parse-problem.ts';
import { refuseConflicts, refuseTooManyValues } from './lines.ts';

/** Tags of applications (`!reset`) and of types (`!!int`) are ignored; the value after them is used. */
const anyTag = { matchByTagPrefix: true, identify: () => false };
const readThrough = (prefix: string) => [
  defineScalarTag<string>(prefix, { ...anyTag, resolve: (source) => source }),
  defineSequenceTag<unknown[]>(prefix, {
    ...anyTag,
    create: () => [],
    addItem: (items, item) => {
      items.push(item);
    },
  }),
  defineMappingTag<Map<unknown, unknown>>(prefix, {
    ...anyTag,
    create: () => new Map(),
    addPair: (map, key, value) => {
      map.set(key, value);
      return '';
    },
    has: (map, key) => map.has(key),
    keys: (map) => map.keys(),
    get: (map, key) => map.get(key),
  }),
];
const schema = FAILSAFE_SCHEMA.withTags(realMapTag, mergeTag, ...readThrough('!'), ...readThrough('tag:'));

/** The line, from 0, that js-yaml finds too far to the left. */
function deficientLine(error: unknown): number | undefined {
  const isDeficient = error instanceof YAMLException && error.reason === 'deficient indentation';
  return isDeficient ? error.mark?.line : undefined;
}

/** All documents of a YAML text; throws `ParseProblem`. An empty text has none. */
export function parseYamlDocuments(text: string): unknown[] {
  refuseTooManyValues(text, '\n[{,-?');
  try {
    return parseIndented(text, (indented) => loadAll(indented, { schema, json: true }), deficientLine).value;
  } catch (error) {
    refuseConflicts(text);
    if (error instanceof YAMLException) {
      throw new ParseProblem(`it is not valid YAML: ${error.reason}`, {
        line: error.mark && error.mark.line + 1,
        column: error.mark && error.mark.column + 1,
      });
    }
    // The parser is recursive: thousands of levels end in a RangeError.
    throw new ParseProblem('it is nested too deeply');
  }
}

/** A YAML text of one document; an empty map when it is empty. */
export function parseYamlMap(text: string): Map<unknown, unknown> {
  const documents = parseYamlDocuments(text);
  const document = documents[0];
  if (document === undefined || document === null || document === '') return new Map();
  if (!(document instanceof Map)) throw new ParseProblem('its top level is not a map', { line: 1 });
  return document;
}
