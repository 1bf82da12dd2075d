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
