// What rows about the configuration of tools share.

import type { Ecosystem } from '../ecosystem.ts';
import type { FactKind } from './fact.ts';
import { everywhere, type FactWay, type SettingsTool } from './origin.ts';

export const settingOnly = 'The setting, nothing else of the configuration.';
export const addresses = {
  reveals: 'Host and path of the addresses, never a user, password or token.',
  namesHosts: true,
} as const;

/** A setting of projects of some ecosystems; `variable` names the one that goes before it. */
export const from = <Way extends FactWay>(way: Way, ecosystems: readonly Ecosystem[], variable?: string) => ({
  read: everywhere(way),
  counts: 'always' as const,
  ecosystems,
  ...(variable !== undefined && { apply: { by: 'variable', name: variable } as const }),
  reveals: settingOnly,
});

/** Settings of one tool for projects of some ecosystems, by their names. */
export const settingsOf =
  (of: SettingsTool, ecosystems: readonly Ecosystem[]) => (names: string, variable?: string) =>
    from({ from: 'setting', of, names: names.split(' ') } as const, ecosystems, variable);

/** The same for an address, of which host and path are recorded. */
export const addressSetting =
  (of: SettingsTool, ecosystems: readonly Ecosystem[], kind: FactKind = 'text') =>
  (names: string, variable?: string) => ({
    ...from({ from: 'setting', of, names: names.split(' '), take: 'address' } as const, ecosystems, variable),
    kind,
    weight: 'likely' as const,
    ...addresses,
  });
