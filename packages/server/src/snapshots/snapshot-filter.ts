// What lists of snapshots are filtered by, and the conditions that both databases look up in an index.

import type { Bindable } from '../infra/db/dialect.ts';
import { type EncodedKind, kindColumns } from './snapshot-blocks.ts';

/** Filters of a list; times in milliseconds since the epoch, both ends included. */
export interface SnapshotFilter {
  readonly projectId: string;
  readonly machineName?: string | undefined;
  readonly os?: string | undefined;
  readonly arch?: string | undefined;
  readonly outcome?: string | undefined;
  readonly outcomeOf?: string | undefined;
  /** Only snapshots of runs whose end is known. */
  readonly hasOutcome?: boolean | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** A kind that matches a filter, and how many of its snapshots do. */
export interface MatchingKind extends EncodedKind {
  total: number;
}

/** SQL with its values. */
export interface SqlPart {
  readonly sql: string;
  readonly bindings: readonly Bindable[];
}

/** Whether a filter names kinds or a machine; without, all snapshots are one series. */
export function namesKinds({ machineName, hasOutcome, ...filter }: SnapshotFilter): boolean {
  return (
    machineName !== undefined ||
    hasOutcome === true ||
    kindColumns.some(([, part]) => filter[part] !== undefined)
  );
}

/** Which snapshots are of a kind: a condition that both databases look up in an index. */
export function ofKind(filter: SnapshotFilter, kind: EncodedKind): SqlPart {
  const bindings: Bindable[] = [filter.projectId];
  let sql = 'project_id = ?';
  if (filter.machineName !== undefined) {
    sql += ' and machine_name = ?';
    bindings.push(filter.machineName);
  }
  for (const [column, part] of kindColumns) {
    if (kind[part] === '') sql += ` and ${column} is null`;
    else {
      sql += ` and ${column} = ?`;
      bindings.push(kind[part].slice(1));
    }
  }
  return { sql, bindings };
}
