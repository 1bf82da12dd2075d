// Variables of CI services other than GitHub and GitLab, as each documents them.

import type { VariableGroup } from './variable-class.ts';

const circle = { provider: 'circleci', source: 'https://circleci.com/docs/variables/' } as const;
const jenkins = {
  provider: 'jenkins',
  source: 'https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#using-environment-variables',
} as const;
const azure = {
  provider: 'azure-pipelines',
  source: 'https://learn.microsoft.com/azure/devops/pipelines/build/variables',
} as const;
const buildkite = {
  provider: 'buildkite',
  source: 'https://buildkite.com/docs/pipelines/configure/environment-variables',
} as const;
const teamcity = {
  provider: 'teamcity',
  source: 'https://www.jetbrains.com/help/teamcity/predefined-build-parameters.html',
} as const;
const bitbucket = {
  provider: 'bitbucket-pipelines',
  source: 'https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/',
} as const;
const travis = {
  provider: 'travis-ci',
  source: 'https://docs.travis-ci.com/user/environment-variables/#default-environment-variables',
} as const;
const appveyor = {
  provider: 'appveyor',
  source: 'https://www.appveyor.com/docs/environment-variables/',
} as const;
const drone = { provider: 'drone', source: 'https://docs.drone.io/pipeline/environment/reference/' } as const;
const woodpecker = {
  provider: 'woodpecker',
  source: 'https://woodpecker-ci.org/docs/usage/environment',
} as const;
const semaphore = {
  provider: 'semaphore',
  source: 'https://docs.semaphore.io/reference/env-vars',
} as const;
const cirrus = {
  provider: 'cirrus-ci',
  source: 'https://cirrus-ci.org/guide/writing-tasks/#environment-variables',
} as const;
const codebuild = {
  provider: 'aws-codebuild',
  source: 'https://docs.aws.amazon.com/codebuild/latest/userguide/build-env-ref-env-vars.html',
} as const;
const bitrise = {
  provider: 'bitrise',
  source: 'https://devcenter.bitrise.io/en/references/available-environment-variables.html',
} as const;
const codefresh = {
  provider: 'codefresh',
  source: 'https://codefresh.io/docs/docs/pipelines/variables/',
} as const;

