// The script of all pages, for comfort only: copying, a live filter, keys. Every page is whole without it.

/** Stands inside each document; its digest is in the document's policy. */
export const consoleScript = `
'use strict';
(() => {
  for (const button of document.querySelectorAll('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => navigator.clipboard.writeText(button.dataset.copy));
  }
})();
`.trim();
