// What init did, and what comes next.

import { visible } from '@envsnap/shared/text/visible';
import type { InitResult } from '../../documents/settings-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { renderFields } from '../layout/table.ts';

/** Renders the outcome of init. */
export function renderInit(result: InitResult, configFile: string, screen: Screen): string {
  const done = result.created ? 'Made project' : 'Saved a key of project';
  return [
    `${screen.paint('green', '✓')} ${done} ${screen.paint('bold', visible(result.projectName))}`,
    '',
    renderFields(
      [
        ['server', result.baseUrl],
        ['project', result.projectId],
        ['role', result.role],
        ['profile', result.profile],
        ['saved in', configFile],
      ],
      screen,
    ),
    `Next: ${screen.paint('cyan', 'envsnap capture')} stores a snapshot of this machine.`,
  ].join('\n');
}
