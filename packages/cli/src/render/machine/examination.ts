// The findings of doctor, one a line, with advice below what is wrong.

import { visible } from '@envsnap/shared/text/visible';
import type { Check } from '../../documents/machine-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';

/** Renders checks. */
export function renderDiagnosis(checks: readonly Check[], screen: Screen): string {
  const marks: Record<Check['state'], string> = {
    ok: screen.paint('green', '✓'),
    warning: screen.paint('yellow', '!'),
    failed: screen.paint('red', '✗'),
    skipped: screen.paint('dim', '-'),
  };
  const width = Math.max(...checks.map((check) => check.name.length));
  return checks
    .flatMap((check) => [
      `${marks[check.state]} ${check.name.padEnd(width)}  ${visible(check.message)}`,
      ...(check.hint === undefined
        ? []
        : [`  ${' '.repeat(width)}  ${screen.paint('dim', visible(check.hint))}`]),
    ])
    .join('\n')
    .concat('\n');
}
