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

test.each([
  [
    'github-actions',
    {
      ...{ GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com', GITHUB_RUN_ID: '7' },
      GITHUB_REPOSITORY: 'shop/web',
    },
    'https://github.com/shop/web/actions/runs/7',
  ],
  ['gitlab-ci', { GITLAB_CI: 'true', CI_JOB_URL: 'https://gitlab.com/j/7' }, 'https://gitlab.com/j/7'],
  [
    'jenkins without what signs in',
    { JENKINS_URL: 'http://ci', BUILD_URL: 'http://ann:word@ci/job/web/7/' },
    'http://ci/job/web/7/',
  ],
  [
    'azure-pipelines with a space in the name of the project',
    {
      ...{ TF_BUILD: 'True', SYSTEM_COLLECTIONURI: 'https://dev.azure.com/shop/', BUILD_BUILDID: '7' },
      SYSTEM_TEAMPROJECT: 'web shop',
    },
    'https://dev.azure.com/shop/web%20shop/_build/results?buildId=7',
  ],
  [
    'buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_BUILD_URL: 'https://buildkite.com/shop/web/builds/7',
      BUILDKITE_JOB_ID: 'j',
    },
    'https://buildkite.com/shop/web/builds/7#j',
  ],
  ['circleci', { CIRCLECI: 'true', CIRCLE_BUILD_URL: 'https://circleci.com/7' }, 'https://circleci.com/7'],
  ['a part that is not set', { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '7' }, undefined],
  ['an address of another kind', { JENKINS_URL: 'http://ci', BUILD_URL: 'javascript:alert(1)' }, undefined],
])('names the page of the job: %s', (_, env, url) => {
  expect(detectCi(env)?.url).toBe(url);
});
