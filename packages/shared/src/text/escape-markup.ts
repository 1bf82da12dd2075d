// Text within XML and HTML.

import { visible } from './visible.ts';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that stays as it is, which nearly all names and versions are: seen at a tenth of the cost of replacing nothing. */
const plain = /^[\w ./:@+,;=()[\]#%~*?!$^{}|-]*$/;

/** Data as text or attribute value of XML or HTML; control characters, which XML cannot hold, become visible. */
export function escapeMarkup(data: string): string {
  if (plain.test(data)) return data;
  return visible(data).replace(/[&<>"'\ufffe\uffff]/g, (character) => escapes[character] ?? '\ufffd');
}
