// Turns the file name and content type of an upload into data that is safe to store, list and send back. docs/specification.md §6.

import { hasLength, limits } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';

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
export function invalidFile(message: string): AppError {
  return new AppError('validation_failed', `Invalid body: file ${message}`, [{ path: 'file', message }]);
}

/** The media type of an uploaded file, lower case and without parameters; anything unreadable is the default. */
export function cleanContentType(sent: string): string {
  const type = sent.toLowerCase();
  return type.length <= maxContentTypeLength && mediaType.test(type) ? type : defaultContentType;
}
