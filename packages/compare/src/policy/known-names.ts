// Names that a policy can use. A misspelt tool or fact would silently match nothing.

import type { SectionName } from '@envsnap/shared/address';
import { factNames } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { toolNames } from '@envsnap/shared/catalogue/tools';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import systemNames from './system-names.json' with { type: 'json' };

/** A suggestion for a pattern that matches nothing; undefined if it can match. Unknown tools are accepted, because
 * other programs make snapshots too; only probable typing mistakes are reported. */
export function suggestName(section: SectionName, pattern: string): string | undefined {
  if (/[*?{}[\]!]/.test(pattern)) return undefined;
  const known: readonly string[] | undefined =
    section === 'runtimes' ? toolNames : section === 'facts' ? factNames : undefined;
  if (!known || known.includes(pattern)) return undefined;
  return nearestName(pattern, [...known]);
}

const operatingSystems: Readonly<Record<string, string>> = systemNames;

export function operatingSystemMeant(name: string): string | undefined {
  return operatingSystems[name.toLowerCase()];
}
