// When a difference in the language of a machine is too small to count by default, in a variable or in what the system says.

import type { ComparableEnvironment } from '../model/model.ts';
import type { RelevanceContext } from './relevance-context.ts';

const plainEnglish = /^(?:C|POSIX|en_[A-Z]{2})\.utf-?8$/i;

/** English in UTF-8 and C in UTF-8 differ in how they sort, and in little else. */
export function languageReason({ a, b }: RelevanceContext): string | null {
  const [left, right] = [languageOf(a), languageOf(b)];
  if (left !== '' && isSameLanguage(left, right)) return 'the language in effect is the same';
  return plainEnglish.test(left) && plainEnglish.test(right) ? 'English in UTF-8 on both' : null;
}

/** Whether two names are those of one locale: `en_US.UTF-8` is `en_US.utf8`. */
export function isSameLanguage(a: string, b: string): boolean {
  return a.toLowerCase().replaceAll('-', '') === b.toLowerCase().replaceAll('-', '');
}

/** What is in effect: `LC_ALL` outranks `LC_CTYPE`, and that `LANG`. */
function languageOf({ envVars = {}, metadata }: ComparableEnvironment): string {
  const set = envVars.LC_ALL || envVars.LC_CTYPE || envVars.LANG;
  return set ?? (typeof metadata?.locale === 'string' ? metadata.locale : '');
}
