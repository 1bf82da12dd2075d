// Which continuous-integration service runs the capture, by the variables that each documents.

interface CiState {
  readonly provider: string;
  /** Name of the job as the provider gives it; no number that changes with each run. */
  readonly job?: string;
  /** What the job runs on, where the provider reports it. */
  readonly image?: CiImage;
}

interface CiImage {
  readonly name: string;
  readonly version?: string;
  /** `sha256:…`, where the job names its image by its content. */
  readonly digest?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Provider {
  readonly name: string;
  /** The provider is there when this variable is set (and not `false`), or has exactly the value after `=`. */
  readonly mark: string;
  /** Variables that name the job, the first that is set, or a function of all. */
  readonly job?: string | readonly string[] | ((env: Environment) => string | undefined);
  /** Variable that names the image, and the one that holds its version. */
  readonly image?: readonly [name: string, version?: string];
}

/** The runner images of GitHub and Azure. */
const runnerImage = ['ImageOS', 'ImageVersion'] as const;

const providers: readonly Provider[] = [
  { name: 'forgejo-actions', mark: 'FORGEJO_ACTIONS', job: 'GITHUB_JOB' },
  { name: 'gitea-actions', mark: 'GITEA_ACTIONS', job: 'GITHUB_JOB' },
  { name: 'github-actions', mark: 'GITHUB_ACTIONS', job: 'GITHUB_JOB', image: runnerImage },
  { name: 'gitlab-ci', mark: 'GITLAB_CI', job: 'CI_JOB_NAME', image: ['CI_JOB_IMAGE'] },
  { name: 'circleci', mark: 'CIRCLECI', job: 'CIRCLE_JOB' },
  { name: 'azure-pipelines', mark: 'TF_BUILD', job: 'SYSTEM_JOBNAME', image: runnerImage },
  { name: 'bitbucket-pipelines', mark: 'BITBUCKET_BUILD_NUMBER', job: bitbucketStep },
  { name: 'buildkite', mark: 'BUILDKITE', job: 'BUILDKITE_LABEL' },
  { name: 'travis-ci', mark: 'TRAVIS', job: 'TRAVIS_JOB_NAME' },
  {
    name: 'appveyor',
    mark: 'APPVEYOR',
    job: 'APPVEYOR_JOB_NAME',
    image: ['APPVEYOR_BUILD_WORKER_IMAGE'],
  },
  { name: 'woodpecker', mark: 'CI=woodpecker', job: ['CI_WORKFLOW_NAME', 'CI_STEP_NAME'] },
  { name: 'drone', mark: 'DRONE', job: ['DRONE_STAGE_NAME', 'DRONE_STEP_NAME'] },
  { name: 'teamcity', mark: 'TEAMCITY_VERSION', job: 'TEAMCITY_BUILDCONF_NAME' },
  { name: 'jenkins', mark: 'JENKINS_URL', job: 'JOB_NAME' },
  {
    name: 'aws-codebuild',
    mark: 'CODEBUILD_BUILD_ARN',
    job: codebuildProject,
    image: ['CODEBUILD_BUILD_IMAGE'],
  },
  { name: 'google-cloud-build', mark: 'BUILDER_OUTPUT' },
  { name: 'cirrus-ci', mark: 'CIRRUS_CI', job: 'CIRRUS_TASK_NAME' },
  {
    name: 'semaphore',
    mark: 'SEMAPHORE',
    job: 'SEMAPHORE_JOB_NAME',
    image: ['SEMAPHORE_AGENT_MACHINE_OS_IMAGE'],
  },
  { name: 'codefresh', mark: 'CF_BUILD_ID', job: 'CF_PIPELINE_NAME' },
  { name: 'bitrise', mark: 'BITRISE_IO', job: 'BITRISE_TRIGGERED_WORKFLOW_ID' },
  { name: 'sourcehut', mark: 'JOB_URL' },
  { name: 'netlify', mark: 'NETLIFY', job: 'SITE_NAME' },
  { name: 'vercel', mark: 'VERCEL' },
  { name: 'cloudflare-pages', mark: 'CF_PAGES' },
  { name: 'render', mark: 'RENDER', job: 'RENDER_SERVICE_NAME' },
  { name: 'xcode-cloud', mark: 'CI_XCODE_CLOUD', job: 'CI_WORKFLOW' },
  // Workspaces in the cloud set no variable of a CI service; their machines are as uniform.
  { name: 'codespaces', mark: 'CODESPACES' },
  { name: 'gitpod', mark: 'GITPOD_WORKSPACE_ID' },
];

/** The steps of Bitbucket have no name in their environment; their deployment or their place among parallel ones has. */
function bitbucketStep(env: Environment): string | undefined {
  const index = env.BITBUCKET_PARALLEL_STEP;
  return env.BITBUCKET_DEPLOYMENT_ENVIRONMENT || (index ? `parallel step ${index}` : undefined);
}

/** `CODEBUILD_BUILD_ID` is `project:uuid`; builds of a batch have names of their own. */
function codebuildProject(env: Environment): string | undefined {
  return env.CODEBUILD_BATCH_BUILD_IDENTIFIER || env.CODEBUILD_BUILD_ID?.split(':')[0] || undefined;
}

/** The provider, `unknown` where only the general `CI` variable is set, or undefined outside of CI. */
export function detectCi(env: Environment): CiState | undefined {
  const isSet = (name: string): boolean =>
    env[name] !== undefined && env[name] !== '' && env[name] !== 'false';
  const isThere = (mark: string): boolean => {
    const [name = '', value] = mark.split('=');
    return value === undefined ? isSet(name) : env[name] === value;
  };
  const provider = providers.find(({ mark }) => isThere(mark));
  if (!provider) return isSet('CI') && env.CI !== '0' ? { provider: 'unknown' } : undefined;
  const job = jobOf(provider, env);
  const image = imageOf(provider, env);
  return { provider: provider.name, ...(job && { job }), ...(image && { image }) };
}

function jobOf({ job }: Provider, env: Environment): string | undefined {
  if (typeof job === 'function') return job(env);
  return [job ?? []].flat().reduce<string | undefined>((found, name) => found || env[name], undefined);
}

/** `registry/name:tag@sha256:…` is an image by its content. */
function imageOf({ image }: Provider, env: Environment): CiImage | undefined {
  const [nameVariable = '', versionVariable = ''] = image ?? [];
  const [name = '', digest] = (env[nameVariable] ?? '').split('@');
  if (name === '') return undefined;
  const version = env[versionVariable];
  return { name, ...(version && { version }), ...(digest && { digest }) };
}
