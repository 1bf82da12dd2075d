// Owns what PostgreSQL's and the network's errors mean: retry, report as unavailable, or pass on.

import { AppError } from '../app-error.ts';
import { isNetworkFailure } from '../network-errors.ts';

/** Serialization failure and deadlock: the transaction was undone and may run again. */
const retryableCodes = new Set(['40001', '40P01']);

const diskFull = '53100';
const notAllowed = '42501';
const readOnly = '25006';

/** The server is stopping or starting, is gone, lacks connections, memory or room, cannot use its files, or took too long. */
const unavailableCodes = new Set(
  `57P01 57P02 57P03 57P04 57P05 53000 ${diskFull} 53200 53300 53400 58000 58030 57014 25P03 55P03`.split(
    ' ',
  ),
);

/** Errors that the driver reports without a code. */
const connectionMessage =
  /Connection terminated|timeout expired|timeout exceeded when trying to connect|connection error|Query read timeout|not queryable|after calling end on the pool/;

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === diskFull;
}

export function isNotAllowed(error: unknown): boolean {
  return codeOf(error) === notAllowed;
}

export function isRetryable(error: unknown): boolean {
  return retryableCodes.has(codeOf(error));
}

/** The connection is gone or can no longer be used. */
export function isConnectionFailure(error: unknown): boolean {
  const code = codeOf(error);
  // The server no longer leads its cluster: another connection may reach the one that does.
  if (code === readOnly) return true;
  // Class 08 is "connection exception", class 57P "operator intervention".
  if (isNetworkFailure(error) || code.startsWith('08') || code.startsWith('57P')) return true;
  return code === '' && error instanceof Error && connectionMessage.test(error.message);
}

/** Turns errors that are not the caller's fault into `database_unavailable`; every other error stays as it is. */
export function toDatabaseError(error: unknown): unknown {
  const unavailable = isConnectionFailure(error) || isRetryable(error) || unavailableCodes.has(codeOf(error));
  if (!unavailable) return error;
  const [message, retryAfterSeconds] = isDiskFull(error)
    ? ['The disk of the database is full; try again later.', 5]
    : [`The database ${codeOf(error) === readOnly ? 'is read-only' : 'is not available'}; try again.`, 1];
  return new AppError('database_unavailable', message, undefined, { cause: error, retryAfterSeconds });
}

/** Throws the error that PostgreSQL returns for a write, if a connection has reported that it is read-only. */
export function refuseReadOnly(setting: unknown): void {
  if (setting === 'on') throw Object.assign(new Error('the database is read-only'), { code: readOnly });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
