// Why a difference does not count, for every format.

import type { Entry } from '../model/model.ts';
import type { ComparisonReport } from './report.ts';

export interface NotCounted {
  /** A few words about the difference itself, for programs; null if it is left out only by rules. */
  readonly reason: string | null;
  /** The remark beside the difference: `not counted: set by the desktop`, `follows from node`, `accepted: known`. */
  readonly text: string;
  /** The group under which differences with the same kind of reason are counted: `set by the desktop`, `too small to count`. */
  readonly group: string;
}

export function notCounted(report: ComparisonReport, entry: Entry): NotCounted | null {
  if (entry.status === 'same' || report.counting.has(entry)) return null;
  const accepted = report.acceptedFor.get(entry);
  if (accepted !== undefined) {
    const reason = `accepted: ${accepted}`;
    return { reason, text: reason, group: 'accepted' };
  }
  const lead = report.countedWith.get(entry);
  const own = entry.contextReason ?? entry.mild ?? null;
  if (lead !== undefined) {
    const reason = own ?? `follows from ${lead.name ?? lead.key}`;
    return { reason, text: reason, group: 'the same cause as a difference that counts' };
  }
  return {
    reason: own,
    text: own === null ? 'not counted' : `not counted: ${own}`,
    group:
      entry.contextReason ??
      (own === null && entry.context === undefined ? 'left out by the rules' : 'too small to count'),
  };
}
