// What it costs to have Knex build the statements of requests, beside their text as it is found from the second use on.
// Decisions: docs/decisions/0002-knex-builds-we-run.md.

import { createApiKeyRepository } from '../../packages/server/src/api-keys/repository.ts';
import { createIdempotencyRepository } from '../../packages/server/src/idempotency/repository.ts';
import type { Executor } from '../../packages/server/src/infra/db/database.ts';
import { type Dialect, postgresDialect, sqliteDialect } from '../../packages/server/src/infra/db/dialect.ts';
import { bindValues, compileStatement, isStatement } from '../../packages/server/src/infra/db/statement.ts';
import { createSnapshotRepository } from '../../packages/server/src/snapshots/repository.ts';
import { type Figure, median, type SuiteResult } from '../result.ts';

type Params = Parameters<typeof bindValues>[1];
type AnyStatement = Parameters<typeof compileStatement>[0];

const rounds = 15;
/** Passes over all statements in one round. */
const passes = 50;
const id = '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77';

/** The statements with a fixed shape that a few requests ask, with their parameters. */
async function statementsOfRequests(
  dialect: Dialect,
): Promise<{ statement: AnyStatement; params: Params }[]> {
  const asked: { statement: AnyStatement; params: Params }[] = [];
  const note = (statement: unknown, params: unknown) => {
    if (isStatement(statement))
      asked.push({ statement: statement as AnyStatement, params: (params ?? {}) as Params });
  };
  const answer = async (statement: unknown, params: unknown) => note(statement, params);
  const executor = {
    dialect,
    get: answer,
    run: answer,
    write: note,
    all: async (statement: unknown, params: unknown) => {
      note(statement, params);
      return [];
    },
  } as unknown as Executor;
  const snapshots = createSnapshotRepository(executor);
  const keys = createApiKeyRepository(executor);
  const answers = createIdempotencyRepository(executor);
  await snapshots.find(id, id);
  await snapshots.findTime(id, id);
  await keys.findKey(id, id);
  await keys.findCurrent(id);
  await keys.findMemberId(id);
  await keys.listKeys(id);
  await keys.countKeys(id);
  await answers.tryLock(id);
  await answers.find(id, 0);
  return asked;
}

function cpuUs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Microseconds of processor time for one statement, in turn with the baseline's. */
export async function run(): Promise<SuiteResult> {
  const figures: Figure[] = [];
  for (const dialect of [sqliteDialect, postgresDialect]) {
    const asked = await statementsOfRequests(dialect);
    const built: number[] = [];
    const found: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      built.push(
        cpuUs(() => {
          for (let pass = 0; pass < passes; pass += 1)
            for (const { statement, params } of asked)
              bindValues(
                compileStatement({ build: statement.build, compiled: {} }, dialect),
                params,
                dialect,
              );
        }),
      );
      found.push(
        // So much faster that it takes more passes to be seen.
        cpuUs(() => {
          for (let pass = 0; pass < 100 * passes; pass += 1)
            for (const { statement, params } of asked)
              bindValues(compileStatement(statement, dialect), params, dialect);
        }) / 100,
      );
    }
    const perStatement = (times: number[]) => median(times.slice(2)) / (passes * asked.length);
    figures.push({
      name: `one of ${asked.length} statements of requests, ${dialect.name}`,
      value: perStatement(found),
      unit: 'µs CPU',
      baseline: { name: 'built by Knex each time', value: perStatement(built) },
    });
  }
  return { suite: 'statements', rounds, figures };
}
