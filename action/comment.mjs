// Writes the comparison as a comment on the pull request, over the one of an earlier run. Says nothing
// where nothing differs and there is no earlier comment. Never fails the job: a fork's token may not comment.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { input, notice, setting, workFolder } from './program.mjs';

const mark = '<!-- envsnap comparison -->';

/** One call of GitHub's API for this repository; throws with the status where it refuses. */
function call(method, route, body) {
  return request(
    method,
    `${setting('GITHUB_API_URL')}/repos/${setting('GITHUB_REPOSITORY')}${route}`,
    route,
    body,
  );
}

async function request(method, url, shown, body) {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${input('github-token')}`,
      'x-github-api-version': '2022-11-28',
      'user-agent': 'envsnap-action',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${method} ${shown}`);
  return response.json();
}

/** Whose token this is: an account, or `github-actions` for the token of a job. */
async function findOwnName() {
  const { data } = await request('POST', setting('GITHUB_GRAPHQL_URL'), '/graphql', {
    query: '{ viewer { login } }',
  });
  return nameOf(data?.viewer?.login);
}

/** Apps are called `name[bot]` in one place and `name` in another. */
function nameOf(login) {
  return typeof login === 'string' ? login.replace(/\[bot\]$/, '') : undefined;
}

/** The comment of an earlier run. Anybody can write the mark, so only a comment of this token's own counts. */
async function findEarlier(number) {
  let ownName;
  for (let page = 1; page <= 30; page += 1) {
    const comments = await call('GET', `/issues/${number}/comments?per_page=100&page=${page}`);
    for (const comment of comments) {
      if (typeof comment.body !== 'string' || !comment.body.startsWith(mark)) continue;
      ownName ??= await findOwnName();
      if (ownName !== undefined && nameOf(comment.user?.login) === ownName) return comment;
    }
    if (comments.length < 100) return undefined;
  }
  return undefined;
}

/** Comments on the pull request of the job, if it has one. */
export async function comment() {
  try {
    const folder = workFolder();
    const event = JSON.parse(readFileSync(setting('GITHUB_EVENT_PATH'), 'utf8'));
    const number = event.pull_request?.number;
    if (Number.isInteger(number)) {
      const body = readFileSync(path.join(folder, 'comment.md'), 'utf8');
      const { verdict } = JSON.parse(readFileSync(path.join(folder, 'comparison.json'), 'utf8'));
      const earlier = await findEarlier(number);
      if (earlier) await call('PATCH', `/issues/comments/${earlier.id}`, { body });
      else if (verdict !== 'equal') await call('POST', `/issues/${number}/comments`, { body });
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice =
      'The step summary has the comparison. Commenting needs the permission "pull-requests: write".';
    notice(`No comment: ${reason}. ${advice}`);
  }
}
