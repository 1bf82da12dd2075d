// Schemas for maps and free objects whose keys are data: they are checked in place and never copied, so that keys such
// as `__proto__` survive and a hundred thousand entries cost one pass.

import * as z from 'zod';
import { limits, seeLimits } from './catalogue/limits.ts';
import { hasLength } from './code-points.ts';
import { isPlainObject, type StringMap } from './plain-object.ts';

const encoder = new TextEncoder();

export function utf8Bytes(value: string): number {
  return encoder.encode(value).length;
}

interface StringMapLimits {
  /** Fewest and most characters of a key; default 0 to 1,024. */
  readonly keyLength?: readonly [minimum: number, maximum: number];
  /** Maximum bytes of a value in UTF-8; default 1 MiB. */
  readonly valueBytes?: number;
  /** Maximum number of entries; default: no limit. */
  readonly maxEntries?: number;
  /** Maximum bytes of the whole map as JSON; default: no limit. */
  readonly totalBytes?: number;
  /** The noun for a value in messages, such as `version`. */
  readonly valueName: string;
  /** The noun for the entries in messages, such as `runtimes`. */
  readonly entriesName: string;
}

const defaultKeyLength = [0, 1024] as const;
const defaultValueBytes = 1024 * 1024;
const fileKeyLength = 4096;

type Path = (string | number)[];
type Report = (path: Path, message: string) => void;

/** Checks every entry of a map; reports at most the first ten problems. Returns the number of entries. */
function checkStringMap(
  map: unknown,
  path: Path,
  rules: StringMapLimits,
  report: Report,
  keys = isPlainObject(map) ? Object.keys(map) : [],
): number {
  if (!isPlainObject(map)) {
    report(path, `must be an object that maps names to ${rules.valueName}s`);
    return 0;
  }
  const [minLength, maxLength] = rules.keyLength ?? defaultKeyLength;
  const maxBytes = rules.valueBytes ?? defaultValueBytes;
  let problems = 0;
  if (rules.maxEntries !== undefined && keys.length > rules.maxEntries) {
    report(path, `must hold at most ${rules.maxEntries} ${rules.entriesName}${seeLimits}`);
    return keys.length;
  }
  for (const key of keys) {
    const value = map[key];
    let problem: string | undefined;
    if (!hasLength(key, minLength, maxLength)) {
      problem = `name must have ${minLength} to ${maxLength} characters${seeLimits}`;
    } else if (key.includes('\0')) problem = 'name must not contain NUL characters';
    else if (typeof value !== 'string') problem = `${rules.valueName} must be a string`;
    else if (value.includes('\0')) problem = `${rules.valueName} must not contain NUL characters`;
    else if (value.length * 3 > maxBytes && utf8Bytes(value) > maxBytes) {
      problem = `${rules.valueName} must be at most ${maxBytes} bytes${seeLimits}`;
    }
    if (problem) {
      report([...path, key.slice(0, 100)], problem);
      problems += 1;
      if (problems === 10) break;
    }
  }
  if (rules.totalBytes !== undefined && problems === 0 && isLongerThan(map, rules.totalBytes)) {
    report(path, `must be at most ${rules.totalBytes} bytes as JSON${seeLimits}`);
  }
  return keys.length;
}

/** Whether a value is longer than `maxBytes` as JSON in UTF-8. */
function isLongerThan(value: object, maxBytes: number): boolean {
  const json = JSON.stringify(value);
  return json.length > maxBytes || (json.length * 3 > maxBytes && utf8Bytes(json) > maxBytes);
}

/** A map of names to text within limits; the value passes through unchanged. */
export function stringMap(rules: StringMapLimits) {
  return z
    .custom<StringMap>()
    .check((context) => {
      checkStringMap(context.value, [], rules, (path, message) => {
        context.issues.push({ code: 'custom', input: context.value, path, message });
      });
    })
    .meta(mapSchema(rules));
}

