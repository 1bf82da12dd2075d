// How many tokens a language model sees in a text, by the encoding o200k.

import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';

const encoding = new Tiktoken(ranks);

/** The number of tokens; special tokens are counted as the text that they are. */
export function countTokens(text: string): number {
  return encoding.encode(text, [], []).length;
}
