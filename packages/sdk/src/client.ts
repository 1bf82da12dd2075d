// The client: settings in, resources out.

import type { ApiPromise } from './api-promise.ts';
import type { Answer, BodyInput } from './call.ts';
import type { RateLimit } from './rate-limit.ts';
import { Files } from './resources/files.ts';
import { FingerprintKeys } from './resources/fingerprint-key.ts';
import { Keys } from './resources/keys.ts';
import { Projects } from './resources/projects.ts';
import { Service } from './resources/service.ts';
import { Snapshots } from './resources/snapshots.ts';
import { Team } from './resources/team.ts';
import { UsageReports } from './resources/usage.ts';
import { Webhooks } from './resources/webhooks.ts';
import { type ClientOptions, type ConnectionOptions, checkHeaderText, resolveSettings } from './settings.ts';
import { Transport } from './transport.ts';

/** What `EnvSnap.bootstrap` takes: the project, the server, and the token when the server asks for one. */
export interface BootstrapOptions extends BodyInput<'bootstrap'>, ConnectionOptions {
  /** Needed when the server's bootstrap mode is `token`. */
  readonly bootstrapToken?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** A client of one envsnap server with one key. Holds no connection and no timer: nothing is to be closed. */
export class EnvSnap {
  readonly snapshots: Snapshots;
  readonly projects: Projects;
  readonly keys: Keys;
  readonly fingerprintKey: FingerprintKeys;
  readonly team: Team;
  readonly webhooks: Webhooks;
  readonly files: Files;
  readonly usage: UsageReports;
  readonly service: Service;
  readonly #transport: Transport;

  /** Checks the options; throws `UsageError` with what to change. Sends nothing. */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(resolveSettings(options));
    this.snapshots = new Snapshots(this.#transport);
    this.projects = new Projects(this.#transport);
    this.keys = new Keys(this.#transport);
    this.fingerprintKey = new FingerprintKeys(this.#transport);
    this.team = new Team(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
    this.files = new Files(this.#transport);
    this.usage = new UsageReports(this.#transport);
    this.service = new Service(this.#transport);
  }

  /** The rate-limit numbers of the last answer; undefined before the first. */
  get rateLimit(): RateLimit | undefined {
    return this.#transport.rateLimit;
  }

  /** Creates a project with its first key, the owner's. The answer holds the key, this once. Needs no key. */
  static bootstrap(options: BootstrapOptions): ApiPromise<Answer<'bootstrap'>> {
    const { projectName, description, bootstrapToken, idempotencyKey, ...connection } = options;
    const transport = new Transport(resolveSettings(connection));
    const headers = bootstrapToken
      ? { 'x-bootstrap-token': checkHeaderText(bootstrapToken, 'bootstrapToken') }
      : {};
    return transport.call('bootstrap', { body: { projectName, description } }, { idempotencyKey }, headers);
  }
}
