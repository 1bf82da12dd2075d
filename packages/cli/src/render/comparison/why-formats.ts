// The formats of a diagnosis by name. Each renderer is loaded when it is asked for.

import type { Diagnosis } from '@envsnap/compare/diagnosis';
import { jsonText } from '@envsnap/shared/text/visible';
import { addToGithubSummary } from '../../terminal/github-summary.ts';
import type { Screen } from '../../terminal/terminal.ts';

/** What `--format` takes. */
export const whyFormats = ['table', 'json', 'markdown', 'html', 'github', 'agent'] as const;
export type WhyFormat = (typeof whyFormats)[number];

/** Renders a diagnosis. For `github`, the summary is added to the step summary where GitHub names its file. */
export async function formatWhy(format: WhyFormat, diagnosis: Diagnosis, screen: Screen): Promise<string> {
  if (format === 'json') return `${jsonText(diagnosis)}\n`;
  if (format === 'agent') {
    const { renderAgentDiagnosis } = await import('@envsnap/compare/formats/agent');
    return renderAgentDiagnosis(diagnosis);
  }
  if (format === 'table') {
    const { renderWhy } = await import('./why.ts');
    return renderWhy(diagnosis, screen);
  }
  const formats = await import('@envsnap/compare/workspace/formats/diagnosis');
  if (format === 'markdown') return formats.renderDiagnosisMarkdown(diagnosis);
  if (format === 'html') return formats.renderDiagnosisHtml(diagnosis);
  await addToGithubSummary(formats.renderDiagnosisMarkdown(diagnosis));
  return formats.renderDiagnosisAnnotations(diagnosis);
}
