// When a difference in a machine's language, in a variable or in the system's value, is too small to count by default.

import type { Environment } from '../environment/environment.ts';
import type { Entry } from '../model/model.ts';
import type { RelevanceContext } from './project-needs.ts';

const plainEnglish = /^(?:C|POSIX|en_[A-Z]{2})\.utf-?8$/i;

/** English in UTF-8 and C in UTF-8 differ in how they sort, and in little else. */
export function languageReason({ key }: Entry, { a, b }: RelevanceContext): string | null {
  if (/^LANGUAGE$|^LC_MESSAGES$/.test(key)) {
    const [left, right] = [messagesOf(a), messagesOf(b)];
    return left !== '' && left === right ? 'messages are in the same language' : null;
  }
  const [left, right] = [languageOf(a), languageOf(b)];
  if (left !== '' && isSameLanguage(left, right)) return 'the language in effect is the same';
  return plainEnglish.test(left) && plainEnglish.test(right) ? 'English in UTF-8 on both' : null;
}

export function isSameLanguage(a: string, b: string): boolean {
  return a.toLowerCase().replaceAll('-', '') === b.toLowerCase().replaceAll('-', '');
}

/** The language of messages: the first in `LANGUAGE`, else the locale's. Without a translation, messages are in English. */
function messagesOf({ variables, system }: Environment): string {
  const own = variables.LANGUAGE?.split(':').find(Boolean);
  const locale = own || variables.LC_ALL || variables.LC_MESSAGES || variables.LANG || (system.locale ?? '');
  const language = locale.replace(/[.@].*$/s, '').replaceAll('-', '_');
  return /^(?:C$|POSIX$|en(?:_|$))/i.test(language) ? 'en' : language.toLowerCase();
}

function languageOf({ variables, system }: Environment): string {
  return (variables.LC_ALL || variables.LC_CTYPE || variables.LANG) ?? system.locale ?? '';
}
