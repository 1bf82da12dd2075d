// Takes a body in: UTF-8 and JSON, validated by its operation, with the digest that a retry is known by. Pure: large bodies are
// taken in by another thread.

import { createHash } from 'node:crypto';
import { limits, type Operation, type RequestOf, seeLimits } from '@envsnap/shared';
import { configure } from 'safe-stable-stringify';
import { AppError } from '../app-error.ts';
import { unknownNames } from './ignored-names.ts';
import { validate } from './validate.ts';

const [quote, comma, bracket, closingBracket, backslash, brace, closingBrace] = Buffer.from('",[]\\{}');
/** Leaves a byte order mark out, which is no part of the text (RFC 8259 §8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body as its handler takes it. */
export interface ReceivedBody<Body> {
  readonly body: Body;
  /** Undefined unless it was asked for. */
  readonly digest: Uint8Array | undefined;
  /** Fields that the operation does not know, the first few. */
  readonly ignored: readonly string[];
}

/** Takes what was sent: bytes, or what a form made of its fields. Errors: `malformed_json`, `body_too_large`, `validation_failed`. */
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

/**
 * Deeper than anything that is accepted (metadata have 64 levels): what is nested further is refused by its operation, or
 * ignored with its unknown field.
 */
const canonicalJson = configure({ maximumDepth: 200, deterministic: true });

/**
 * The same for two bodies that mean the same: neither blanks, nor the order of members, nor what is ignored count. Takes a body
 * that has been validated: others may be so large that sorting their members takes too long. docs/specification.md §9.
 */
function digestOfBody(value: unknown): Buffer {
  return createHash('sha256')
    .update(canonicalJson(value) ?? '')
    .digest();
}

/** Parses a JSON object or array. */
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
  if (typeof value === 'object' && value !== null) return value;
  throw new AppError('malformed_json', 'The body is not a JSON object.');
}

/** Before parsing: a small value costs a hundred times its bytes, and is refused for a hundredth of that. */
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
