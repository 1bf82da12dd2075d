// Base of every command: connection, output, questions, and how failures end the program.

import { existsSync } from 'node:fs';
import type { Failure } from '@envsnap/compare/workspace';
import type { EnvSnap } from '@envsnap/sdk';
import { jsonText, visible } from '@envsnap/shared/text/visible';
import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import { boolean } from '@oclif/core/flags';
import { writeDocument } from './actions/documents/write-document.ts';
import {
  type Connection,
  type ConnectionFlags,
  findConnection,
  getConnection,
  isUnencrypted,
} from './connection/settings.ts';
import { CliError, type ExitCode, exitCodes, missingFlag } from './errors/cli-error.ts';
import { describeError, type ErrorReport } from './errors/error-report.ts';
import { renderError } from './render/error.ts';
import { wrapLines } from './render/layout/wrap-words.ts';
import type { SnapshotStore } from './runs/snapshot-store.ts';
import { canAsk } from './terminal/stdin.ts';
import { type Screen, screenOf } from './terminal/terminal.ts';

/** Base of all commands. `run` returns the result; `--json` prints it as the only document on standard output. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true;
  static override baseFlags = {
    json: boolean({
      summary: 'Print one JSON document, and nothing else, on standard output.',
      helpGroup: 'GLOBAL',
    }),
  };

  /** Runs the command with the configuration that the program has loaded; oclif's own `run` loads it once more. */
  static override run<T extends Command>(
    this: new (
      argv: string[],
      config: Config,
    ) => T,
    argv: string[] = [],
    config?: Parameters<typeof Command.run>[1],
  ): Promise<ReturnType<T['run']>> {
    return (new this(argv, config as Config) as unknown as BaseCommand)._run();
  }

  readonly screen: Screen = screenOf(process.stdout);
  protected readonly errorScreen: Screen = screenOf(process.stderr);

  /** Prints for a person on standard output; nothing with `--json`. On a terminal, lines break between words. */
  print(text: string): void {
    this.printAsIs(wrapLines(text, this.screen.columns));
  }

  /** Prints output for programs: scripts, exports, lines of JSON. Nothing with `--json`. */
  printAsIs(text: string): void {
    if (!this.jsonEnabled()) process.stdout.write(text === '' || text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Writes to the `--output` file; `-` is standard output, where `--json` allows only the JSON document. */
  protected async writeOutput(file: string, text: string, mode?: number): Promise<void> {
    if (file === '-') this.printAsIs(text);
    else await writeDocument(file, text, mode);
  }

  /** Prints a message on standard error, besides the result. */
  note(text: string): void {
    process.stderr.write(`${wrapLines(text, this.errorScreen.columns)}\n`);
  }

  protected warnUser(text: string): void {
    this.note(`${this.errorScreen.paint('yellow', 'Warning:')} ${text}`);
  }

  protected endWith(code: ExitCode): void {
    process.exitCode = code;
  }

  /** The configured server and key; fails with advice if there is none. */
  async connection(flags: ConnectionFlags, hint?: string): Promise<Connection> {
    const connection = await getConnection(flags, hint);
    this.warnOfConnection(connection.baseUrl);
    return connection;
  }

  async client(flags: ConnectionFlags): Promise<EnvSnap> {
    return this.clientOf(await this.connection(flags));
  }

  /** A client for a server that was looked up before. Loads the SDK. */
  async clientOf(connection: Connection): Promise<EnvSnap> {
    const { createClient } = await import('./connection/client.ts');
    return createClient(connection);
  }

  /** A client with the named project, or else the key's: from the profile, or from the server. */
  async clientAndProject(flags: ConnectionFlags, named: string | undefined) {
    const connection = await this.connection(flags);
    const client = await this.clientOf(connection);
    const projectId = named ?? connection.projectId ?? (await client.keys.current()).projectId;
    return { connection, client, projectId };
  }

  /** Where snapshots are stored: on the configured server, or else the runs of the project on this machine. */
  protected async snapshotStore(flags: ConnectionFlags, folder = '.'): Promise<SnapshotStore> {
    const connection = await findConnection(flags);
    if (!connection) {
      const { openLocalRuns } = await import('./runs/local-runs.ts');
      return { local: openLocalRuns(folder) };
    }
    this.warnOfConnection(connection.baseUrl);
    return { client: await this.clientOf(connection) };
  }

  /** Opens the store at the first call, if a place for it exists. */
  protected storeOnce(flags: ConnectionFlags, folder = '.'): () => Promise<SnapshotStore> {
    let opened: Promise<SnapshotStore> | undefined;
    return () => {
      opened ??= this.snapshotStore(flags, folder);
      return opened;
    };
  }

  /** Warns about unencrypted connections and about a missing certificate authority. */
  protected warnOfConnection(baseUrl: string): void {
    const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
    // Node.js prints its own warning when it loads them, but without the variable's name.
    if (authorities && !existsSync(authorities)) {
      this.warnUser(
        `NODE_EXTRA_CA_CERTS names ${visible(authorities)}, which does not exist: its certificates are not trusted.`,
      );
    }
    if (!isUnencrypted(baseUrl)) return;
    this.warnUser(
      `${visible(baseUrl)} is plain http: the API key and the snapshots cross the network unencrypted.`,
    );
  }

  get canAsk(): boolean {
    return canAsk(this.jsonEnabled());
  }

  /** Asks a person to confirm a change that cannot be undone. Without a terminal, `--yes` is required. */
  async confirm(question: string, yes: boolean): Promise<void> {
    if (yes) return;
    if (!this.canAsk) throw missingFlag('--yes', 'this cannot be undone', true);
    const { askYes } = await import('./terminal/prompt.ts');
    if (!(await askYes(visible(question))))
      throw new CliError('nothing was done', { code: 'declined', exitCode: exitCodes.interrupted });
  }

  /** The output of a failure, for `--failure`; a person at a terminal pastes it. */
  protected async readFailure(file: string): Promise<Failure> {
    if (file === '-' && process.stdin.isTTY)
      this.note('Paste the output of the failure here, then press Enter and Ctrl-D.');
    const { readFailureOutput } = await import('./actions/comparison/read-failure-output.ts');
    return readFailureOutput(file);
  }

  protected override async catch(error: unknown): Promise<void> {
    // If parsing the flags fails, oclif thinks that this method was never called, and warns if NODE_ENV is development or test.
    this.parsed = true;
    const [example] = [this.ctor.examples].flat();
    const report = describeError(error, {
      command: (this.id ?? '').replaceAll(':', ' '),
      example: typeof example === 'string' ? example : undefined,
    });
    process.exitCode = report.exitCode;
    showError(report, this.jsonEnabled(), error);
  }

  protected override logJson(json: unknown): void {
    process.stdout.write(`${jsonText(json)}\n`);
  }
}

/** Prints a failure: as the JSON document on standard output, or for a person on standard error. */
export function showError(report: ErrorReport, json: boolean, error?: unknown): void {
  if (json) process.stdout.write(`${jsonText({ error: report })}\n`);
  // The user pressed Ctrl-C and knows.
  else if (report.code !== 'interrupted') process.stderr.write(renderError(report, screenOf(process.stderr)));
  if (process.env.ENVSNAP_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}
