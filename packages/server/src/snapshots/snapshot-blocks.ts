// Owns blocks: counts of snapshots that follow one another in time (docs/decisions/0101). A kind is what filters look at:
// operating system, architecture, outcome and its name. Each series of snapshots (all of them, those of a kind, those of a
// kind on one machine) has blocks of its own. Everything here goes with the transaction that adds or removes a snapshot.

import { defineStatement } from '../infra/db/statement.ts';

/** What a snapshot is found by. */
export interface CountedSnapshot {
  readonly projectId: string;
  readonly id: string;
  readonly machineName: string;
  readonly os: string | null;
  readonly arch: string | null;
  readonly outcome: string | null;
  readonly outcomeOf: string | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A kind as rows of blocks write it: `=` and the value, or nothing where a snapshot has none; or {@link everyKind}. */
export interface EncodedKind {
  readonly os: string;
  readonly arch: string;
  readonly outcome: string;
  readonly outcomeOf: string;
}

/** The columns of a kind, with the names of its parts. */
export const kindColumns = [
  ['os', 'os'],
  ['arch', 'arch'],
  ['outcome', 'outcome'],
  ['outcome_of', 'outcomeOf'],
] as const;

/** Stands for all machines together in rows of blocks; no machine has an empty name. */
export const allMachines = '';
/** Stands for any value of a part in rows of blocks: those of all kinds together. */
export const anyValue = '*';
/** All kinds together. */
export const everyKind: EncodedKind = {
  os: anyValue,
  arch: anyValue,
  outcome: anyValue,
  outcomeOf: anyValue,
};

/** A table of blocks. */
export interface BlockTable {
  readonly name: string;
  /** Snapshots that a block holds before the next one begins; more only of one time, or where some come late. */
  readonly size: number;
  readonly series: readonly ('all' | 'kind' | 'machine')[];
}

/** Large blocks are added up over any time; small ones where a range begins or ends within a large one. */
export const largeBlocks: BlockTable = {
  ...{ name: 'snapshot_blocks', size: 2048, series: ['all', 'kind', 'machine'] },
};
/** Not for machines: they would have as many blocks as snapshots. */
export const smallBlocks: BlockTable = {
  ...{ name: 'snapshot_small_blocks', size: 64, series: ['all', 'kind'] },
};
export const blockTables: readonly BlockTable[] = [largeBlocks, smallBlocks];

const seriesColumns = ['machine_name', ...kindColumns.map(([column]) => column)];

/** A value of a kind as rows of blocks write it. */
export function encodeKindValue(value: string | null): string {
  return value === null ? '' : `=${value}`;
}

/** SQL for what rows of blocks are made from: named parameters, or columns. */
export interface BlockSource {
  readonly projectId: string;
  readonly machineName: string;
  /** The parts of the encoded kind, in the order of {@link kindColumns}. */
  readonly kind: readonly string[];
  readonly createdAt: string;
}

/** The machine and the kind of each series of a table that a snapshot belongs to, as SQL. */
function seriesOf({ series }: BlockTable, { machineName, kind }: BlockSource): string[][] {
  const every = kindColumns.map(() => `'${anyValue}'`);
  const parts = {
    all: [`'${allMachines}'`, ...every],
    kind: [`'${allMachines}'`, ...kind],
    machine: [machineName, ...kind],
  };
  return series.map((name) => parts[name]);
}

function isOfSeries(series: readonly string[]): string {
  return seriesColumns.map((column, index) => `${column} = ${series[index]}`).join(' and ');
}

/** SQL that counts snapshots in their blocks of a table; `toRows` makes a query of the values of each row. */
export function addToBlocks(
  table: BlockTable,
  source: BlockSource,
  toRows: (values: readonly string[]) => string,
): string {
  const { projectId, createdAt } = source;
  const { name, size } = table;
  // The block that the time falls into, unless it is full and everything in it is older.
  // PostgreSQL gives the case the name of its last column; the order must not be that of the case.
  const values = seriesOf(table, source).map(
    (series) => `${projectId}, ${series.join(', ')}, coalesce(
      (select case when total >= ${size} and last_at < ${createdAt} then ${createdAt} else first_at end
        from ${name}
        where project_id = ${projectId} and ${isOfSeries(series)} and first_at <= ${createdAt}
        order by ${name}.first_at desc limit 1), ${createdAt}), ${createdAt}, 1`,
  );
  return `insert into ${name} (project_id, ${seriesColumns.join(', ')}, first_at, last_at, total)
    ${toRows(values)}
    on conflict (project_id, ${seriesColumns.join(', ')}, first_at) do update set
      total = ${name}.total + 1,
      last_at = case when excluded.last_at > ${name}.last_at then excluded.last_at else ${name}.last_at end`;
}

/** Where a snapshot counts. */
export interface Scope extends EncodedKind {
  projectId: string;
  machineName: string;
  createdAt: number;
}

const scopeNames = ['projectId', 'machineName', 'createdAt', ...kindColumns.map(([, part]) => part)] as const;

const named: BlockSource = {
  projectId: ':projectId',
  machineName: ':machineName',
  kind: kindColumns.map(([, part]) => `:${part}`),
  createdAt: ':createdAt',
};

function define(sql: string) {
  return defineStatement<Scope>((qb, p) =>
    // Knex takes names from a plain object only.
    qb.raw(sql, Object.fromEntries(scopeNames.map((name) => [name, p[name]]))),
  );
}

/** The statements that keep a table of blocks, for one snapshot; those that remove it are run one after the other. */
function statementsOf(table: BlockTable) {
  const { name } = table;
  return {
    add: define(addToBlocks(table, named, (rows) => `values ${rows.map((row) => `(${row})`).join(', ')}`)),
    // A statement for each series: of several at once, PostgreSQL would look at every block of the project.
    remove: seriesOf(table, named).flatMap((series) => {
      const isOfOwn = `project_id = :projectId and ${isOfSeries(series)}`;
      const isBlock = `${isOfOwn} and first_at = (
        select first_at from ${name} where ${isOfOwn} and first_at <= :createdAt order by first_at desc limit 1)`;
      return [
        define(`update ${name} set total = total - 1 where ${isBlock}`),
        define(`delete from ${name} where ${isBlock} and total <= 0`),
      ];
    }),
  };
}

/** The statements that keep each table of blocks. */
export const blockStatements = blockTables.map(statementsOf);

/** Where a snapshot counts. */
export function scopeOf(snapshot: CountedSnapshot): Scope {
  const { projectId, machineName, createdAt } = snapshot;
  return {
    ...{ projectId, machineName, createdAt },
    os: encodeKindValue(snapshot.os),
    arch: encodeKindValue(snapshot.arch),
    outcome: encodeKindValue(snapshot.outcome),
    outcomeOf: encodeKindValue(snapshot.outcomeOf),
  };
}
