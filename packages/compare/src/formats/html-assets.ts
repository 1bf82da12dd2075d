// Style and script of the HTML report. Both stand inside the file itself; its policy admits them by their hashes.

/** Style sheet: light and dark by the reader's setting; usable on paper and on a narrow screen. */
export const htmlStyle = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--soft:#f6f8fa;--red:#a40e26;--green:#116329;--yellow:#7a4e00;--blue:#0550ae;--redbg:#ffebe9;--greenbg:#dafbe1;--yellowbg:#fff8c5}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9da7b3;--line:#30363d;--soft:#161b22;--red:#ff8e86;--green:#6bd37f;--yellow:#e0b040;--blue:#79b8ff;--redbg:#3c1618;--greenbg:#12301c;--yellowbg:#33280a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,header{max-width:76rem;margin:0 auto;padding:0 1.25rem}
header{padding-top:1.5rem}
h1{font-size:1.35rem;line-height:1.35;margin:.25rem 0 .5rem;text-wrap:balance}
h2{font-size:1rem;margin:0;display:inline}
code,td.v,td.n{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.87em;overflow-wrap:anywhere}
.badge{display:inline-block;padding:.1rem .6rem;border-radius:1rem;font-weight:600;font-size:.85rem}
.failed{background:var(--redbg);color:var(--red)}.tolerated{background:var(--yellowbg);color:var(--yellow)}.equal{background:var(--greenbg);color:var(--green)}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:.75rem;margin:1rem 0}
.side{border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;background:var(--soft);overflow-wrap:anywhere}
.side b{margin-right:.5rem}
.dim{color:var(--dim)}
.causes{margin:.5rem 0 1rem;padding-left:1.4rem}
.next{border-left:.25rem solid var(--blue);padding:.2rem .8rem;margin:1rem 0}
.tools{position:sticky;top:0;background:var(--bg);border-bottom:1px solid var(--line);padding:.6rem 0;display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;z-index:1}
.tools[hidden]{display:none}
.tools input[type=search]{flex:1 1 14rem;max-width:26rem;font:inherit;padding:.35rem .6rem;border:1px solid var(--dim);border-radius:.4rem;background:var(--bg);color:var(--fg)}
.tools fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:.25rem .9rem}
.tools legend{float:left;margin-right:.6rem;color:var(--dim)}
.tools label{white-space:nowrap}
button{font:inherit;padding:.3rem .7rem;border:1px solid var(--line);border-radius:.4rem;background:var(--soft);color:var(--fg);cursor:pointer}
:focus-visible{outline:2px solid var(--blue);outline-offset:2px}
details{margin:1rem 0;border:1px solid var(--line);border-radius:.5rem;overflow:clip}
summary{cursor:pointer;padding:.55rem .9rem;background:var(--soft)}
details[open]>summary{border-bottom:1px solid var(--line)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;min-width:36rem;table-layout:fixed}
th:first-child{width:33%}
th:last-child{width:14%}
th,td{text-align:left;vertical-align:top;padding:.35rem .9rem;border-top:1px solid var(--line)}
tr:first-child>th{border-top:0}
th{font-weight:600;color:var(--dim);font-size:.82rem;white-space:nowrap}
tr.file th{background:var(--soft);color:var(--fg);font-weight:600;overflow-wrap:anywhere;white-space:normal}
tr[hidden],details[hidden],tbody[hidden]{display:none}
td.s{white-space:normal}
tr.uncounted td.n{font-weight:400;color:var(--dim)}
td.n{font-weight:600}
del{color:var(--red);text-decoration:none;background:var(--redbg)}
ins{color:var(--green);text-decoration:none;background:var(--greenbg)}
.major{color:var(--red);font-weight:600}.minor{color:var(--yellow);font-weight:600}
.only{color:var(--dim);font-style:italic}
footer{max-width:76rem;margin:2rem auto;padding:0 1.25rem;color:var(--dim);font-size:.85rem}
@media print{.tools{display:none}details{break-inside:auto}}
`.trim();

/** Script: shows the tools, which need it, and filters rows by text and by kind. */
export const htmlScript = `
'use strict';
(() => {
  const tools = document.querySelector('.tools');
  const search = tools.querySelector('input[type=search]');
  const kinds = [...tools.querySelectorAll('input[name=kind]')];
  const found = tools.querySelector('output');
  const sections = [...document.querySelectorAll('details.section')].map((element) => ({
    element,
    bodies: [...element.querySelectorAll('tbody')].map((body) => ({
      body,
      rows: [...body.querySelectorAll('tr[data-kind]')].map((row) => ({ row, kind: row.dataset.kind.split(' '), text: (row.dataset.key + ' ' + row.textContent).toLowerCase() })),
    })),
  }));
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const wanted = new Set(kinds.filter((kind) => kind.checked).map((kind) => kind.value));
    let shown = 0;
    for (const { element, bodies } of sections) {
      let inSection = 0;
      for (const { body, rows } of bodies) {
        let inBody = 0;
        for (const { row, kind, text } of rows) {
          const visible = kind.every((part) => wanted.has(part)) && words.every((word) => text.includes(word));
          row.hidden = !visible;
          if (visible) inBody += 1;
        }
        body.hidden = inBody === 0;
        inSection += inBody;
      }
      element.hidden = inSection === 0;
      shown += inSection;
    }
    found.textContent = shown === 1 ? '1 entry shown' : shown + ' entries shown';
  };
  search.addEventListener('input', apply);
  for (const kind of kinds) kind.addEventListener('change', apply);
  const button = tools.querySelector('button');
  const someClosed = () => sections.some(({ element }) => !element.open);
  const label = () => {
    button.textContent = someClosed() ? 'Unfold all' : 'Fold all';
  };
  button.addEventListener('click', () => {
    const open = someClosed();
    for (const { element } of sections) element.open = open;
    label();
  });
  for (const { element } of sections) element.addEventListener('toggle', label);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === search) return;
    event.preventDefault();
    search.focus();
  });
  tools.hidden = false;
  label();
  apply();
})();
`.trim();
