// Owns the service for tests: the real application on a free loopback port, over a fresh database. All requests and responses of
// tests are checked against the API document.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createService } from '../../packages/server/src/compose.ts';
import { type Config, loadConfig } from '../../packages/server/src/config.ts';
import { openFileStore } from '../../packages/server/src/files/open-file-store.ts';
import { recordKeyring } from '../../packages/server/src/infra/crypto/keyring.ts';
import { parseMasterKeys } from '../../packages/server/src/infra/crypto/master-keys.ts';
import type { Database } from '../../packages/server/src/infra/db/database.ts';
import { uncountedHeaders } from '../../packages/server/src/infra/http/admission.ts';
import { listen } from '../../packages/server/src/infra/http/http-server.ts';
import { createLogger } from '../../packages/server/src/infra/logger.ts';
import { cleanUpAfterTest } from './clean-up.ts';
import { type OpenDatabase, temporaryFolder } from './databases.ts';
import { checkExchange, failOnDeviations } from './traffic/api-document.ts';
import { watchExchange } from './traffic/watch-exchange.ts';

/** A response with its body parsed, if it is JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export interface RequestOptions {
  /** API key; sent as X-API-Key. */
  readonly key?: string | undefined;
  /** Sent as JSON, or unchanged if it is text or bytes. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestService {
  readonly url: string;
  readonly database: Database;
  readonly config: Config;
  /** Everything that the service has logged. */
  readonly log: () => string;
  request(method: string, path: string, options?: RequestOptions): Promise<ApiAnswer>;
  /** The same with a key, and nothing else but a body. */
  send(key: string | undefined, method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** A new project with its owner key. */
  bootstrap(name?: string): Promise<{ projectId: string; apiKeyId: string; apiKey: string }>;
  stop(): Promise<void>;
}

/** Repeats a request while a busy machine refuses it. */
export async function untilServed<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  const answer = await send();
  return answer.status === 503 ? untilServed(send) : answer;
}

/** Limits so high that unrelated tests never reach them. */
const roomy = {
  ENVSNAP_RATE_PER_MINUTE: '1000000',
  ENVSNAP_RATE_PER_DAY: '10000000',
  ENVSNAP_MAX_SNAPSHOTS: '100000',
};

/** Starts the service on a fresh database; it is stopped after the test. `env` sets its settings. */
export async function startService(
  openDatabase: OpenDatabase,
  env: Record<string, string> = {},
): Promise<TestService> {
  const database = await openDatabase();
  return startServiceOn(database, env);
}

/** The same with a project, and the key of its owner. */
export async function startProject(openDatabase: OpenDatabase, env: Record<string, string> = {}) {
  const service = await startService(openDatabase, env);
  const { apiKey: key, ...project } = await service.bootstrap();
  return { service, key, ...project };
}

/** Starts the service on an open, migrated database, as one replica of several. */
export async function startServiceOn(
  database: Database,
  env: Record<string, string> = {},
  masterKey = randomBytes(32).toString('hex'),
): Promise<TestService> {
  const ownFolder = env.ENVSNAP_DATA_DIR === undefined ? temporaryFolder() : undefined;
  const config = loadConfig(
    { ...roomy, ...(ownFolder && { ENVSNAP_DATA_DIR: ownFolder }), ...env },
    { port: '0' },
  );
  const keyring = parseMasterKeys(masterKey, 'the test');
  await recordKeyring(database, keyring);
  const lines: string[] = [];
  const logger = createLogger({
    level: config.logLevel,
    destination: { write: (line) => void lines.push(line) },
  });
  const fileStore = await openFileStore(config);
  const service = createService({ config, database, keyring, fileStore, logger });
  const deviations: string[] = [];
  const http = await listen(
    (request, response) => {
      watchExchange(request, response, (exchange) => deviations.push(...checkExchange(exchange)));
      service.app(request, response);
    },
    config,
    uncountedHeaders(config.projectDefaults.maxRequestsPerMinute),
  );
  service.start();
  let stopped: Promise<void> | undefined;

  async function request(method: string, path: string, options: RequestOptions = {}): Promise<ApiAnswer> {
    const { key, body, headers = {} } = options;
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${http.url}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  const started: TestService = {
    url: http.url,
    database,
    config,
    log: () => lines.join(''),
    request,
    send: (key, method, path, body) => request(method, path, { key, body }),
    async bootstrap(name = 'a project') {
      const answer = await request('POST', '/machine/keys/bootstrap', { body: { projectName: name } });
      if (answer.status !== 201) throw new Error(`bootstrap failed: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    stop() {
      stopped ??= (async () => {
        service.beginStop();
        // Idle keep-alive connections of callers send nothing more.
        await http.stop(2000, 0);
        await service.finishStop();
        if (ownFolder) rmSync(ownFolder, { recursive: true, force: true });
        failOnDeviations(deviations);
      })();
      return stopped;
    },
  };
  cleanUpAfterTest(() => started.stop());
  return started;
}
