// Owns the errors that the server throws on purpose: AppError becomes a response, StartupError stops the start.

import type { ErrorCode, ErrorDetail } from '@envsnap/shared';

interface AppErrorOptions {
  /** Logged, never sent. */
  cause?: unknown;
  /** Whole seconds. */
  retryAfterSeconds?: number;
  headers?: Readonly<Record<string, string>>;
}

/** A refusal or failure with a stable code; the message is sent to the caller as is. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    details?: readonly ErrorDetail[],
    options: AppErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
  }
}

/** Too much is going on; the caller tries again in 1 to 3 seconds. */
export function serverBusy(message: string): AppError {
  const retryAfterSeconds = 1 + Math.floor(Math.random() * 3);
  return new AppError('server_busy', message, undefined, { retryAfterSeconds });
}

export function stopping(): AppError {
  return new AppError('shutting_down', 'The server is stopping', undefined, { retryAfterSeconds: 5 });
}

/** Why a start or a command is refused, in one line. Exit code 2, or 6 if the database or file store is unreachable (`isAway`). */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  readonly exitCode: 2 | 6;

  constructor(message: string, { cause, isAway = false }: { cause?: unknown; isAway?: boolean } = {}) {
    super(message.replace(/(?<!\s)\s*[\r\n]\s*/g, ' '), { cause });
    this.exitCode = isAway ? 6 : 2;
  }
}

/** A command's failure that is not the fault of its flags or settings. Exit code 4: not found; 7: anything else. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly exitCode: 4 | 7;

  constructor(message: string, exitCode: 4 | 7 = 7, options: { cause?: unknown } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
