// Reads JSON bodies: size limit after decompression, gzip and br, UTF-8 checked, errors in the service's own words.

import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { json, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../app-error.ts';
import { contextOf } from './request-context.ts';

/** Errors of Express's own body parser, as far as this file looks at them. */
interface BodyParserError extends Error {
  type: string;
  status: number;
}

/** Reads `request.body` as JSON, or undefined when there is no body. Rejects with 400, 413 or 415. */
export type ReadJsonBody = (request: Request, response: Response) => Promise<unknown>;

/** Creates the reader of JSON bodies of at most `maxBytes` bytes, counted after decompression. */
export function createJsonBodyReader(maxBytes: number): ReadJsonBody {
  const parse: RequestHandler = json({
    limit: maxBytes,
    inflate: true,
    strict: true,
    type: ['application/json', 'application/*+json'],
    verify: (request, _response, bytes) => {
      if (!isUtf8(bytes)) throw new AppError('malformed_json', 'The body is not valid UTF-8.');
      if (request.headers['idempotency-key'] !== undefined) {
        contextOf(request as Request).bodyFingerprint = createHash('sha256').update(bytes).digest();
      }
    },
  });
  return (request, response) => {
    const hasBody =
      request.headers['transfer-encoding'] !== undefined ||
      Number(request.headers['content-length'] ?? 0) > 0;
    if (!hasBody) return Promise.resolve(undefined);
    if (!isJsonType(request.headers['content-type'])) {
      return Promise.reject(
        new AppError('unsupported_media_type', 'Send the body as application/json (Content-Type header).'),
      );
    }
    return new Promise((resolve, reject) => {
      parse(request, response, (error?: unknown) => {
        if (error) reject(toAppError(error as BodyParserError, maxBytes));
        else resolve(request.body);
      });
    });
  };
}

function isJsonType(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);
}

function toAppError(error: BodyParserError | AppError, maxBytes: number): unknown {
  if (error instanceof AppError) return error;
  switch (error.type) {
    case 'entity.too.large':
      return new AppError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
    case 'encoding.unsupported':
      return new AppError('unsupported_media_type', 'Content-Encoding must be gzip, br, deflate or absent.');
    case 'charset.unsupported':
      return new AppError('unsupported_media_type', 'The body must be UTF-8.');
    case 'entity.parse.failed':
      return new AppError('malformed_json', 'The body is not a JSON object.');
    default:
      return error.status >= 400 && error.status < 500
        ? new AppError('malformed_request', 'The body could not be read.', undefined, { cause: error })
        : error;
  }
}
