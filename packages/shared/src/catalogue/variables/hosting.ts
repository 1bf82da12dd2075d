// Variables of hosting platforms, cloud functions, cluster nodes and remote development environments.

import type { VariableGroup } from './variable-class.ts';

const netlify = {
  provider: 'netlify',
  source: 'https://docs.netlify.com/build/configure-builds/environment-variables/',
} as const;
const vercel = {
  provider: 'vercel',
  source: 'https://vercel.com/docs/environment-variables/system-environment-variables',
} as const;
const heroku = { provider: 'heroku', source: 'https://devcenter.heroku.com/articles/dyno-metadata' } as const;
const render = { provider: 'render', source: 'https://render.com/docs/environment-variables' } as const;
const cloudflare = {
  provider: 'cloudflare-pages',
  source: 'https://developers.cloudflare.com/pages/configuration/build-configuration/',
} as const;
const railway = { provider: 'railway', source: 'https://docs.railway.com/reference/variables' } as const;
const fly = { provider: 'fly', source: 'https://fly.io/docs/machines/runtime-environment/' } as const;
const lambda = {
  provider: 'aws-lambda',
  source: 'https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html',
} as const;
const kubernetes = {
  provider: 'kubernetes',
  source: 'https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables',
} as const;
const codespaces = {
  provider: 'codespaces',
  source:
    'https://docs.github.com/en/codespaces/developing-in-a-codespace/default-environment-variables-for-your-codespace',
} as const;
const gitpod = {
  provider: 'gitpod',
  source: 'https://www.gitpod.io/docs/configure/projects/environment-variables',
} as const;
const devcontainer = {
  provider: 'devcontainer',
  source: 'https://containers.dev/implementors/json_reference/',
} as const;
const cloudRun = {
  provider: 'google-cloud',
  source: 'https://cloud.google.com/run/docs/container-contract#env-vars',
} as const;
const slurm = {
  provider: 'slurm',
  source: 'https://slurm.schedmd.com/sbatch.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES',
} as const;

const officialImages = {
  provider: 'official images',
  source: 'https://github.com/docker-library/official-images',
} as const;

