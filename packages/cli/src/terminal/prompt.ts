// Questions to a person at a terminal. They go to standard error, so that standard output holds results only.

import { confirm, input, password, select } from '@inquirer/prompts';

interface PromptStreams {
  readonly input?: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

const terminal: PromptStreams = { output: process.stderr };

/** True if the answer is acceptable, else what is wrong with it; the question is then asked again. */
type Check = (value: string) => true | string | Promise<true | string>;

export async function askText(
  message: string,
  options: { readonly default?: string; readonly check?: Check } = {},
  streams: PromptStreams = terminal,
): Promise<string> {
  const { check, ...rest } = options;
  return (await input({ message, ...rest, ...(check && { validate: check }) }, streams)).trim();
}

/** Asks for a secret without showing the input. */
export async function askSecret(
  name: string,
  options: { readonly check?: Check } = {},
  streams: PromptStreams = terminal,
): Promise<string> {
  const { check } = options;
  return (await password({ message: name, mask: '*', ...(check && { validate: check }) }, streams)).trim();
}

export async function askChoice<T extends string>(
  message: string,
  choices: readonly { readonly value: T; readonly name: string }[],
  streams: PromptStreams = terminal,
): Promise<T> {
  return select<T>({ message, choices: [...choices] }, streams);
}

/** Asks a yes-or-no question; Enter alone means no. */
export async function askYes(message: string, streams: PromptStreams = terminal): Promise<boolean> {
  return confirm({ message, default: false }, streams);
}
