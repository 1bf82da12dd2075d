// envsnap issue

import { option, string } from '@oclif/core/flags';
import { compareReferences, parsePair } from '../actions/comparison/compare-references.ts';
import { explainFailure } from '../actions/comparison/explain-failure.ts';
import { readFailureOutput } from '../actions/comparison/read-failure-output.ts';
import { projectFolder } from '../actions/project-folder.ts';
import { snapshotSources } from '../actions/references/snapshot-sources.ts';
import { BaseCommand } from '../base-command.ts';
import { connectionFlags, folderFlags } from '../flags.ts';
import { renderIssue } from '../issue/issue-markdown.ts';
import { issuePresetNames } from '../issue/presets.ts';
import { withProgress } from '../terminal/progress.ts';

export default class Issue extends BaseCommand {
  static override summary =
    'Describe this environment for a bug report, as Markdown that is safe to publish.';
  static override description =
    'Lists what maintainers ask for: system, runtimes, tools, language. It names no person, machine, path, address or secret. ' +
    '--with adds what differs from a snapshot, such as one that the maintainers publish.';
  static override examples = [
    'envsnap issue --preset node',
    'envsnap issue --with works.json --output issue.md',
  ];
  static override flags = {
    preset: option({
      options: issuePresetNames,
      summary: 'Of which ecosystem; by default those of the project.',
    })(),
    failure: string({
      summary:
        'Output of what failed here: what this machine explains of it stands first; - reads standard input.',
      helpValue: 'FILE',
    }),
    with: string({ summary: 'Also compare with this snapshot.', helpValue: 'REF' }),
    output: string({ char: 'o', summary: 'Write to a file.', helpValue: 'FILE' }),
    ...folderFlags,
    ...connectionFlags,
  };

  override async run(): Promise<{ markdown: string }> {
    const { flags } = await this.parse(Issue);
    const pair = flags.with === undefined ? undefined : parsePair(flags.with, undefined);
    const project = await projectFolder(flags);
    const failure = flags.failure === undefined ? undefined : await readFailureOutput(flags.failure);
    const sources = snapshotSources(this.storeOnce(flags), project, pair?.stored ?? false);
    const environment = await withProgress('Capturing this machine', sources.captureLocal);
    // Both sides by their letters: machines have names.
    const unnamed = { ...environment, machineName: '' };
    const report =
      pair && (await compareReferences(pair, { ...sources, captureLocal: async () => unnamed }, { failure }));
    const explanations = failure ? await explainFailure(failure, project.folder) : [];
    const markdown = renderIssue(environment, flags.preset, report, explanations);
    if (flags.output !== undefined) await this.writeOutput(flags.output, markdown, 0o644);
    else this.printAsIs(markdown);
    return { markdown };
  }
}
