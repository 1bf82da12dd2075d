// Facts that captures hold in `metadata.system`, `metadata.locale`, `metadata.timezone` and `metadata.shell`. Their names are
// the keys of the comparison's section `system`.

import type { FactRow } from './fact.ts';
import { factTable } from './fact-table.ts';
import rows from './system.json' with { type: 'json' };

export const systemFactCatalogue = factTable(rows);

/** The row of a key of the section `system`; older captures call the distribution `distro`, and name parts of it. */
export function systemFactRow(key: string): FactRow | undefined {
  const first = key.split('.', 1)[0] as string;
  const name = first === 'distro' ? 'distribution' : first;
  return [key, name].flatMap((each) =>
    Object.hasOwn(systemFactCatalogue, each) ? [systemFactCatalogue[each]] : [],
  )[0];
}
