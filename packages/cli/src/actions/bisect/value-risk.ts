// What the value of a variable can do besides being read.

import path from 'node:path';
import { codeRisk } from '@envsnap/shared/catalogue/variables/code-variables';
import { isOwnPlace } from '../own-place.ts';

/** Whether a name is that of `PATH`, in any case as on Windows. */
export function isSearchPath(name: string): boolean {
  return name.toUpperCase() === 'PATH';
}

/** What a stored value of a variable, or an entry of its list, can do besides being read; undefined for an ordinary one. */
export function valueRisk(name: string, text: string): string | undefined {
  const risk = codeRisk(name, text);
  if (risk !== undefined || !isSearchPath(name)) return risk;
  return text.split(path.delimiter).every(isOwnPlace)
    ? undefined
    : 'start programs of a folder that is not yours';
}
