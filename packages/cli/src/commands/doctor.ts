// envsnap doctor

import { visible } from '@envsnap/shared/text/visible';
import { examine } from '../actions/examine.ts';
import { BaseCommand } from '../base-command.ts';
import type { Check } from '../documents/machine-documents.ts';
import { connectionFlags } from '../flags.ts';
import type { Screen } from '../terminal/terminal.ts';

export default class Doctor extends BaseCommand {
  static override summary = 'Check settings, server, key and clock, and say how to fix what is wrong.';
  static override description =
    'Where Node.js itself does not start (NODE_OPTIONS with a file that is missing, a broken OPENSSL_CONF, a foreign ' +
    'library in LD_LIBRARY_PATH), the npm package cannot start either. The executable of envsnap does: docs/install.md.';
  static override flags = { ...connectionFlags };

  override async run(): Promise<{ ok: boolean; checks: Check[] }> {
    const { flags } = await this.parse(Doctor);
    const { ok, checks, exitCode } = await examine(flags);
    if (!ok) this.endWith(exitCode);
    this.print(renderDiagnosis(checks, this.screen));
    return { ok, checks };
  }
}

/** Renders checks. */
function renderDiagnosis(checks: readonly Check[], screen: Screen): string {
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
