// Which continuous-integration service runs the capture, by the variables that each documents.

import { tableRows } from '@envsnap/shared/text/table-rows';

interface CiState {
  readonly provider: string;
  /** The provider's name for the job, without numbers that change with each run. */
  readonly job?: string;
  /** The job's runner, if the provider reports it. */
  readonly image?: CiImage;
  /** The page of this job, or of its run. */
  readonly url?: string;
}

interface CiImage {
  readonly name: string;
  readonly version?: string;
  /** `sha256:…`, if the job names its image by digest. */
  readonly digest?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A row: the provider; the variable that shows it (set and not `false`, or equal to the value after `=`); templates for the job's
 * name, of which the first with all variables counts; the address of the job's page; the variables of the image and its version.
 */
const providers = tableRows(`
  forgejo-actions | FORGEJO_ACTIONS | $GITHUB_JOB
    | $GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID
  gitea-actions | GITEA_ACTIONS | $GITHUB_JOB
    | $GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID
  github-actions | GITHUB_ACTIONS | $GITHUB_JOB
    | $GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID | ImageOS ImageVersion
  gitlab-ci | GITLAB_CI | $CI_JOB_NAME | $CI_JOB_URL | CI_JOB_IMAGE
  circleci | CIRCLECI | $CIRCLE_JOB | $CIRCLE_BUILD_URL
  azure-pipelines | TF_BUILD | $SYSTEM_JOBNAME
    | $SYSTEM_COLLECTIONURI$SYSTEM_TEAMPROJECT/_build/results?buildId=$BUILD_BUILDID | ImageOS ImageVersion
  bitbucket-pipelines | BITBUCKET_BUILD_NUMBER
    | $BITBUCKET_DEPLOYMENT_ENVIRONMENT, parallel step $BITBUCKET_PARALLEL_STEP
    | $BITBUCKET_GIT_HTTP_ORIGIN/pipelines/results/$BITBUCKET_BUILD_NUMBER
  buildkite | BUILDKITE | $BUILDKITE_LABEL | $BUILDKITE_BUILD_URL#$BUILDKITE_JOB_ID
  travis-ci | TRAVIS | $TRAVIS_JOB_NAME | $TRAVIS_JOB_WEB_URL
  appveyor | APPVEYOR | $APPVEYOR_JOB_NAME
    | $APPVEYOR_URL/project/$APPVEYOR_ACCOUNT_NAME/$APPVEYOR_PROJECT_SLUG/builds/$APPVEYOR_BUILD_ID
    | APPVEYOR_BUILD_WORKER_IMAGE
  woodpecker | CI=woodpecker | $CI_WORKFLOW_NAME, $CI_STEP_NAME | $CI_PIPELINE_URL
  drone | DRONE | $DRONE_STAGE_NAME, $DRONE_STEP_NAME | $DRONE_BUILD_LINK
  teamcity | TEAMCITY_VERSION | $TEAMCITY_BUILDCONF_NAME | $BUILD_URL
  jenkins | JENKINS_URL | $JOB_NAME | $BUILD_URL
  aws-codebuild | CODEBUILD_BUILD_ARN | $CODEBUILD_BATCH_BUILD_IDENTIFIER, $CODEBUILD_BUILD_ID
    | $CODEBUILD_PUBLIC_BUILD_URL | CODEBUILD_BUILD_IMAGE
  google-cloud-build | BUILDER_OUTPUT
  cirrus-ci | CIRRUS_CI | $CIRRUS_TASK_NAME | https://cirrus-ci.com/task/$CIRRUS_TASK_ID
  semaphore | SEMAPHORE | $SEMAPHORE_JOB_NAME | $SEMAPHORE_ORGANIZATION_URL/jobs/$SEMAPHORE_JOB_ID
    | SEMAPHORE_AGENT_MACHINE_OS_IMAGE
  codefresh | CF_BUILD_ID | $CF_PIPELINE_NAME | $CF_BUILD_URL
  bitrise | BITRISE_IO | $BITRISE_TRIGGERED_WORKFLOW_ID | $BITRISE_BUILD_URL
  sourcehut | JOB_URL | | $JOB_URL
  netlify | NETLIFY | $SITE_NAME
  vercel | VERCEL
  cloudflare-pages | CF_PAGES
  render | RENDER | $RENDER_SERVICE_NAME
  xcode-cloud | CI_XCODE_CLOUD | $CI_WORKFLOW
  codespaces | CODESPACES
  gitpod | GITPOD_WORKSPACE_ID`);
// The last two are cloud workspaces: they set no CI variable, but their machines are just as uniform.

/** The provider, `unknown` if only the general `CI` variable is set, or undefined outside of CI. */
export function detectCi(env: Environment): CiState | undefined {
  const isSet = (name: string): boolean => !['', 'false', undefined].includes(env[name]);
  const found = providers.find(([, mark = '']) => {
    const [name = '', value] = mark.split('=');
    return value === undefined ? isSet(name) : env[name] === value;
  });
  if (!found) return isSet('CI') && env.CI !== '0' ? { provider: 'unknown' } : undefined;
  const [provider = '', , jobs = '', address = '', image = ''] = found;
  const job = jobs
    .split(', ')
    .map((template) => filled(template, env))
    .find(Boolean);
  // `CODEBUILD_BUILD_ID` is `project:uuid`.
  const name = provider === 'aws-codebuild' ? job?.replace(/:.*$/s, '') : job;
  const runsOn = imageOf(image, env);
  const url = urlOf(address, env);
  return { provider, ...(name && { job: name }), ...(runsOn && { image: runsOn }), ...(url && { url }) };
}

/** A template with the variables that it names; undefined if one of them is not set. */
function filled(template: string, env: Environment): string | undefined {
  const names = [...template.matchAll(/\$(\w+)/g)].map(([, name = '']) => name);
  return names.every((name) => env[name])
    ? template.replace(/\$(\w+)/g, (_, name: string) => env[name] ?? '')
    : undefined;
}

/** Empty if the address is not a web address; never contains a name or a password. */
function urlOf(template: string, env: Environment): string | undefined {
  const url = URL.parse(filled(template, env) ?? '');
  if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > 2048) return undefined;
  url.username = '';
  url.password = '';
  return url.href;
}

/** `registry/name:tag@sha256:…` names an image by digest. */
function imageOf(variables: string, env: Environment): CiImage | undefined {
  const [nameVariable = '', versionVariable = ''] = variables.split(' ');
  const [name = '', digest] = (env[nameVariable] ?? '').split('@');
  if (name === '') return undefined;
  const version = env[versionVariable];
  return { name, ...(version && { version }), ...(digest && { digest }) };
}
