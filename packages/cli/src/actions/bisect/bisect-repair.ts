// The repair of what a bisection found, as a comparison of the side that passes with the side that fails advises it.

import {
  type Cause,
  type ComparableEnvironment,
  createComparer,
  type Repair,
} from '@envsnap/compare/workspace';
import { printAddress } from '@envsnap/shared/address';
import { runOutcome } from '@envsnap/shared/run-outcome';
import type { BisectOutcome } from './bisect.ts';
import type { Side } from './bisect-change.ts';

/** If the command fails on both sides, or nothing could be tried: the repair of the likeliest difference that was not tried.
 * Null if only a person can decide. `showsValues`: whether a command may contain recorded values. */
export function repairOf(
  { verdict, causes, failingSide, notTried, sides: rates }: BisectOutcome,
  sides: Readonly<Record<Side, ComparableEnvironment>>,
  showsValues: boolean,
): Repair | null {
  const hasPassed = verdict === 'nothing-to-try' && runOutcome(sides.a.metadata)?.result === 'passed';
  const isUntried = hasPassed || (verdict === 'alike' && (rates.b?.failed ?? 0) > 0);
  if (verdict !== 'proven' && !isUntried) return null;
  const fails = failingSide ?? 'b';
  const compare = createComparer({ explains: true, showValues: showsValues && 'safe' });
  const report = compare(sides[fails === 'a' ? 'b' : 'a'], sides[fails]);
  const left = new Set(notTried.map(({ key }) => key));
  const changed = causes.flat().map(({ section, name }) => `${section} ${name}`);
  const isMeant = ({ section, key: name }: Cause['members'][number]) =>
    isUntried
      ? left.has(printAddress({ section, name }))
      : // Lists of folders are variables too.
        changed.includes(`${section === 'paths' ? 'env' : section} ${name}`);
  const found = report.causes
    .slice(0, isUntried ? 1 : undefined)
    .find(({ members }) => members.some(isMeant));
  if (!found || found.repair.kind === 'ask') return null;
  const { side } = found.repair;
  // The comparison calls the side that fails B.
  return fails === 'b' || side === 'both'
    ? found.repair
    : { ...found.repair, side: side === 'a' ? 'b' : 'a' };
}
