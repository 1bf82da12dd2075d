// The style sheet of all pages: light and dark by the reader's setting, paper, and screens from 320 pixels on.

// Lists to pick from have many columns: below 60rem their rows are lines of text, below 48rem those of other lists are cards.
const picks = '.list:has(.pick)';
const others = '.list:not(:has(.pick))';

/** Part of each document; its digest is in the document's policy. */
export const consoleStyle = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#57606a;--line:#d0d7de;--soft:#f6f8fa;--red:#a40e26;--green:#116329;--yellow:#7a4e00;--blue:#0550ae;--redbg:#ffebe9;--greenbg:#dafbe1;--yellowbg:#fff8c5;--bluebg:#ddf4ff;--edge:#818b98}
@media screen and (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9da7b3;--line:#30363d;--soft:#161b22;--red:#ff8e86;--green:#6bd37f;--yellow:#e0b040;--blue:#79b8ff;--redbg:#3c1618;--greenbg:#12301c;--yellowbg:#33280a;--bluebg:#0c2d4d;--edge:#7d8590}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
main,.bar{max-width:max(80rem,60vw);margin:0 auto;padding:0 1.25rem}
main{padding-bottom:4rem}
main.wide,body:has(main.wide) .bar,body:has(main.wide) nav{max-width:none}
a{color:var(--blue);text-underline-offset:.15em}
:is(:focus-visible,input:focus-within){outline:2px solid var(--blue);outline-offset:2px}
:is(summary,.scroll,.frame a):focus-visible{outline-offset:-2px}
:target{background:var(--yellowbg)}
.skip{position:absolute;left:-99rem}.skip:focus{left:.5rem;top:.5rem;background:var(--bg);padding:.5rem;z-index:9}
.dim{color:var(--dim)}
code,.value,.values tbody{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.87em}
h1{font-size:1.4rem;line-height:1.35;margin:1.6rem 0 .5rem;text-wrap:balance}
h1.value{font-size:1.15rem}
h2{font-size:1.05rem;margin:2rem 0 .6rem}
p{margin:.5rem 0}
.lead{color:var(--dim);max-width:60rem}
.crumb{margin:1.2rem 0 -1.2rem}
.narrow{max-width:34rem;margin:2rem auto}
.top{background:var(--soft);border-bottom:1px solid var(--line)}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem .9rem;padding-top:.6rem;padding-bottom:.2rem}
.find{margin-left:auto}.find input{width:13rem;max-width:none;padding:.1rem .6rem}@media screen and (min-width:52rem){.bar{flex-wrap:nowrap}.bar>:is(a,form){flex:none}}
.brand{font-weight:700;color:var(--fg);text-decoration:none}
.project{font-weight:600}
.who{font-size:.85rem}
.project,.who{flex:0 1 auto;max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
nav{display:flex;flex-wrap:wrap;max-width:max(80rem,60vw);margin:0 auto;padding:0 .75rem;gap:0 1.5rem}
nav ul{display:flex;flex-wrap:wrap;list-style:none;gap:0 .2rem;margin:0;padding:0}
@media screen and (min-width:78rem){nav ul{align-items:center}nav ul::before{content:attr(aria-label);color:var(--dim);font-size:.75rem;padding:0 .5rem}}
nav a{display:block;padding:.4rem .5rem;color:var(--fg);text-decoration:none;border-bottom:2px solid transparent}
nav a:hover{border-color:var(--edge)}
nav a[aria-current]{border-color:var(--blue);font-weight:600}
.badge,.tag{display:inline-block;padding:0 .5rem;border-radius:1rem;font-size:.82rem;font-weight:600;white-space:nowrap;background:var(--soft);color:var(--dim);border:1px solid var(--line)}
.tag{font-weight:400;border-radius:.3rem;padding:0 .3rem;white-space:normal}
.passed,.equal{background:var(--greenbg);color:var(--green);border-color:transparent}
.failed,.odd .badge{background:var(--redbg);color:var(--red);border-color:transparent}
.warning,.tolerated{background:var(--yellowbg);color:var(--yellow);border-color:transparent}
.verdict{font-size:.9rem;padding:.1rem .7rem;margin-top:1.6rem}
.verdict+h1{margin-top:.4rem}
.notice{border:1px solid var(--line);border-left:.25rem solid var(--blue);background:var(--soft);padding:.4rem .9rem;margin:1rem 0;border-radius:.3rem}
.notice.done{border-left-color:var(--green)}.notice.refused{border-left-color:var(--red)}.notice.caution{border-left-color:var(--yellow)}
.command{display:flex;align-items:flex-start;gap:.5rem;background:var(--soft);border:1px solid var(--line);border-radius:.4rem;padding:.4rem .4rem .4rem .8rem;margin:.4rem 0}
.command code{flex:1;padding:.15rem 0}
.command .shell::before{content:"$ ";color:var(--dim);user-select:none}
.terminal{margin-top:3rem;border-top:1px solid var(--line)}
.terminal h2{font-size:.9rem;color:var(--dim);margin-top:1rem}
button,input,select{font:inherit;color:var(--fg);background:var(--bg);border:1px solid var(--edge);border-radius:.4rem;padding:.3rem .6rem;max-width:100%}
button{background:var(--soft);cursor:pointer}
button:hover{border-color:var(--fg)}
.command button,td button,.bar button{padding:.1rem .5rem;font-size:.87rem}
button.danger{color:var(--red);border-color:var(--red)}
section form,.narrow form{display:grid;grid-template-columns:minmax(0,1fr);gap:.4rem;max-width:34rem;margin:.6rem 0}
section form button,.narrow form button{justify-self:start;margin-top:.4rem}
section form button,.narrow form button,.primary{background:var(--blue);color:var(--bg);border-color:var(--blue);font-weight:600}
section form button.danger{background:var(--bg);color:var(--red)}
[aria-invalid]{border-color:var(--red)}.problem{color:var(--red);margin:0;flex-basis:100%}.hint{color:var(--dim);font-size:.87rem;margin:0}
fieldset{border:1px solid var(--line);border-radius:.4rem;margin:.3rem 0;padding:.3rem .8rem .6rem;display:grid;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:.1rem 1rem}
.inline,.actions{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem .8rem;margin:.8rem 0}
.inline select,.inline input{min-width:0;flex:0 1 auto}.inline select,.actions select{max-width:min(100%,24rem)}
.inline input:not([size]){width:22rem}
.inline>form,.actions>form{min-width:0;max-width:100%}
td form,.actions form{display:flex;flex-wrap:wrap;align-items:center;gap:.3rem .5rem}
.actions .confirm{padding:.2rem 0}
.actions>a{padding:.3rem 0}.actions>a.primary{padding:.3rem .8rem;border-radius:.4rem;text-decoration:none}
a .tag{color:var(--blue)}
.inline input[type=date]{width:auto}.dates{display:inline-flex;align-items:center;gap:.8rem}
.confirm>summary{color:var(--red);cursor:pointer;width:fit-content;white-space:nowrap;padding:.15rem 0}
.confirm p{font-size:.87rem;max-width:24rem}
.filter{display:flex;gap:.8rem;align-items:center}
.filter input{width:20rem}
.empty{border:1px dashed var(--edge);border-radius:.5rem;padding:1rem;color:var(--dim)}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .7rem;border-top:1px solid var(--line)}
thead th{font-size:.82rem;font-weight:600;color:var(--dim);border-top:0;overflow-wrap:normal}
.fold .list{border:0}
.list{border:1px solid var(--line);border-radius:.5rem;border-collapse:separate;border-spacing:0}
.list thead th{background:var(--soft)}
.list tbody tr:hover{background:var(--soft)}
.list td a{display:inline-block}
time,.at{white-space:nowrap}.at{font-size:.87em}
.list td{line-height:1.6}.list .number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.list td>div{min-width:4.5rem}.list[aria-label=Machines] [data-column=Machine]>div{min-width:9rem}.list [data-column=Key]>div{min-width:6.4rem}.list summary{cursor:pointer}.list a>code{display:block;min-width:min(15rem,28vw)}
@media print,(min-width:60rem){.list[aria-label=Runs] td:is([data-column=Run],[data-column=Machine],[data-column="Failed tests"])>div{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}.list[aria-label=Runs] td:is([data-column=Run],[data-column=Machine],[data-column="Failed tests"]) a{display:inline}.list[aria-label=Runs] td:is([data-column=Run],[data-column=Machine],[data-column="Failed tests"]) a:focus-visible{outline-offset:-2px}}
.detail{display:inline-block;margin-right:.6rem}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,16rem),1fr));gap:.7rem 1.5rem;margin:1rem 0}
dt{color:var(--dim);font-size:.82rem}
dd{margin:0}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:.75rem;margin:1rem 0}
.side{border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;background:var(--soft)}
.side b{margin-right:.5rem}
.causes{padding-left:1.6rem;margin:.5rem 0 1rem;max-width:70rem}
.causes li{padding:.25rem 0 .35rem .2rem}
.causes li::marker{color:var(--dim)}
.causes .what{display:block;font-weight:600;color:var(--fg);text-decoration-color:var(--edge)}
.fold{margin:.8rem 0;border:1px solid var(--line);border-radius:.5rem;overflow:clip}
.fold>summary{cursor:pointer;padding:.5rem .9rem;background:var(--soft)}
.fold>summary h2{display:inline;margin:0 .4rem 0 0;font-size:1rem}
.fold[open]>summary{border-bottom:1px solid var(--line)}
.fold>p{padding:0 .9rem}
.scroll{overflow-x:auto}
.values th{width:40%;font-weight:400}.values p{margin:0;font:.9rem/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}.values tbody tr:first-child>*{border-top:0}.values a{color:inherit;text-decoration:none}.values a:hover{text-decoration:underline}
.diff{table-layout:fixed;min-width:36rem}
.diff th:first-child{width:30%}
.diff th:last-child{width:17%}
.diff tbody th{font-weight:600}
.diff .uncounted th{font-weight:400}
.diff tbody a{color:inherit;text-decoration:none}.diff tbody a:hover{text-decoration:underline}
@media screen and (min-width:52rem){.scroll:has(>.diff){overflow:visible}.diff thead th{position:sticky;top:0;background:var(--bg);box-shadow:inset 0 -1px var(--line);z-index:1}}
.diff .file th{background:var(--soft);font-weight:600}
.diff tr:first-child th,.diff tr:first-child td{border-top:0}
.fold>summary h3{display:inline;margin:0 .4rem 0 0;font-size:1rem}
.event>*{margin-inline:.9rem}.event>summary{margin:0;display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:center}.event>summary::before{content:"▸"}.event[open]>summary::before{content:"▾"}.event .when{margin-left:auto}.event>table{width:calc(100% - 1.8rem);margin-block:.7rem}.event>form{margin-block:.7rem}
h4{font-size:.87rem;margin:.8rem 0 .3rem}
pre{font-size:.82rem;line-height:1.45;background:var(--soft);border:1px solid var(--line);border-radius:.4rem;padding:.5rem .8rem;margin:0;max-height:24rem;overflow:auto;white-space:pre-wrap}
.fold>h3{font-size:.87rem;color:var(--dim);margin:.8rem .9rem .2rem}
.kinds{display:flex;flex-wrap:wrap;border:0;padding:0;margin:.6rem 0;gap:.2rem 1.2rem}
.kinds legend{float:left;margin-right:.4rem;color:var(--dim)}
.kinds label{white-space:nowrap;padding:.1rem 0}
${['changed', 'removed', 'added'].map((kind) => `main:has(.show-${kind}:not(:checked)) tr[data-kind=${kind}]`).join(',')}{display:none}
del,ins{text-decoration:none;border-radius:.2rem;padding:0 .1rem}
del{color:var(--red);background:var(--redbg)}ins{color:var(--green);background:var(--greenbg)}
.major{color:var(--red);font-weight:600}.minor{color:var(--yellow);font-weight:600}
.only{color:var(--dim);font-style:italic}
.matrix{width:auto;min-width:100%;border-collapse:separate;border-spacing:0;font-size:.9rem}
.frame{border:1px solid var(--line);border-radius:.5rem;max-height:85vh;overflow:auto}
.matrix td,.matrix thead th{min-width:7.25rem;max-width:18rem;padding-inline:.5rem;overflow-wrap:anywhere}
.matrix thead .dim{font-weight:400}
.matrix thead th{position:sticky;top:0;background:var(--soft);z-index:1;border-bottom:1px solid var(--line);color:var(--fg)}
.matrix tbody tr:first-child>*{border-top:0}
.matrix tbody th,.matrix thead th:first-child{position:sticky;left:0;background:var(--bg);z-index:1;border-right:1px solid var(--line);min-width:min(14rem,40vw);max-width:16rem;font-weight:400}
.matrix thead th:first-child{z-index:2;background:var(--soft)}
.matrix td.same{color:var(--dim)}
.matrix td.odd{background:var(--redbg)}
.matrix td.split{background:var(--yellowbg)}
.matrix .stale{color:var(--dim);background:var(--soft)}
.matrix td.stale.odd{background:var(--redbg)}
.timeline{display:block;min-width:56rem;width:100%;height:auto}
.timeline text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:var(--fg)}
.timeline .label{font-weight:600}.timeline .end{display:none}
.timeline .tick{fill:var(--dim);font-size:11px}
.timeline .grid{stroke:var(--line)}
.timeline .span{stroke:var(--bg);stroke-width:2}
.v0{fill:#b6d7ff}.v1{fill:#ffd8a8}.v2{fill:#d3c6f7}.v3{fill:#b7ebc0}.v4{fill:#ffc9de}.v5{fill:#cfe8ea}
.timeline .none{fill:var(--soft);stroke:var(--edge);stroke-dasharray:4 3;stroke-width:1}
.timeline .in{fill:#1b1f24}.timeline .none~.in{fill:var(--dim)}
.pass{fill:var(--green)}.fail{stroke:var(--red);stroke-width:2.6;fill:none}
.key-line{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;font-size:.87rem;color:var(--dim)}
.key-line svg{width:1rem;height:1rem;vertical-align:-.15rem}
meter.of-failed::-webkit-meter-optimum-value{background:var(--red)}meter.of-failed::-moz-meter-bar{background:var(--red)}meter.of-passed::-webkit-meter-optimum-value{background:var(--green)}meter.of-passed::-moz-meter-bar{background:var(--green)}
meter{width:7rem;max-width:100%;vertical-align:middle}
.numbers{white-space:nowrap;font-variant-numeric:tabular-nums}
.next code:not(.shell){font:inherit}.next{border-left:.25rem solid var(--blue);background:var(--bluebg);padding:.5rem .9rem;margin:1rem 0;border-radius:.3rem}
.steps{padding-left:1.4rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.health{border:1px solid var(--line);border-radius:.5rem;padding:.6rem .9rem;margin:.6rem 0}
.health h3{font-size:1rem;margin:0}.health h3 a{color:inherit;text-decoration:none}.health h3 a:hover{text-decoration:underline}.health p{margin:.2rem 0}
.strip{display:flex;flex-wrap:wrap;list-style:none;gap:.25rem;margin:.5rem 0;padding:0}
.mark{display:block;width:1.5rem;height:1.5rem;border-radius:.25rem;text-align:center;line-height:1.5rem;font-size:.8rem;font-weight:700;text-decoration:none;position:relative}
.mark.passed{color:var(--green)}.mark.failed{color:var(--red);box-shadow:inset 0 0 0 1px var(--red)}.mark:hover{box-shadow:inset 0 0 0 2px currentColor}
.quotas{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,10.5rem),1fr));gap:.8rem 1.5rem;margin:.8rem 0}
.used{display:grid;font-size:.9rem}.used meter{width:100%}.used .numbers{color:var(--dim)}
meter.full::-webkit-meter-optimum-value{background:var(--red)}meter.full::-moz-meter-bar{background:var(--red)}meter.tight::-webkit-meter-optimum-value{background:var(--yellow)}meter.tight::-moz-meter-bar{background:var(--yellow)}meter.roomy::-webkit-meter-optimum-value{background:var(--blue)}meter.roomy::-moz-meter-bar{background:var(--blue)}
.bars{margin:.8rem 0}.bars svg{display:block;width:100%;height:8rem;border:solid var(--line);border-width:1px 0}.bar-total{fill:var(--blue)}.bar-failed{fill:var(--red)}
.most,.axis{color:var(--dim);font-size:.82rem;font-variant-numeric:tabular-nums}.axis{display:flex;justify-content:space-between;margin:.2rem 0}
.heat{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}.heat text{fill:var(--fg)}.heat .most{fill:var(--line)}.heat .v1{fill:var(--red)}.heat .v2{fill:var(--yellow)}.heat .v3{fill:var(--blue)}.heat .v4{fill:var(--green)}.heat .v5{fill:var(--fg)}.heat .none{fill:none;stroke:var(--line)}
.pick{display:inline-block;padding:0 .35rem 0 0;white-space:nowrap}.pick input{margin:0 .2rem;vertical-align:-.1em}
@media screen and (min-width:52rem){.filter:has(+form){float:left;margin:0 .8rem 0 0}.filter+form>.actions{margin-top:0}.filter+form .list{clear:both}.list [data-column="What changed"]{width:55%}}
.plain{list-style:none;padding:0;margin:.4rem 0}.plain li{padding:.2rem 0}
textarea{font:inherit;color:var(--fg);background:var(--bg);border:1px solid var(--edge);border-radius:.4rem;padding:.3rem .6rem;max-width:100%}
footer{border-top:1px solid var(--line);margin-top:3rem;padding-top:1rem;color:var(--dim);font-size:.87rem}
@media screen and (max-width:60rem){.timeline .label{display:none}.timeline .end{display:block}}
@media screen and (max-width:59.9rem){${picks},${picks} tbody{display:block}${picks} thead{position:absolute;left:-99rem}${picks} tr{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .6rem;padding:.4rem .6rem;border-top:1px solid var(--line)}${picks} tbody tr:first-child{border-top:0}
${picks} td{border:0;padding:0;max-width:100%}${picks} td:has(>div:empty){display:none}${picks} td>div{min-width:0!important}${picks} td a{display:inline}${picks} [data-column="What changed"]{width:auto}${picks} td:is([data-column=Machine],[data-column=Commit])>div{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
[aria-label=Runs] [data-column=Run],[aria-label=Machines] :is([data-column=Machine],[data-column="What changed"]){flex:1 1 0;min-width:60%}[aria-label=Runs] [data-column=Machine]{max-width:36%!important}[aria-label=Runs] [data-column=Commit]{max-width:26%!important}:is([data-column=Commit],[data-column=Machine]) wbr{display:none}:is([data-column="Failed tests"],[data-column=Stored]~[data-column="What changed"]){flex-basis:100%}[data-column="Failed tests"] code{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}.list [data-column=Snapshots]>div::after{content:" snapshots"}[aria-label=Machines] [data-column=State]{flex:none}}
@media screen and (max-width:51.9rem){main,.bar{padding-left:.9rem;padding-right:.9rem}.find{order:2;flex:1 0 100%;margin:0}.project{flex:1 1 0;min-width:5rem}.find input{width:100%}nav{padding:0 .4rem;gap:0}nav ul{gap:0}nav a{padding:.25rem .36rem;font-size:.95em}.who{order:3;flex-basis:100%}
${others},${others} :is(tbody,tr){display:block}${others} thead{position:absolute;left:-99rem}${others} tr{padding:.4rem .2rem;border-top:1px solid var(--line)}${others} tbody tr:first-child{border-top:0}${others} td{display:grid;grid-template-columns:6.5rem minmax(0,1fr);gap:.5rem;border:0;padding:.15rem .6rem}${others} td:has(>div:empty){display:none}${others} td>div{min-width:0}${others} td::before{content:attr(data-column);color:var(--dim);font-size:.82rem}.list .number{text-align:left}.list a>code{min-width:0}
form.inline{display:grid;grid-template-columns:fit-content(6.5rem) minmax(0,1fr)}form.inline>:is(input,select){width:100%}form.inline>button{grid-column:2;justify-self:start}form.inline[role=search]{display:block}form.inline[role=search]>button{margin-top:.5rem}form.inline>:is(.dim,a){grid-column:1/3}.dates{display:contents}.dates input{width:100%!important}
.diff,.diff tbody,.diff tr,.diff th,.diff td{display:block}.diff{min-width:0}.diff thead{position:absolute;left:-99rem}.diff tbody th:first-child{width:auto;border:0;padding-bottom:0}.diff tr{border-top:1px solid var(--line);padding:.2rem 0}.diff tbody:first-of-type tr:first-child{border-top:0}.diff td{border:0;padding:.1rem .7rem}.diff td:nth-child(2)::before{content:"A  ";color:var(--dim)}.diff td:nth-child(3)::before{content:"B  ";color:var(--dim)}}
@page wide{size:landscape}
@media print{body:has(main.wide){page:wide}.list td>div,.list td:first-child>div{min-width:2.9rem!important}.list,.diff,.values,.matrix{font-size:9pt}:is(.list,.diff,.values,.matrix) :is(td,th){padding:.2rem .4rem}:root{color-scheme:light}.top nav,button,.filter,.kinds,.inline,.actions,td form,.confirm,.list:has(.pick) tr>:first-child,section:has(>form),.skip,.terminal{display:none!important}details.fold{break-inside:auto}.timeline{min-width:0}.frame{max-height:none;overflow:visible}.matrix td,.matrix th{min-width:2.7rem!important}body{font-size:11pt}a{color:inherit}time:has(+.dim>.at){display:none}
time[title]:not(.at){font-size:0}time[title]:not(.at)::after{font-size:9pt;content:attr(title)}time[data-local]:not(.at)::after{content:attr(data-local)}
h2{margin-top:1rem}.bars svg{height:3rem}.fold{margin:.15rem 0}.fold>summary{padding:.05rem .6rem}.event,.event h3{font-size:9pt}.event pre{font-size:7pt;max-height:14rem;overflow:hidden}
.find,.bar>a:not(.brand),td[data-column=Explain],table:has([data-column=Explain]) th:last-child{display:none}
.list tr:nth-child(n+31),.diff tr:nth-child(n+26),.matrix tbody tr:nth-child(n+25),.matrix tr>:nth-child(n+13),.event:nth-of-type(n+31),.matrix th .dim{display:none}
:is(.list:has(tbody>:nth-child(31)),.diff:has(tbody>:nth-child(26)),.matrix:has(tbody>:nth-child(25)))::after{content:"Not all of the " attr(data-rows) " rows are printed.";display:table-caption;caption-side:bottom;padding:.3rem;color:var(--dim)}
main:has(.event:nth-of-type(31))::after{content:"Not all events are printed.";color:var(--dim)}
.list [data-column="What changed"] a{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}.list[aria-label=Machines] :is([data-column="What changed"],[data-column=Machine]) a{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:1;overflow:hidden}.list[aria-label=Machines] [data-column=Machine]>div{min-width:8rem!important}.list [data-column="What changed"]{width:40%}.heat{max-width:100%;height:auto}.matrix .badge{padding:0 .2rem}.mark{width:1.1rem;height:1.1rem;line-height:1.1rem}.health{padding:.3rem .6rem}}
`.trim();
