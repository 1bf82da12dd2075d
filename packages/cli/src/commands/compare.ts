// envsnap compare

import { comparisonToDocument } from '@envsnap/compare/formats/json';
import { presetNames } from '@envsnap/compare/workspace';
import { visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { boolean, option, string } from '@oclif/core/flags';
import { type ProjectFolder, projectFolder } from '../actions/capture-machine.ts';
import { choosePair, compareReferences } from '../actions/comparison/compare-references.ts';
import { loadPolicy } from '../actions/comparison/load-policy.ts';
import { snapshotSources } from '../actions/references/resolve-snapshot.ts';
import { BaseCommand } from '../base-command.ts';
import { connectionWords, envsnapCommand } from '../connection/settings.ts';
import { CliError, exitCodes, usageError } from '../errors/cli-error.ts';
import { connectionFlags, folderFlags, repeatable } from '../flags.ts';
import {
  type ComparisonFormat,
  comparisonFormats,
  formatComparison,
} from '../render/comparison/comparison-formats.ts';
import { withProgress } from '../terminal/progress.ts';
import { screenOf } from '../terminal/terminal.ts';

export default class Compare extends BaseCommand {
  static override summary = 'Compare two snapshots, or a snapshot with this machine as it is now.';
  static override description =
    'A and B are each a snapshot id or its first 8 or more characters, latest, latest:MACHINE, last-passed or last-failed ' +
    '(also last-passed:NAME), local (this machine, captured now), pid:N, shell:login, shell:interactive, unit:NAME, ' +
    'container:ID, or a file that capture --output wrote.\n' +
    'B is this machine by default. A is by default the baseline of .envsnap.yaml. If it names none, A is the last run that passed here if the ' +
    'last run failed, or else the last snapshot of this machine. The rules in .envsnap.yaml apply.\n' +
    'Files, local and the runs of envsnap run need no server. The exit code is 1 if a difference counts.';
  static override examples = [
    'envsnap compare',
    'envsnap compare latest:build-7 local',
    'envsnap compare latest:build-7 local --failure test.log',
    'envsnap compare baseline.json local --fail-on runtimes:minor,dependencies:major',
    'envsnap compare 0193a5c2 0193a5d1 --ignore "dependencies:**/@types/*"',
  ];
  static override args = {
    a: stringArg({
      description: 'The environment to compare with, usually one that works.',
      ignoreStdin: true,
    }),
    b: stringArg({ description: 'The environment to examine; by default this machine.', ignoreStdin: true }),
  };
  static override flags = {
    'fail-on': string({
      summary: 'What counts: sections separated by commas, each with an optional level; or none.',
      helpValue: 'SECTIONS',
    }),
    preset: option({
      options: presetNames,
      summary:
        'What counts: ci to compare a person’s machine with CI, strict for everything, none for the default.',
      exclusive: ['fail-on'],
    })(),
    ignore: repeatable('Leave out what matches SECTION:PATTERN', 'PATTERN'),
    format: option({
      options: comparisonFormats,
      default: 'table' as const,
      summary:
        'Format of the result; github prints annotations and writes the step summary, agent prints a short text for coding agents.',
    })(),
    report: repeatable('Also write the comparison to a file in another format', 'FORMAT=FILE'),
    failure: string({
      summary: 'Output of what failed on B (a log, a stack trace, JUnit); - reads standard input.',
      helpValue: 'FILE',
    }),
    all: boolean({ summary: 'Also show what is the same, and every list in full.' }),
    output: string({ char: 'o', summary: 'Write to a file.', helpValue: 'FILE' }),
    ...folderFlags,
    'show-values': boolean({
      summary:
        'Show values of variables, also in files and for snapshots from a server. Never shows secrets.',
    }),
    policy: string({
      summary: 'Policy file; by default the nearest .envsnap.yaml at or above the folder.',
      helpValue: 'FILE',
      exclusive: ['no-policy'],
    }),
    'no-policy': boolean({ summary: 'Ignore the policy file.' }),
    quiet: boolean({ char: 'q', summary: 'Print nothing; only set the exit code.' }),
    ...connectionFlags,
  };

  override async run() {
    const { args, flags } = await this.parse(Compare);
    const reports = (flags.report ?? []).map(parseReport);
    if (this.jsonEnabled() && reports.some(({ file }) => file === '-'))
      throw new CliError('use --report FORMAT=- or --json: both write to standard output', { code: 'usage' });
    const failure = flags.failure === undefined ? undefined : await this.readFailure(flags.failure);
    const policy = flags['no-policy'] ? undefined : await loadPolicy(flags.dir ?? '.', flags.policy);
    const store = this.storeOnce(flags, flags.dir);
    const pair = await choosePair(args.a, args.b, policy, store);
    const isLocal = [pair.a, pair.b].some(({ reference }) => reference.kind === 'local');
    const project: ProjectFolder = isLocal
      ? await projectFolder(flags)
      : { folder: '.', found: undefined, workspace: flags.workspace };
    const sources = snapshotSources(store, project, pair.stored);
    // The user's own values may appear on the user's own screen. Other formats are for other readers.
    const isForOwnEyes =
      reports.length === 0 && ['table', 'json', 'agent'].includes(flags.format) && flags.output === undefined;
    const rules: Parameters<typeof compareReferences>[2] = {
      ignore: flags.ignore ?? [],
      failOn: flags['fail-on'],
      preset: flags.preset,
      showValues:
        flags['show-values'] || (isForOwnEyes && (!pair.stored || 'local' in (await store())) && 'safe'),
      policy: policy?.loaded,
      failure,
      workspace: project.workspace,
    };
    const above = isForOwnEyes ? (isLocal ? project.found : await projectAbove(flags.dir)) : undefined;
    const options = { carried: !flags['no-policy'], above };
    const report = await withProgress('Comparing', () => compareReferences(pair, sources, rules, options));
    if (report.verdict === 'failed') this.endWith(exitCodes.different);
    const { all, output, quiet } = flags;
    for (const { format, file } of reports) {
      await this.writeOutput(file, await formatComparison(format, report, { screen: fileScreen, all }));
    }
    if (output !== undefined) {
      await this.writeOutput(
        output,
        await formatComparison(flags.format, report, { screen: fileScreen, all }),
      );
    } else if (!quiet && !this.jsonEnabled()) {
      const { found } = project;
      const text = await formatComparison(flags.format, report, { screen: this.screen, all, found });
      if (flags.format === 'table') this.print(text);
      else this.printAsIs(text);
      if (policy === undefined && report.policy)
        this.note(`Using the policy in B, ${visible(report.policy.file)}. --no-policy ignores it.`);
      const { text: passed, failedRun } = pair.a;
      if (failedRun !== undefined && report.verdict !== 'failed')
        this.note(
          `The failed run may have had a different environment from this shell. Compare the runs themselves: ${envsnapCommand('compare', passed, failedRun, ...connectionWords(flags))}`,
        );
    }
    return comparisonToDocument(report);
  }
}

/** A file is not a terminal: no colour, nothing shortened. */
const fileScreen = screenOf({ isTTY: false }, {});

/** Reads `FORMAT=FILE`. Exit code 2 if there is no such format. */
function parseReport(text: string): { format: ComparisonFormat; file: string } {
  const equals = text.indexOf('=');
  const format = comparisonFormats.find((name) => name === text.slice(0, equals));
  const file = text.slice(equals + 1);
  if (equals > 0 && format && file !== '') return { format, file };
  throw usageError(
    `--report "${text}" is not FORMAT=FILE`,
    `For example: --report html=report.html. Formats: ${comparisonFormats.join(', ')}.`,
  );
}

/** The project above the working folder; undefined also if that was deleted, where two files can still be compared. */
async function projectAbove(dir: string | undefined): Promise<string | undefined> {
  return (await projectFolder({ dir, workspace: undefined }).catch(() => undefined))?.found;
}
