// The formats of a comparison by name. Each renderer is loaded on first use.

import type { ComparisonReport } from '@envsnap/compare/workspace';
import { jsonText } from '@envsnap/shared/text/visible';
import { version } from '../../program.ts';
import { addToGithubSummary } from '../../terminal/github-summary.ts';
import type { Screen } from '../../terminal/terminal.ts';

export const comparisonFormats = [
  'table',
  'json',
  'markdown',
  'html',
  'junit',
  'sarif',
  'github',
  'agent',
] as const;
export type ComparisonFormat = (typeof comparisonFormats)[number];

/** Renders a report. For `github`, the summary is added to the step summary if GitHub names a file for it. */
export async function formatComparison(
  format: ComparisonFormat,
  report: ComparisonReport,
  options: { readonly screen: Screen; readonly all: boolean; readonly found?: string | undefined },
): Promise<string> {
  switch (format) {
    case 'table': {
      const { renderComparison } = await import('./comparison-table.ts');
      return renderComparison(report, options.screen, options);
    }
    case 'json': {
      const { comparisonToDocument } = await import('@envsnap/compare/formats/json');
      return `${jsonText(comparisonToDocument(report))}\n`;
    }
    case 'markdown': {
      const { renderMarkdown } = await import('@envsnap/compare/formats/markdown');
      return renderMarkdown(report);
    }
    case 'html': {
      const { renderComparisonFile } = await import('@envsnap/console/comparison-file');
      return renderComparisonFile(report, { all: options.all, madeAt: new Date() });
    }
    case 'junit': {
      const { renderJunit } = await import('@envsnap/compare/formats/junit');
      return renderJunit(report);
    }
    case 'sarif': {
      const { renderSarif } = await import('@envsnap/compare/formats/sarif');
      return renderSarif(report, version);
    }
    case 'agent': {
      const { renderAgent } = await import('@envsnap/compare/formats/agent');
      return renderAgent(report);
    }
    case 'github': {
      const { renderGithubAnnotations, renderGithubSummary } = await import(
        '@envsnap/compare/formats/github'
      );
      await addToGithubSummary(renderGithubSummary(report));
      return renderGithubAnnotations(report);
    }
  }
}
