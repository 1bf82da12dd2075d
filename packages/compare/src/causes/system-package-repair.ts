// Finds the repair of packages that the system's package manager installs.

import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import installers from '../model/install-commands.json' with { type: 'json' };
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import { quotedArgument } from '../model/shell-quote.ts';
import { ask, configure, phrase, type Repair } from './repair.ts';
import { differingDistribution } from './sentence.ts';
import type { SideNames } from './side-names.ts';

interface PackageRepairContext {
  readonly comparison: EnvironmentComparison;
  readonly names: SideNames;
  /** Words of the output that name the difference. */
  readonly words: string | undefined;
}

const mostInstalled = 5;

/** The leader alone if the output names it; otherwise what is missing, or the distribution that has all of them. */
export function systemPackageRepair(
  leader: Entry,
  entries: readonly Entry[],
  { comparison, names, words: evidence }: PackageRepairContext,
): Repair {
  const { dependencies, facts } = comparison.sections;
  const isEvident = evidence !== undefined;
  const missing = (isEvident ? [leader] : entries).filter(({ status }) => status === 'removed');
  const canInstall = missing.length > 0 && missing.length <= mostInstalled;
  const distribution = differingDistribution(comparison);
  if (distribution && !isEvident && !canInstall) return configure('b', phrase`use ${distribution.a}`);
  if (!canInstall)
    return leader.a === null
      ? ask(phrase`remove ${leader.name} ${names.b.at}, which ${names.a.name} does not have`)
      : configure('b', phrase`install ${leader.name} ${leader.a}`);
  const packages = missing.map(({ name = '' }) => name.replace(/:[a-z0-9-]+$/, ''));
  const words = packages.map(quotedArgument);
  // Another package manager has other names.
  const isThere = dependencies.some(({ file, b }) => file === leader.file && b !== null);
  const database = isThere ? packageDatabaseOf(leader.file ?? '') : undefined;
  const isRoot = facts.find(({ key }) => key === 'process.root')?.b === 'true';
  const install = database && installers.system[database].replace(isRoot ? /^sudo / : /^$/, '');
  return {
    side: 'b',
    kind: 'install',
    what: packages.join(' '),
    commands: install === undefined || words.includes(undefined) ? [] : [`${install} ${words.join(' ')}`],
  };
}
