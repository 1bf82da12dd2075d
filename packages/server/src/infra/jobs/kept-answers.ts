// Answers of jobs, kept for whoever asks the same again: the ones that were asked for last, within a bound.

/** Bytes of all of them, and of one at most. */
const mostBytes = 16 * 1024 ** 2;
const longestAnswer = mostBytes / 4;

export function createKeptAnswers() {
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
    /** The answer to a key; undefined where there is none, or no key. */
    get(key: string | undefined): Uint8Array | undefined {
      const answer = key === undefined ? undefined : drop(key);
      // What is asked for last goes last.
      if (key !== undefined && answer) add(key, answer);
      return answer;
    },
    clear(): void {
      answers.clear();
      bytes = 0;
    },
  };
}
