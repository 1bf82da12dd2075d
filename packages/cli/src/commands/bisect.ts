// envsnap bisect

import path from 'node:path';
import { shellWord } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { boolean, integer, option, string } from '@oclif/core/flags';
import {
  abandonBisections,
  type BisectOutcome,
  type BisectVerdict,
  bisect,
} from '../actions/bisect/bisect.ts';
import {
  chooseChanges,
  needsConsent,
  type Plan,
  runsExpected,
  withholdWithoutConsent,
} from '../actions/bisect/bisect-change.ts';
import { planChanges } from '../actions/bisect/bisect-changes.ts';
import { parseFailsIf } from '../actions/bisect/bisect-exit-codes.ts';
import { repairOf } from '../actions/bisect/bisect-repair.ts';
import { endRunningCommands } from '../actions/bisect/bisect-run.ts';
import { type BisectRequest, keepRuns, readStopped, runsOf } from '../actions/bisect/stored-bisection.ts';
import { strangerSides } from '../actions/bisect/value-trust.ts';
import { type Pair, type PairSide, parsePair } from '../actions/comparison/compare-references.ts';
import { readFailureOutput } from '../actions/comparison/read-failure-output.ts';
import { resolveSnapshot, snapshotSources } from '../actions/references/resolve-snapshot.ts';
import { BaseCommand } from '../base-command.ts';
import { type ConnectionFlags, envsnapCommand } from '../connection/settings.ts';
import type { BisectDocument } from '../documents/run-documents.ts';
import { type CliError, type ExitCode, exitCodes, usageError } from '../errors/cli-error.ts';
import { connectionFlags, repeatable } from '../flags.ts';
import { renderAgentBisect, renderAgentPlan } from '../render/comparison/agent.ts';
import {
  bisectProgressText,
  bisectStoppedText,
  bisectToDocument,
  planToDocument,
  type RunProgress,
  renderBisect,
  renderPlan,
  renderRisks,
  type SideTitles,
} from '../render/comparison/bisect.ts';
import { linesOf } from '../runs/explain-first-failure.ts';
import { findMissingScript } from '../runs/find-missing-command.ts';
import { runNameOf } from '../runs/record-run.ts';
import { newestRun } from '../runs/snapshot-store.ts';
import { onInterrupt } from '../terminal/interrupt.ts';
import { type Progress, startProgress } from '../terminal/progress.ts';

const exitCodesOfVerdicts: Record<BisectVerdict, ExitCode> = {
  proven: exitCodes.done,
  unproven: exitCodes.different,
  'nothing-to-try': exitCodes.different,
  alike: exitCodes.usage,
  flaky: exitCodes.failed,
};

export default class Bisect extends BaseCommand {
  static override summary = 'Find which difference between two environments makes a command fail.';
  static override description =
    'A is a snapshot of an environment in which the command has a different result than here; B is this machine by default. ' +
    'bisect runs the command here with mixtures of the two until it knows the smallest set of differences that flips the ' +
    'result. One run with that set and one without it prove the cause.\n' +
    'bisect can try variables, path lists, time zone, language, umask, limits, processors, a fresh home folder, git ' +
    'settings and installed runtimes. It lists the differences that it cannot try.\n' +
    'A file or a snapshot from a server may come from someone else, so bisect applies only values that cannot start, load ' +
    'or fetch anything (language, time zone, colour, CI, limits and so on). --trust applies all values, and --only env:NAME applies one variable.\n' +
    'Ctrl-C stops bisect and keeps the results; bisect --resume continues.\n' +
    'Exit codes: 0 a cause is proven, 1 nothing that can be tried flips the result, 2 both sides have the same result, 7 flaky. As ' +
    'with git bisect, exit code 125 of the command skips that run, and 127 on both sides ends the search.';
  static override usage = 'bisect A [B] [FLAGS] -- COMMAND…';
  static override examples = [
    'envsnap bisect last-passed -- npm test',
    'envsnap bisect latest:build-7 -- npm test',
    'envsnap bisect ci.json --only env:LC_* -- make check',
    "envsnap bisect ci.json --fails-if 'Invalid date' --runs 5 -- node report.js",
  ];
  static override args = {
    a: stringArg({
      description: 'An environment in which the command has a different result.',
      ignoreStdin: true,
    }),
    b: stringArg({ description: 'The other environment; by default this machine.', ignoreStdin: true }),
  };
  static override flags = {
    dir: string({
      summary: 'Folder in which to run the command; bisect captures the project around it.',
      default: '.',
      helpValue: 'FOLDER',
    }),
    runs: integer({
      summary: 'How often to run each side first, to find out whether the command is flaky.',
      default: 3,
      min: 1,
      max: 1000,
      helpValue: 'N',
      exclusive: ['resume'],
    }),
    timeout: integer({
      summary: 'Seconds after which to stop a run.',
      default: 300,
      min: 1,
      max: 86_400,
      helpValue: 'SECONDS',
      exclusive: ['resume'],
    }),
    'fails-if': string({
      summary:
        'What counts as a failure: an exit code, text in the output, or /expression/; by default any failure.',
      helpValue: 'EXIT|PATTERN',
      exclusive: ['resume'],
    }),
    only: repeatable('Try only what matches SECTION:PATTERN', 'PATTERN', ['resume']),
    trust: boolean({
      summary: 'Apply all values of A and B, even if someone else recorded them.',
      exclusive: ['resume'],
    }),
    format: option({
      options: ['table', 'agent'] as const,
      default: 'table' as const,
      summary: 'Format of the result; agent prints a short text for coding agents.',
    })(),
    'dry-run': boolean({ summary: 'Show what bisect would try, and run nothing.', exclusive: ['resume'] }),
    resume: boolean({
      summary: 'Continue the bisection of this project that was stopped. Takes no other arguments.',
    }),
    ...connectionFlags,
  };

