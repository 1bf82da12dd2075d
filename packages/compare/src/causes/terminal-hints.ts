// Hints that are appended to sentences at a terminal. Pages have links and buttons instead.

export const showValuesHint = '; --show-values shows both';
export const listAllHint = ', and --all lists them';

export function withoutTerminalHints(sentence: string): string {
  return sentence.replace(showValuesHint, '').replace(listAllHint, '');
}
