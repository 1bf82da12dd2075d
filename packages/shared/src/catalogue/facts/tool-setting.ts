// What rows about the configuration of tools share.

import type { Ecosystem } from '../ecosystem.ts';
import type { FactApplier, FactRow } from './fact.ts';

export const settingOnly = 'The setting, nothing else of the configuration.';
export const addresses = {
  reveals: 'Host and path of the addresses, never a user, password or token.',
  namesHosts: true,
} as const;

/** A setting of a file, for projects of some ecosystems; `variable` names the one that goes before it. */
export const from = (
  file: string,
  ecosystems: readonly Ecosystem[],
  variable?: string,
): Pick<FactRow, 'read' | 'counts' | 'ecosystems' | 'apply' | 'reveals'> => {
  const apply: FactApplier | undefined = variable ? { by: 'variable', name: variable } : undefined;
  return {
    read: { linux: file, macos: file, windows: file },
    counts: 'always',
    ecosystems,
    ...(apply && { apply }),
    reveals: settingOnly,
  };
};
