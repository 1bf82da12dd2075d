// envsnap why

import type { Diagnosis } from '@envsnap/compare/diagnosis';
import { jsonText } from '@envsnap/shared/text/visible';
import { integer, option, string } from '@oclif/core/flags';
import { whyRuns } from '../actions/comparison/why-runs.ts';
import { snapshotSources } from '../actions/references/resolve-snapshot.ts';
import { BaseCommand } from '../base-command.ts';
import { exitCodes } from '../errors/cli-error.ts';
import { connectionFlags } from '../flags.ts';
import { addToGithubSummary } from '../terminal/github-summary.ts';
import { withProgress } from '../terminal/progress.ts';
import { type Screen, screenOf } from '../terminal/terminal.ts';

const whyFormats = ['table', 'json', 'markdown', 'html', 'github', 'agent'] as const;
type WhyFormat = (typeof whyFormats)[number];

/** Renders a diagnosis. For `github`, the summary is added to the step summary if GitHub names a file for it. */
async function formatWhy(format: WhyFormat, diagnosis: Diagnosis, screen: Screen): Promise<string> {
  if (format === 'json') return `${jsonText(diagnosis)}\n`;
  if (format === 'agent') {
    const { renderAgentDiagnosis } = await import('@envsnap/compare/formats/agent');
    return renderAgentDiagnosis(diagnosis);
  }
  if (format === 'table') {
    const { renderWhy } = await import('../render/comparison/why.ts');
    return renderWhy(diagnosis, screen);
  }
  if (format === 'html') {
    const { renderDiagnosisFile } = await import('@envsnap/console/diagnosis-file');
    return renderDiagnosisFile(diagnosis, { madeAt: new Date() });
  }
  const formats = await import('@envsnap/compare/workspace/formats/diagnosis');
  if (format === 'markdown') return formats.renderDiagnosisMarkdown(diagnosis);
  await addToGithubSummary(formats.renderDiagnosisMarkdown(diagnosis));
  return formats.renderDiagnosisAnnotations(diagnosis);
}

/** Largest false-discovery rate of a finding. */
const findingLimit = 0.05;

export default class Why extends BaseCommand {
  static override summary = 'Find what separates failing runs from passing ones.';
  static override description =
    'Looks at the runs that envsnap run and capture --outcome stored on the server or, without one, on this machine. You can ' +
    'also name runs: ids, latest:MACHINE, files and file patterns. Every key of every section is tested; keys that always ' +
    'changed together count as one finding.\n' +
    'The exit code is 0 if something separates the runs by more than chance, 1 if nothing does.';
  static override examples = [
    'envsnap why',
    'envsnap why --outcome-of test --last 60',
    "envsnap why --passed 'good/*.json' --failed 'bad/*.json'",
  ];
  static override flags = {
    passed: string({
      summary: 'Runs that passed: snapshots as in compare, or files; repeatable.',
      multiple: true,
      helpValue: 'REF',
    }),
    failed: string({
      summary: 'Runs that failed: snapshots as in compare, or files; repeatable.',
      multiple: true,
      helpValue: 'REF',
    }),
    'outcome-of': string({ summary: 'Only stored runs with this name.', helpValue: 'NAME' }),
    test: string({
      summary:
        'Only runs in which this test ran, each with the result of the test. Give its name, or CLASS.NAME.',
      helpValue: 'NAME',
    }),
    machine: string({ summary: 'Only stored runs of this machine.', helpValue: 'NAME' }),
    last: integer({ summary: 'Only the newest N stored runs.', min: 1, max: 1000, helpValue: 'N' }),
    format: option({ options: whyFormats, default: 'table' as const, summary: 'Format.' })(),
    output: string({ char: 'o', summary: 'Write to a file.', helpValue: 'FILE' }),
    ...connectionFlags,
  };

  override async run(): Promise<Diagnosis> {
    const { flags } = await this.parse(Why);
    const { passed, failed, machine: machineName, last, test } = flags;
    const runs = { passed, failed, outcomeOf: flags['outcome-of'], machineName, last, test };
    const sources = snapshotSources(this.storeOnce(flags), { folder: '.' }, false);
    const diagnosis = await withProgress('Looking at the runs', () => whyRuns(runs, sources));
    if (!diagnosis.findings.some(({ qValue }) => qValue <= findingLimit)) this.endWith(exitCodes.different);
    if (flags.output !== undefined)
      await this.writeOutput(flags.output, await formatWhy(flags.format, diagnosis, screenOf({}, {})));
    else if (!this.jsonEnabled()) {
      const text = await formatWhy(flags.format, diagnosis, this.screen);
      if (flags.format === 'table') this.print(text);
      else this.printAsIs(text);
    }
    return diagnosis;
  }
}
