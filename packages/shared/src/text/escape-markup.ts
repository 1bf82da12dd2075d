// Text within XML and HTML.

import { visible } from './visible.ts';

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Data as text or attribute value of XML or HTML; control characters, which XML cannot hold, become visible. */
export function escapeMarkup(data: string): string {
  return visible(data).replace(/[&<>"'\ufffe\uffff]/g, (character) => escapes[character] ?? '\ufffd');
}
