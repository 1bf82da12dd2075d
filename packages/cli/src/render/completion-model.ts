// What can be typed after `envsnap`, as the completion scripts need it: taken from the manifest.

import type { Command } from '@oclif/core/command';

/** A flag that can be typed. */
export interface CompletedFlag {
  readonly name: string;
  readonly char: string | undefined;
  readonly summary: string;
  readonly takesValue: boolean;
  /** Values that can be given; empty when any. */
  readonly values: readonly string[];
}

/** A command or topic, by its words: `snapshot list`. */
export interface CompletedCommand {
  readonly words: string;
  readonly summary: string;
  /** Words that can follow. */
  readonly children: readonly { readonly word: string; readonly summary: string }[];
  readonly flags: readonly CompletedFlag[];
  /** Values of the first argument; empty when any. */
  readonly values: readonly string[];
}

/** All commands and topics, the root (`''`) first. */
export function completionModel(commands: readonly Command.Loadable[]): CompletedCommand[] {
  const known = commands.filter((command) => !command.hidden);
  const byWords = new Map(known.map((command) => [command.id.replaceAll(':', ' '), command]));
  const all = new Set(['', ...byWords.keys()]);
  for (const words of byWords.keys()) {
    const parts = words.split(' ');
    for (let length = 1; length < parts.length; length += 1) all.add(parts.slice(0, length).join(' '));
  }
  return [...all].sort().map((words) => {
    const command = byWords.get(words);
    const prefix = words === '' ? '' : `${words} `;
    const children = [...all]
      .filter(
        (other) => other !== '' && other.startsWith(prefix) && !other.slice(prefix.length).includes(' '),
      )
      .filter((other) => other !== words)
      .sort()
      .map((other) => ({ word: other.slice(prefix.length), summary: byWords.get(other)?.summary ?? '' }));
    const [firstArgument] = Object.values(command?.args ?? {});
    return {
      words,
      summary: command?.summary ?? '',
      children,
      flags: Object.values(command?.flags ?? {}).map(flagOf),
      values: [...(firstArgument?.options ?? [])],
    };
  });
}

function flagOf(flag: Command.Flag.Cached): CompletedFlag {
  return {
    name: flag.name,
    char: flag.char,
    summary: flag.summary ?? '',
    takesValue: flag.type === 'option',
    values: flag.type === 'option' ? [...(flag.options ?? [])] : [],
  };
}
