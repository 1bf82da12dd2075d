// The client: settings in, resources out.

import type { ApiPromise } from './call/api-promise.ts';
import type { BodyInput } from './call/call.ts';
import type { RateLimit } from './call/rate-limit.ts';
import type { QueryValue } from './call/request-url.ts';
import { Transport } from './call/transport.ts';
import type { BootstrapAnswer } from './contract/types.ts';
import { UsageError } from './errors.ts';
import { checkHeaderText, checkNames } from './option-checks.ts';
import { FingerprintKeys, Keys, Projects, Team } from './resources/access.ts';
import { Files } from './resources/files.ts';
import { Audit, Health, Service, UsageReports } from './resources/reports.ts';
import { Shares, Snapshots } from './resources/snapshots.ts';
import { Webhooks } from './resources/webhooks.ts';
import {
  type CallOptions,
  type ClientOptions,
  type ConnectionOptions,
  connectionOptionNames,
  resolveConnection,
  resolveSettings,
} from './settings.ts';

/** A call of a path that the SDK does not wrap yet. */
export interface RequestInput {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the address of the server, with a leading slash and without a query: `/machine/snapshots`. */
  readonly path: string;
  /** Undefined values are left out, dates are sent as ISO 8601. */
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Options of `EnvSnap.bootstrap`: the project, the server, and the token if the server requires one. */
export interface BootstrapOptions extends BodyInput<'bootstrap'>, ConnectionOptions {
  /** Needed when the server's bootstrap mode is `token`. */
  readonly bootstrapToken?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

const bootstrapOptionNames = [
  'projectName',
  'description',
  'bootstrapToken',
  'idempotencyKey',
  ...connectionOptionNames,
];

/** A client of one envsnap server with one key. It holds no connection and no timer, so you need not close it. */
export class EnvSnap {
  readonly snapshots: Snapshots;
  readonly shares: Shares;
  readonly projects: Projects;
  readonly keys: Keys;
  readonly fingerprintKey: FingerprintKeys;
  readonly team: Team;
  readonly webhooks: Webhooks;
  readonly files: Files;
  readonly usage: UsageReports;
  readonly health: Health;
  readonly audit: Audit;
  readonly service: Service;
  readonly #transport: Transport;
  readonly #options: ClientOptions;

  /**
   * Checks the options; `apiKey` and `baseUrl` may come from the environment. Throws `UsageError`, which says what to change.
   * Sends no request.
   * @example const client = new EnvSnap({ baseUrl: 'https://envsnap.example.com', apiKey: process.env.TEAM_KEY });
   */
  constructor(options: ClientOptions = {}) {
    this.#options = options;
    this.#transport = new Transport(resolveSettings(options));
    this.shares = new Shares(this.#transport);
    this.snapshots = new Snapshots(this.#transport);
    this.projects = new Projects(this.#transport);
    this.keys = new Keys(this.#transport);
    this.fingerprintKey = new FingerprintKeys(this.#transport);
    this.team = new Team(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
    this.files = new Files(this.#transport);
    this.usage = new UsageReports(this.#transport);
    this.health = new Health(this.#transport);
    this.audit = new Audit(this.#transport);
    this.service = new Service(this.#transport);
  }

  /**
   * Another client with the same options, except those that are given.
   * @example
   * const patient = client.withOptions({ timeoutMs: 120_000, retries: 5 });
   */
  withOptions(options: ClientOptions): EnvSnap {
    const defined = Object.entries(options ?? {}).filter(([, value]) => value !== undefined);
    return new EnvSnap({ ...this.#options, ...Object.fromEntries(defined) });
  }

  /** The rate-limit numbers of the last response; undefined before the first. */
  get rateLimit(): RateLimit | undefined {
    return this.#transport.rateLimit;
  }

  /**
   * Calls a path that has no method here yet, with the key, limits, retries and errors of every call. A POST is retried
   * only with an `idempotencyKey`, or after a rate-limit refusal. Nothing checks that the response has the caller's type.
   * @example
   * const page = await client.request<{ machines: unknown[] }>({ method: 'GET', path: '/machine/machines' });
   */
  request<T = unknown>(input: RequestInput, options: CallOptions = {}): ApiPromise<T> {
    const { method, path, query, body } = input;
    if (
      typeof path !== 'string' ||
      !/^\/(?!\/)[^?#\\:\t\n\r]*$/.test(path) ||
      /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path)
    ) {
      throw new UsageError(
        'path must begin with one slash, without a query, a colon, or the segments . and ..',
      );
    }
    const idempotent = method === 'POST' && options.idempotencyKey !== undefined;
    const route = { method, path, idempotent };
    return this.#transport.request(route, { query, json: body }, options) as ApiPromise<T>;
  }

  /**
   * Creates a project with its first key, the owner's. The key is in this response only. Needs no key.
   * @example
   * const { projectId, apiKey } = await EnvSnap.bootstrap({ baseUrl: 'http://127.0.0.1:4780', projectName: 'shop' });
   */
  static bootstrap(options: BootstrapOptions): ApiPromise<BootstrapAnswer> {
    checkNames(options, bootstrapOptionNames, 'EnvSnap.bootstrap');
    const { projectName, description, bootstrapToken, idempotencyKey } = options;
    const transport = new Transport(resolveConnection(options));
    const input = { body: { projectName, description } };
    if (bootstrapToken === undefined) return transport.call('bootstrap', input, { idempotencyKey });
    const token = checkHeaderText(bootstrapToken, 'bootstrapToken');
    const more = { headers: { 'x-bootstrap-token': token }, secrets: [token] };
    return transport.call('bootstrap', input, { idempotencyKey }, more);
  }
}
