// The baseline of the service: a bare Express service that writes and reads one row of better-sqlite3, with a durable commit and
// nothing else: no key, no limit, no log, no cipher, no validation.

import { randomUUID } from 'node:crypto';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import express from 'express';

const [folder = '.'] = process.argv.slice(2);
const database = new BetterSqlite3(path.join(folder, 'floor.db'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('create table snapshots (id text primary key, body text not null)');
const insert = database.prepare('insert into snapshots (id, body) values (?, ?)');
const find = database.prepare<[string], { body: string }>('select body from snapshots where id = ?');

const app = express();
app.use(express.json({ limit: '8mb' }));
app.post('/snapshots', (request, response) => {
  const id = randomUUID();
  insert.run(id, JSON.stringify(request.body));
  response.status(201).json({ id });
});
app.get('/snapshots/:id', (request, response) => {
  const row = find.get(request.params.id);
  if (row) response.json(JSON.parse(row.body));
  else response.status(404).json({ error: 'not found' });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
process.once('SIGTERM', () => process.exit(0));
