// Writes the comparison as a comment on the pull request, in place of the comment of this job's earlier run. Writes none
// if nothing differs and there is no earlier comment. Never fails the job, because a fork's token may not comment.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { input, notice, pullRequest, setting, workFolder } from './program.mjs';

/** Distinguishes this job from others that comment on the same pull request, including those of a matrix. */
const origin = [
  setting('GITHUB_WORKFLOW'),
  setting('GITHUB_JOB'),
  input('matrix') === 'null' ? '' : input('matrix'),
  setting('RUNNER_OS'),
  setting('RUNNER_ARCH'),
  input('machine-name'),
  input('outcome-of'),
];

/** A later run finds the comment by this mark. Several steps of a job may comment, so each has a separate mark. */
const digest = createHash('sha256').update(JSON.stringify([...origin, setting('GITHUB_ACTION')]));
const mark = `<!-- envsnap ${digest.digest('hex').slice(0, 16)} -->`;

/** The origin of the comment, in code spans, because names and the matrix may hold anything. */
function originLine() {
  const parts = origin.map((part) =>
    part
      .replace(/[\p{C}\p{Z}`]+/gu, ' ')
      .trim()
      .slice(0, 100),
  );
  return parts
    .filter((part) => part !== '')
    .map((part) => `\`${part.toWellFormed()}\``)
    .join(' · ');
}

/** Calls GitHub's API for this repository. If it refuses, throws an error with the status. */
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
  if (!response.ok) throw new Error(`GitHub responded with ${response.status} to ${method} ${shown}`);
  return response.json();
}

/** The owner of the token: an account, or `github-actions` for the token of a job. */
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

/** The comment of an earlier run. Anybody can write the mark, so only a comment by this token's account counts. */
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

/** Comments on the pull request of the job, if it has one. Without a verdict the job passed and nothing was compared. */
export async function comment(verdict) {
  try {
    const number = pullRequest()?.number;
    if (!Number.isInteger(number)) return;
    const report =
      verdict === undefined
        ? '### ✅ envsnap: this run passed\n'
        : readFileSync(path.join(workFolder(), 'comment.md'), 'utf8');
    const body = `${mark}\n\n${originLine()}\n\n${report}`;
    const earlier = await findEarlier(number);
    if (earlier) await call('PATCH', `/issues/comments/${earlier.id}`, { body });
    else if (verdict !== undefined && verdict !== 'equal')
      await call('POST', `/issues/${number}/comments`, { body });
  } catch (error) {
    // Without a verdict, the only purpose was to update an earlier comment.
    if (verdict === undefined) return;
    const reason = error instanceof Error ? error.message : String(error);
    const advice =
      'The step summary has the comparison. Commenting needs the permission "pull-requests: write".';
    notice(`No comment: ${reason}. ${advice}`);
  }
}