  override async run(): Promise<BisectDocument> {
    const { flags, request, stopped, failsIf } = await this.request();
    const { cwd } = request;
    const script = await findMissingScript(request.command, cwd);
    if (script) throw usageError(script.known[0] ?? '', script.known.slice(1).join(' '));
    const pair = parsePair(request.a, request.b);
    const progress = startProgress('Capturing this machine');
    process.on('exit', endRunningCommands);
    try {
      const { local, chosen, sides, isOwn } = await this.planned(request, pair, flags);
      const names = { a: pair.a.text, b: isLocal(pair.b) ? 'this machine' : pair.b.text };
      const plan = (await this.agreesTo(chosen, names, flags['dry-run'], progress))
        ? chosen
        : withholdWithoutConsent(chosen);
      if (flags['dry-run']) {
        progress.stop();
        const expected = runsExpected(plan.changes.length, request.runs);
        if (flags.format === 'agent') this.printAsIs(renderAgentPlan(plan, expected));
        else this.print(renderPlan(plan, names, { screen: this.screen, expected }));
        return planToDocument(plan);
      }
      const earlier = stopped ? runsOf(stopped, plan.changes) : [];
      const lasting = { ...request, a: fromAnywhere(pair.a), b: fromAnywhere(pair.b) };
      const kept = keepRuns(lasting, plan.changes, earlier);
      const elsewhere = flags.dir === '.' ? [] : ['--dir', cwd];
      let last: RunProgress | undefined;
      // Last, because planning blocks the event loop.
      const takeBack = onInterrupt(() => {
        const resume = kept.isKept() ? envsnapCommand('bisect', '--resume', ...elsewhere) : undefined;
        if (last) progress.aside(() => this.note(bisectStoppedText(last as RunProgress, resume)));
        return abandonBisections();
      });
      const outcome = await bisect({
        ...plan,
        command: request.command,
        cwd,
        local,
        env: process.env,
        runs: request.runs,
        timeoutMs: request.timeoutSeconds * 1000,
        failsIf,
        earlier,
        onRun: kept.add,
        onProgress: (event) => {
          if (event.kind === 'run') last = event;
          const text = bisectProgressText(event, names);
          if (event.kind === 'run') progress.say(text);
          else progress.aside(() => this.note(text));
        },
      }).finally(takeBack);
      kept.remove();
      progress.stop();
      this.endWith(exitCodesOfVerdicts[outcome.verdict]);
      const repair = repairOf(outcome, sides, isOwn || outcome.verdict === 'proven');
      if (flags.format === 'agent') this.printAsIs(renderAgentBisect(outcome, repair));
      else this.print(renderBisect(outcome, names, this.screen, { output: await outputOf(outcome), repair }));
      return bisectToDocument(outcome, names, repair);
    } finally {
      progress.stop();
      process.off('exit', endRunningCommands);
    }
  }

