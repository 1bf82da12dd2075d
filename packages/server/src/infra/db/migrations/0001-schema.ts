// Owns the first schema: every table of the service. Times are milliseconds since the epoch, JSON is text, hashes are SHA-256 in
// hex, and the rows of a project are deleted with it, so deleting a project is one statement.

import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Migration, MigrationTools } from '../migration.ts';
import { boundAt, hasTimePartitions, startOfDay, type TimedTable, timedTables } from '../time-partitions.ts';

/**
 * Each table with its columns below it: name, type (`?` where it may be null), then `key` for the primary key, `=` with the
 * default, `of` with the table whose row it goes with, `needs` with a row that must exist, `index`, `unique`. A line that begins
 * with `index`, `primary` or `foreign` names columns. A line that begins with a dialect is for that dialect only.
 */
const schema = `
projects
  id uuid key, name text, description text?, created_at bigint, updated_at bigint
  deleted_at bigint?  -- it is gone; its rows are still being removed (docs/decisions/0003)
project_quotas
  project_id uuid key of projects, max_snapshots integer, max_runs integer =1000
  max_snapshot_bytes bigint =268435456, max_files integer, max_storage_bytes bigint
  max_webhooks integer =100, max_api_keys integer =1000, max_requests_per_minute integer
  max_requests_per_day integer
  payer text?  -- who made the project: all projects of one payer share a turn; without one, the project is it
  snapshots_used integer =0  -- one conditional UPDATE of one row keeps a quota exact; webhooks and keys are counted when one is added
  runs_used integer =0, snapshot_bytes_used bigint =0, files_used integer =0, storage_used_bytes bigint =0
master_keys
  id text key  -- which the database needs: derived from the key, which is never stored
  label text?, created_at bigint
data_keys
  project_id uuid key of projects, master_key_id text needs master_keys index
  wrapped_key bytes, created_at bigint
fingerprint_keys
  project_id uuid key of projects, id uuid, master_key_id text needs master_keys index
  wrapped_key bytes, created_at bigint
api_keys
  id uuid key, project_id uuid of projects, key_hash text unique
  prefix text  -- the first 11 characters: what lists may show
  label text?, role text, created_at bigint, last_used_at bigint?
  expires_at bigint?  -- null for a key that works until it is revoked
  expiry_announced_at bigint?
  index project_id created_at id
revoked_keys
  key_hash text key  -- shows whose project a failed sign-in concerns
  project_id uuid of projects index, api_key_id uuid, label text?, revoked_at bigint index
  last_failure_at bigint?  -- when somebody last called with it, as far as the audit log shows
memberships
  id uuid key, project_id uuid of projects
  api_key_id uuid of api_keys unique  -- api_keys.role is the member's role
  invited_by uuid?  -- the inviter's key; no reference, since it stays when that key is revoked
  joined_at bigint
  index project_id joined_at id
sessions
  id uuid key
  token_hash text unique  -- of what the browser keeps
  project_id uuid of projects, api_key_id uuid of api_keys, created_at bigint
  last_used_at bigint index  -- to the minute
  expires_at bigint index
  index project_id created_at
  index api_key_id created_at
console_links
  token_hash text key  -- of the token in a link that signs in once
  project_id uuid of projects index, api_key_id uuid of api_keys index
  page text  -- where it leads to, below the console
  expires_at bigint index
audit_log
  id uuid key  -- grows with time, so the oldest are found without an index on the time alone
  project_id uuid? of projects  -- null for what concerns the whole server, and for the deletion of a project
  created_at bigint, action text, actor_type text
  actor text  -- a key's id, without reference, since the entry outlives the key; else the actor's type
  actor_label text?, actor_role text?, actor_member_id uuid?, target_type text
  target_id uuid?, target_name text?
  details text  -- JSON object
  request_id text?
  client_request_id text?  -- the id that the caller gave its request
  client_address text?
  index project_id created_at id
  index project_id action created_at id
  index project_id actor created_at id
snapshots
  id uuid key  -- small columns first: SQLite reads a large row's later columns only when they are asked for
  project_id uuid of projects, created_at bigint, machine_name text, os text?, arch text?
  outcome text?  -- how the snapshot's run ended, and its name; the metadata hold both too
  outcome_of text?
  stored_bytes integer =0  -- what the large columns take together, as the project's quota counts it
  runtime_versions text, metadata text
  env_names text  -- JSON array of the variables' names, so that comparing names decrypts nothing
  env_ciphertext bytes, dependencies text
snapshot_verdicts
  snapshot_id uuid of snapshots  -- compared with an earlier one (health/); it can be worked out again
  against_id uuid  -- no reference: it is only looked up beside an id that exists
  kind text  -- machine or run: it decides what sentences call the two
  verdict text
  primary snapshot_id against_id kind
  index against_id
pending_notices
  snapshot_id uuid key of snapshots  -- its events are not worked out yet (health/)
  project_id uuid of projects, created_at bigint
  due_at bigint index  -- from when on it may be claimed: a claim moves this to the end of its lease
  attempts integer
  index project_id created_at snapshot_id
machines
  project_id uuid of projects, machine_name text, snapshots integer
  primary project_id machine_name
files
  id uuid key, project_id uuid of projects, filename text, content_type text
  size_bytes bigint
  checksum text  -- of the plain bytes
  storage_key text unique, created_at bigint
  index project_id created_at id
unneeded_blobs
  storage_key text key  -- bytes that no file row needs: of deleted files, and of uploads until the file's row is there
  remove_after bigint index  -- an upload moves this on while it lasts
shares
  id uuid key, project_id uuid of projects
  token_hash text unique  -- of the token in the address
  kind text
  snapshot_a uuid  -- no references: the page stays as it was when its snapshots are deleted
  snapshot_b uuid?, created_by uuid, created_at bigint, expires_at bigint index
  page bytes  -- HTML, packed with gzip, and the policy that goes with it
  content_security_policy text
  index project_id created_at
webhooks
  id uuid key, project_id uuid of projects, url text, events text, format text ="standard"
  console_url text?  -- where the console was when the webhook was made or changed; null where there is none
  secret_ciphertext bytes, active boolean
  failing_since bigint?  -- the first failure since the last success; null while the endpoint works
  last_success_at bigint?, deactivation_reason text?, created_at bigint, updated_at bigint
  deleted_at bigint?  -- it is gone; its log is still being removed (docs/decisions/0003)
  index project_id created_at id
outbox_events
  id uuid key, project_id uuid of projects index, event text
  payload text  -- the exact body that every attempt sends and signs
  created_at bigint index
  traceparent text?  -- lets a delivery continue the trace of the request that caused it
webhook_deliveries
  id uuid key  -- one event for one webhook: the work of the dispatcher
  project_id uuid of projects index, webhook_id uuid of webhooks, event_id uuid index
  state text  -- pending, delivered, failed or dropped
  attempt integer =0  -- attempts begun: counted at the claim, so that one that kills the process is not repeated for ever
  redeliveries integer =0  -- those of them that were redeliveries, which are rows beside this one
  requested boolean =false  -- a person waits: one attempt without retries, to an inactive webhook too
  next_attempt_at bigint, lease_until bigint?
  lease_token uuid?  -- a worker that lost its lease cannot record a result any more
  created_at bigint, finished_at bigint?
  index webhook_id state
  sqlite foreign event_id outbox_events  -- on PostgreSQL their partitions are dropped separately (delivery-retention.ts)
webhook_attempts
  id uuid key, project_id uuid of projects index, webhook_id uuid of webhooks
  delivery_id uuid, event_id uuid, event text, attempt integer, response_status integer?
  success boolean, error text?, duration_ms integer, attempted_at bigint index
  index webhook_id attempted_at id
request_logs
  id serial  -- grows with time, so the oldest are found without an index on the time
  project_id uuid of projects
  api_key_id uuid  -- no reference: the log outlives a revoked key
  method text
  path text  -- as called, without the query
  route text  -- its template
  status_code integer, response_time_ms integer, created_at bigint
  sqlite index project_id created_at id
  postgresql primary project_id created_at id  -- a partitioned table's key holds what it is partitioned by
  postgresql index id
request_totals
  project_id uuid of projects
  hour bigint  -- its start
  route text, status_code integer, request_count integer, total_response_ms bigint
  primary project_id hour route status_code
request_day_totals
  project_id uuid of projects  -- long histories are added up from these
  day bigint  -- its start, UTC
  route text, status_code integer, request_count bigint, total_response_ms bigint
  primary project_id day route status_code
rate_limit_windows
  subject text key  -- a key's id, or the address of a caller without one; no further index: it changes on every request
  kind text, project_id uuid? of projects index, counters bytes, updated_at bigint
idempotency_keys
  scope text key  -- hash over caller, operation and Idempotency-Key
  project_id uuid? of projects index  -- null for bootstrap, which has no project yet
  fingerprint text  -- hash of the body
  status_code integer?
  response bytes?  -- the first answer's body; ciphertext when response_encrypted
  response_encrypted boolean =false, created_at bigint, expires_at bigint index`;

