// The action, run by the runner's Node.js. It uses no tool of the job, and changes nothing in the job.

import { comment } from './comment.mjs';
import { compare } from './compare.mjs';
import { installEnvsnap } from './install.mjs';
import { fail, input, notice, pullRequest, runName, setting } from './program.mjs';
import { share } from './share.mjs';
import { store } from './store.mjs';

async function main() {
  const outcome = input('outcome');
  const hasKey = input('api-key') !== '' || setting('ENVSNAP_API_KEY') !== '';
  const isFork = () => pullRequest()?.head?.repo?.fork === true;
  if (outcome !== '' && input('baseline') === '' && !hasKey && isFork()) {
    notice(`This run of ${runName()} is not stored: a pull request from a fork gets no key`);
    return;
  }
  const program = await installEnvsnap();
  const isAsked = outcome === '' || input('baseline') !== '';
  // Explains a failed job even if no baseline is given.
  const verdict = isAsked || ['failure', 'failed'].includes(outcome) ? compare(program) : undefined;
  if (process.exitCode) return;
  const snapshotId = input('store') === 'true' || outcome !== '' ? store(program) : undefined;
  const differs = verdict !== undefined && verdict !== 'equal';
  if (differs && !['', 'false'].includes(input('share'))) share(program, snapshotId);
  const isSaid = verdict !== undefined || ['success', 'passed'].includes(outcome);
  if (isSaid && input('comment') === 'true') await comment(verdict);
  // Last, so that a difference that counts is commented on and stored too.
  if (isAsked && input('fail') === 'true' && verdict === 'failed') process.exitCode = 1;
}

main().catch((error) => fail(error instanceof Error ? error.message : String(error)));
