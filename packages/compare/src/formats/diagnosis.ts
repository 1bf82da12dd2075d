// A diagnosis as Markdown, and as annotations of a GitHub job.

import { counted } from '@envsnap/shared/text/size';
import { rateText } from '../diagnosis/finding-text.ts';
import { type Diagnosis, type Finding, findingLimit } from '../diagnosis/model.ts';
import { command } from './github.ts';
import { code, text } from './markdown.ts';

const keysListed = 20;

export function renderDiagnosisMarkdown(diagnosis: Diagnosis): string {
  const { findings, suggestion, notes } = diagnosis;
  const rows = findings.map(
    (finding) =>
      `| ${[text(finding.what), text(remark(finding, findings)), finding.pValue.toPrecision(2), rateText(finding.qValue)].join(' | ')} |`,
  );
  const groups = findings
    .filter(({ keys }) => keys.length > 1)
    .map(({ keys }) => {
      const more = keys.length > keysListed ? ` and ${keys.length - keysListed} more` : '';
      return `<details><summary>${counted(keys.length, 'key')} that these runs cannot tell apart</summary>\n\n${keys.slice(0, keysListed).map(code).join(', ')}${more}\n\n</details>`;
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

export function renderDiagnosisAnnotations(diagnosis: Diagnosis): string {
  const { findings, suggestion, notes } = diagnosis;
  const title = { title: 'envsnap why' };
  const real = findings.filter(({ qValue }) => qValue <= findingLimit);
  const annotations = real.slice(0, 3).map((finding, place) => {
    const message = `${finding.what} (${rateText(finding.qValue)})${finding.together ? `; ${finding.together}` : ''}`;
    return command(place === 0 ? 'error' : 'notice', title, message);
  });
  const lines = [
    ...(annotations.length > 0 ? annotations : [command('notice', title, titleOf(diagnosis))]),
    ...(suggestion === null ? [] : [command('notice', title, suggestion)]),
    ...notes.map((note) => command('notice', title, note.message)),
  ];
  return `${lines.join('\n')}\n`;
}

function titleOf({ runs, findings }: Diagnosis): string {
  const looked = `${counted(runs.failed, 'failing run')} against ${counted(runs.passed, 'passing run')}`;
  const real = findings.filter(({ qValue }) => qValue <= findingLimit).length;
  return real === 0 ? `nothing clearly separates ${looked}` : `${counted(real, 'finding')} in ${looked}`;
}

function remark(finding: Finding, findings: readonly Finding[]): string {
  const parts = finding.together === null ? [] : [finding.together];
  if (finding.explainedBy !== null)
    parts.push(`explained by ${findings[finding.explainedBy]?.keys[0] ?? ''}`);
  if (finding.qValue > findingLimit) parts.push('only a lead: may be due to chance');
  return parts.join('; ');
}