export const hosting: readonly VariableGroup[] = [
  {
    ...netlify,
    class: 'per-run',
    names: `NETLIFY_BUILD_DEBUG NETLIFY_IMAGES_CDN_DOMAIN NETLIFY_SKEW_PROTECTION_TOKEN NETLIFY_PURGE_API_TOKEN`,
  },
  {
    ...netlify,
    class: 'per-run',
    scoped: true,
    names: `BRANCH BUILD_ID CACHED_COMMIT_REF COMMIT_REF DEPLOY_ID DEPLOY_PRIME_URL DEPLOY_URL HEAD
      INCOMING_HOOK_* PULL_REQUEST REVIEW_ID`,
  },
  { ...netlify, class: 'per-job', scoped: true, names: 'CONTEXT SITE_ID SITE_NAME URL REPOSITORY_URL' },
  { ...netlify, class: 'configuration', names: 'NETLIFY NETLIFY_*' },
  {
    ...vercel,
    class: 'per-run',
    names: `VERCEL_BRANCH_URL VERCEL_DEPLOYMENT_ID VERCEL_GIT_COMMIT_* VERCEL_GIT_PREVIOUS_SHA
      VERCEL_GIT_PULL_REQUEST_ID VERCEL_OIDC_TOKEN VERCEL_URL NEXT_PUBLIC_VERCEL_*
      VERCEL_SKEW_PROTECTION_ENABLED VERCEL_AUTOMATION_BYPASS_SECRET VERCEL_ARTIFACTS_*`,
  },
  { ...vercel, class: 'per-job', names: 'VERCEL_ENV VERCEL_TARGET_ENV VERCEL_REGION VERCEL_GIT_COMMIT_REF' },
  { ...vercel, class: 'configuration', names: 'VERCEL VERCEL_* NOW_BUILDER' },
  {
    ...heroku,
    class: 'per-run',
    names: `HEROKU_BUILD_COMMIT HEROKU_BUILD_DESCRIPTION HEROKU_DYNO_ID HEROKU_RELEASE_* HEROKU_SLUG_*
      HEROKU_TEST_RUN_*`,
  },
  { ...heroku, class: 'per-run', scoped: true, names: 'DYNO PORT SOURCE_VERSION' },
  { ...heroku, class: 'configuration', names: 'HEROKU_APP_* HEROKU_PR_NUMBER HEROKU_*' },
  { ...heroku, class: 'per-image', scoped: true, names: 'STACK' },
  {
    ...render,
    class: 'per-run',
    names: `RENDER_DISCOVERY_SERVICE RENDER_EXTERNAL_* RENDER_GIT_* RENDER_INSTANCE_ID RENDER_CPU_COUNT`,
  },
  { ...render, class: 'configuration', names: 'RENDER IS_PULL_REQUEST RENDER_SERVICE_* RENDER_*' },
  {
    ...cloudflare,
    class: 'per-run',
    names: `CF_PAGES_BRANCH CF_PAGES_COMMIT_SHA CF_PAGES_URL WORKERS_CI_BRANCH WORKERS_CI_BUILD_UUID
      WORKERS_CI_COMMIT_SHA`,
  },
  { ...cloudflare, class: 'configuration', names: 'CF_PAGES CF_PAGES_* WORKERS_CI' },
  {
    ...railway,
    class: 'per-run',
    names: `RAILWAY_DEPLOYMENT_* RAILWAY_GIT_* RAILWAY_REPLICA_* RAILWAY_SNAPSHOT_ID RAILWAY_VOLUME_*
      RAILWAY_STATIC_URL`,
  },
  { ...railway, class: 'configuration', names: 'RAILWAY_*' },
  {
    ...fly,
    class: 'per-run',
    names: 'FLY_ALLOC_ID FLY_IMAGE_REF FLY_MACHINE_* FLY_PRIVATE_IP FLY_PUBLIC_IP FLY_VM_*',
  },
  { ...fly, class: 'configuration', names: 'FLY_APP_NAME FLY_PROCESS_GROUP FLY_REGION PRIMARY_REGION' },
  {
    ...lambda,
    class: 'per-run',
    names: `AWS_LAMBDA_LOG_STREAM_NAME AWS_LAMBDA_RUNTIME_API _X_AMZN_TRACE_ID AWS_XRAY_*
      AWS_LAMBDA_INITIALIZATION_TYPE AWS_SESSION_TOKEN`,
  },
  { ...lambda, class: 'configuration', names: 'AWS_LAMBDA_* LAMBDA_RUNTIME_DIR LAMBDA_TASK_ROOT _HANDLER' },
  { ...kubernetes, class: 'configuration', names: 'KUBERNETES_PORT KUBERNETES_PORT_* KUBERNETES_SERVICE_*' },
  {
    ...kubernetes,
    class: 'configuration',
    shared: true,
    names: `*_PORT_*_TCP *_PORT_*_TCP_ADDR *_PORT_*_TCP_PORT *_PORT_*_TCP_PROTO *_PORT_*_UDP *_PORT_*_UDP_ADDR
      *_PORT_*_UDP_PORT *_PORT_*_UDP_PROTO *_PORT_*_SCTP *_PORT_*_SCTP_ADDR *_PORT_*_SCTP_PORT *_PORT_*_SCTP_PROTO
      *_SERVICE_HOST *_SERVICE_PORT *_SERVICE_PORT_*`,
  },
  { ...kubernetes, class: 'per-run', scoped: true, names: 'POD_IP POD_NAME POD_UID HOST_IP NODE_IP' },
  {
    ...codespaces,
    class: 'per-run',
    names: `CODESPACE_NAME GITHUB_CODESPACE_TOKEN GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN INTERNAL_VSCS_*`,
  },
  {
    ...codespaces,
    class: 'configuration',
    names: 'CODESPACES GITHUB_USER CODESPACE_VSCODE_FOLDER ContainerVersion CLOUDENV_ENVIRONMENT_ID ORYX_*',
  },
  {
    ...gitpod,
    class: 'per-run',
    names: `GITPOD_INSTANCE_ID GITPOD_WORKSPACE_* THEIA_* SUPERVISOR_ADDR GITPOD_GIT_USER_* GITPOD_OWNER_ID
      GITPOD_TASKS GITPOD_INTERVAL`,
  },
  { ...gitpod, class: 'configuration', names: 'GITPOD_*' },
  {
    ...devcontainer,
    class: 'per-run',
    names: 'REMOTE_CONTAINERS_IPC REMOTE_CONTAINERS_SOCKETS REMOTE_CONTAINERS_DISPLAY_SOCK',
  },
  {
    ...devcontainer,
    class: 'configuration',
    names: 'REMOTE_CONTAINERS DEVCONTAINER LOCAL_WORKSPACE_FOLDER DEVPOD* CODER_*',
  },
  {
    ...cloudRun,
    class: 'per-run',
    names: `K_REVISION CLOUD_RUN_EXECUTION CLOUD_RUN_TASK_* GAE_DEPLOYMENT_ID GAE_INSTANCE GAE_VERSION
      BUILDER_OUTPUT`,
  },
  {
    ...cloudRun,
    class: 'configuration',
    names: `K_SERVICE K_CONFIGURATION CLOUD_RUN_JOB GAE_* CLOUD_SHELL DEVSHELL_* FUNCTION_TARGET
      FUNCTION_SIGNATURE_TYPE`,
  },
  // What the images of languages say of the version that they hold; the version itself is compared as a runtime.
  {
    ...officialImages,
    class: 'per-image',
    names: `PYTHON_SHA256 PYTHON_PIP_VERSION PYTHON_SETUPTOOLS_VERSION PYTHON_GET_PIP_* GPG_KEY GPG_KEYS
      GOLANG_VERSION PHP_VERSION PHP_URL PHP_ASC_URL PHP_SHA256 PHP_INI_DIR PHPIZE_DEPS PHP_CFLAGS PHP_CPPFLAGS
      PHP_LDFLAGS RUBY_MAJOR RUBY_DOWNLOAD_* RUST_VERSION GRADLE_VERSION ASPNET_VERSION DOTNET_SDK_VERSION
      OTP_VERSION OTP_DOWNLOAD_* YARN_VERSION`,
  },
  { ...slurm, class: 'per-run', names: 'SLURM_* SBATCH_* PBS_* LSB_* SGE_*' },
];
