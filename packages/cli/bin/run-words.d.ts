/** The flags of `envsnap run`, which the command class describes; a test compares the two. */
export declare const runFlags: Readonly<Record<string, 'text' | 'texts' | 'switch'>>;

/** What `envsnap run …` was asked for; undefined where the words are not all understood, and the command says why. */
export declare function readRunWords(
  words: readonly string[],
): { flags: Record<string, string | boolean | string[]>; command: string[] } | undefined;
