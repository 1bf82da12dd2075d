// The look of the reference page: light and dark, system fonts, nothing from elsewhere.

/** Style sheet of the page. */
export const styles = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d8dee4; --back: #ffffff; --panel: #f6f8fa;
  --link: #0b5cad; --get: #1a6b37; --post: #0b5cad; --patch: #8a5300; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9da7b1; --line: #30363d; --back: #0d1117;
  --panel: #161b22; --link: #6cb2ff; --get: #5fd08a; --post: #6cb2ff; --patch: #e3b341; --delete: #ff8f87; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; color: var(--text); background: var(--back); font: 16px/1.55 system-ui, sans-serif; display: grid;
  grid-template-columns: 20rem minmax(0, 1fr); }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: 0.875em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { margin: 0; padding: 0.75rem; overflow: auto; max-height: 30rem; background: var(--panel); border: 1px solid var(--line);
  border-radius: 6px; line-height: 1.45; } pre code { overflow-wrap: normal; }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--back); z-index: 2; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem; border-right: 1px solid var(--line);
  background: var(--panel); font-size: 0.875rem; }
nav h2 { font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--soft); margin: 1.25rem 0 0.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 0.25rem 0; text-decoration: none; color: var(--text); }
nav li a:hover > span:first-child { text-decoration: underline; }
.route { display: block; color: var(--soft); font-size: 0.8125rem; }
.brand { font-weight: 600; margin: 0 0 0.75rem; } .brand a { color: inherit; text-decoration: none; }
.search label { font-weight: 600; } .search input { width: 100%; margin-top: 0.25rem; padding: 0.4rem 0.6rem; font: inherit;
  color: inherit; background: var(--back); border: 1px solid var(--soft); border-radius: 6px; }
.search output { color: var(--soft); }
main { padding: 2rem clamp(1rem, 3vw, 3rem) 6rem; max-width: 90rem; min-width: 0; }
h1 { margin-top: 0; } section > h2 { margin-top: 3rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
.guide > :not(pre):not(.wide):not(.code) { max-width: 46rem; } .guide pre, .guide .wide, .guide .code { max-width: 60rem; }
article { margin: 2rem 0 3.5rem; scroll-margin-top: 1rem; } h3 { margin-bottom: 0.25rem; } h4 { margin: 1.25rem 0 0.4rem; }
small { color: var(--soft); font-weight: normal; }
.method { font: 600 0.7rem ui-monospace, monospace; display: inline-block; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.endpoint { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.75rem; }
.endpoint .method { font-size: 0.85rem; margin-right: 0.4rem; }
.sides { display: grid; grid-template-columns: minmax(0, 1.2fr) minmax(0, 1fr); gap: 2rem; }
.code-side > * + * { margin-top: 0.75rem; } .kind { margin: 0.75rem 0 0.25rem; color: var(--soft); font-size: 0.8125rem; }
.tabbed [data-kind] > .kind { display: none; }
.tabs { display: flex; gap: 0.25rem; margin-bottom: 0.4rem; }
.tabs button, .copy { font: inherit; font-size: 0.8125rem; padding: 0.15rem 0.6rem; color: var(--text); background: var(--back);
  border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
.tabs button[aria-pressed=true] { border-color: var(--link); color: var(--link); font-weight: 600; }
.code { position: relative; } .copy { position: absolute; top: 0.4rem; right: 0.4rem; opacity: 0; }
.code:hover .copy, .copy:focus-visible { opacity: 1; }
@media (hover: none) { .copy { opacity: 1; } .code pre { padding-top: 2.4rem; } }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; } td code { overflow-wrap: normal; } td:last-child { min-width: 12rem; }
.optional, .required { color: var(--soft); font-size: 0.75rem; } .required { color: var(--delete); }
.errors { font-size: 0.9rem; padding-left: 1.25rem; } summary { cursor: pointer; margin-top: 1rem; }
@media (max-width: 75rem) { .sides { grid-template-columns: minmax(0, 1fr); gap: 1rem; } }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; border-right: 0;
  border-bottom: 1px solid var(--line); max-height: 45vh; } }
`;
