// The start of every operator's command: its arguments, the settings, their database, and the check of its schema.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { AppError, OperatorError, StartupError } from '../infra/app-error.ts';
import { databaseFile, openDatabase } from '../infra/db/connection.ts';
import type { Database } from '../infra/db/database.ts';
import { migrationStatus, refuseNewer } from '../infra/db/migrate.ts';

export interface OperatorFlags {
  dataDir?: string;
  databaseUrl?: string;
  json?: boolean;
}

export function loadOperatorConfig(flags: OperatorFlags): Config {
  return loadConfig(process.env, { dataDir: flags.dataDir, databaseUrl: flags.databaseUrl });
}

/** File of the embedded database; undefined with PostgreSQL. */
export function embeddedDatabaseFile(config: Config): string | undefined {
  return config.databaseUrl === undefined ? path.join(config.dataDir, databaseFile) : undefined;
}

/** Throws if there is no database, because a mistyped folder must not get a new one. Errors: StartupError. */
export function requireDatabase(config: Config): void {
  const file = embeddedDatabaseFile(config);
  if (file === undefined || existsSync(file)) return;
  throw new StartupError(
    `there is no database at ${file}: name the server's folder with --data-dir or ENVSNAP_DATA_DIR`,
  );
}

/** Runs `work` on the database. Errors: StartupError for another schema, OperatorError for damaged files. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withAnySchema(config, async (database) => {
    const status = await migrationStatus(database);
    refuseNewer(status);
    if (status.pending.length > 0) {
      throw new StartupError(
        `the database lacks ${status.pending.join(', ')}: run envsnap-server migrate, or start the server`,
      );
    }
    return work(database);
  });
}

/** Like {@link withDatabase}, whatever schema the database has. */
export async function withAnySchema<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  requireDatabase(config);
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
  try {
    return await work(database);
  } catch (error) {
    throw error instanceof AppError && error.code === 'database_damaged' ? damaged(config, error) : error;
  } finally {
    await database.close();
  }
}

function damaged(config: Config, { cause }: AppError): OperatorError {
  return new OperatorError(
    `the database ${embeddedDatabaseFile(config)} is damaged (${(cause as Error).message}): ` +
      'keep the backups that you have, and restore the newest into another folder',
    7,
    { cause },
  );
}

/** The id in lower case. Errors: StartupError. */
export function parseProjectId(
  text: string,
  mistake = 'PROJECT_ID must be a UUID, as project list shows it',
): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text.toLowerCase();
  throw new StartupError(mistake);
}

/** The whole number that a flag was given. Errors: StartupError. */
export function parseNumber(flag: string, text: string, least: number, most: number): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new StartupError(`${flag} must be a whole number from ${least} to ${most}`);
}
