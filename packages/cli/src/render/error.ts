// A failure for a person: what happened, which fields are wrong, what to do.

import { visible } from '@envsnap/shared/text/visible';
import type { ErrorReport } from '../errors/error-report.ts';
import type { Screen } from '../terminal/terminal.ts';
import { wrapWords } from './layout/wrap-words.ts';

export function renderError(report: ErrorReport, screen: Screen): string {
  // Several problems come as one message of several lines.
  const [first = '', ...others] = report.message.split('\n').map(visible);
  const message = [`Error: ${first}`, ...others]
    .flatMap((line) => wrapWords(line, screen.columns))
    .join('\n');
  const lines = [`${screen.paint(['red', 'bold'], 'Error:')}${message.slice('Error:'.length)}`];
  for (const detail of report.details ?? []) {
    // The SDK's message may name the fields already.
    if (!report.message.includes(detail.message))
      lines.push(`  ${visible(detail.path)}: ${visible(detail.message)}`);
  }
  if (report.requestId && report.status && report.status >= 500) {
    lines.push(screen.paint('dim', `  request ${visible(report.requestId)}`));
  }
  for (const line of report.hint?.split('\n') ?? []) lines.push(...wrapWords(visible(line), screen.columns));
  return `${lines.join('\n')}\n`;
}
