// Commands that CI services read from the log of a job. A new service is one row of `log-commands.json`.

import rows from './log-commands.json' with { type: 'json' };

interface LogCommand {
  readonly service: string;
  /** `anywhere` in a line, or only at its beginning, after spaces. */
  readonly place: string;
  readonly example: string;
  /** The address of the page that documents it. */
  readonly source: string;
  /** A case-insensitive regular expression for the character without which the marker has no effect. */
  readonly character: string;
}

/**
 * Services that are not listed read no commands from text, or only those that begin with a control character, which never
 * leaves: Jenkins' notes, images and links on Buildkite, cards on Drone. AppVeyor, Bitrise, CircleCI and Codefresh use
 * programs and files. Forgejo and Gitea read GitHub's commands. MSBuild and Xcode only colour lines that look like errors.
 */
export const logCommands: readonly LogCommand[] = rows;
