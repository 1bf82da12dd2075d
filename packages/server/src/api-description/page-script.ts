// The reference page's own script: search, copying, and which kind of sample is shown. Without it the page is whole.

/** Plain JavaScript for browsers. The page's policy names its digest, so no other script runs. */
export const pageScript = `
(() => {
  const search = document.querySelector('#search');
  const count = document.querySelector('#found');
  const entries = [...document.querySelectorAll('nav li')].map((item) => {
    const target = document.getElementById(item.querySelector('a').hash.slice(1));
    return { item, target, text: (item.textContent + ' ' + (target ? target.textContent : '')).toLowerCase() };
  });
  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const { item, target, text } of entries) {
      const fits = words.every((word) => text.includes(word));
      item.hidden = !fits;
      if (target) target.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const group of document.querySelectorAll('nav .group')) group.hidden = !group.querySelector('li:not([hidden])');
    for (const part of document.querySelectorAll('main > section')) {
      const articles = part.querySelectorAll('article');
      if (articles.length > 0) part.hidden = ![...articles].some((one) => !one.hidden);
    }
    count.textContent = words.length === 0 ? '' : shown === 1 ? '1 entry' : shown + ' entries';
  };
  document.querySelector('.search').hidden = false;
  search.addEventListener('input', filter);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !/^(input|textarea)$/i.test(document.activeElement.tagName)) {
      event.preventDefault();
      search.focus();
    } else if (event.key === 'Escape' && document.activeElement === search) {
      search.value = '';
      filter();
    }
  });
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(block, button);
  }
  const kinds = ['curl', 'sdk', 'cli'];
  const show = (kind) => {
    for (const group of document.querySelectorAll('.samples')) {
      const has = group.querySelector('[data-kind="' + kind + '"]') ? kind : 'curl';
      for (const one of group.querySelectorAll('[data-kind]')) one.hidden = one.dataset.kind !== has;
      for (const tab of group.querySelectorAll('[data-tab]')) tab.setAttribute('aria-pressed', String(tab.dataset.tab === has));
    }
  };
  for (const group of document.querySelectorAll('.samples')) {
    const tabs = document.createElement('div');
    tabs.className = 'tabs';
    for (const kind of kinds) {
      if (!group.querySelector('[data-kind="' + kind + '"]')) continue;
      const tab = document.createElement('button');
      tab.type = 'button';
      tab.dataset.tab = kind;
      tab.textContent = kind === 'sdk' ? 'SDK' : kind === 'cli' ? 'envsnap' : 'curl';
      tab.addEventListener('click', () => show(kind));
      tabs.append(tab);
    }
    group.prepend(tabs);
    group.classList.add('tabbed');
  }
  show('curl');
})();
`;