/** The columns that lists show or filter by, so that a list reads only the index. */
const listed = 'created_at, id, os, arch, outcome, outcome_of';
const indexes = [
  'index projects_deleted on projects (deleted_at) where deleted_at is not null',
  "unique index api_keys_one_owner on api_keys (project_id) where role = 'owner'",
  // Most keys never expire and are not in this index.
  'index api_keys_expiring on api_keys (expires_at) where expiry_announced_at is null',
  // Without it, a rare pair of action and actor would be looked for among all entries of one of the two.
  'index audit_log_of_actor on audit_log (project_id, action, actor, created_at, id)',
  `index snapshots_listed on snapshots (project_id, ${listed})`,
  `index snapshots_of_machine on snapshots (project_id, machine_name, ${listed})`,
  // Without all that lists filter by, SQLite reads the index of all snapshots for a list of runs.
  `index snapshots_of_runs on snapshots (project_id, ${listed}) where outcome is not null`,
  'index webhooks_failing on webhooks (failing_since) where failing_since is not null',
  'index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null',
  "index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending'",
  "index webhook_deliveries_due_by_webhook on webhook_deliveries (webhook_id, next_attempt_at) where state = 'pending'",
];

/** The first partition ends that many days after today's midnight: until then there is time to make the next one. */
const firstPartitionDays = 2;
const dayMs = 86_400_000;

