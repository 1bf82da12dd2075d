// Arguments and flags of the operator's commands.

import { StartupError } from '../infra/app-error.ts';

/** The id in lower case. Errors: StartupError. */
export function parseProjectId(text: string): string {
  return parseId(text, 'PROJECT_ID must be a UUID, as project list shows it');
}

/** The id of a key in lower case. Errors: StartupError. */
export function parseKeyId(text: string): string {
  return parseId(text, 'KEY_ID must be a UUID, as project show and audit show it');
}

function parseId(text: string, mistake: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new StartupError(mistake);
}

/** The whole number that a flag was given. Errors: StartupError. */
export function parseNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new StartupError(`${flag} must be a whole number from ${least} to ${most}`);
}
