// The look of the reference page: light and dark, system fonts, nothing from elsewhere.

/** Style sheet of the page. */
export const styles = `
:root { color-scheme: light dark; --text: #1b1f24; --soft: #57606a; --line: #d8dee4; --back: #ffffff; --panel: #f6f8fa;
  --link: #0b5cad; --get: #1a6b37; --post: #0b5cad; --patch: #8a5300; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9da7b1; --line: #30363d; --back: #0d1117;
  --panel: #161b22; --link: #6cb2ff; --get: #5fd08a; --post: #6cb2ff; --patch: #e3b341; --delete: #ff8f87; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; color: var(--text); background: var(--back); font: 16px/1.55 system-ui, sans-serif; display: grid;
  grid-template-columns: 19rem minmax(0, 1fr); }
a { color: var(--link); }
code { font: 0.9em ui-monospace, monospace; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.25rem; border-right: 1px solid var(--line);
  background: var(--panel); font-size: 0.875rem; }
nav h2 { font-size: 0.75rem; text-transform: uppercase; letter-spacing: 0.06em; color: var(--soft); margin: 1.25rem 0 0.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.2rem 0; text-decoration: none; color: var(--text); }
nav li a:hover { text-decoration: underline; }
.brand { font-weight: 600; margin: 0; } .brand a { color: inherit; text-decoration: none; }
main { padding: 2rem clamp(1rem, 4vw, 4rem) 6rem; max-width: 64rem; }
h1 { margin-top: 0; } section > h2 { margin-top: 3rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
article { margin: 2rem 0 3rem; scroll-margin-top: 1rem; } h3 { margin-bottom: 0.25rem; } h4 { margin: 1.25rem 0 0.4rem; }
small { color: var(--soft); font-weight: normal; }
.method { font: 600 0.7rem ui-monospace, monospace; min-width: 3.4rem; display: inline-block; }
.get { color: var(--get); } .post { color: var(--post); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.endpoint { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.75rem; }
.endpoint .method { font-size: 0.85rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; } td:first-child { white-space: nowrap; }
.optional, .required { color: var(--soft); font-size: 0.75rem; } .required { color: var(--delete); }
.errors { font-size: 0.9rem; padding-left: 1.25rem; } summary { cursor: pointer; margin-top: 1rem; }
@media (max-width: 60rem) { body { display: block; } nav { position: static; height: auto; border-right: 0;
  border-bottom: 1px solid var(--line); max-height: 40vh; } }
`;