export const otherCiServices: readonly VariableGroup[] = [
  { ...azure, class: 'configuration', names: 'TF_BUILD' },
  {
    ...circle,
    class: 'per-run',
    names: `CIRCLE_BUILD_* CIRCLE_WORKFLOW_* CIRCLE_BRANCH CIRCLE_BUILD_NUM CIRCLE_BUILD_URL CIRCLE_COMPARE_URL CIRCLE_INTERNAL_*
      CIRCLE_OIDC_TOKEN* CIRCLE_PIPELINE_* CIRCLE_PREVIOUS_BUILD_NUM CIRCLE_PR_* CIRCLE_PULL_REQUEST
      CIRCLE_PULL_REQUESTS CIRCLE_SHA1 CIRCLE_SHELL_ENV CIRCLE_TAG CIRCLE_TRIGGERER_* CIRCLE_USERNAME
      CIRCLE_WORKFLOW_ID CIRCLE_WORKFLOW_JOB_ID CIRCLE_WORKFLOW_WORKSPACE_ID
      CIRCLE_WORKFLOW_UPSTREAM_JOB_IDS`,
  },
  { ...circle, class: 'per-run', scoped: true, names: 'BASH_ENV CI_PULL_REQUEST CI_PULL_REQUESTS' },
  {
    ...circle,
    class: 'per-job',
    names: 'CIRCLE_JOB CIRCLE_STAGE CIRCLE_NODE_INDEX CIRCLE_NODE_TOTAL CIRCLE_WORKFLOW_NAME',
  },
  {
    ...circle,
    class: 'configuration',
    names: `CIRCLECI CIRCLE_ORGANIZATION_ID CIRCLE_PLUGIN_TEST CIRCLE_PROJECT_ID CIRCLE_PROJECT_REPONAME
      CIRCLE_PROJECT_USERNAME CIRCLE_REPOSITORY_URL CIRCLE_WORKING_DIRECTORY`,
  },
  {
    ...jenkins,
    class: 'per-run',
    scoped: true,
    names: `BRANCH_IS_PRIMARY BRANCH_NAME BUILD_CAUSE* BUILD_DISPLAY_NAME BUILD_ID BUILD_NUMBER BUILD_TAG BUILD_TIMESTAMP
      BUILD_URL BUILD_USER* CHANGE_* EXECUTOR_NUMBER GIT_BRANCH GIT_COMMIT GIT_LOCAL_BRANCH GIT_PREVIOUS_*
      JENKINS_NODE_COOKIE JENKINS_SERVER_COOKIE NODE_NAME RUN_ARTIFACTS_DISPLAY_URL
      RUN_CHANGES_DISPLAY_URL RUN_DISPLAY_URL RUN_TESTS_DISPLAY_URL ROOT_BUILD_CAUSE* SVN_REVISION
      TAG_DATE TAG_NAME TAG_TIMESTAMP TAG_UNIXTIME WORKSPACE_TMP HUDSON_COOKIE HUDSON_SERVER_COOKIE`,
  },
  {
    ...jenkins,
    class: 'per-job',
    scoped: true,
    names: 'JOB_BASE_NAME JOB_DISPLAY_URL JOB_NAME JOB_URL NODE_LABELS STAGE_NAME WORKSPACE',
  },
  {
    ...jenkins,
    class: 'per-image',
    names: `JENKINS_AGENT_* JENKINS_SLAVE_* JENKINS_VERSION JENKINS_INCREMENTALS_REPO_MIRROR JENKINS_UC*
      COPY_REFERENCE_FILE_LOG AGENT_WORKDIR`,
  },
  { ...jenkins, class: 'per-image', scoped: true, names: 'REF' },
  {
    ...jenkins,
    class: 'configuration',
    names: 'HUDSON_HOME HUDSON_URL JENKINS_HOME JENKINS_URL LIBRARY_*_VERSION',
  },
  { ...jenkins, class: 'configuration', scoped: true, names: 'GIT_URL GIT_URL_* SVN_URL GIT_CHECKOUT_DIR' },
  {
    ...azure,
    class: 'per-run',
    scoped: true,
    names: `AGENT_ID AGENT_JOBSTATUS AGENT_MACHINENAME AGENT_NAME AGENT_TEMPDIRECTORY BUILD_BUILDID
      BUILD_BUILDNUMBER BUILD_BUILDURI BUILD_CONTAINERID BUILD_CRONSCHEDULE_* BUILD_QUEUEDBY* BUILD_REASON
      BUILD_REQUESTEDFOR* BUILD_SOURCEBRANCH* BUILD_SOURCETFVCSHELVESET BUILD_SOURCEVERSION*
      BUILD_TRIGGEREDBY_* CHECKRUN_* RELEASE_* SYSTEM_ACCESSTOKEN SYSTEM_JOBATTEMPT SYSTEM_JOBID
      SYSTEM_JOBPARALLELISMTAG SYSTEM_JOBPOSITIONINPHASE SYSTEM_OIDCREQUESTURI SYSTEM_PHASEATTEMPT
      SYSTEM_PIPELINESTARTTIME SYSTEM_PLANID SYSTEM_PULLREQUEST_* SYSTEM_STAGEATTEMPT SYSTEM_STAGEID
      SYSTEM_TASKINSTANCEID SYSTEM_TIMELINEID TASK_* RESOURCES_* VSTS_PROCESS_LOOKUP_ID
      SYSTEM_TASKDISPLAYNAME SYSTEM_TASKINSTANCENAME SYSTEM_ENABLEACCESSTOKEN AZUREPS_HOST_ENVIRONMENT
      AZURE_HTTP_USER_AGENT SYSTEM_ISAZUREVM`,
  },
  {
    ...azure,
    class: 'per-job',
    scoped: true,
    names: `AGENT_JOBNAME SYSTEM_JOBDISPLAYNAME SYSTEM_JOBIDENTIFIER SYSTEM_JOBNAME SYSTEM_JOBTIMEOUT
      SYSTEM_PHASEDISPLAYNAME SYSTEM_PHASEID SYSTEM_PHASENAME SYSTEM_STAGEDISPLAYNAME SYSTEM_STAGENAME
      SYSTEM_TOTALJOBSINPHASE BUILD_BINARIESDIRECTORY BUILD_STAGINGDIRECTORY
      BUILD_ARTIFACTSTAGINGDIRECTORY COMMON_TESTRESULTSDIRECTORY PIPELINE_WORKSPACE BUILD_SOURCESDIRECTORY
      SYSTEM_ARTIFACTSDIRECTORY SYSTEM_DEFAULTWORKINGDIRECTORY AGENT_BUILDDIRECTORY AGENT_RELEASEDIRECTORY
      STRATEGY_NAME`,
  },
  {
    ...azure,
    class: 'per-image',
    scoped: true,
    names: `AGENT_CONTAINERMAPPING AGENT_OS AGENT_OSARCHITECTURE AGENT_VERSION AGENT_CLOUDID
      AGENT_DISABLELOGPLUGIN_*`,
  },
  {
    ...azure,
    class: 'configuration',
    scoped: true,
    names: `AGENT_HOMEDIRECTORY AGENT_ROOTDIRECTORY AGENT_SERVEROMDIRECTORY AGENT_WORKFOLDER
      AGENT_USEWORKSPACEID BUILD_CLEAN BUILD_DEFINITIONID BUILD_DEFINITIONNAME BUILD_DEFINITIONVERSION
      BUILD_DEFINITIONFOLDERPATH BUILD_REPOSITORY_* BUILD_PROJECT* ENDPOINT_URL_* LOCALREPOSITORYROOT_*
      SYSTEM_COLLECTIONID SYSTEM_COLLECTIONURI SYSTEM_CULTURE SYSTEM_DEBUG SYSTEM_DEFINITIONID
      SYSTEM_DEFINITIONNAME SYSTEM_HOSTTYPE SYSTEM_ISSCHEDULED SYSTEM_SERVERTYPE SYSTEM_TASKDEFINITIONSURI
      SYSTEM_TEAMFOUNDATION* SYSTEM_TEAMPROJECT* SYSTEM SYSTEM_WORKFOLDER VSTS_AGENT_* AZP_* AGENT_*
      SYSTEM_*`,
  },
  {
    ...buildkite,
    class: 'per-run',
    names: `BUILDKITE_AGENT_* BUILDKITE_ARTIFACT_* BUILDKITE_BRANCH BUILDKITE_BUILD_* BUILDKITE_COMMIT
      BUILDKITE_CREATOR* BUILDKITE_ENV_FILE BUILDKITE_JOB_* BUILDKITE_LAST_HOOK_EXIT_STATUS
      BUILDKITE_COMMAND_EXIT_STATUS BUILDKITE_MESSAGE BUILDKITE_PARALLEL_JOB_ID BUILDKITE_PULL_REQUEST*
      BUILDKITE_REBUILT_* BUILDKITE_RETRY_* BUILDKITE_STEP_* BUILDKITE_STEP_ID BUILDKITE_TAG BUILDKITE_TRIGGERED_*
      BUILDKITE_UNBLOCKER* BUILDKITE_SOURCE BUILDKITE_STARTED_AT BUILDKITE_BIN_PATH BUILDKITE_CONFIG_PATH
      BUILDKITE_ENV_JSON_FILE BUILDKITE_REFSPEC`,
  },
  {
    ...buildkite,
    class: 'per-job',
    names: `BUILDKITE_COMMAND BUILDKITE_GROUP_* BUILDKITE_LABEL BUILDKITE_PARALLEL_JOB
      BUILDKITE_PARALLEL_JOB_COUNT BUILDKITE_STEP_KEY BUILDKITE_PLUGIN* BUILDKITE_TIMEOUT
      BUILDKITE_CONCURRENCY_*`,
  },
  { ...buildkite, class: 'configuration', names: 'BUILDKITE BUILDKITE_*' },
  {
    ...teamcity,
    class: 'per-run',
    names: 'TEAMCITY_BUILD_PROPERTIES_FILE TEAMCITY_PROCESS_* TEAMCITY_AGENT_* TEAMCITY_BUILD_*',
  },
  {
    ...teamcity,
    class: 'per-run',
    scoped: true,
    names: `AGENT_NAME BUILD_NUMBER BUILD_VCS_NUMBER* BUILD_URL BUILD_IS_PERSONAL BUILD_START_DATE
      BUILD_START_TIME`,
  },
  { ...teamcity, class: 'per-job', names: 'TEAMCITY_BUILDCONF_NAME' },
  {
    ...teamcity,
    class: 'per-image',
    names: 'TEAMCITY_VERSION TEAMCITY_GIT_VERSION TEAMCITY_CAPTURE_ENV TEAMCITY_JRE',
  },
  { ...teamcity, class: 'configuration', names: 'TEAMCITY_PROJECT_NAME TEAMCITY_*' },
  {
    ...bitbucket,
    class: 'per-run',
    names: `BITBUCKET_BOOKMARK BITBUCKET_BUILD_* BITBUCKET_PIPELINE_* BITBUCKET_BRANCH BITBUCKET_BUILD_NUMBER BITBUCKET_COMMIT
      BITBUCKET_DEPLOYMENT_ENVIRONMENT_UUID BITBUCKET_PIPELINE_UUID BITBUCKET_PR_* BITBUCKET_PULL_*
      BITBUCKET_STEP_* BITBUCKET_TAG BITBUCKET_DOCKER_HOST_INTERNAL PIPELINES_JWT_TOKEN
      BITBUCKET_EXIT_CODE`,
  },
  {
    ...bitbucket,
    class: 'per-job',
    names: `BITBUCKET_DEPLOYMENT_ENVIRONMENT BITBUCKET_PARALLEL_STEP BITBUCKET_PARALLEL_STEP_COUNT
      BITBUCKET_STEP_RUN_NUMBER`,
  },
  { ...bitbucket, class: 'configuration', names: 'BITBUCKET_*' },
  {
    ...travis,
    class: 'per-run',
    names: `TRAVIS_BRANCH TRAVIS_BUILD_* TRAVIS_COMMIT* TRAVIS_EVENT_TYPE TRAVIS_JOB_* TRAVIS_JOB_ID TRAVIS_JOB_NUMBER
      TRAVIS_JOB_WEB_URL TRAVIS_PULL_REQUEST* TRAVIS_TAG TRAVIS_TEST_RESULT TRAVIS_TIMER_* TRAVIS_CMD
      TRAVIS_TMPDIR TRAVIS_JOB_RESTARTED`,
  },
  {
    ...travis,
    class: 'per-job',
    names: 'TRAVIS_JOB_NAME TRAVIS_*_VERSION TRAVIS_STAGE TRAVIS_ALLOW_FAILURE',
  },
  {
    ...travis,
    class: 'per-image',
    names: 'TRAVIS_CPU_ARCH TRAVIS_DIST TRAVIS_INFRA TRAVIS_OS_NAME TRAVIS_OSX_IMAGE TRAVIS_ARCH',
  },
  { ...travis, class: 'configuration', names: 'TRAVIS TRAVIS_*' },
  {
    ...appveyor,
    class: 'per-run',
    names: `APPVEYOR_ACCOUNT_ID APPVEYOR_API_URL APPVEYOR_BUILD_* APPVEYOR_JOB_* APPVEYOR_BUILD_ID APPVEYOR_BUILD_NUMBER APPVEYOR_BUILD_VERSION
      APPVEYOR_FORCED_BUILD APPVEYOR_JOB_ID APPVEYOR_JOB_NUMBER APPVEYOR_PULL_REQUEST_*
      APPVEYOR_REPO_BRANCH APPVEYOR_REPO_COMMIT* APPVEYOR_REPO_TAG* APPVEYOR_RE_BUILD
      APPVEYOR_SCHEDULED_BUILD`,
  },
  { ...appveyor, class: 'per-job', names: 'APPVEYOR_JOB_NAME' },
  { ...appveyor, class: 'per-image', names: 'APPVEYOR_BUILD_WORKER_IMAGE APPVEYOR_BUILD_WORKER_CLOUD' },
  { ...appveyor, class: 'configuration', names: 'APPVEYOR APPVEYOR_*' },
  {
    ...drone,
    class: 'per-run',
    names: `DRONE_BRANCH DRONE_BUILD_* DRONE_CALVER* DRONE_COMMIT* DRONE_FAILED_* DRONE_PULL_REQUEST*
      DRONE_SEMVER* DRONE_SOURCE_BRANCH DRONE_STAGE_* DRONE_STEP_* DRONE_TAG DRONE_TARGET_BRANCH
      DRONE_CARD_PATH`,
  },
  { ...drone, class: 'per-job', names: 'DRONE_STAGE_NAME DRONE_STEP_NAME DRONE_DEPLOY_TO' },
  {
    ...drone,
    class: 'per-image',
    names: 'DRONE_STAGE_ARCH DRONE_STAGE_OS DRONE_STAGE_VARIANT DRONE_SYSTEM_VERSION',
  },
  { ...drone, class: 'configuration', names: 'DRONE DRONE_*' },
  {
    ...woodpecker,
    class: 'per-run',
    names:
      'CI_PREV_* CI_STEP_* CI_PIPELINE_* CI_WORKFLOW_NUMBER CI_MACHINE CI_SCRIPT CI_NETRC_* WOODPECKER_SECRET',
  },
  { ...woodpecker, class: 'per-job', names: 'CI_WORKFLOW_NAME CI_STEP_NAME CI_STEP_TYPE' },
  {
    ...woodpecker,
    class: 'configuration',
    names: 'CI_REPO CI_REPO_* CI_FORGE_* CI_SYSTEM_* CI_WORKSPACE CI_MACHINE_ARCH WOODPECKER_*',
  },
  {
    ...semaphore,
    class: 'per-run',
    names: `SEMAPHORE_AGENT_* SEMAPHORE_ARTIFACT_TOKEN SEMAPHORE_CACHE_* SEMAPHORE_GIT_* SEMAPHORE_JOB_*
      SEMAPHORE_OIDC_TOKEN SEMAPHORE_PIPELINE_* SEMAPHORE_WORKFLOW_* SEMAPHORE_TRIGGER_* SEMAPHORE_OUTER_*`,
  },
  {
    ...semaphore,
    class: 'per-job',
    names: `SEMAPHORE_BLOCK_NAME SEMAPHORE_JOB_NAME SEMAPHORE_JOB_COUNT SEMAPHORE_JOB_INDEX
      SEMAPHORE_PIPELINE_NAME SEMAPHORE_WORKFLOW_NAME`,
  },
  {
    ...semaphore,
    class: 'per-image',
    names: `SEMAPHORE_AGENT_MACHINE_OS_IMAGE SEMAPHORE_AGENT_MACHINE_TYPE
      SEMAPHORE_AGENT_MACHINE_ENVIRONMENT_TYPE`,
  },
  { ...semaphore, class: 'configuration', names: 'SEMAPHORE SEMAPHORE_*' },
  {
    ...cirrus,
    class: 'per-run',
    names: `CIRRUS_BASE_* CIRRUS_BRANCH CIRRUS_BUILD_* CIRRUS_CHANGE_* CIRRUS_ENV CIRRUS_HTTP_CACHE_HOST
      CIRRUS_LAST_GREEN_* CIRRUS_PR* CIRRUS_RELEASE CIRRUS_TAG CIRRUS_TASK_ID CIRRUS_USER_*`,
  },
  { ...cirrus, class: 'per-job', names: 'CIRRUS_TASK_NAME' },
  { ...cirrus, class: 'per-image', names: 'CIRRUS_ARCH CIRRUS_CPU CIRRUS_OS' },
  { ...cirrus, class: 'configuration', names: 'CIRRUS_CI CIRRUS_*' },
  {
    ...codebuild,
    class: 'per-run',
    names: `CODEBUILD_AUTH_TOKEN CODEBUILD_BATCH_BUILD_IDENTIFIER CODEBUILD_BMR_URL CODEBUILD_BUILD_*
      CODEBUILD_CONTAINER_* CODEBUILD_EXECUTION_* CODEBUILD_INITIATOR CODEBUILD_LAST_EXIT CODEBUILD_LOG_*
      CODEBUILD_RESOLVED_* CODEBUILD_SOURCE_VERSION CODEBUILD_SRC_DIR* CODEBUILD_START_TIME
      CODEBUILD_WEBHOOK_* CODEBUILD_AGENT_* CODEBUILD_CI CODEBUILD_GOPATH CODEBUILD_FE_REPORT_ENDPOINT
      CODEBUILD_KMS_KEY_ID`,
  },
  {
    ...codebuild,
    class: 'configuration',
    names: 'CODEBUILD_PROJECT_* CODEBUILD_SOURCE_REPO_URL CODEBUILD_PUBLIC_BUILD_URL CODEBUILD_*',
  },
  {
    ...codebuild,
    class: 'per-run',
    scoped: true,
    names: 'AWS_CONTAINER_CREDENTIALS_* ECS_CONTAINER_METADATA_* ECS_AGENT_URI AWS_EXECUTION_ENV',
  },
  {
    ...bitrise,
    class: 'per-run',
    names: `BITRISE_APP_URL BITRISE_BUILD_* BITRISE_GIT_* BITRISE_TIMESTAMP BITRISE_TRIGGERED_*
      BITRISE_TRIGGER_* BITRISE_STEP_* BITRISE_TEST_* BITRISE_DEPLOY_DIR BITRISEIO_GIT_*
      BITRISEIO_PULL_REQUEST_* BITRISEIO_PIPELINE_* BITRISE_TMP_DIR`,
  },
  { ...bitrise, class: 'configuration', names: 'BITRISE_* BITRISEIO_*' },
  {
    ...codefresh,
    class: 'per-run',
    scoped: true,
    names: `CF_BRANCH* CF_BUILD_* CF_COMMIT_* CF_CURRENT_ATTEMPT CF_PULL_REQUEST_* CF_REVISION CF_SHORT_REVISION
      CF_STEP_NAME CF_RELEASE_* CF_PREVIOUS_*`,
  },
  {
    ...codefresh,
    class: 'configuration',
    scoped: true,
    names: `CF_ACCOUNT CF_API_HOST CF_HOST_NAME CF_KUBECONFIG_PATH CF_PIPELINE_NAME CF_REPO_* CF_URL CF_VOLUME_*
      CF_BASE_IMAGE CF_CLI`,
  },
];