/** A limit in bytes can be compared with characters, because each has at least one byte. */
function mapSchema(rules: StringMapLimits) {
  const [minLength, maxLength] = rules.keyLength ?? defaultKeyLength;
  return {
    type: 'object',
    ...(rules.maxEntries !== undefined && { maxProperties: rules.maxEntries }),
    propertyNames: { ...(minLength > 0 && { minLength }), maxLength },
    additionalProperties: { type: 'string', maxLength: rules.valueBytes ?? defaultValueBytes },
  } as const;
}

/** A map of names to maps of names to text, with a limit on the number of maps and on the entries of all together. */
export function nestedStringMap(
  rules: StringMapLimits,
  { maxMaps, maxEntries, maxKeyLength }: { maxMaps: number; maxEntries: number; maxKeyLength: number },
) {
  return z
    .custom<Record<string, StringMap>>()
    .check((context) => {
      const report: Report = (path, message) => {
        context.issues.push({ code: 'custom', input: context.value, path, message });
      };
      const value: unknown = context.value;
      if (!isPlainObject(value)) return report([], 'must be an object that maps files to packages');
      const files = Object.keys(value);
      if (files.length > maxMaps) return report([], `must hold at most ${maxMaps} files${seeLimits}`);
      let entries = 0;
      let keyLength = 0;
      for (const file of files) {
        if (file.includes('\0')) return report([file.slice(0, 100)], 'file must not contain NUL characters');
        if (!hasLength(file, 0, fileKeyLength)) {
          return report(
            [file.slice(0, 100)],
            `file must have at most ${fileKeyLength} characters${seeLimits}`,
          );
        }
        const packages = value[file];
        const names = isPlainObject(packages) ? Object.keys(packages) : [];
        entries += names.length;
        keyLength += names.length * file.length;
        // This check comes before any entry is read.
        if (entries > maxEntries) return report([], `must hold at most ${maxEntries} packages${seeLimits}`);
        checkStringMap(packages, [file], rules, report, names);
        if (context.issues.length >= 10) return;
      }
      // A comparison returns the file's name with each of its packages.
      if (keyLength > maxKeyLength) {
        report(
          [],
          `must have shorter file names: added up over all packages, they exceed ${maxKeyLength} characters${seeLimits}`,
        );
      }
    })
    .meta({
      type: 'object',
      maxProperties: maxMaps,
      propertyNames: { maxLength: fileKeyLength },
      additionalProperties: mapSchema({ ...rules, maxEntries }),
    });
}

/**
 * Walks a JSON value without recursion and returns the first problem: something that cannot be stored, or too many members and
 * elements for the limit in bytes.
 */
function findProblem(value: unknown, maxBytes: number): string | undefined {
  // Each takes a comma and at least one character.
  let remaining = maxBytes / 2;
  const stack: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (typeof next.value === 'string' && next.value.includes('\0')) return 'must not contain NUL characters';
    if (typeof next.value === 'number' && !Number.isFinite(next.value))
      return 'must not contain numbers too large for a double';
    if (typeof next.value !== 'object' || next.value === null) continue;
    if (next.depth > limits.metadataDepth)
      return `must not be nested more than ${limits.metadataDepth} levels deep${seeLimits}`;
    const keys = Object.keys(next.value);
    remaining -= keys.length;
    if (remaining < 0) return `must be at most ${maxBytes} bytes as JSON${seeLimits}`;
    for (const key of keys) {
      if (key.includes('\0')) return 'must not contain NUL characters';
      stack.push({ value: (next.value as Record<string, unknown>)[key], depth: next.depth + 1 });
    }
  }
  return undefined;
}

/** Any JSON object of at most `maxBytes` bytes as JSON and 64 levels; the value passes through unchanged. */
export function jsonObject(maxBytes: number) {
  return z
    .custom<Record<string, unknown>>()
    .check((context) => {
      const value: unknown = context.value;
      let message: string | undefined;
      if (!isPlainObject(value)) message = 'must be an object';
      else {
        message = findProblem(value, maxBytes);
        if (!message && isLongerThan(value, maxBytes))
          message = `must be at most ${maxBytes} bytes as JSON${seeLimits}`;
      }
      if (message) context.issues.push({ code: 'custom', input: value, message });
    })
    .meta({ type: 'object', additionalProperties: true });
}
