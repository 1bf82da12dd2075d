// envsnap capture

import { statSync } from 'node:fs';
import type { CapturedSnapshot, CaptureReport, CaptureRequest, CaptureResult } from '@envsnap/capture';
import { limits } from '@envsnap/shared/catalogue/limits';
import { jsonText, visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { boolean, option, string } from '@oclif/core/flags';
import { captureMachine, progressText, projectFolder } from '../actions/capture-machine.ts';
import { BaseCommand } from '../base-command.ts';
import {
  expectedFingerprintKey,
  type FingerprintOption,
  ownFingerprintKey,
  storeFingerprintKey,
} from '../connection/fingerprint-key.ts';
import { connectionWords, findConnection } from '../connection/settings.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { connectionFlags, folderFlags, repeatable } from '../flags.ts';
import {
  captureProcess,
  type ProcessReference,
  parseProcessReference,
} from '../references/capture-process.ts';
import type { SnapshotStore } from '../runs/snapshot-store.ts';
import { withProgress } from '../terminal/progress.ts';
import type { Screen } from '../terminal/terminal.ts';

const advice =
  'To write a file that every command accepts: envsnap capture --output baseline.json. To see what it would contain: envsnap capture --dry-run. To connect to a server: envsnap init.';

const { machineNameLength: maxMachineNameLength } = limits;
/** Maximum number of warnings of a capture that a terminal shows; `--dry-run` shows all. */
const warningsShown = 5;

export default class Capture extends BaseCommand {
  static override summary = 'Store a snapshot of this machine and a folder.';
  static override description =
    'Records the system and its packages, runtimes, tools and their configuration, facts such as limits and language, lock ' +
    'files and where the installed packages differ from them, the state of git, and environment variables, including those ' +
    'of .env files.\n' +
    'Secrets never leave the machine unless you ask for them with --env-values all. Each is replaced by a fingerprint, ' +
    'so that a comparison still detects a change.\n' +
    'A capture saves what it learned about tools and files in your cache folder, which makes the next one faster. You can delete ' +
    'that folder at any time.';
  static override examples = [
    'envsnap capture',
    'envsnap capture --dry-run',
    'envsnap capture --output baseline.json',
    'envsnap capture pid:4711 --output agent.json',
    'envsnap capture --outcome failed --outcome-of test',
    'envsnap capture --dir services/api --metadata release=42 --env-exclude "CI_*"',
  ];
  static override args = {
    reference: stringArg({
      description:
        'The environment to capture: local, pid:N, shell:login, shell:interactive, unit:NAME or container:ID.',
      default: 'local',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    ...folderFlags,
    'machine-name': string({ summary: 'Name of the machine; by default its host name.', helpValue: 'NAME' }),
    'dry-run': boolean({ summary: 'Show what would be stored, and send nothing.' }),
    output: string({
      char: 'o',
      summary: 'Write the snapshot to a file (- for standard output), and send nothing.',
      helpValue: 'FILE',
    }),
    'env-values': option({
      options: ['safe', 'all', 'none'] as const,
      default: 'safe' as const,
      summary: 'Which values of variables to record: all but secrets (safe), all, or none (names only).',
    })(),
    'no-env': boolean({ summary: 'Leave out all variables.' }),
    'no-dotenv': boolean({ summary: 'Leave out the variables of .env files.' }),
    'env-include': repeatable('Record only variables whose names match', 'PATTERN'),
    'env-exclude': repeatable('Leave out variables whose names match', 'PATTERN'),
    manifests: boolean({ summary: 'Record manifests (package.json, …) even if there is a lock file.' }),
    fixtures: boolean({
      summary: 'Also record dependency files in folders of tests, fixtures, examples and templates.',
    }),
    hardware: boolean({
      summary: 'Add maker, model, processor and graphics cards; takes a second or more.',
    }),
    metadata: repeatable('Add your own metadata', 'NAME=VALUE'),
    outcome: option({
      options: ['passed', 'failed'] as const,
      summary: 'Result of the run in this environment, for envsnap why.',
    })(),
    'outcome-of': string({
      summary: 'Name of that run; by default the CI job.',
      helpValue: 'NAME',
      dependsOn: ['outcome'],
    }),
    timings: boolean({ summary: 'Print to standard error how long each part took.' }),
    ...connectionFlags,
  };

  override async run(): Promise<CapturedSnapshot & { id?: string; createdAt?: string }> {
    const { args, flags } = await this.parse(Capture);
    const process = args.reference === 'local' ? undefined : processOf(args.reference);
    checkMachineName(flags['machine-name']);
    const { folder, found, workspace } = await projectFolder(flags);
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new CliError(`${folder}: there is no such folder`, { code: 'folder_not_found' });
    const ofProcess = process && process.kind !== 'shell' && flags.dir === undefined;
    if (found !== undefined && !ofProcess)
      this.note(`Capturing the project in ${visible(found)}; --dir . captures this folder alone.`);
    const request: CaptureRequest & { workspace?: string } = {
      dir: folder,
      ...(workspace === undefined ? {} : { workspace }),
      ...(flags['machine-name'] === undefined ? {} : { machineName: flags['machine-name'] }),
      envValues: flags['no-env'] ? 'omit' : flags['env-values'],
      envInclude: flags['env-include'] ?? [],
      envExclude: flags['env-exclude'] ?? [],
      dotenv: !flags['no-dotenv'],
      manifests: flags.manifests,
      fixtures: flags.fixtures,
      hardware: flags.hardware,
      metadata: parseMetadata(flags.metadata ?? []),
      ...(flags.outcome === undefined ? {} : { outcome: flags.outcome }),
      ...(flags['outcome-of'] === undefined ? {} : { outcomeOf: flags['outcome-of'] }),
    };
    const capture = (key: FingerprintOption) =>
      this.capture({ ...request, ...key }, flags.timings, process, ofProcess ? undefined : folder);
    if (flags['dry-run'] || flags.output !== undefined) {
      const key =
        flags.output === undefined
          ? await expectedFingerprintKey(await findConnection(flags).catch(() => undefined), (connection) =>
              this.clientOf(connection),
            )
          : ownFingerprintKey();
      const captured = await capture(key);
      await this.show(captured, flags.output);
      this.tellWarnings(captured, flags['dry-run'] ? undefined : warningsShown);
      return captured.snapshot;
    }
    // A run is also kept on this machine.
    const store =
      flags.outcome === undefined
        ? { client: await this.clientOf(await this.connection(flags, advice)) }
        : await this.snapshotStore(flags, folder);
    const captured = await capture(await storeFingerprintKey(store));
    const stored = await this.store(store, captured, connectionWords(flags));
    this.tellWarnings(captured, warningsShown);
    return stored;
  }

  private tellWarnings({ report }: CaptureResult, most: number | undefined): void {
    const text = renderWarnings(report, this.errorScreen, most);
    if (text !== '') this.note(text);
  }

  private async capture(
    request: CaptureRequest & { workspace?: string },
    timings: boolean,
    process: ProcessReference | undefined,
    folder: string | undefined,
  ): Promise<CaptureResult> {
    const captured = await withProgress('Capturing this machine', (progress) => {
      const withProgressEvents: CaptureRequest & { workspace?: string } = {
        ...request,
        ...(progress.shown && {
          onProgress: (event) => {
            const text = progressText(event);
            if (text) progress.say(text);
          },
        }),
      };
      return process
        ? captureProcess(process, withProgressEvents, folder)
        : captureMachine(withProgressEvents);
    });
    if (timings) {
      const { renderTimings } = await import('../render/machine/capture.ts');
      this.note(renderTimings(captured.report, this.errorScreen));
    }
    return captured;
  }

  private async show(captured: CaptureResult, output: string | undefined): Promise<void> {
    if (output !== undefined) await this.writeOutput(output, `${jsonText(captured.snapshot)}\n`);
    if (output === '-' || this.jsonEnabled()) return;
    const { renderDryRun, renderWritten } = await import('../render/machine/capture.ts');
    this.print(
      output === undefined
        ? renderDryRun(captured, this.screen)
        : renderWritten(captured, output, this.screen),
    );
  }

  private async store(store: SnapshotStore, captured: CaptureResult, connection: readonly string[]) {
    const { id, createdAt } = await withProgress('Storing the snapshot', async () =>
      'client' in store
        ? store.client.snapshots.create(captured.snapshot)
        : store.local.add(captured.snapshot),
    );
    if (!this.jsonEnabled()) {
      const { renderStored } = await import('../render/machine/capture.ts');
      this.print(renderStored(captured, id, this.screen, connection));
    }
    return { id, ...captured.snapshot, createdAt };
  }
}

function processOf(text: string): ProcessReference {
  const process = parseProcessReference(text);
  if (process) return process;
  throw new CliError(`"${text}" is not an environment that can be captured`, {
    code: 'invalid_reference',
    hint: 'local, pid:N, shell:login, shell:interactive, unit:NAME or container:ID.',
  });
}

/** Refuses what the service would refuse (docs/specification.md §2), so that files never contain such a name. */
function checkMachineName(name: string | undefined): void {
  if (name === undefined || (name.trim() !== '' && [...name].length <= maxMachineNameLength)) return;
  throw new CliError(`--machine-name must have 1 to ${maxMachineNameLength} characters`, { code: 'usage' });
}

function parseMetadata(entries: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    entries.map((entry) => {
      const equals = entry.indexOf('=');
      if (equals < 1) {
        throw usageError(`--metadata "${entry}" is not NAME=VALUE`, 'For example: --metadata release=42');
      }
      return [entry.slice(0, equals), entry.slice(equals + 1)];
    }),
  );
}

/** One warning a line, for standard error. A terminal shows at most `most`, and the number of the others. */
function renderWarnings(
  { warnings }: CaptureReport,
  screen: Screen,
  most = Number.POSITIVE_INFINITY,
): string {
  const shown = screen.interactive ? warnings.slice(0, most) : warnings;
  const lines = shown.map(
    (warning) => `${screen.paint('yellow', 'Warning:')} ${visible(warningText(warning))}`,
  );
  const more = warnings.length - shown.length;
  if (more > 0) lines.push(screen.paint('dim', `${more} more: envsnap capture --dry-run shows all`));
  return lines.join('\n');
}

function warningText(warning: CaptureReport['warnings'][number]): string {
  const { file, line, column, message } = warning;
  if (file === undefined) return message;
  const position = line === undefined ? '' : `:${line}${column === undefined ? '' : `:${column}`}`;
  return message.includes(file)
    ? message.replace(file, () => `${file}${position}`)
    : `${file}${position}: ${message}`;
}
