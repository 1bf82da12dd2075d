// The script of all pages, for convenience only: copying, a live filter, keys. Every page is complete without it.

/** Part of each document; its digest is in the document's policy. At most 10 KB. */
export const consoleScript = `
'use strict';
(() => {
  const copyBeside = (button) => {
    const range = document.createRange();
    range.selectNodeContents(button.parentElement.querySelector('code') ?? button);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand('copy');
  };
  const copy = async (button) => {
    // Browsers have a clipboard over HTTPS only.
    const text = button.dataset.copy;
    const done = await (navigator.clipboard ? navigator.clipboard.writeText(text).then(() => true, () => copyBeside(button)) : copyBeside(button));
    const label = button.textContent;
    button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => { button.textContent = label; }, 1500);
  };
  for (const button of document.querySelectorAll('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => copy(button));
  }
  for (const time of document.querySelectorAll('time')) {
    const local = new Date(time.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
    time.dataset.local = local;
    time.title = (time.className === 'at' ? '' : local + ', ') + time.dateTime;
    if (time.className === 'at') time.textContent = local;
  }
  for (const box of document.querySelectorAll('.filter')) {
    const [search, found] = [box.querySelector('input'), box.querySelector('output')];
    const place = box.nextElementSibling;
    const rows = [...place.querySelectorAll('tbody tr:not(.file)')].map((row) => ({ row, text: row.textContent.toLowerCase() }));
    const groups = [...place.querySelectorAll('tbody, details.fold')].reverse();
    const wereOpen = new Map(groups.map((group) => [group, group.open]));
    const apply = () => {
      const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
      let shown = 0;
      for (const { row, text } of rows) {
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) shown += 1;
      }
      for (const group of groups) {
        group.hidden = words.length > 0 && group.querySelector('tbody tr:not(.file):not([hidden])') === null;
        if (group.open !== undefined) group.open = words.length > 0 ? !group.hidden : wereOpen.get(group);
      }
      found.textContent = words.length === 0 ? '' : shown + ' of ' + rows.length + ' shown';
    };
    search.addEventListener('input', apply);
    search.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      search.value = '';
      apply();
      search.blur();
    });
    box.hidden = rows.length < 5;
  }
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const search = document.querySelector('.filter:not([hidden]) input') ?? document.querySelector('[role=search] input');
    if (search === null) return;
    event.preventDefault();
    search.focus();
  });
  // Scrolls to the right end, where the newest is.
  for (const line of document.querySelectorAll('.scroll>.timeline')) line.parentElement.scrollLeft = line.parentElement.scrollWidth;
  const openTarget = () => {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    const fold = target?.closest('details');
    if (!fold) return;
    fold.open = true;
    target.scrollIntoView({ block: 'center' });
  };
  addEventListener('hashchange', openTarget);
  openTarget();
})();
`.trim();
