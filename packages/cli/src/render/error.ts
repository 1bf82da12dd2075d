// A failure for a person: what happened, which fields are wrong, what to do.

import type { ErrorReport } from '../error-report.ts';
import { type Screen, visible } from '../terminal.ts';

/** Renders a failure. */
export function renderError(report: ErrorReport, screen: Screen): string {
  const lines = [`${screen.paint(['red', 'bold'], 'Error:')} ${visible(report.message)}`];
  for (const detail of report.details ?? []) {
    // The SDK's message may name the fields already.
    if (!report.message.includes(detail.message))
      lines.push(`  ${visible(detail.path)}: ${visible(detail.message)}`);
  }
  if (report.requestId && report.status && report.status >= 500) {
    lines.push(screen.paint('dim', `  request ${visible(report.requestId)}`));
  }
  for (const line of report.hint?.split('\n') ?? []) lines.push(visible(line));
  return `${lines.join('\n')}\n`;
}
