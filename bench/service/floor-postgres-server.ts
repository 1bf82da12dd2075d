// The baseline on PostgreSQL: a bare Express service that writes and reads one row with pg, with a durable commit and nothing
// else: no key, no limit, no log, no cipher, no validation.

import { randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';

const [connectionString = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 10 });
await pool.query('create table snapshots (id uuid primary key, body text not null)');
const insert = { name: 'insert', text: 'insert into snapshots (id, body) values ($1, $2)' };
const find = { name: 'find', text: 'select body from snapshots where id = $1' };

const app = express();
app.use(express.json({ limit: '8mb' }));
app.post('/snapshots', async (request, response) => {
  const id = randomUUID();
  await pool.query({ ...insert, values: [id, JSON.stringify(request.body)] });
  response.status(201).json({ id });
});
app.get('/snapshots/:id', async (request, response) => {
  const { rows } = await pool.query({ ...find, values: [request.params.id] });
  const [row] = rows as { body: string }[];
  if (row) response.json(JSON.parse(row.body));
  else response.status(404).json({ error: 'not found' });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
process.once('SIGTERM', () => process.exit(0));
