// Reads secrets from standard input, so that they never appear in a process list or a shell's history.

import { CliError } from '../errors/cli-error.ts';

const maxSecretBytes = 4096;

/** Whether questions can be asked: standard input and standard error are a terminal, and the output is for a person. */
export function canAsk(json: boolean): boolean {
  return !json && process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** The first line of standard input; a terminal prompts for it without showing the input. */
export async function readSecretFromStdin(flag: string, name: string): Promise<string> {
  if (process.stdin.isTTY) {
    const { askSecret } = await import('./prompt.ts');
    return askSecret(name);
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxSecretBytes || chunk.includes(0x0a)) break;
  }
  const line =
    Buffer.concat(chunks).subarray(0, maxSecretBytes).toString('utf8').split('\n', 1)[0]?.trim() ?? '';
  if (line === '') {
    throw new CliError(`${flag}: standard input holds no ${name}`, {
      code: 'empty_stdin',
      hint: `Pipe it in: some-command | envsnap … ${flag}`,
    });
  }
  return line;
}