  /** The bisection that the command line asks for, or the stopped one that it continues. */
  private async request() {
    const cut = this.argv.indexOf('--');
    const command = cut < 0 ? [] : this.argv.slice(cut + 1);
    const needsNoCommand = ['--dry-run', '--resume'].some((flag) => this.argv.includes(flag));
    // Without the two dashes, envsnap would read words of the command as B and as its own flags.
    if (cut < 0 && !needsNoCommand) throw missing('the command', this.argv);
    const { args, flags } = await this.parse(Bisect, cut < 0 ? this.argv : this.argv.slice(0, cut));
    const stopped = flags.resume ? readStopped(flags.dir) : undefined;
    if (stopped && (args.a !== undefined || command.length > 0))
      throw usageError(
        '--resume takes no other arguments',
        'Leave out the snapshot and the command, or leave out --resume.',
      );
    if (!stopped && args.a === undefined) throw missing('the snapshot to compare with');
    if (!stopped && command.length === 0 && !flags['dry-run']) throw missing('the command');
    const request: BisectRequest = stopped?.request ?? {
      a: args.a ?? '',
      b: args.b,
      cwd: path.resolve(flags.dir),
      command,
      runs: flags.runs,
      timeoutSeconds: flags.timeout,
      failsIf: flags['fails-if'],
      only: flags.only,
      trust: flags.trust,
    };
    return { flags, request, stopped, failsIf: parseFailsIf(request.failsIf) };
  }

  /** This machine, and the changes between the two sides that bisect can try. */
  private async planned(request: BisectRequest, pair: Pair, flags: ConnectionFlags) {
    const { cwd } = request;
    const { findCheckout } = await import('@envsnap/capture/workspace/system/find-checkout');
    const { findProjectRoot } = await import('@envsnap/capture/workspace/project/find-project-root');
    const folder = await findProjectRoot(cwd);
    const sources = snapshotSources(this.storeOnce(flags, cwd), { folder }, pair.stored);
    const local = await sources.captureLocal();
    const side = async ({ reference }: PairSide) => {
      if (reference.kind === 'local') return local;
      // The last run of this command that passed, or failed; undefined if there is none.
      const isUnnamed = reference.kind === 'run' && reference.of === undefined && request.command.length > 0;
      const same = isUnnamed && { ...reference, of: runNameOf(request.command) };
      const own = same && (await newestRun(await sources.store(), same));
      return own || resolveSnapshot(reference, sources);
    };
    const [a, b] = await Promise.all([side(pair.a), side(pair.b)]);
    const strangers = request.trust ? undefined : await strangerSides(pair, cwd, sources.store);
    const changes = await planChanges({
      a,
      b,
      local,
      aIsLocal: isLocal(pair.a),
      bIsLocal: isLocal(pair.b),
      env: process.env,
      ...(strangers && { strangers }),
      checkout: await findCheckout(cwd),
    });
    const isOwn = strangers === undefined || strangers.size === 0;
    return { local, chosen: chooseChanges(changes, request.only), sides: { a, b }, isOwn };
  }

  /** Asks a person at a terminal whether a stranger's values, and those that can run code, may be tried; nobody else is asked. */
  private async agreesTo(
    { changes }: Plan,
    names: SideTitles,
    dryRun: boolean,
    progress: Progress,
  ): Promise<boolean> {
    const risky = changes.filter(needsConsent);
    const somebodyIsThere = process.stdin.isTTY && process.stderr.isTTY && !this.jsonEnabled();
    if (risky.length === 0 || dryRun || !somebodyIsThere) return false;
    progress.stop();
    process.stderr.write(renderRisks(risky, names));
    const { askYes } = await import('../terminal/prompt.ts');
    return askYes('Try these too?');
  }
}

const isLocal = ({ reference }: PairSide): boolean => reference.kind === 'local';

/** Why the command fails, in its own words, if it fails on both sides. */
async function outputOf({ verdict, sides, outputFolder }: BisectOutcome): Promise<string[]> {
  if (verdict !== 'alike' || !sides.b?.failed || outputFolder === null) return [];
  const files = ['stdout.txt', 'stderr.txt'].map((name) => path.join(outputFolder, 'run-01', name));
  // If the disk is full, only the output is lost.
  const read = (file: string) => readFailureOutput(file).catch(() => undefined);
  const failures = await Promise.all(files.map(read));
  const lines = failures.flatMap(linesOf);
  if (lines.length > 0) return lines;
  // A shell that does not find a command prints no “error”.
  return failures.flatMap((failure) => failure?.errors.at(-1)?.words ?? []);
}

/** A side with an absolute path, which means the same in every folder; standard input stays unchanged. */
function fromAnywhere({ text, reference }: PairSide): string {
  return reference.kind === 'file' && text !== '-' ? path.resolve(text) : text;
}

/** `words` is the input. If it may contain a command, the hint is the corrected line. */
function missing(what: string, words: readonly string[] = []): CliError {
  const [a = '', ...command] = words;
  const [first = '-'] = command;
  const isMeant = ![a, first].some((word) => word.startsWith('-'));
  const suggestion = ['envsnap', 'bisect', a, '--', ...command].map(shellWord).join(' ');
  return usageError(
    `${what} is missing`,
    isMeant
      ? `Write -- before the command: ${suggestion}`
      : 'envsnap bisect A -- COMMAND, for example: envsnap bisect last-passed -- npm test',
  );
}
