/** How a command is started. */
export interface WindowsCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether the arguments are already quoted. */
  readonly windowsVerbatimArguments: boolean;
}

/**
 * Says how Windows starts a command: along PATH and PATHEXT, command files through cmd.exe. A command that is not found stays
 * unchanged. Errors: RangeError for arguments that cmd.exe would change.
 */
export function windowsCommand(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd?: string,
): WindowsCommand;
