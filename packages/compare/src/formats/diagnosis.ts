// A diagnosis as Markdown, as one HTML file, and as annotations of a GitHub job.

import { counted } from '@envsnap/shared/text/size';
import { escapeMarkup } from '@envsnap/shared/text/visible';
import { type Diagnosis, type Finding, findingLimit } from '../diagnosis/model.ts';
import { tellRate } from '../diagnosis/tell.ts';
import { command } from './github.ts';
import { code, text } from './markdown.ts';

const keysListed = 20;

export function renderDiagnosisMarkdown(diagnosis: Diagnosis): string {
  const { findings, suggestion, notes } = diagnosis;
  const rows = findings.map(
    (finding) =>
      `| ${[text(finding.what), text(remark(finding, findings)), finding.pValue.toPrecision(2), tellRate(finding.qValue)].join(' | ')} |`,
  );
  const groups = findings
    .filter(({ keys }) => keys.length > 1)
    .map(({ keys }) => {
      const more = keys.length > keysListed ? ` and ${keys.length - keysListed} more` : '';
      return `<details><summary>${counted(keys.length, 'key')} that cannot be told apart</summary>\n\n${keys.slice(0, keysListed).map(code).join(', ')}${more}\n\n</details>`;
    });
  const blocks = [
    `### envsnap: ${text(titleOf(diagnosis))}`,
    rows.length > 0 ? ['| what | with it | p | q |', '|---|---|---|---|', ...rows].join('\n') : '',
    ...groups,
    suggestion === null ? '' : `**Next:** ${text(suggestion)}`,
    notes.map((note) => `> ${text(note.message)}`).join('\n>\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

export function renderDiagnosisHtml(diagnosis: Diagnosis): string {
  const { findings, suggestion, notes } = diagnosis;
  const rows = findings.map((finding) => {
    const cells = [
      finding.what,
      remark(finding, findings),
      finding.pValue.toPrecision(2),
      tellRate(finding.qValue),
    ];
    return `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join('')}</tr>`;
  });
  const title = escapeMarkup(titleOf(diagnosis));
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>envsnap: ${title}</title>`,
    '<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}',
    'table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.4rem .8rem;border-top:1px solid color-mix(in srgb,currentColor 25%,transparent)}td{overflow-wrap:anywhere}</style>',
    `</head><body><h1>${title}</h1>`,
    rows.length > 0
      ? `<table><tr><th>What</th><th>With it</th><th>p</th><th>q</th></tr>${rows.join('\n')}</table>`
      : '',
    suggestion === null ? '' : `<p><strong>Next:</strong> ${escapeMarkup(suggestion)}</p>`,
    ...notes.map((note) => `<p>${escapeMarkup(note.message)}</p>`),
    '</body></html>',
    '',
  ]
    .filter((line, index, all) => line !== '' || index === all.length - 1)
    .join('\n');
}

export function renderDiagnosisAnnotations(diagnosis: Diagnosis): string {
  const { findings, suggestion, notes } = diagnosis;
  const title = { title: 'envsnap why' };
  const real = findings.filter(({ qValue }) => qValue <= findingLimit);
  const told = real.slice(0, 3).map((finding, place) => {
    const message = `${finding.what} (${tellRate(finding.qValue)})${finding.together ? `; ${finding.together}` : ''}`;
    return command(place === 0 ? 'error' : 'notice', title, message);
  });
  const lines = [
    ...(told.length > 0 ? told : [command('notice', title, titleOf(diagnosis))]),
    ...(suggestion === null ? [] : [command('notice', title, suggestion)]),
    ...notes.map((note) => command('notice', title, note.message)),
  ];
  return `${lines.join('\n')}\n`;
}

function titleOf({ runs, findings }: Diagnosis): string {
  const looked = `${counted(runs.failed, 'failing run')} against ${counted(runs.passed, 'passing run')}`;
  const real = findings.filter(({ qValue }) => qValue <= findingLimit).length;
  return real === 0 ? `nothing separates ${looked} for certain` : `${counted(real, 'finding')} in ${looked}`;
}

function remark(finding: Finding, findings: readonly Finding[]): string {
  const parts = finding.together === null ? [] : [finding.together];
  if (finding.explainedBy !== null)
    parts.push(`explained by ${findings[finding.explainedBy]?.keys[0] ?? ''}`);
  if (finding.qValue > findingLimit) parts.push('a lead only: may be chance');
  return parts.join('; ');
}
