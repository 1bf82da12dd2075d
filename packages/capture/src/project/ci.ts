// Which continuous-integration service runs the capture, by the variables that each documents.

interface CiState {
  readonly provider: string;
  /** Name of the job as the provider gives it; no number that changes with each run. */
  readonly job?: string;
  /** What the job runs on, where the provider reports it. */
  readonly image?: CiImage;
  /** The page of this very job, or of its run. */
  readonly url?: string;
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
  /** The address of the job's page; `$NAME` is a variable of the provider. */
  readonly url?: string;
}

/** The runner images of GitHub and Azure. */
const runnerImage = ['ImageOS', 'ImageVersion'] as const;
const actionsRun = '$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID';
const azureRun = '$SYSTEM_COLLECTIONURI$SYSTEM_TEAMPROJECT/_build/results?buildId=$BUILD_BUILDID';
const appveyorRun =
  '$APPVEYOR_URL/project/$APPVEYOR_ACCOUNT_NAME/$APPVEYOR_PROJECT_SLUG/builds/$APPVEYOR_BUILD_ID';

const providers: readonly Provider[] = [
  { name: 'forgejo-actions', mark: 'FORGEJO_ACTIONS', job: 'GITHUB_JOB', url: actionsRun },
  { name: 'gitea-actions', mark: 'GITEA_ACTIONS', job: 'GITHUB_JOB', url: actionsRun },
  { name: 'github-actions', mark: 'GITHUB_ACTIONS', job: 'GITHUB_JOB', url: actionsRun, image: runnerImage },
  { name: 'gitlab-ci', mark: 'GITLAB_CI', job: 'CI_JOB_NAME', url: '$CI_JOB_URL', image: ['CI_JOB_IMAGE'] },
  { name: 'circleci', mark: 'CIRCLECI', job: 'CIRCLE_JOB', url: '$CIRCLE_BUILD_URL' },
  { name: 'azure-pipelines', mark: 'TF_BUILD', job: 'SYSTEM_JOBNAME', url: azureRun, image: runnerImage },
  {
    name: 'bitbucket-pipelines',
    mark: 'BITBUCKET_BUILD_NUMBER',
    job: bitbucketStep,
    url: '$BITBUCKET_GIT_HTTP_ORIGIN/pipelines/results/$BITBUCKET_BUILD_NUMBER',
  },
  {
    name: 'buildkite',
    mark: 'BUILDKITE',
    job: 'BUILDKITE_LABEL',
    url: '$BUILDKITE_BUILD_URL#$BUILDKITE_JOB_ID',
  },
  { name: 'travis-ci', mark: 'TRAVIS', job: 'TRAVIS_JOB_NAME', url: '$TRAVIS_JOB_WEB_URL' },
  {
    name: 'appveyor',
    mark: 'APPVEYOR',
    job: 'APPVEYOR_JOB_NAME',
    url: appveyorRun,
    image: ['APPVEYOR_BUILD_WORKER_IMAGE'],
  },
  {
    name: 'woodpecker',
    mark: 'CI=woodpecker',
    job: ['CI_WORKFLOW_NAME', 'CI_STEP_NAME'],
    url: '$CI_PIPELINE_URL',
  },
  { name: 'drone', mark: 'DRONE', job: ['DRONE_STAGE_NAME', 'DRONE_STEP_NAME'], url: '$DRONE_BUILD_LINK' },
  { name: 'teamcity', mark: 'TEAMCITY_VERSION', job: 'TEAMCITY_BUILDCONF_NAME', url: '$BUILD_URL' },
  { name: 'jenkins', mark: 'JENKINS_URL', job: 'JOB_NAME', url: '$BUILD_URL' },
  {
    name: 'aws-codebuild',
    mark: 'CODEBUILD_BUILD_ARN',
    job: codebuildProject,
    url: '$CODEBUILD_PUBLIC_BUILD_URL',
    image: ['CODEBUILD_BUILD_IMAGE'],
  },
  { name: 'google-cloud-build', mark: 'BUILDER_OUTPUT' },
  {
    name: 'cirrus-ci',
    mark: 'CIRRUS_CI',
    job: 'CIRRUS_TASK_NAME',
    url: 'https://cirrus-ci.com/task/$CIRRUS_TASK_ID',
  },
  {
    name: 'semaphore',
    mark: 'SEMAPHORE',
    job: 'SEMAPHORE_JOB_NAME',
    url: '$SEMAPHORE_ORGANIZATION_URL/jobs/$SEMAPHORE_JOB_ID',
    image: ['SEMAPHORE_AGENT_MACHINE_OS_IMAGE'],
  },
  { name: 'codefresh', mark: 'CF_BUILD_ID', job: 'CF_PIPELINE_NAME', url: '$CF_BUILD_URL' },
  { name: 'bitrise', mark: 'BITRISE_IO', job: 'BITRISE_TRIGGERED_WORKFLOW_ID', url: '$BITRISE_BUILD_URL' },
  { name: 'sourcehut', mark: 'JOB_URL', url: '$JOB_URL' },
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
  const url = urlOf(provider, env);
  return { provider: provider.name, ...(job && { job }), ...(image && { image }), ...(url && { url }) };
}

/** Nothing where a variable is not set, or where the address is none of the web; never with a name or a password in it. */
function urlOf({ url: template = '' }: Provider, env: Environment): string | undefined {
  let isWhole = true;
  const filled = template.replace(/\$(\w+)/g, (_, name: string) => {
    isWhole &&= Boolean(env[name]);
    return env[name] ?? '';
  });
  const url = isWhole && URL.canParse(filled) ? new URL(filled) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href.length > 2048) return undefined;
  url.username = '';
  url.password = '';
  return url.href;
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
