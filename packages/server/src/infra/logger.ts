// Owns the log: JSON lines on standard error. Secrets are removed before a line is written.

import pino from 'pino';
import { createLogOutput } from './log-output.ts';

/** Levels that `ENVSNAP_LOG_LEVEL` takes, from the fewest lines to the most. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
type LogLevel = (typeof logLevels)[number];

export type Logger = pino.Logger;

type ChildMethod = (this: Logger, bindings: pino.Bindings, options?: pino.ChildLoggerOptions) => Logger;

/** Fields whose values never appear, at any depth, whatever their letter case and `-` or `_` in them. */
const secretFields = new Set(
  `authorization proxyauthorization cookie setcookie xapikey apikey
  xbootstraptoken bootstraptoken token password secret secretciphertext encryptionkey masterkey datakey
  wrappedkey keyhash envvars envciphertext databaseurl body`.split(/\s+/),
);

/** Secrets recognised by their shape, wherever they are: API keys, webhook secrets, passwords in URLs. */
const secretText = /mk_[0-9a-f]{16,}|whsec_[A-Za-z0-9+/_=-]{8,}|(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g;

const censored = '[redacted]';
const maxDepth = 6;

interface LoggerOptions {
  level: LogLevel;
  destination?: pino.DestinationStream;
}

/** A logger. Lines are written in order, and at the end of the process too: {@link flushLogger}. */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields, 0) as Record<string, unknown>,
      },
      serializers: { err: describeError },
      hooks: {
        streamWrite: (line) => line.replace(secretText, (_, before = '') => `${before}${censored}`),
      },
    },
    destination ?? createLogOutput(),
  );
  // Pino formats the fields of a line, not those of a child; children inherit this method.
  const child = logger.child as unknown as ChildMethod;
  const redactingChild: ChildMethod = function redactingChild(bindings, options) {
    return child.call(this, redact(bindings, 0) as pino.Bindings, options);
  };
  return Object.assign(logger, { child: redactingChild }) as unknown as Logger;
}

/** Writes what is still in memory; call it before the process ends. */
export function flushLogger(logger: Logger): Promise<void> {
  return new Promise((resolve) => logger.flush(() => resolve()));
}

/** The value without its secrets: itself when it has none, else a copy. */
function redact(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth === maxDepth) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const fields = value as Record<string, unknown>;
  // A class could serialise its objects in another way (`toJSON`). The copy of an object cannot.
  let copy = Object.getPrototypeOf(value) === Object.prototype ? undefined : { ...fields };
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    const shown =
      field !== undefined && secretFields.has(name.toLowerCase().replace(/[-_]/g, ''))
        ? censored
        : redact(field, depth + 1);
    if (shown !== field) {
      copy ??= { ...fields };
      copy[name] = shown;
    }
  }
  return copy ?? value;
}

/** An error without its extra fields: drivers put rows' values there. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return redact(error, 0);
  return {
    type: error.name,
    message: error.message,
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
