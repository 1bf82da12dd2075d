// The warnings of a capture, apart from the rest of its rendering: a capture with --json needs nothing else.

import type { CaptureReport } from '@envsnap/capture';
import { visible } from '@envsnap/shared/text/visible';
import type { Screen } from '../../terminal/terminal.ts';

/**
 * The warnings of a capture, one a line, for standard error; empty when there is none. With `most`, a terminal shows that
 * many and the number of the others.
 */
export function renderWarnings(
  { warnings }: CaptureReport,
  screen: Screen,
  most = Number.POSITIVE_INFINITY,
): string {
  const shown = screen.interactive ? warnings.slice(0, most) : warnings;
  const lines = shown.map(
    (warning) => `${screen.paint('yellow', 'Warning:')} ${visible(warningText(warning))}`,
  );
  const more = warnings.length - shown.length;
  if (more > 0) lines.push(screen.paint('dim', `${more} more: envsnap capture --dry-run shows all`));
  return lines.join('\n');
}

function warningText(warning: CaptureReport['warnings'][number]): string {
  const { file, line, column, message } = warning;
  if (file === undefined) return message;
  const position = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`;
  return message.includes(file)
    ? message.replace(file, () => `${file}${position}`)
    : `${file}${position}: ${message}`;
}
