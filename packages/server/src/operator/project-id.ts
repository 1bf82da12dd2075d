// The argument PROJECT_ID of the operator's commands.

import { StartupError } from '../infra/app-error.ts';

/** The id in lower case. Errors: StartupError. */
export function parseProjectId(text: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new StartupError('PROJECT_ID must be a UUID, as project list shows it');
}
