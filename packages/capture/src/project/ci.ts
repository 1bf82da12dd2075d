// Which continuous-integration service runs the capture, by the variables that each documents.

export interface CiState {
  readonly provider: string;
  /** Name of the job as the provider gives it; no number that changes with each run. */
  readonly job?: string;
}

interface Provider {
  readonly name: string;
  /** The provider is there when this variable is set (and not `false`). */
  readonly mark: string;
  readonly job?: string;
}

const providers: readonly Provider[] = [
  { name: 'forgejo-actions', mark: 'FORGEJO_ACTIONS', job: 'GITHUB_JOB' },
  { name: 'gitea-actions', mark: 'GITEA_ACTIONS', job: 'GITHUB_JOB' },
  { name: 'github-actions', mark: 'GITHUB_ACTIONS', job: 'GITHUB_JOB' },
  { name: 'gitlab-ci', mark: 'GITLAB_CI', job: 'CI_JOB_NAME' },
  { name: 'circleci', mark: 'CIRCLECI', job: 'CIRCLE_JOB' },
  { name: 'azure-pipelines', mark: 'TF_BUILD', job: 'SYSTEM_JOBNAME' },
  { name: 'bitbucket-pipelines', mark: 'BITBUCKET_BUILD_NUMBER' },
  { name: 'buildkite', mark: 'BUILDKITE', job: 'BUILDKITE_LABEL' },
  { name: 'travis-ci', mark: 'TRAVIS', job: 'TRAVIS_JOB_NAME' },
  { name: 'appveyor', mark: 'APPVEYOR', job: 'APPVEYOR_JOB_NAME' },
  { name: 'woodpecker', mark: 'CI_WORKFLOW_NAME', job: 'CI_WORKFLOW_NAME' },
  { name: 'drone', mark: 'DRONE', job: 'DRONE_STAGE_NAME' },
  { name: 'teamcity', mark: 'TEAMCITY_VERSION', job: 'TEAMCITY_BUILDCONF_NAME' },
  { name: 'jenkins', mark: 'JENKINS_URL', job: 'JOB_NAME' },
  { name: 'aws-codebuild', mark: 'CODEBUILD_BUILD_ARN' },
  { name: 'google-cloud-build', mark: 'BUILDER_OUTPUT' },
  { name: 'cirrus-ci', mark: 'CIRRUS_CI', job: 'CIRRUS_TASK_NAME' },
  { name: 'semaphore', mark: 'SEMAPHORE', job: 'SEMAPHORE_JOB_NAME' },
  { name: 'codefresh', mark: 'CF_BUILD_ID', job: 'CF_PIPELINE_NAME' },
  { name: 'bitrise', mark: 'BITRISE_IO', job: 'BITRISE_TRIGGERED_WORKFLOW_ID' },
  { name: 'sourcehut', mark: 'JOB_URL' },
  { name: 'netlify', mark: 'NETLIFY', job: 'SITE_NAME' },
  { name: 'vercel', mark: 'VERCEL' },
  { name: 'cloudflare-pages', mark: 'CF_PAGES' },
  { name: 'render', mark: 'RENDER', job: 'RENDER_SERVICE_NAME' },
  { name: 'xcode-cloud', mark: 'CI_XCODE_CLOUD', job: 'CI_WORKFLOW' },
];

/** The provider, `unknown` where only the general `CI` variable is set, or undefined outside of CI. */
export function detectCi(env: Readonly<Record<string, string | undefined>>): CiState | undefined {
  const isSet = (name: string): boolean =>
    env[name] !== undefined && env[name] !== '' && env[name] !== 'false';
  const provider = providers.find(({ mark }) => isSet(mark));
  if (!provider) return isSet('CI') && env.CI !== '0' ? { provider: 'unknown' } : undefined;
  const job = provider.job && env[provider.job];
  return { provider: provider.name, ...(job && { job }) };
}