/** Until the first release, changes edit this schema, so its name has a digest: a server refuses those of other versions. */
const edition = createHash('sha256')
  .update([schema, ...indexes].join('\n'))
  .digest('hex')
  .slice(0, 8);

export const schemaMigration: Migration = {
  name: `0001_schema_${edition}`,
  up: async (tools) => {
    const { dialect } = tools.executor;
    for (const table of schema.trim().split(/\n(?! )/)) {
      const [name = '', ...lines] = table.split('\n').map((line) => line.replace(/ +--.*/, '').trim());
      const define = (builder: Knex.CreateTableBuilder) => {
        for (const item of lines.join(', ').split(', ')) defineItem(builder, item.split(' '), dialect.name);
      };
      const timed = Object.values<TimedTable>(timedTables).find((candidate) => candidate.name === name);
      if (timed && hasTimePartitions(dialect)) await createPartitioned(tools, timed, define);
      else await tools.schema((builder) => builder.createTable(name, define));
    }
    for (const index of indexes) await tools.sql(`create ${index}`);
    // On PostgreSQL the primary key goes by the language of the database, on SQLite by bytes.
    if (dialect.name === 'postgresql') {
      const column = dialect.bytewise('machine_name');
      await tools.sql(`create index machines_by_name on machines (project_id, ${column})`);
    }
    for (const table of ['project_quotas', 'machines', 'rate_limit_windows']) {
      for (const statement of dialect.tuneForUpdates(table)) await tools.sql(statement);
    }
  },
};

function defineItem(table: Knex.CreateTableBuilder, words: readonly string[], dialect: string): void {
  const [name = '', type = '', ...more] = words;
  if (name === 'sqlite' || name === 'postgresql') {
    if (name === dialect) defineItem(table, words.slice(1), dialect);
  } else if (name === 'index' || name === 'primary') table[name](words.slice(1));
  else if (name === 'foreign') table.foreign(type).references('id').inTable(`${more[0]}`).onDelete('CASCADE');
  else if (type === 'serial') table.bigIncrements(name, { primaryKey: dialect === 'sqlite' });
  else defineColumn(table, name, type, more);
}

const builders = {
  uuid: 'uuid',
  text: 'text',
  integer: 'integer',
  bigint: 'bigInteger',
  bytes: 'binary',
} as const;

function defineColumn(table: Knex.CreateTableBuilder, name: string, type: string, words: readonly string[]) {
  const builder = builders[type.replace('?', '') as keyof typeof builders] ?? 'boolean';
  const column: Knex.ColumnBuilder = table[builder](name);
  if (!type.endsWith('?') && !words.includes('key')) column.notNullable();
  for (const [at, word] of words.entries()) {
    if (word === 'key') column.primary();
    else if (word === 'index' || word === 'unique') column[word]();
    else if (word === 'of')
      column
        .references('id')
        .inTable(`${words[at + 1]}`)
        .onDelete('CASCADE');
    else if (word === 'needs') column.references('id').inTable(`${words[at + 1]}`);
    else if (word.startsWith('=')) column.defaultTo(JSON.parse(word.slice(1)));
  }
}

/** Creates a table with one partition for everything up to the first days and one for strays (time-partitions.ts). */
async function createPartitioned(
  { sql, executor }: MigrationTools,
  table: TimedTable,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  const { dialect } = executor;
  const [create, ...others] = dialect.builder.schema.createTable(table.name, define).toSQL();
  await sql(`${create?.sql} partition by range (${table.column})`);
  for (const other of others) await sql(other.sql);
  const now = dialect.builder.raw(`select ${dialect.nowMs()} as now`);
  const today = startOfDay((await executor.get<{ now: number }>(now))?.now ?? 0);
  const bound = boundAt(table.key, today + firstPartitionDays * dayMs);
  const partitions = { first: `for values from (minvalue) to (${bound})`, rest: 'default' };
  for (const [suffix, bounds] of Object.entries(partitions)) {
    const name = `${table.name}_${suffix}`;
    await sql(`create table ${name} partition of ${table.name} ${bounds}`);
    for (const statement of table.updated ? dialect.tuneForUpdates(name) : []) await sql(statement);
  }
}
