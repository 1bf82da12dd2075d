// Reads a multipart form with exactly one file in the field `file`, as a stream. docs/specification.md §6; RFC 7578.

import type { Readable } from 'node:stream';
import { hasLength, limits } from '@envsnap/shared';
import busboy, { type Busboy } from 'busboy';
import type { Request } from 'express';
import { AppError } from '../infra/app-error.ts';
import { watchPace } from '../infra/http/json-body.ts';

export interface ArrivingFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: AsyncIterable<Buffer>;
}

const fieldName = 'file';
/** Maximum bytes of a form beside the file: boundaries, headers, unknown fields. */
export const maxFormOverheadBytes = 1024 * 1024;
const formLimits = { fields: 100, files: 20, parts: 120, fieldSize: 64 * 1024, headerPairs: 100 };

/**
 * Reads the form and passes its file to `receive` as the bytes arrive, no faster than they are read. Resolves with the result
 * of `receive` once the form is complete; rejects after `receive` has ended and `discard` has undone its work. Ignores other
 * fields.
 * Errors: `unsupported_media_type`, `malformed_request`, `validation_failed`, `body_too_large`,
 * `request_timeout`, those of `receive`.
 */
export async function readFileForm<Result>(
  request: Request,
  receive: (file: ArrivingFile) => Promise<Result>,
  discard: (received: Result) => Promise<void>,
): Promise<Result> {
  const parser = createParser(request);
  let receiving: Promise<Result> | undefined;
  let stopWatching = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      let receivedBytes = 0;
      let fileBytes = 0;
      let fileStream: Readable | undefined;

      async function* counted(content: Readable): AsyncGenerator<Buffer> {
        for await (const chunk of content as AsyncIterable<Buffer>) {
          fileBytes += chunk.length;
          yield chunk;
        }
      }

      parser.on('file', (name, content, info) => {
        // The reader gets the error as well. Without this listener, an error of a stream that nobody reads ends the process.
        content.on('error', () => undefined);
        if (name !== fieldName) {
          content.resume();
          return;
        }
        try {
          if (receiving) throw invalidFile('must be given only once');
          fileStream = content;
          const file = {
            filename: cleanFileName(info.filename),
            contentType: cleanContentType(info.mimeType),
            content: counted(content),
          };
          receiving = receive(file);
          receiving.catch(reject);
        } catch (error) {
          content.resume();
          reject(error);
        }
      });
      parser.on('field', (name) => {
        if (name === fieldName) reject(invalidFile('must be a file with a file name'));
      });
      parser.on('error', (error) => reject(malformed(error)));
      parser.on('close', () => {
        if (receiving) resolve();
        else reject(invalidFile('is required'));
      });
      request.on('data', (chunk: Buffer) => {
        receivedBytes += chunk.length;
        const overheadBytes = receivedBytes - fileBytes - (fileStream?.readableLength ?? 0);
        if (overheadBytes > maxFormOverheadBytes) {
          const message = `The form has more than ${maxFormOverheadBytes} bytes besides the file`;
          reject(new AppError('body_too_large', message));
        }
      });
      stopWatching = watchPace(request, reject);
      request.once('error', (error) => reject(brokenOff(error)));
      request.once('close', () => {
        if (!request.complete) reject(brokenOff());
      });
      request.pipe(parser);
    });
    return await (receiving as unknown as Promise<Result>);
  } catch (error) {
    request.unpipe(parser);
    parser.destroy();
    await receiving?.then(discard, () => undefined);
    // The rest of the body must be read, or the caller never reads the response.
    request.resume();
    throw error;
  } finally {
    stopWatching();
  }
}

function createParser(request: Request): Busboy {
  const { 'content-type': contentType, 'content-encoding': encoding } = request.headers;
  if (contentType === undefined) throw invalidFile('is required');
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType) || (encoding && encoding !== 'identity')) {
    throw new AppError(
      'unsupported_media_type',
      'Send the file as multipart/form-data in the field "file", without Content-Encoding',
    );
  }
  try {
    return busboy({
      headers: request.headers,
      limits: formLimits,
      defParamCharset: 'utf8',
      preservePath: true,
    });
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : 'unreadable';
  return new AppError('malformed_request', `The form cannot be read as multipart/form-data: ${reason}`);
}

/** The caller has disconnected. Nobody reads this response, but the log must not count it as a server failure. */
function brokenOff(cause?: unknown): AppError {
  const reason = cause instanceof Error ? ` (${cause.message})` : '';
  return new AppError('malformed_request', `The upload ended before it was complete${reason}`);
}

const defaultContentType = 'application/octet-stream';

const maxContentTypeLength = 255;
const mediaType = /^[!#$%&'*+.^_`|~0-9a-z-]+\/[!#$%&'*+.^_`|~0-9a-z-]+$/;
const escapes: Readonly<Record<string, string>> = { '%22': '"', '%0d': '\r', '%0a': '\n' };

/**
 * The name of an uploaded file without any path before it, `/` and `\` alike. Browsers and `fetch` write `"` and line
 * breaks as `%22`, `%0D` and `%0A` (WHATWG multipart encoding); those are read back. Errors: `validation_failed` for a
 * name that is missing, `.` or `..`, longer than 255 characters, or that holds control characters or half a pair of surrogates.
 */
export function cleanFileName(sent: string | undefined): string {
  const decoded = (sent ?? '').replace(
    /%(?:22|0d|0a)/gi,
    (sequence) => escapes[sequence.toLowerCase()] as string,
  );
  const name = decoded.slice(Math.max(decoded.lastIndexOf('/'), decoded.lastIndexOf('\\')) + 1);
  if (name.trim() === '' || name === '.' || name === '..') throw invalidFile('must have a file name');
  if (/\p{Cc}/u.test(name)) throw invalidFile('must not have control characters in its name');
  if (!name.isWellFormed()) throw invalidFile('must not have unpaired surrogates in its name');
  if (!hasLength(name, 1, limits.fileNameLength)) {
    throw invalidFile(`must have a name of at most ${limits.fileNameLength} characters`);
  }
  return name;
}

/** The refusal of an upload: `file` and what is wrong with it. */
function invalidFile(message: string): AppError {
  return new AppError('validation_failed', `Invalid body: file ${message}`, [{ path: 'file', message }]);
}

/** The media type of an uploaded file, lower case and without parameters; anything unreadable is the default. */
export function cleanContentType(sent: string): string {
  const type = sent.toLowerCase();
  return type.length <= maxContentTypeLength && mediaType.test(type) ? type : defaultContentType;
}
