/** The flags of `envsnap run`, which the command class describes; a test compares the two. */
export declare const runFlags: Readonly<Record<string, 'text' | 'texts' | 'switch'>>;

/** The request of `envsnap run …`; undefined if some words cannot be parsed, which the command then explains. */
export declare function readRunWords(
  words: readonly string[],
): { flags: Record<string, string | boolean | string[]>; command: string[] } | undefined;
