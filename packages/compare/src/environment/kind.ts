// Looks up the rows of the catalogues for an address.

import type { Address } from '@envsnap/shared/address';
import type { CauseFamily } from '@envsnap/shared/catalogue/cause-family';
import { type Ecosystem, ecosystemOfFile, ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import type { FactApplier, FactRow } from '@envsnap/shared/catalogue/facts/fact';
import { factRow } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { systemFactRow } from '@envsnap/shared/catalogue/facts/system';
import { toolRow } from '@envsnap/shared/catalogue/tools';
import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { isDotenvVariable } from './dotenv-variable.ts';

/** How values are ordered: as versions by their ecosystem's rules, as numbers, or not at all. */
export type ValueOrder = { readonly versionsOf: Ecosystem } | 'numbers' | 'none';

export interface Kind {
  readonly fact?: FactRow | undefined;
  readonly order: ValueOrder;
  readonly family?: CauseFamily | undefined;
  readonly comesWith?: string | undefined;
  readonly apply?: FactApplier | undefined;
}

const versions = (ecosystem: Ecosystem): ValueOrder => ({ versionsOf: ecosystem });

/** What the catalogues know about an address. Unknown names have an order too. */
export function kindOf({ section, name }: Address): Kind {
  switch (section) {
    case 'system':
    case 'facts': {
      const fact = factRowOf(section, name);
      return {
        fact,
        order: section === 'system' ? versions('generic') : factOrder(fact),
        family: fact?.family,
        comesWith: fact?.follows,
        apply: fact?.apply,
      };
    }
    case 'runtimes':
      return { order: versions(ecosystemOfRuntime(name)), comesWith: toolRow(name)?.comesWith };
    case 'toolchain':
      return { order: versions(ecosystemOfRuntime(name.split(' (')[0] ?? name)) };
    case 'dependencies':
    case 'installed':
      return { order: versions(ecosystemOfPackage(name)) };
    case 'env': {
      // A line of a dotenv file is not a variable of the process.
      const row = isDotenvVariable(name) ? undefined : describeVariable(name);
      return { order: 'none', family: row?.family, comesWith: row?.follows, apply: { by: 'variable', name } };
    }
    default:
      return { order: 'none' };
  }
}

export function factRowOf(section: string, name: string): FactRow | undefined {
  if (section === 'system') return systemFactRow(name);
  return section === 'facts' ? factRow(name) : undefined;
}

function factOrder(row: FactRow | undefined): ValueOrder {
  if (row?.kind === 'number' || row?.kind === 'limit') return 'numbers';
  return row?.kind === 'version' ? versions('generic') : 'none';
}

/** Only the snapshot knows where the file ends: at the first part that has the name of a format. */
function ecosystemOfPackage(joined: string): Ecosystem {
  for (const part of joined.split('/')) {
    const ecosystem = ecosystemOfFile(part);
    if (ecosystem !== 'generic') return ecosystem;
  }
  return 'generic';
}
