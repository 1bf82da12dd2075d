// Variables of hosting platforms, cloud functions, cluster nodes and remote development environments.

import { documented, group, type VariableGroup } from './variable-class.ts';

export const hosting: readonly VariableGroup[] = [
  ...documented('netlify', 'https://docs.netlify.com/build/configure-builds/environment-variables/', '', [
    group('per-run')`NETLIFY_BUILD_DEBUG NETLIFY_IMAGES_CDN_DOMAIN NETLIFY_SKEW_PROTECTION_TOKEN
      NETLIFY_PURGE_API_TOKEN`,
    group('per-run', { scoped: true })`BRANCH BUILD_ID CACHED_COMMIT_REF COMMIT_REF DEPLOY_ID
      DEPLOY_PRIME_URL DEPLOY_URL HEAD INCOMING_HOOK_* PULL_REQUEST REVIEW_ID`,
    group('per-job', { scoped: true })`CONTEXT SITE_ID SITE_NAME URL REPOSITORY_URL`,
    group('configuration')`NETLIFY NETLIFY_*`,
  ]),
  ...documented('vercel', 'https://vercel.com/docs/environment-variables/system-environment-variables', '', [
    group('per-run')`VERCEL_BRANCH_URL VERCEL_DEPLOYMENT_ID VERCEL_GIT_COMMIT_* VERCEL_GIT_PREVIOUS_SHA
      VERCEL_GIT_PULL_REQUEST_ID VERCEL_OIDC_TOKEN VERCEL_URL NEXT_PUBLIC_VERCEL_*
      VERCEL_SKEW_PROTECTION_ENABLED VERCEL_AUTOMATION_BYPASS_SECRET VERCEL_ARTIFACTS_*`,
    group('per-job')`VERCEL_ENV VERCEL_TARGET_ENV VERCEL_REGION VERCEL_GIT_COMMIT_REF`,
    group('configuration')`VERCEL VERCEL_* NOW_BUILDER`,
  ]),
  ...documented('heroku', 'https://devcenter.heroku.com/articles/dyno-metadata', '', [
    group('per-run')`DYNO HEROKU_BUILD_COMMIT HEROKU_BUILD_DESCRIPTION HEROKU_DYNO_ID HEROKU_RELEASE_*
      HEROKU_SLUG_* HEROKU_TEST_RUN_*`,
    group('per-run', { scoped: true })`PORT SOURCE_VERSION`,
    group('configuration')`HEROKU_APP_* HEROKU_PR_NUMBER HEROKU_*`,
    group('per-image', { scoped: true })`STACK`,
  ]),
  ...documented('render', 'https://render.com/docs/environment-variables', '', [
    group('per-run')`RENDER_DISCOVERY_SERVICE RENDER_EXTERNAL_* RENDER_GIT_* RENDER_INSTANCE_ID
      RENDER_CPU_COUNT`,
    group('configuration')`RENDER IS_PULL_REQUEST RENDER_SERVICE_* RENDER_*`,
  ]),
  ...documented(
    'cloudflare-pages',
    'https://developers.cloudflare.com/pages/configuration/build-configuration/',
    '',
    [
      group('per-run')`CF_PAGES_BRANCH CF_PAGES_COMMIT_SHA CF_PAGES_URL WORKERS_CI_BRANCH
      WORKERS_CI_BUILD_UUID WORKERS_CI_COMMIT_SHA`,
      group('configuration')`CF_PAGES CF_PAGES_* WORKERS_CI`,
    ],
  ),
  ...documented('railway', 'https://docs.railway.com/reference/variables', '', [
    group('per-run')`RAILWAY_DEPLOYMENT_* RAILWAY_GIT_* RAILWAY_REPLICA_* RAILWAY_SNAPSHOT_ID
      RAILWAY_VOLUME_* RAILWAY_STATIC_URL`,
    group('configuration')`RAILWAY_*`,
  ]),
  ...documented('fly', 'https://fly.io/docs/machines/runtime-environment/', '', [
    group('per-run')`FLY_ALLOC_ID FLY_IMAGE_REF FLY_MACHINE_* FLY_PRIVATE_IP FLY_PUBLIC_IP FLY_VM_*`,
    group('configuration')`FLY_APP_NAME FLY_PROCESS_GROUP FLY_REGION PRIMARY_REGION`,
  ]),
  ...documented('aws-lambda', 'https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html', '', [
    group('per-run')`AWS_LAMBDA_LOG_STREAM_NAME AWS_LAMBDA_RUNTIME_API _X_AMZN_TRACE_ID AWS_XRAY_*
      AWS_LAMBDA_INITIALIZATION_TYPE AWS_SESSION_TOKEN`,
    group('configuration')`AWS_LAMBDA_* LAMBDA_RUNTIME_DIR LAMBDA_TASK_ROOT _HANDLER`,
  ]),
  ...documented(
    'aws-ecs',
    'https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-metadata-endpoint-v4.html',
    '',
    [
      group('per-run')`ECS_AGENT_URI ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4
      AWS_CONTAINER_AUTHORIZATION_TOKEN AWS_CONTAINER_CREDENTIALS_*`,
    ],
  ),
  ...documented(
    'nomad',
    'https://developer.hashicorp.com/nomad/docs/reference/runtime-environment-settings',
    '',
    [
      group('per-run')`NOMAD_ADDR_* NOMAD_ALLOC_* NOMAD_HOST_* NOMAD_IP_* NOMAD_PORT_* NOMAD_SECRETS_DIR
      NOMAD_SHORT_ALLOC_ID NOMAD_TASK_DIR NOMAD_UNIX_ADDR`,
    ],
  ),
  ...documented(
    'azure-app-service',
    'https://learn.microsoft.com/azure/app-service/reference-app-settings',
    '',
    [
      group('per-run')`WEBSITE_INSTANCE_ID WEBSITE_PRIVATE_IP WEBSITE_ROLE_INSTANCE_ID
      CONTAINER_APP_REPLICA_NAME CONTAINER_APP_REVISION`,
    ],
  ),
  ...documented(
    'cloud-foundry',
    'https://docs.cloudfoundry.org/devguide/deploy-apps/environment-variable.html',
    '',
    [group('per-run')`CF_INSTANCE_*`],
  ),
  ...documented(
    'kubernetes',
    'https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables',
    '',
    [
      group('configuration')`KUBERNETES_PORT KUBERNETES_PORT_* KUBERNETES_SERVICE_*`,
      group('configuration', { shared: true })`*_PORT_*_TCP *_PORT_*_TCP_ADDR *_PORT_*_TCP_PORT
      *_PORT_*_TCP_PROTO *_PORT_*_UDP *_PORT_*_UDP_ADDR *_PORT_*_UDP_PORT *_PORT_*_UDP_PROTO *_PORT_*_SCTP
      *_PORT_*_SCTP_ADDR *_PORT_*_SCTP_PORT *_PORT_*_SCTP_PROTO *_SERVICE_HOST *_SERVICE_PORT *_SERVICE_PORT_*`,
      group('per-run', { scoped: true })`POD_IP POD_NAME POD_UID HOST_IP NODE_IP`,
    ],
  ),
  ...documented(
    'codespaces',
    'https://docs.github.com/en/codespaces/developing-in-a-codespace/default-environment-variables-for-your-codespace',
    '',
    [
      group('per-run')`CODESPACE_NAME GITHUB_CODESPACE_TOKEN GITHUB_CODESPACES_PORT_FORWARDING_DOMAIN
      INTERNAL_VSCS_*`,
      group('configuration')`CODESPACES GITHUB_USER CODESPACE_VSCODE_FOLDER ContainerVersion
      CLOUDENV_ENVIRONMENT_ID ORYX_*`,
    ],
  ),
  ...documented('gitpod', 'https://www.gitpod.io/docs/configure/projects/environment-variables', '', [
    group('per-run')`GITPOD_INSTANCE_ID GITPOD_WORKSPACE_* THEIA_* SUPERVISOR_ADDR GITPOD_GIT_USER_*
      GITPOD_OWNER_ID GITPOD_TASKS GITPOD_INTERVAL`,
    group('configuration')`GITPOD_*`,
  ]),
  ...documented('devcontainer', 'https://containers.dev/implementors/json_reference/', '', [
    group('per-run')`REMOTE_CONTAINERS_IPC REMOTE_CONTAINERS_SOCKETS REMOTE_CONTAINERS_DISPLAY_SOCK`,
    group('configuration')`REMOTE_CONTAINERS DEVCONTAINER LOCAL_WORKSPACE_FOLDER DEVPOD* CODER_*`,
  ]),
  ...documented('google-cloud', 'https://cloud.google.com/run/docs/container-contract#env-vars', '', [
    group('per-run')`K_REVISION CLOUD_RUN_EXECUTION CLOUD_RUN_TASK_* GAE_DEPLOYMENT_ID GAE_INSTANCE
      GAE_VERSION BUILDER_OUTPUT`,
    group('configuration')`K_SERVICE K_CONFIGURATION CLOUD_RUN_JOB GAE_* CLOUD_SHELL DEVSHELL_*
      FUNCTION_TARGET FUNCTION_SIGNATURE_TYPE`,
  ]),
  ...documented('official images', 'https://github.com/docker-library/official-images', '', [
    // What the images of languages say of the version that they hold; the version itself is compared as a runtime.
    group('per-image')`PYTHON_SHA256 PYTHON_PIP_VERSION PYTHON_SETUPTOOLS_VERSION PYTHON_GET_PIP_* GPG_KEY
      GPG_KEYS GOLANG_VERSION PHP_VERSION PHP_URL PHP_ASC_URL PHP_SHA256 PHP_INI_DIR PHPIZE_DEPS PHP_CFLAGS
      PHP_CPPFLAGS PHP_LDFLAGS RUBY_MAJOR RUBY_DOWNLOAD_* RUST_VERSION GRADLE_VERSION ASPNET_VERSION
      DOTNET_SDK_VERSION OTP_VERSION OTP_DOWNLOAD_* YARN_VERSION`,
  ]),
  ...documented('slurm', 'https://slurm.schedmd.com/sbatch.html#SECTION_OUTPUT-ENVIRONMENT-VARIABLES', '', [
    group('per-run')`SLURM_* SBATCH_* PBS_* LSB_* SGE_*`,
  ]),
];
