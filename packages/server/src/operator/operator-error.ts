// A command's failure that is not the fault of its flags or settings.

/** One line for standard error. Exit code 4: what was named is not there; 7: anything else. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly exitCode: 4 | 7;

  constructor(message: string, exitCode: 4 | 7 = 7, options: { cause?: unknown } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
