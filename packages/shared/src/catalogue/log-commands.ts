// Commands that CI services read from the log of a job. A new service is one row.

import { tableRows } from '../text/table-rows.ts';

export interface LogCommand {
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
 * Services that are not listed read no commands from text, or only control characters: Jenkins marks its notes with an escape
 * character, and AppVeyor and CircleCI use programs.
 */
export const logCommands: readonly LogCommand[] = tableRows(String.raw`
  GitHub Actions | line-start | ::Error::x
    | https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
    | :(?=:[a-z])
  GitHub Actions and Azure Pipelines, formatting | anywhere | ##[error]x
    | https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands#formatting-commands
    | #(?=#\[)
  Azure Pipelines | anywhere | ##vso[task.complete]x
    | https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands | #(?=#vso\[)
  TeamCity | anywhere | ##teamcity[x]
    | https://www.jetbrains.com/help/teamcity/service-messages.html | #(?=#teamcity\[)
  Octopus Deploy | anywhere | ##octopus[stdout-error]
    | https://octopus.com/docs/deployments/custom-scripts/output-variables | #(?=#octopus\[)
  GitLab CI | anywhere | section_start:1:x
    | https://docs.gitlab.com/ci/jobs/job_logs/ | s(?=ection_(?:start|end):\d)
  Buildkite | line-start | +++ x
    | https://buildkite.com/docs/pipelines/configure/managing-log-output
    | -(?=--(?!\S))|\+(?=\+\+(?!\S))|~(?=~~(?!\S))|\^(?=\^\^(?!\S))
  Travis CI | anywhere | travis_fold:start:x
    | https://github.com/travis-ci/travis-build/blob/master/lib/travis/build/bash/travis_fold.bash
    | t(?=ravis_(?:fold|time):(?:start|end))
  Continua CI | anywhere | @@continua[x]
    | https://docs.finalbuilder.com/ci/1.0/extending-continua-ci/custom-log-messages.html | @(?=@continua\[)
`).map(([service = '', place = '', example = '', source = '', ...character]) => ({
  ...{ service, place, example, source },
  character: character.join('|'),
}));
