// CI services by their documented variables.

import { expect, test } from 'vitest';
import { detectCi } from '../../../packages/capture/src/project/ci.ts';

test.each([
  [
    { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_JOB: 'build' },
    { provider: 'github-actions', job: 'build' },
  ],
  [
    { FORGEJO_ACTIONS: 'true', GITHUB_ACTIONS: 'true', GITHUB_JOB: 'b' },
    { provider: 'forgejo-actions', job: 'b' },
  ],
  [
    { GITLAB_CI: 'true', CI: 'true', CI_JOB_NAME: 'test: [18]' },
    { provider: 'gitlab-ci', job: 'test: [18]' },
  ],
  [
    { CIRCLECI: 'true', CIRCLE_JOB: 'lint' },
    { provider: 'circleci', job: 'lint' },
  ],
  [
    { TF_BUILD: 'True', SYSTEM_JOBNAME: 'Job' },
    { provider: 'azure-pipelines', job: 'Job' },
  ],
  [{ BITBUCKET_BUILD_NUMBER: '7' }, { provider: 'bitbucket-pipelines' }],
  [
    { BUILDKITE: 'true', BUILDKITE_LABEL: ':node: test' },
    { provider: 'buildkite', job: ':node: test' },
  ],
  [
    { JENKINS_URL: 'http://ci', JOB_NAME: 'app/main' },
    { provider: 'jenkins', job: 'app/main' },
  ],
  [{ TRAVIS: 'true' }, { provider: 'travis-ci' }],
  [{ TEAMCITY_VERSION: '2024' }, { provider: 'teamcity' }],
  [{ CODESPACES: 'true' }, { provider: 'codespaces' }],
  [{ GITPOD_WORKSPACE_ID: 'x-1' }, { provider: 'gitpod' }],
  [
    { CI: 'woodpecker', CI_WORKFLOW_NAME: 'build' },
    { provider: 'woodpecker', job: 'build' },
  ],
  [
    { CI: 'true', BITBUCKET_BUILD_NUMBER: '7', BITBUCKET_DEPLOYMENT_ENVIRONMENT: 'staging' },
    { provider: 'bitbucket-pipelines', job: 'staging' },
  ],
  [
    { DRONE: 'true', DRONE_STEP_NAME: 'test' },
    { provider: 'drone', job: 'test' },
  ],
  [
    {
      CODEBUILD_BUILD_ARN: 'arn:x',
      CODEBUILD_BUILD_ID: 'shop:0a1b',
      CODEBUILD_BUILD_IMAGE: 'aws/codebuild/standard:7.0',
    },
    { provider: 'aws-codebuild', job: 'shop', image: { name: 'aws/codebuild/standard:7.0' } },
  ],
  [
    { GITHUB_ACTIONS: 'true', GITHUB_JOB: 'build', ImageOS: 'ubuntu24', ImageVersion: '20261101.1' },
    { provider: 'github-actions', job: 'build', image: { name: 'ubuntu24', version: '20261101.1' } },
  ],
  [
    { GITLAB_CI: 'true', CI_JOB_IMAGE: 'node:24@sha256:abc' },
    { provider: 'gitlab-ci', image: { name: 'node:24', digest: 'sha256:abc' } },
  ],
  [{ CI: 'true' }, { provider: 'unknown' }],
])('%o is %o', (env, expected) => {
  expect(detectCi(env)).toEqual(expected);
});

test.each([[{}], [{ CI: 'false' }], [{ CI: '' }], [{ CI: '0' }], [{ GITHUB_ACTIONS: 'false' }]])(
  '%o is no CI',
  (env) => {
    expect(detectCi(env)).toBeUndefined();
  },
);
