// Parses a body: UTF-8 and JSON, validated by its operation, with the digest that identifies a retry. Pure: another thread parses
// large bodies.

import { createHash } from 'node:crypto';
import { limits, type Operation, type RequestOf, seeLimits } from '@envsnap/shared';
import { configure } from 'safe-stable-stringify';
import { AppError } from '../app-error.ts';
import { unknownNames } from './ignored-names.ts';
import { validate } from './validate.ts';

const [quote, comma, bracket, closingBracket, backslash, brace, closingBrace] = Buffer.from('",[]\\{}');
/** Leaves out a byte order mark, which is not part of the text (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export interface ReceivedBody<Body> {
  readonly body: Body;
  readonly digest: Uint8Array | undefined;
  /** Fields that the operation does not know: the first few. */
  readonly ignored: readonly string[];
}

/** Parses the input: bytes, or the fields of a form. Errors: `malformed_json`, `body_too_large`, `validation_failed`. */
export function receiveBody<O extends Operation>(
  operation: O,
  sent: unknown,
  withDigest: boolean,
): ReceivedBody<RequestOf<O>['body']> {
  const value = sent instanceof Uint8Array ? parse(sent) : sent;
  const body = operation.body && validate(operation.body, value, 'body');
  return {
    body: body as RequestOf<O>['body'],
    digest: withDigest ? digestOfBody(body) : undefined,
    ignored: unknownNames(operation.body, value),
  };
}

/** Deeper than any accepted value (metadata has 64 levels) or ignored field. */
const canonicalJson = configure({ maximumDepth: 200, deterministic: true });

/**
 * Equal for two bodies that mean the same: whitespace, the order of members and ignored fields do not matter. Takes only a
 * validated body, because others may have too many members to sort. docs/specification.md §9.
 */
function digestOfBody(value: unknown): Buffer {
  return createHash('sha256')
    .update(canonicalJson(value) ?? '')
    .digest();
}

function parse(bytes: Uint8Array): unknown {
  refuseTooManyValues(bytes);
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new AppError('malformed_json', 'The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('malformed_json', 'The body is not valid JSON.');
  }
  if (typeof value === 'object' && value !== null) {
    if (mayHoldLargeIntegers.test(text)) refuseChangedIntegers(text);
    return value;
  }
  throw new AppError('malformed_json', 'The body is not a JSON object.');
}

/** Sixteen digits in a row, also within a text. */
const mayHoldLargeIntegers = /\d{16}/;

class ChangedInteger {}

/** An integer beyond 2^53 is refused if it would come back as another number. */
function refuseChangedIntegers(text: string): void {
  const marked: unknown = JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' &&
    /^-?\d{16,}$/.test(context?.source ?? '') &&
    String(value) !== context?.source
      ? new ChangedInteger()
      : value,
  );
  const path = pathOfChanged(marked);
  if (path === undefined) return;
  const message = 'is an integer beyond 2^53, which cannot be kept exactly: send it as a string';
  const details = [{ path: path.join('.'), message }];
  throw new AppError('validation_failed', `Invalid body: ${path.join('.')} ${message}`, details);
}

function pathOfChanged(root: unknown): string[] | undefined {
  // Not by recursion: a body may be nested deeper than the stack.
  const places: { readonly value: unknown; readonly name: string; readonly above?: number }[] = [
    { value: root, name: '' },
  ];
  for (let at = 0; at < places.length; at += 1) {
    const { value } = places[at] as { readonly value: unknown };
    if (value instanceof ChangedInteger) return namesAbove(places, at);
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value))
      if (typeof inner === 'object') places.push({ value: inner, name, above: at });
  }
  return undefined;
}

function namesAbove(
  places: readonly { readonly name: string; readonly above?: number }[],
  place: number,
): string[] {
  const names: string[] = [];
  for (let at: number | undefined = place; at !== undefined; at = places[at]?.above)
    names.unshift(places[at]?.name ?? '');
  return names.slice(1);
}

/** Before parsing, because a small value costs a hundred times its bytes, and counting it a hundredth of that. */
function refuseTooManyValues(bytes: Uint8Array): void {
  if (bytes.length <= limits.valuesPerBody) return;
  let values = 0;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === comma) values += 1;
    else if (byte === brace || byte === bracket) {
      values += 1;
      depth += 1;
    } else if (byte === closingBrace || byte === closingBracket) depth -= 1;
  }
  if (values <= limits.valuesPerBody) return;
  if (depth !== 0 || inString) throw new AppError('malformed_json', 'The body is not valid JSON.');
  const text = `The body has more than ${limits.valuesPerBody} members and elements${seeLimits}.`;
  throw new AppError('body_too_large', text);
}
