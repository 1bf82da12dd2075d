// Caches results of jobs: those used last, up to a limit of bytes.

/** Maximum bytes of all results together, and of one. */
const mostBytes = 16 * 1024 ** 2;
const longestAnswer = mostBytes / 4;

export function createAnswerCache() {
  const answers = new Map<string, Uint8Array>();
  let bytes = 0;

  function drop(key: string): Uint8Array | undefined {
    const answer = answers.get(key);
    answers.delete(key);
    bytes -= answer?.length ?? 0;
    return answer;
  }

  function add(key: string, answer: Uint8Array): void {
    drop(key);
    if (answer.length > longestAnswer) return;
    answers.set(key, answer);
    bytes += answer.length;
    for (const oldest of answers.keys()) {
      if (bytes <= mostBytes) break;
      drop(oldest);
    }
  }

  return {
    add,
    /** The result for a key; undefined if there is none, or no key. */
    get(key: string | undefined): Uint8Array | undefined {
      const answer = key === undefined ? undefined : drop(key);
      // The one used last is dropped last.
      if (key !== undefined && answer) add(key, answer);
      return answer;
    },
    clear(): void {
      answers.clear();
      bytes = 0;
    },
  };
}
