// envsnap run: help, completion, and errors for words that bin/run-words.js cannot parse. bin/run-command.js runs the command
// before any of this is loaded.

import { boolean, string } from '@oclif/core/flags';
import { BaseCommand } from '../base-command.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { connectionFlags, repeatable } from '../flags.ts';

export default class Run extends BaseCommand {
  static override summary = 'Run a command. If it fails, say what differs from its last run that passed.';
  static override description =
    'The command runs as if envsnap were not there: it keeps its terminal, streams, signals, process group and exit code ' +
    '(128 plus the number of the signal that ended it). Meanwhile, envsnap captures the environment, and then stores it with ' +
    'the result: on your server, or else in your state folder, which keeps the newest 200 runs of the project.\n' +
    'After a failure, the last lines on standard error name the likeliest causes. If no run has passed yet, these lines ' +
    'say what this machine lacks. envsnap reads output that goes to a file, a pipe or a tmux pane, but no other terminal.';
  static override usage = 'run [FLAGS] -- COMMAND…';
  static override examples = [
    'envsnap run -- npm test',
    "envsnap run --of test --junit 'reports/*.xml' -- npm test",
  ];
  static override flags = {
    of: string({ summary: 'Name of the run; by default its command.', helpValue: 'NAME' }),
    junit: repeatable('Files in which the command reports its tests as JUnit XML', 'PATTERN'),
    ctrf: repeatable('Files in which the command reports its tests as CTRF', 'PATTERN'),
    'machine-name': string({ summary: 'Name of the machine; by default its host name.', helpValue: 'NAME' }),
    quiet: boolean({ char: 'q', summary: 'Print nothing.' }),
    'base-url': connectionFlags['base-url'],
    profile: connectionFlags.profile,
  };

  override async run(): Promise<never> {
    const cut = this.argv.indexOf('--');
    const { flags } = await this.parse(Run, cut < 0 ? this.argv : this.argv.slice(0, cut));
    const isForgotten = (value: unknown) => typeof value === 'string' && /^(?:$|-)/.test(value);
    const [name] = Object.entries(flags).find(([, value]) => [value].flat().some(isForgotten)) ?? [];
    if (name !== undefined) throw new CliError(`--${name} has no value`, { code: 'usage' });
    throw usageError(
      cut < 0 ? 'there is no -- before the command' : 'the command is missing',
      'For example: envsnap run -- npm test',
    );
  }
}
