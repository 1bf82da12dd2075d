// What CI services obey in the log of a job. A new service is one row.

/** A marker that a CI service acts on. */
export interface LogCommand {
  readonly service: string;
  /** `anywhere` in a line, or only where the line begins, blanks aside. */
  readonly place: 'anywhere' | 'line-start';
  /** A regular expression, without regard to case, for the one character without which the marker means nothing. */
  readonly character: string;
  readonly example: string;
  readonly source: { readonly title: string; readonly url: string };
}

/**
 * Services that are not listed obey no text, or only control characters: Jenkins reads its notes behind an escape character, and
 * AppVeyor and CircleCI have programs for what others do by markers.
 */
export const logCommands: readonly LogCommand[] = [
  {
    service: 'GitHub Actions',
    place: 'line-start',
    character: ':(?=:[a-z])',
    example: '::Error::x',
    source: {
      title: 'Workflow commands for GitHub Actions',
      url: 'https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions',
    },
  },
  {
    service: 'GitHub Actions and Azure Pipelines, formatting',
    place: 'anywhere',
    character: String.raw`#(?=#\[)`,
    example: '##[error]x',
    source: {
      title: 'Azure Pipelines: Logging commands, formatting commands',
      url: 'https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands#formatting-commands',
    },
  },
  {
    service: 'Azure Pipelines',
    place: 'anywhere',
    character: String.raw`#(?=#vso\[)`,
    example: '##vso[task.complete]x',
    source: {
      title: 'Azure Pipelines: Logging commands',
      url: 'https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands',
    },
  },
  {
    service: 'TeamCity',
    place: 'anywhere',
    character: String.raw`#(?=#teamcity\[)`,
    example: "##teamcity[message 'x']",
    source: {
      title: 'TeamCity: Service Messages',
      url: 'https://www.jetbrains.com/help/teamcity/service-messages.html',
    },
  },
  {
    service: 'GitLab CI',
    place: 'anywhere',
    character: String.raw`s(?=ection_(?:start|end):\d)`,
    example: 'section_start:1:x',
    source: {
      title: 'GitLab: CI/CD job logs, custom collapsible sections',
      url: 'https://docs.gitlab.com/ci/jobs/job_logs/',
    },
  },
  {
    service: 'Buildkite',
    place: 'line-start',
    character: String.raw`-(?=--(?!\S))|\+(?=\+\+(?!\S))|~(?=~~(?!\S))|\^(?=\^\^(?!\S))`,
    example: '+++ x',
    source: {
      title: 'Buildkite: Managing log output',
      url: 'https://buildkite.com/docs/pipelines/configure/managing-log-output',
    },
  },
  {
    service: 'Travis CI',
    place: 'anywhere',
    character: 't(?=ravis_(?:fold|time):(?:start|end))',
    example: 'travis_fold:start:x',
    source: {
      title: 'travis-ci/travis-build: travis_fold.bash',
      url: 'https://github.com/travis-ci/travis-build/blob/master/lib/travis/build/bash/travis_fold.bash',
    },
  },
  {
    service: 'Continua CI',
    place: 'anywhere',
    character: String.raw`@(?=@continua\[)`,
    example: '@@continua[message x]',
    source: {
      title: 'Continua CI: Custom Log Messages',
      url: 'https://docs.finalbuilder.com/ci/1.0/extending-continua-ci/custom-log-messages.html',
    },
  },
];
