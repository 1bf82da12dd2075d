// A failure for a person: what happened, which fields are wrong, what to do.

import { visible } from '@envsnap/shared/text/visible';
import type { ErrorReport } from '../errors/error-report.ts';
import type { Screen } from '../terminal/terminal.ts';
import { wrapLines } from './layout/wrap-words.ts';

export function renderError(report: ErrorReport, screen: Screen): string {
  const lines = [
    `${screen.paint(['red', 'bold'], 'Error:')} ${report.message.split('\n').map(visible).join('\n')}`,
    // The SDK's message may name the fields already.
    ...(report.details ?? []).flatMap(({ path, message }) =>
      report.message.includes(message) ? [] : [`  ${visible(path)}: ${visible(message)}`],
    ),
  ];
  if (report.requestId && report.status && report.status >= 500)
    lines.push(screen.paint('dim', `  request ${visible(report.requestId)}`));
  lines.push(...(report.hint?.split('\n') ?? []).map(visible));
  return wrapLines(`${lines.join('\n')}\n`, screen.columns);
}
