// The style sheet of all pages: light and dark by the reader's setting, paper, and screens from 320 pixels on.

/** Stands inside each document; its digest is in the document's policy. */
export const consoleStyle = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--soft:#f6f8fa;--red:#a40e26;--green:#116329;--yellow:#7a4e00;--blue:#0550ae;--redbg:#ffebe9;--greenbg:#dafbe1;--yellowbg:#fff8c5}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9da7b3;--line:#30363d;--soft:#161b22;--red:#ff8e86;--green:#6bd37f;--yellow:#e0b040;--blue:#79b8ff;--redbg:#3c1618;--greenbg:#12301c;--yellowbg:#33280a}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,.top>*{max-width:90rem;margin:0 auto;padding:0 1.25rem}
a{color:var(--blue)}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.87em;overflow-wrap:anywhere}
.dim{color:var(--dim)}
`.trim();
