// CI services by their documented variables.

import { expect, test } from 'vitest';
import { detectCi } from '../../../packages/capture/src/project/ci.ts';
import { readTestData } from '../../support/test-data.ts';

const { providers } = readTestData<{ providers: [Record<string, string>, object][] }>(import.meta);

test.each(providers)('%o is %o', (env, expected) => {
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
